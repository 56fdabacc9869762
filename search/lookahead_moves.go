package search

import (
	"math/rand/v2"
	"slices"
)

// prospect is what the moves in a state lead to, where one role chooses.
type prospect struct {
	stuck  bool     // a role has no legal move, though the state is not terminal
	forced bool     // no role has a choice
	spoilt bool     // forced: the only joint move ends the game
	mover  int      // the role; -1: none, chance, or several
	joint  []uint32 // random, or with any move of the mover, from at on
	at     int
	state  []uint64

	// Of the mover's legal moves, in rising order.
	paths  []uint32  // one after the other
	levels int       // semimoves of each
	values []float64 // of the states, to the mover; forced: of the end, to each role
	struck []bool    // not to be made as long as there are others
	left   int       // those that are not struck
	win    int       // one that wins at once; -1: none, or none was looked for
	greedy bool      // the best value is to be taken

	// The reply that refuted the last move: a joint move of the state that it led
	// to, in which the replier wins. -1: there is none.
	replier int
	reply   []uint32
}

// lostFor tells whether the next joint move lets others win, at their will or
// without any choice, and not the role.
func (o *prospect) lostFor(role int) bool {
	if o.forced {
		return o.spoilt && o.values[role] < 1 && wins(o.values)
	}
	return o.win >= 0 && o.mover != role
}

// jointOf is the joint move with a move of the mover.
func (o *prospect) jointOf(move int) []uint32 {
	if o.mover >= 0 {
		copy(o.joint[o.at:], o.path(move))
	}
	return o.joint
}

func (o *prospect) path(move int) []uint32 { return o.paths[move*o.levels : (move+1)*o.levels] }

func (o *prospect) strike(move int) {
	if !o.struck[move] {
		o.struck[move] = true
		o.left--
	}
}

// lister lists the moves of states.
type lister struct {
	levels []int   // of the engines, by role
	chance []bool  // by role: those that move at random
	greedy float64 // probability that the best value is to be taken
	rng    *rand.Rand

	offers, path, paths []uint32 // scratch
}

// list begins a prospect with the moves in a lane of an engine.
func (e *lister) list(from Engine, lane int, o *prospect) {
	o.state = from.State(lane, o.state[:0])
	o.stuck, o.forced, o.spoilt, o.greedy = false, false, false, false
	o.mover, o.win, o.replier = -1, -1, -1
	o.joint = o.joint[:0]
	choosers := 0
	for role, levels := range e.levels {
		e.paths, e.path = e.paths[:0], e.path[:0]
		e.walk(from, lane, role, levels, 2)
		if len(e.paths) == 0 {
			o.stuck, o.mover = true, -1
			return
		}
		if len(e.paths) > levels {
			choosers++
			if e.chance[role] {
				choosers++ // nothing that others choose leads to a single state
			}
			o.mover, o.at, o.levels = role, len(o.joint), levels
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
func (e *lister) walk(from Engine, lane, role, left, wanted int) {
	if e.levels[role] == 1 {
		e.paths = from.Offers(lane, role, nil, e.paths)
		return
	}
	if left == 0 {
		e.paths = append(e.paths, e.path...)
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
func (e *lister) drawJoint(from Engine, lane int, dst []uint32) []uint32 {
	for role, levels := range e.levels {
		e.path = e.path[:0]
		e.draw(from, lane, role, levels)
		dst = append(dst, e.path...)
	}
	return dst
}

// draw lets e.path go on by so many random semimoves. One that turns out dead is
// taken back. False: there is no way on.
func (e *lister) draw(from Engine, lane, role, left int) bool {
	if left == 0 {
		return true
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

// pick chooses a move of the mover: one that wins, the best by its value, or a
// random one. Struck ones count where there are no others.
func (e *lookahead) pick(o *prospect) int {
	switch {
	case o.win >= 0:
		return o.win
	case o.left == 0:
		clear(o.struck)
		o.left = len(o.struck)
	}
	if o.greedy {
		return e.pickBest(o)
	}
	return e.pickAny(o)
}

func (e *lookahead) pickBest(o *prospect) int {
	best, ties := -1, 0
	for i, v := range o.values {
		switch {
		case o.struck[i] || best >= 0 && v < o.values[best]:
		case best < 0 || v > o.values[best]:
			best, ties = i, 1
		default:
			if ties++; e.rng.IntN(ties) == 0 {
				best = i
			}
		}
	}
	return best
}

// pickAny is uniform among the semimoves that have a future, at each level.
func (e *lookahead) pickAny(o *prospect) int {
	from, to := 0, len(o.struck)
	if o.levels == 1 && o.left == to {
		return e.rng.IntN(to)
	}
	for level := range o.levels {
		// A choice among as many as have been seen so far, each as likely.
		seen, low, high := 0, from, from
		for i := from; i < to; {
			end, open := i, false
			for ; end < to && o.path(end)[level] == o.path(i)[level]; end++ {
				open = open || !o.struck[end]
			}
			if open {
				if seen++; e.rng.IntN(seen) == 0 {
					low, high = i, end
				}
			}
			i = end
		}
		from, to = low, high
	}
	return from
}
