package toys

import (
	"errors"
	"sync/atomic"
)

// ErrOffers is what a Failing engine says of offers that it could not find.
var ErrOffers = errors.New("what may be chosen was not found")

// Failing is an Engine of one lane that finds no offers after the first semimove of a move.
// The next Step says why, unless the lane is loaded anew before.
type Failing struct {
	*Engine
	failed bool
}

func (e *Failing) Load(lane int, state []uint64, joint []uint32) {
	e.failed = false
	e.Engine.Load(lane, state, joint)
}

func (e *Failing) Step(stop *atomic.Bool) ([]uint64, error) {
	if e.failed {
		e.Unload(0)
		return nil, ErrOffers
	}
	return e.Engine.Step(stop)
}

func (e *Failing) Offers(lane, role int, prefix, dst []uint32) []uint32 {
	if len(prefix) > 0 {
		e.failed = true
		return dst
	}
	return e.Engine.Offers(lane, role, prefix, dst)
}

// Partial tells whether offers were not found.
func (e *Failing) Partial(int) bool { return e.failed }
