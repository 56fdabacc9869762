package jobs

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// Folder keeps data for what reads files, until it is closed. The zero value has no
// folder yet. Safe for use by several goroutines.
type Folder struct {
	mu   sync.Mutex
	path string
}

// Keep is the path of a file with the data of this hash.
func (f *Folder) Keep(hash string, data []byte) (path string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		if f.path, err = os.MkdirTemp("", "ggp-worker-*"); err != nil {
			return "", err
		}
	}
	path = filepath.Join(f.path, hash+".json")
	if _, err := os.Stat(path); err == nil {
		return path, nil // another match may be reading it
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return "", errors.Join(err, os.Remove(path)) // a part of it would pass for the whole
	}
	return path, nil
}

// Close removes the files.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		return nil
	}
	return os.RemoveAll(f.path)
}
