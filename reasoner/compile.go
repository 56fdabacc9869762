package reasoner

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"semisplit/reasoner/gdl"
)

// Compilation is the making of machines for one game: the prover at once,
// better machines in the background as they are ready.
type Compilation struct {
	better chan Machine
	done   chan struct{}

	mu   sync.Mutex
	best Machine
	err  error
}

// Compile starts the work. It ends when the last machine is ready or when ctx
// ends; Best serves throughout.
func Compile(ctx context.Context, p *gdl.Program, l Limits) (*Compilation, error) {
	first, err := newProver(p, l)
	if err != nil {
		return nil, err
	}
	c := &Compilation{best: first, better: make(chan Machine, 1), done: make(chan struct{})}
	go c.run(ctx, p, l)
	return c, nil
}

func (c *Compilation) run(ctx context.Context, p *gdl.Program, l Limits) {
	defer close(c.done)
	defer close(c.better)
	m, err := c.lanes(ctx, p, l)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.err = err
		return
	}
	c.best = m
	c.better <- m // buffered: nobody need be listening
}

// lanes is NewLanes behind a fence: a fault in the compiler must not end a
// match that the prover can play.
func (c *Compilation) lanes(ctx context.Context, p *gdl.Program, l Limits) (m Machine, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("compiler fault: %v\n%s", r, debug.Stack())
		}
	}()
	return NewLanes(ctx, p, l)
}

// Best is the best machine so far.
func (c *Compilation) Best() Machine {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.best
}

// Better delivers machines that are better than those before, and is closed
// when no more will come.
func (c *Compilation) Better() <-chan Machine { return c.better }

// Done is closed when the work has ended.
func (c *Compilation) Done() <-chan struct{} { return c.done }

// Err says, once Done is closed, why no better machine could be made.
func (c *Compilation) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
