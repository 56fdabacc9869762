package layers

import (
	"errors"
	"sync/atomic"

	"semisplit/search/engine"
)

// Moves are listed up to mostMoves of a state, and to mostBranches of several, not
// counting the last one: rules can give a state any number of them. What is
// beyond is left out. So is what comes after mostPrefixes beginnings of moves,
// of which any number can lead nowhere.
const (
	mostMoves    = 1 << 16
	mostBranches = 1 << 21
	mostPrefixes = 1 << 20
)

var errStopped = errors.New("search: stopped while moves were listed")

// lister lists the whole moves of lanes.
type lister struct {
	engine engine.Engine
	levels int // of the role's moves

	prefix, offers []uint32 // scratch
	listed, asked  int      // moves and prefixes of the state that is being listed
}

// list appends the moves of a lane; false if it has more. It goes no further once the flag
// is set.
func (f *lister) list(lane int, dst []uint32, stop *atomic.Bool) (moves []uint32, all bool) {
	f.prefix = f.prefix[:0]
	f.listed, f.asked = 0, 0
	dst, all = f.listMore(lane, dst, stop)
	if s, ok := f.engine.(engine.Sampler); ok && s.Partial(0) {
		return dst, false
	}
	return dst, all
}

// listMore appends those that begin with the prefix.
func (f *lister) listMore(lane int, dst []uint32, stop *atomic.Bool) (moves []uint32, all bool) {
	if len(f.prefix) == f.levels {
		if f.listed == mostMoves {
			return dst, false
		}
		f.listed++
		return append(dst, f.prefix...), true
	}
	if f.asked++; f.asked > mostPrefixes || stop.Load() {
		return dst, false
	}
	first, level := len(f.offers), len(f.prefix)
	f.offers = f.engine.Offers(lane, 0, f.prefix, f.offers)
	all = true
	for i := first; i < len(f.offers) && all; i++ {
		f.prefix = append(f.prefix[:level], f.offers[i])
		dst, all = f.listMore(lane, dst, stop)
	}
	f.prefix, f.offers = f.prefix[:level], f.offers[:first]
	return dst, all
}

// choices is the number of semimoves that a lane can begin a move with.
func (f *lister) choices(lane int) int {
	first := len(f.offers)
	f.offers = f.engine.Offers(lane, 0, nil, f.offers)
	n := len(f.offers) - first
	f.offers = f.offers[:first]
	return n
}
