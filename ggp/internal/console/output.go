package console

import (
	"io"
	"sync"
)

// output is a writer that remembers its first error, for all who do not look
// at those of their prints.
type output struct {
	w io.Writer

	mu     sync.Mutex
	failed error
}

// Write writes all of p, or remembers why it could not.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.w.Write(p)
	if o.failed == nil {
		o.failed = err
	}
	return n, err
}

// err is the first error of all writes.
func (o *output) err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failed
}
