package servers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"semisplit/internal/wholefile"
	"time"

	"github.com/tidwall/gjson"
)

// A cached is what a server said about one address, and when.
type cached struct {
	URL      string    `json:"url"`
	SHA256   string    `json:"sha256"` // of the body, hexadecimal
	Size     int       `json:"size"`   // of the body, bytes
	Checked  time.Time `json:"checked"`
	ETag     string    `json:"etag,omitempty"`
	Modified string    `json:"modified,omitempty"` // the Last-Modified header
	Missing  bool      `json:"missing,omitempty"`  // the server has no such page
	body     []byte
}

// cacheHeader bounds the first line of a file.
const cacheHeader = 16 << 10

// A fileCache keeps pages in a folder, each in a file of its own: a line of
// JSON (a cached), then the body. The file is named after the hash of the
// address, so that no server chooses a path. Files are replaced whole, so
// several programs may share a folder.
type fileCache struct {
	dir   string
	limit int64 // bytes of a body
}

// errDamaged is a file of the cache that is not what was written.
var errDamaged = errors.New("damaged")

func (c fileCache) path(url string) string {
	sum := sha256.Sum256([]byte(url))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(c.dir, name[:2], name[2:])
}

// get reads a page. The error is fs.ErrNotExist where there is none, and
// wraps errDamaged where the file does not hold what it says.
func (c fileCache) get(url string) (*cached, error) {
	file, err := os.Open(c.path(url))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, c.limit+cacheHeader+1))
	if err != nil {
		return nil, err
	}
	head, body, found := bytes.Cut(data, []byte("\n"))
	if !found || len(head) > cacheHeader || !gjson.ValidBytes(head) {
		return nil, fmt.Errorf("%w: no header", errDamaged)
	}
	e := &cached{body: body}
	if err := json.Unmarshal(head, e); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	sum := sha256.Sum256(body)
	switch {
	case e.URL != url:
		return nil, fmt.Errorf("%w: it is of another address", errDamaged)
	case e.Size != len(body):
		return nil, fmt.Errorf("%w: %d bytes of %d", errDamaged, len(body), e.Size)
	case e.SHA256 != hex.EncodeToString(sum[:]):
		return nil, fmt.Errorf("%w: the hash differs", errDamaged)
	}
	return e, nil
}

// put writes a page, whole or not at all.
func (c fileCache) put(e *cached) error {
	sum := sha256.Sum256(e.body)
	e.SHA256, e.Size = hex.EncodeToString(sum[:]), len(e.body)
	head, err := json.Marshal(e)
	if err != nil || len(head) > cacheHeader {
		return fmt.Errorf("a header of %d bytes: %w", len(head), err)
	}
	path := c.path(e.URL)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return wholefile.Write(path, append(append(head, '\n'), e.body...), 0o666)
}
