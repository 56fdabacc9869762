package jobs

import (
	"os"
	"testing"
	"time"
)

// TestKeep: a file that is there is not written again, since others may be reading it.
func TestKeep(t *testing.T) {
	var f Folder
	path, err := f.Keep("hash", []byte("data"))
	if err != nil {
		t.Fatal(err)
	}
	before := time.Unix(1e9, 0)
	if err := os.Chtimes(path, before, before); err != nil {
		t.Fatal(err)
	}
	if again, err := f.Keep("hash", []byte("data")); err != nil || again != path {
		t.Errorf("%s, %v", again, err)
	}
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(before) {
		t.Errorf("it was written again: %v, %v", info.ModTime(), err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "data" {
		t.Errorf("%q, %v", data, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
}
