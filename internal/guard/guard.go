// Package guard keeps a panic from ending the process.
package guard

import (
	"fmt"
	"runtime/debug"
)

// Run runs f and turns a panic into an error with the stack.
func Run(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}
