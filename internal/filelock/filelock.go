// Package filelock keeps all other runs from a file.
package filelock

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrInUse is wrapped where another run writes to a database.
var ErrInUse = errors.New("another run is playing into it")

// Lock keeps all other runs from a file, mostly a database, in this process and others, until
// it is released. It is a lock of the operating system on a file beside the
// database, so it ends with its process, however that ends, and SQLite's own
// locks, by which reports read meanwhile, are left alone.
type Lock struct{ file *flock.Flock }

// Take locks the database at a path, which need not exist yet.
func Take(path string) (*Lock, error) {
	l, err := try(path)
	if l == nil && err == nil {
		err = fmt.Errorf("%w: wait until it has ended, or name another database with --db", ErrInUse)
	}
	return l, err
}

// pause is how long Wait waits between two attempts.
const pause = 10 * time.Millisecond

// Wait locks the file at a path, which need not exist yet, as soon as nobody else has it
// locked. It fails where that takes longer than most.
func Wait(path string, most time.Duration) (*Lock, error) {
	for end := time.Now().Add(most); ; time.Sleep(pause) {
		l, err := try(path)
		if l != nil || err != nil {
			return l, err
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("lock: somebody else has had it for %v", most)
		}
	}
}

// try locks what is at a path. Nil: somebody else has.
func try(path string) (*Lock, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // one lock, by whatever name
	}
	for {
		l := &Lock{flock.New(path+".lock", flock.SetPermissions(0o666))}
		free, err := l.file.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock: %w", err)
		}
		if !free {
			return nil, nil
		}
		if l.holds() {
			return l, nil
		}
		if err := l.file.Unlock(); err != nil { // the file was removed between opening and locking it
			return nil, fmt.Errorf("lock: %w", err)
		}
	}
}

// holds tells whether the file that was locked is the one that others find.
func (l *Lock) holds() bool {
	locked, err := l.file.Stat()
	if err != nil {
		return false
	}
	found, err := os.Stat(l.file.Path())
	return err == nil && os.SameFile(locked, found)
}

// Release lets others write. The file is removed while it is locked; a system
// that does not remove open files keeps it, which hinders nobody.
func (l *Lock) Release() error {
	_ = os.Remove(l.file.Path())
	return l.file.Unlock()
}
