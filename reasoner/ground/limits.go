package ground

import (
	"context"
	"fmt"
	"sync/atomic"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
)

// Limits bounds a grounding. A zero field means the field of DefaultLimits.
// Time is bounded by the context.
type Limits struct {
	Instances int   // rule instances that are kept
	Atoms     int   // ground atoms
	Gates     int   // gates before the passes
	Depth     int   // gates below one another, before the passes: some of these go down by recursion
	Bytes     int64 // estimate of the memory in use

	// Progress, if not nil, is kept up to date: every few milliseconds, for
	// others to read at any time.
	Progress *Progress
}

// Progress counts what a grounding has made so far.
type Progress struct {
	Atoms, Instances, Gates atomic.Int64
	Grounded                atomic.Bool // the circuit is there; what remains are the passes
}

// DefaultLimits fits a machine with some gigabytes to spare.
var DefaultLimits = Limits{Instances: 30_000_000, Atoms: 10_000_000, Gates: 20_000_000, Depth: 200_000, Bytes: 3 << 30}

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
	if l.Depth == 0 {
		l.Depth = DefaultLimits.Depth
	}
	if l.Bytes == 0 {
		l.Bytes = DefaultLimits.Bytes
	}
	return l
}

// checkEvery is the number of join steps between two looks at the clock and
// at the memory: some tenths of a millisecond.
const checkEvery = 1 << 13

// budget counts the work and the memory of a grounding, and holds them
// against its limits.
type budget struct {
	ctx       context.Context
	limits    Limits
	steps     int
	patterns  int64 // in all rules that were made
	store     *gdl.Store
	atoms     *atomTable
	instances *instances
	builder   *propnet.Builder // of the circuit, once it is being made

	// While static relations are evaluated.
	mayPostpone   bool // those that are being evaluated may be postponed
	postponeAt    int  // number of atoms at which they are
	postponeSteps int  // number of steps at which they are
}

func newBudget(ctx context.Context, store *gdl.Store, l Limits) *budget {
	return &budget{ctx: ctx, limits: l, store: store, atoms: newAtomTable(), instances: newInstances()}
}

// heed leaves the grounding if the context has ended.
func (b *budget) heed() {
	if b.ctx.Err() != nil {
		panic(unwind{fmt.Errorf("ground: %w", context.Cause(b.ctx))})
	}
}

// tick counts a step of work and now and then checks the bounds.
func (b *budget) tick() error {
	b.steps++
	if b.steps%checkEvery != 0 {
		return nil
	}
	return b.check()
}

func (b *budget) check() error {
	if err := b.ctx.Err(); err != nil {
		return fmt.Errorf("ground: %w", context.Cause(b.ctx))
	}
	if p := b.limits.Progress; p != nil {
		p.Atoms.Store(int64(b.atoms.len()))
		p.Instances.Store(int64(b.instances.len()))
		if b.builder != nil {
			p.Gates.Store(int64(b.builder.Len()))
		}
	}
	switch l := b.limits; {
	case b.mayPostpone && (b.atoms.len() > b.postponeAt || b.steps > b.postponeSteps):
		return errPostpone
	case b.instances.len() > l.Instances:
		return fmt.Errorf("%w: more than %d rule instances", ErrLimit, l.Instances)
	case b.atoms.len() > l.Atoms:
		return fmt.Errorf("%w: more than %d ground atoms", ErrLimit, l.Atoms)
	case b.bytes() > l.Bytes:
		return fmt.Errorf("%w: more than %d bytes", ErrLimit, l.Bytes)
	}
	return nil
}

const patternBytes = 40

// bytes estimates the memory that grounding holds.
func (b *budget) bytes() int64 {
	circuit := int64(0)
	if b.builder != nil {
		circuit = b.builder.Bytes() + int64(b.atoms.len())*4
	}
	return circuit + b.atoms.bytes() + b.instances.bytes() + int64(b.store.Bytes()) + patternBytes*b.patterns
}
