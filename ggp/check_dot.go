package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"semisplit/reasoner/propnet"
)

// dotFile is a file for Graphviz that is to be written: whether it can be is
// known before the work begins, and the file is there when it is whole. A nil
// dotFile is not asked for.
type dotFile struct {
	path string // of the file in the end
	file *os.File
	part string // path of the file while it is written; "": the same
	err  error  // why it was not written
	done bool
}

// createDot opens the file; "": none is asked for.
func createDot(path string) (*dotFile, error) {
	if path == "" {
		return nil, nil
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // what a link points to is replaced, not the link
	}
	d := &dotFile{path: path, err: errors.New("the circuit was not reached")}
	mode := fs.FileMode(0o644)
	info, err := os.Stat(path)
	if err == nil {
		// A device or a pipe is written as it is, and so this is open already.
		if d.file, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return d, nil
		}
		mode = info.Mode().Perm()
		_ = d.file.Close() // nothing was written
	}
	if d.file, err = os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*"); err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", path, cause(err))
	}
	d.part = d.file.Name()
	if err := d.file.Chmod(mode); err != nil {
		d.drop()
		return nil, fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return d, nil
}

// cause is an error of a file without the name of that file.
func cause(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// write makes the file.
func (d *dotFile) write(net *propnet.Net) {
	if d == nil {
		return
	}
	d.err = errors.Join(propnet.WriteDot(d.file, net, propnet.DotOptions{}), d.file.Close())
	if d.err == nil && d.part != "" {
		d.err = os.Rename(d.part, d.path)
	}
	d.done = d.err == nil
}

// fail notes why there is nothing to write.
func (d *dotFile) fail(why error) {
	if d != nil {
		d.err = why
	}
}

// missing is an error if the file was asked for and not written.
func (d *dotFile) missing() error {
	if d == nil || d.done {
		return nil
	}
	return fmt.Errorf("%s was not written: %w", d.path, d.err)
}

// drop removes what was not finished.
func (d *dotFile) drop() {
	if d == nil || d.done {
		return
	}
	_ = d.file.Close()
	if d.part != "" {
		_ = os.Remove(d.part)
	}
}
