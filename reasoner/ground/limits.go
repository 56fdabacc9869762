package ground

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
)

// ErrLimit is wrapped, with what was exceeded, by the errors of games that
// grow past their Limits.
var ErrLimit = errors.New("ground: limit exceeded")

// Limits bounds a grounding. A zero field means the field of DefaultLimits.
// Time is bounded by the context.
type Limits struct {
	Instances int   // rule instances that are kept
	Atoms     int   // ground atoms
	Gates     int   // gates before the passes
	Bytes     int64 // estimate of the memory in use

	// Progress, if not nil, is kept up to date: every few milliseconds, for
	// others to read at any time.
	Progress *Progress
}

// Progress counts what a grounding has made so far.
type Progress struct {
	Atoms, Instances, Gates atomic.Int64
}

// DefaultLimits fits a machine with some gigabytes to spare.
var DefaultLimits = Limits{Instances: 30_000_000, Atoms: 10_000_000, Gates: 20_000_000, Bytes: 3 << 30}

func (l Limits) orDefault() Limits {
	if l.Instances == 0 {
		l.Instances = DefaultLimits.Instances
	}
	if l.Atoms == 0 {
		l.Atoms = DefaultLimits.Atoms
	}
	if l.Gates == 0 {
		l.Gates = DefaultLimits.Gates
	}
	if l.Bytes == 0 {
		l.Bytes = DefaultLimits.Bytes
	}
	return l
}

// checkEvery is the number of join steps between two looks at the clock and
// at the memory: some tenths of a millisecond.
const checkEvery = 1 << 13

// tick counts a step of work and now and then checks the bounds.
func (g *grounder) tick() error {
	g.steps++
	if g.steps%checkEvery != 0 {
		return nil
	}
	runtime.Gosched() // replies of other matches must not wait for this one
	return g.check()
}

func (g *grounder) check() error {
	if err := g.ctx.Err(); err != nil {
		return fmt.Errorf("ground: %w", context.Cause(g.ctx))
	}
	if p := g.limits.Progress; p != nil {
		p.Atoms.Store(int64(g.atoms.len()))
		p.Instances.Store(int64(g.instances))
		if g.builder != nil {
			p.Gates.Store(int64(g.builder.Len()))
		}
	}
	switch l := g.limits; {
	case g.mayPostpone && (g.atoms.len() > g.postponeAt || g.steps > g.postponeSteps):
		return errPostpone
	case g.instances > l.Instances:
		return fmt.Errorf("%w: more than %d rule instances", ErrLimit, l.Instances)
	case g.atoms.len() > l.Atoms:
		return fmt.Errorf("%w: more than %d ground atoms", ErrLimit, l.Atoms)
	case g.bytes() > l.Bytes:
		return fmt.Errorf("%w: more than %d bytes", ErrLimit, l.Bytes)
	}
	return nil
}

// bytes estimates the memory that grounding holds.
func (g *grounder) bytes() int64 {
	circuit := int64(0)
	if g.builder != nil {
		circuit = g.builder.Bytes() + int64(g.atoms.len())*4
	}
	return circuit + g.atoms.bytes() + int64(cap(g.bodies)+cap(g.nextInstance)+cap(g.bodyStart)+cap(g.firstInstance)+cap(g.queue))*4 + int64(g.store.Bytes())
}
