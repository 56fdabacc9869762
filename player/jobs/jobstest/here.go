// Package jobstest does jobs at once, for tests of those who ask for them.
package jobstest

import (
	"context"
	"fmt"
	"sync"

	"semisplit/player/jobs"
)

// Here does jobs in the goroutine that asks. It keeps no outcome. Safe for use by
// several goroutines.
type Here struct {
	Handlers map[string]jobs.Handler
	Before   func(jobs.Job) error // is told of each; its error becomes that of the job

	mu    sync.Mutex
	files map[string][]byte
}

// Do does a job once.
func (h *Here) Do(ctx context.Context, j jobs.Job) (jobs.Outcome, error) {
	if h.Before != nil {
		if err := h.Before(j); err != nil {
			return jobs.Outcome{}, err
		}
	}
	handler := h.Handlers[j.Kind]
	if handler == nil {
		return jobs.Outcome{}, fmt.Errorf("no handler of %s", j.Kind)
	}
	out, err := jobs.Try(ctx, handler, jobs.Task{Payload: j.Payload, Files: h, Stretch: 1, Home: true}, j.Limit)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", jobs.ErrParked, err)
	}
	return jobs.Outcome{Payload: out, Worker: "here"}, err
}

// Put keeps data.
func (h *Here) Put(_ context.Context, data []byte) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.files == nil {
		h.files = map[string][]byte{}
	}
	hash := jobs.Hash(data)
	h.files[hash] = data
	return hash, nil
}

// Get finds data.
func (h *Here) Get(_ context.Context, hash string) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	data, ok := h.files[hash]
	if !ok {
		return nil, fmt.Errorf("no file %s", hash)
	}
	return data, nil
}
