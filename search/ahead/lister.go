package ahead

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"semisplit/search/engine"
)

// lister lists the moves of states.
type lister struct {
	levels []int   // of the engines, by role
	chance []bool  // by role: those that move at random
	greedy float64 // probability that the best value is to be taken
	rng    *rand.Rand
	stop   *atomic.Bool // of the Step at hand: a list may take long, where moves are split

	offers, path, paths []uint32 // scratch
}

// list begins a ply with the moves in a lane of an engine. An error is that it was stopped.
func (e *lister) list(from engine.Engine, lane int, o *onePly) error {
	e.look(from, lane, o)
	if isSet(e.stop) {
		return errStopped
	}
	return nil
}

// look is list, of what was found until it was stopped.
func (e *lister) look(from engine.Engine, lane int, o *onePly) {
	o.state = from.State(lane, o.state[:0])
	o.stuck, o.forced, o.spoilt, o.greedy = false, false, false, false
	o.mover, o.win, o.replier = -1, -1, -1
	o.joint = o.joint[:0]
	choosers := 0
	for role, levels := range e.levels {
		e.paths, e.path = e.paths[:0], e.path[:0]
		e.walk(from, lane, role, levels, 2)
		if len(e.paths) == 0 {
			s, ok := from.(engine.Sampler)
			o.stuck, o.mover, o.failed = true, -1, ok && s.Partial(role)
			return
		}
		if len(e.paths) > levels {
			choosers++
			if e.chance[role] {
				choosers++ // nothing that others choose leads to a single state
			}
			o.mover, o.first, o.levels = role, len(o.joint), levels
			o.paths = append(o.paths[:0], e.paths...)
		}
		o.joint = append(o.joint, e.paths[:levels]...)
	}
	if choosers == 1 && o.levels > 1 {
		e.paths, e.path = e.paths[:0], e.path[:0]
		e.walk(from, lane, o.mover, o.levels, mostLooked+1)
		o.paths, e.paths = e.paths, o.paths
	}
	switch {
	case choosers == 0:
		o.forced = true
		o.values = slices.Grow(o.values[:0], len(e.levels))[:len(e.levels)]
	case choosers > 1 || len(o.paths) > mostLooked*o.levels:
		o.mover, o.joint = -1, e.drawJoint(from, lane, o.joint[:0])
	default:
		n := len(o.paths) / o.levels
		o.values = slices.Grow(o.values[:0], n)[:n]
		o.struck = slices.Grow(o.struck[:0], n)[:n]
		clear(o.struck)
		o.left = n
		o.greedy = e.greedy > 0 && e.rng.Float64() < e.greedy
	}
}

// walk appends the paths that go on from e.path by so many semimoves to
// e.paths, in rising order, until there are as many as wanted. Those of one
// semimove come all at once.
func (e *lister) walk(from engine.Engine, lane, role, left, wanted int) {
	if e.levels[role] == 1 {
		e.paths = from.Offers(lane, role, nil, e.paths)
		return
	}
	if left == 0 {
		e.paths = append(e.paths, e.path...)
		return
	}
	if isSet(e.stop) {
		return
	}
	base := len(e.offers)
	e.offers = from.Offers(lane, role, e.path, e.offers)
	for i := base; i < len(e.offers) && len(e.paths) < wanted*e.levels[role]; i++ {
		e.path = append(e.path, e.offers[i])
		e.walk(from, lane, role, left-1, wanted)
		e.path = e.path[:len(e.path)-1]
	}
	e.offers = e.offers[:base]
}

// drawJoint appends a random joint move of a lane, in which all roles can move.
func (e *lister) drawJoint(from engine.Engine, lane int, dst []uint32) []uint32 {
	for role, levels := range e.levels {
		e.path = e.path[:0]
		e.draw(from, lane, role, levels)
		dst = append(dst, e.path...)
	}
	return dst
}

// draw lets e.path go on by so many random semimoves. One that turns out dead is
// taken back. False: there is no way on.
func (e *lister) draw(from engine.Engine, lane, role, left int) bool {
	if left == 0 {
		return true
	}
	if isSet(e.stop) {
		return false
	}
	base := len(e.offers)
	e.offers = from.Offers(lane, role, e.path, e.offers)
	found := false
	for n := len(e.offers) - base; n > 0 && !found; n-- {
		k := base + e.rng.IntN(n)
		e.path = append(e.path, e.offers[k])
		e.offers[k] = e.offers[base+n-1]
		if found = e.draw(from, lane, role, left-1); !found {
			e.path = e.path[:len(e.path)-1]
		}
	}
	e.offers = e.offers[:base]
	return found
}
