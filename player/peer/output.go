package peer

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"semisplit/internal/printable"
)

// What is kept of the output of a process, in bytes.
const (
	keptHead = 64 << 10
	keptTail = 64 << 10
)

// output takes all that a process writes, so that it never waits for a reader,
// and keeps the beginning and the end.
type output struct {
	read *os.File
	file *os.File // nil: nothing is kept on disk
	gone chan struct{}

	mu    sync.Mutex
	total int64
	tail  []byte // the last bytes of all, up to twice keptTail
}

// newOutput returns the file that the process writes to as well.
func newOutput(path string) (o *output, write *os.File, err error) {
	o = &output{gone: make(chan struct{})}
	if path != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, nil, fmt.Errorf("output: %w", err)
		}
		if o.file, err = os.Create(path); err != nil {
			return nil, nil, fmt.Errorf("output: %w", err)
		}
	}
	if o.read, write, err = os.Pipe(); err != nil {
		if o.file != nil {
			_ = o.file.Close()
		}
		return nil, nil, fmt.Errorf("output: %w", err)
	}
	go func() {
		defer close(o.gone)
		_, _ = io.Copy(o, o.read) // it ends with the last writer, or when the reader is closed
	}()
	return o, write, nil
}

// Write keeps what is to be kept. It takes everything, even if the disk is full.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.file != nil && o.total < keptHead {
		_, _ = o.file.Write(p[:min(int64(len(p)), keptHead-o.total)])
	}
	o.total += int64(len(p))
	o.tail = append(o.tail, p...)
	if len(o.tail) > 2*keptTail {
		o.tail = append(o.tail[:0], o.tail[len(o.tail)-keptTail:]...)
	}
	return len(p), nil
}

// end writes the end of the output. Who still holds the other side of the pipe
// is not waited for long.
func (o *output) end() {
	late := time.NewTimer(outputTime)
	defer late.Stop()
	select {
	case <-o.gone:
	case <-late.C:
	}
	_ = o.read.Close()
	<-o.gone
	if o.file == nil {
		return
	}
	rest := o.tail[max(0, len(o.tail)-keptTail):]
	if beyond := o.total - keptHead; beyond < int64(len(rest)) {
		rest = rest[len(rest)-int(max(0, beyond)):]
	} else if left := beyond - int64(len(rest)); left > 0 {
		fmt.Fprintf(o.file, "\n... %d bytes are left out ...\n", left)
	}
	_, _ = o.file.Write(rest)
	_ = o.file.Close()
}

// lastLine is the last line with something in it; it may be cut.
func (o *output) lastLine() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := bytes.TrimSpace(o.tail)
	return printable.Text(string(text[bytes.LastIndexByte(text, '\n')+1:]), printable.LogLimit)
}
