package protocol

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"semisplit/internal/wholefile"
	"semisplit/protocol/internal/untrusted"
	"strings"
)

// Match records are signed with RSA over the SHA-1 (PKCS #1 v1.5) of their
// canonical form. That is what spectator sites check; SHA-1 would be chosen by
// nobody today.
const (
	keyPrefix       = "0"  // before the base64 of a public key in DER
	signaturePrefix = "A0" // before the base64 of a signature
	keyBits         = 2048
)

// Why a record does not count as signed.
var (
	ErrUnsigned  = errors.New("the record is not signed")
	ErrSignature = errors.New("the signature does not hold")
)

// NewHostKey makes a key to sign records with.
func NewHostKey() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, keyBits) }

// LoadHostKey reads a key (PEM, PKCS #8) that nobody else may read, or makes
// one if the file does not exist; made tells which.
func LoadHostKey(path string) (key *rsa.PrivateKey, made bool, err error) {
	data, err := readHostKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		key, err = makeHostKey(path)
		return key, true, err
	}
	if err != nil {
		return nil, false, fmt.Errorf("the key to sign records with: %w", err)
	}
	block, _ := pem.Decode(data)
	if block == nil || block.Type != "PRIVATE KEY" {
		return nil, false, fmt.Errorf("the key %s: no private key in PEM (PKCS #8); remove the file, and a new one will be made", path)
	}
	any, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, false, fmt.Errorf("the key %s: %w", path, err)
	}
	key, ok := any.(*rsa.PrivateKey)
	if !ok || key.N.BitLen() < keyBits {
		return nil, false, fmt.Errorf("the key %s: records are signed with RSA of %d bits", path, keyBits)
	}
	return key, false, nil
}

// longestKey is far above any key in PEM, in bytes.
const longestKey = 64 << 10

// readHostKey reads the file of a key, unless it is none, or others could have
// read or replaced what is in it.
func readHostKey(path string) ([]byte, error) {
	info, err := os.Stat(path) // before it is opened: a pipe would wait for its writer
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > longestKey:
		return nil, fmt.Errorf("%s is no key: it has %d bytes", path, info.Size())
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0: // there, the mode says nothing
		return nil, fmt.Errorf("%s can be read or written by others (mode %04o): make it yours alone with chmod 600, or remove it and a new one will be made",
			path, info.Mode().Perm())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, longestKey)) // it may have changed
}

func makeHostKey(path string) (*rsa.PrivateKey, error) {
	key, err := NewHostKey()
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("a place for the key to sign records with: %w", err)
	}
	data := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err := wholefile.Write(path, data, 0o600); err != nil {
		return nil, fmt.Errorf("write the key to sign records with: %w", err)
	}
	return key, nil
}

// Fingerprint is how people tell keys apart: the first eight bytes, in
// hexadecimal, of the SHA-256 of the public key as records hold it.
func Fingerprint(publicKey string) string {
	sum := sha256.Sum256([]byte(publicKey))
	return hex.EncodeToString(sum[:8])
}

// HostPK is a public key as records hold it.
func HostPK(key *rsa.PublicKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return "", err
	}
	return keyPrefix + base64.StdEncoding.EncodeToString(der), nil
}

// Sign puts the public key and the signature into the record. What is
// recorded afterwards needs another signature.
func (r *Record) Sign(key *rsa.PrivateKey) error {
	pk, err := HostPK(&key.PublicKey)
	if err != nil {
		return fmt.Errorf("sign the record: %w", err)
	}
	r.MatchHostPK, r.MatchHostSigned = pk, ""
	data, err := r.MarshalJSON()
	if err != nil {
		return err
	}
	text, err := canonicalJSON(data, "matchHostSignature")
	if err != nil {
		return fmt.Errorf("sign the record: %w", err)
	}
	sum := sha1.Sum([]byte(text))
	signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA1, sum[:])
	if err != nil {
		return fmt.Errorf("sign the record: %w", err)
	}
	r.MatchHostSigned = signaturePrefix + base64.StdEncoding.EncodeToString(signature)
	return nil
}

// VerifySignature checks the signature of a record as it was received, keys
// that we do not know included, and returns the public key of its host. That
// says who signed, not who that is. An error wraps ErrUnsigned, ErrSignature
// or ErrRecord.
func VerifySignature(data []byte) (publicKey string, err error) {
	doc, err := untrusted.ParseJSON(data)
	if err != nil {
		return "", recordError("%v", err)
	}
	publicKey, signed := doc.Get("matchHostPK").String(), doc.Get("matchHostSignature").String()
	if publicKey == "" || signed == "" {
		return "", ErrUnsigned
	}
	key, err := parseHostPK(publicKey)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrSignature, err)
	}
	encoded, found := strings.CutPrefix(signed, signaturePrefix)
	signature, err := base64.StdEncoding.DecodeString(encoded)
	if !found || err != nil {
		return "", fmt.Errorf("%w: %q is no signature", ErrSignature, untrusted.PlainText(signed, 40))
	}
	text, err := canonicalJSON(data, "matchHostSignature")
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrSignature, err)
	}
	sum := sha1.Sum([]byte(text))
	if err := rsa.VerifyPKCS1v15(key, crypto.SHA1, sum[:], signature); err != nil {
		return "", fmt.Errorf("%w: the record was altered after it was signed, or signed with another key", ErrSignature)
	}
	return publicKey, nil
}

func parseHostPK(text string) (*rsa.PublicKey, error) {
	encoded, found := strings.CutPrefix(text, keyPrefix)
	der, err := base64.StdEncoding.DecodeString(encoded)
	if !found || err != nil || len(der) > 4096 {
		return nil, fmt.Errorf("%q is no public key", untrusted.PlainText(text, 40))
	}
	any, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, fmt.Errorf("the public key: %w", err)
	}
	key, ok := any.(*rsa.PublicKey)
	if !ok || key.N.BitLen() < 1024 || key.N.BitLen() > 8192 {
		return nil, errors.New("the public key is not RSA of 1024 to 8192 bits")
	}
	return key, nil
}
