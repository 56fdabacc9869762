// Package wholefile replaces files, so that a reader never sees half of one.
package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces a file. Nobody but the owner may write to it.
func Write(path string, data []byte, mode os.FileMode) error {
	temporary, err := Beside(path, data, mode)
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return errors.Join(of(path, err), os.Remove(temporary))
	}
	return nil
}

// of is an error about path, which knows nothing of a temporary file.
func of(path string, err error) error {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &file):
		err = file.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: "write", Path: path, Err: err}
}

// Beside writes data to a new file in the folder of path, to the disk, and
// returns its name. After an error there is none.
func Beside(path string, data []byte, mode os.FileMode) (name string, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return "", of(path, err)
	}
	_, err = file.Write(data)
	if err == nil {
		err = errors.Join(file.Chmod(mode&^0o022), file.Sync())
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(of(path, err), os.Remove(file.Name()))
	}
	return file.Name(), nil
}
