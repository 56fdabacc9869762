// Package jobs says what a piece of work is that can be done elsewhere: by another
// goroutine, process or machine, and again if need be.
package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"semisplit/internal/guard"
)

// Job is a piece of work. Whoever does it has the payload, the files that it names by
// their hashes, and nothing else of who asks.
type Job struct {
	Group   string // of the jobs that belong together; letters, digits, - and _
	ID      string // in its group: the same for the same work, however often it is asked for; spelled alike
	Kind    string // that a handler has
	Payload []byte
	Place   Place
	Limit   time.Duration // a try that takes longer has failed; 0: none
}

// Place says who may do a job.
type Place int

const (
	// Anywhere is for work whose outcome does not depend on the speed of the machine.
	Anywhere Place = iota
	// Alike is for work with clocks: it is done by machines about as fast as that of
	// who asks.
	Alike
	// Scaled is for work with clocks that are stretched by the speed of the machine
	// beside that of who asks.
	Scaled
	// Home is for work that only the process which asks for it can do, since it uses
	// addresses or programs of its machine.
	Home
)

// Task is a job for who does it.
type Task struct {
	Payload []byte
	Files   Files
	Stretch float64 // of clocks: 1 but for Scaled
	Home    bool    // it is done by the process that asked for it
}

// Handler does the jobs of a kind. An error, or a panic, is a failed try; what every
// other try would come to as well belongs into the outcome. It returns soon after ctx
// has ended.
type Handler func(ctx context.Context, t Task) ([]byte, error)

// Files hold data by their hashes.
type Files interface {
	Get(ctx context.Context, hash string) ([]byte, error)
}

// Field is where jobs are done.
type Field interface {
	// Do returns the outcome of a job. It waits as long as that takes. What was done
	// before under the same ID is not done again. The error wraps ErrParked where all
	// tries failed.
	Do(ctx context.Context, j Job) (Outcome, error)
	// Put keeps data that jobs name, and returns their hash.
	Put(ctx context.Context, data []byte) (hash string, err error)
}

// Outcome is what came of a job.
type Outcome struct {
	Payload []byte
	Worker  string        // who did it
	Took    time.Duration // the try that succeeded
}

// ErrParked is wrapped where a job was given up, with the error of its last try.
var ErrParked = errors.New("given up after three tries")

// Tries is how often a job is tried.
const Tries = 3

// Hash names data.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Try lets a handler do a job once, whatever comes.
func Try(ctx context.Context, h Handler, t Task, limit time.Duration) (out []byte, err error) {
	if limit > 0 {
		var end context.CancelFunc
		ctx, end = context.WithTimeoutCause(ctx, limit, fmt.Errorf("it took more than %v", limit))
		defer end()
	}
	err = guard.Run(func() (err error) {
		out, err = h(ctx, t)
		return err
	})
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return out, err
}
