package protocol_test

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"semisplit/protocol"
)

// hostKey is one key for all tests, since making one takes a while.
var hostKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := protocol.NewHostKey()
	if err != nil {
		panic(err)
	}
	return key
})

// The form that is signed, written by hand beside the record, and signed with
// the standard library alone.
func TestVerifySignatureByHand(t *testing.T) {
	key := hostKey()
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	pk := "0" + base64.StdEncoding.EncodeToString(der)
	canonical := `{"matchHostPK":"` + pk + `","matchId":"m","moves":[["a \"b\"","<\/c>/"],[]],"weight":1,"x-note":{"a":0.5,"b":[true,null,"\u2028é\n"]}}`
	sum := sha1.Sum([]byte(canonical))
	signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA1, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	record := fmt.Sprintf(`{ "weight": 1.0, "x-note": {"b": [true, null, "\u2028\u00e9\n"], "a": 0.50},
		"moves": [["a \"b\"", "</c>\/"], [ ]], "matchHostSignature": "A0%s", "matchId": "m", "matchHostPK": "%s"}`,
		base64.StdEncoding.EncodeToString(signature), pk)
	if by, err := protocol.VerifySignature([]byte(record)); err != nil || by != pk {
		t.Fatalf("by %q, %v", by, err)
	}
	for _, x := range []struct{ old, new string }{
		{`"m"`, `"n"`}, {`0.50`, `0.51`}, {`true`, `false`}, {`[ ]`, `[[]]`}, {`"matchId"`, `"matchid"`},
		{`{ "weight"`, `{ "y": 1, "weight"`}, {`"A0`, `"A1`}, {`"A0`, `"A0=`}, {`"matchHostPK": "0`, `"matchHostPK": "1`},
		{`{ "weight"`, `{ "matchId": "m", "weight"`}, // a reader may take either
	} {
		altered := strings.Replace(record, x.old, x.new, 1)
		if altered == record {
			t.Fatalf("%s does not occur", x.old)
		}
		if _, err := protocol.VerifySignature([]byte(altered)); !errors.Is(err, protocol.ErrSignature) {
			t.Errorf("%s for %s: got %v", x.new, x.old, err)
		}
	}
	for _, unsigned := range []string{`{"matchId": "m"}`, `{"matchHostPK": "` + pk + `"}`, `{"matchHostSignature": "A0"}`} {
		if _, err := protocol.VerifySignature([]byte(unsigned)); !errors.Is(err, protocol.ErrUnsigned) {
			t.Errorf("%.30s: got %v", unsigned, err)
		}
	}
	for _, broken := range []string{"", "[", strings.Repeat("[", 1_000_000)} {
		if _, err := protocol.VerifySignature([]byte(broken)); !errors.Is(err, protocol.ErrRecord) {
			t.Errorf("%.30s: got %v", broken, err)
		}
		if _, err := protocol.ParseRecord([]byte(broken)); !errors.Is(err, protocol.ErrRecord) {
			t.Errorf("%.30s: got %v", broken, err)
		}
	}
}

// A record that we sign holds, and no longer when it grows.
func TestSign(t *testing.T) {
	r := played(t)
	if err := r.Sign(hostKey()); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if by, err := protocol.VerifySignature(data); err != nil || by != r.MatchHostPK {
		t.Errorf("by %q, %v", by, err)
	}
	if err := r.Complete([]int{100, 0}); err != nil {
		t.Fatal(err)
	}
	if data, err = json.Marshal(r); err != nil {
		t.Fatal(err)
	}
	if _, err := protocol.VerifySignature(data); !errors.Is(err, protocol.ErrSignature) {
		t.Errorf("got %v", err)
	}
}

func TestLoadHostKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys", "host.pem")
	key, made, err := protocol.LoadHostKey(path)
	if err != nil || !made {
		t.Fatal(made, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	again, made, err := protocol.LoadHostKey(path)
	if err != nil || made || !again.Equal(key) {
		t.Errorf("another key, %v, %v", made, err)
	}
	for _, mode := range []os.FileMode{0o666, 0o640, 0o620, 0o604} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, _, err := protocol.LoadHostKey(path); runtime.GOOS != "windows" && (err == nil || !strings.Contains(err.Error(), "chmod 600")) {
			t.Errorf("mode %v: %v", mode, err)
		}
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for other, says := range map[string]string{os.DevNull: "regular", filepath.Dir(path): "regular"} {
		if _, _, err := protocol.LoadHostKey(other); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", other, err)
		}
	}
	long := filepath.Join(filepath.Dir(path), "long.pem")
	if err := os.WriteFile(long, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := protocol.LoadHostKey(long); err == nil || !strings.Contains(err.Error(), "1048576 bytes") {
		t.Errorf("a long file: %v", err)
	}
	if err := os.WriteFile(path, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := protocol.LoadHostKey(path); err == nil || !strings.Contains(err.Error(), "remove the file") {
		t.Errorf("got %v", err)
	}
}
