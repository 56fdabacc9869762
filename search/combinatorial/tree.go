package combinatorial

import (
	"slices"

	"semisplit/search/engine"
	"semisplit/search/internal/hashing"
)

// node is a state of the tree.
type node struct {
	state   int // first of its words
	length  int
	choices int // first, one for each role; meaningless if the state is terminal
	goals   int // first of the goals of a terminal state; below 0: it is not terminal
}

// child is a state that a joint move leads to.
type child struct {
	node uint32 // 0: it is none, the root is no child
	met  uint32 // by iterations begun until it became one
}

// worth is how often a state below a node is met before it becomes a node: to list its moves
// takes as long as many playouts where there are many, and most states are met once.
func (s *Search) worth(n uint32) uint32 {
	moves := uint64(0)
	for r := range s.levels {
		if space := s.choices[s.nodes[n].choices+r].space; space.rows != nil {
			moves += space.size
		}
	}
	return 1 + uint32(moves/listingCost)
}

// listingCost is how many moves are listed in the time of a playout, about.
const listingCost = 12

// below is the key of the state after a joint move, in Search.below.
func below(node uint32, joint []uint32) uint64 {
	h := hashing.Of(uint64(node) + 1)
	for _, x := range joint {
		h = hashing.Of(h ^ uint64(x))
	}
	return h
}

// add makes a node of the state that a lane has reached.
func (s *Search) add(lane int, ended bool) uint32 {
	first := len(s.words)
	s.words = s.engine.State(lane, s.words)
	n := node{state: first, length: len(s.words) - first, goals: -1}
	if ended {
		n.goals = len(s.results)
		s.results = append(s.results, make([]float64, len(s.levels))...)
		s.engine.Goals(lane, s.results[n.goals:])
	} else {
		n.choices = len(s.choices)
		choosing := 0
		for r, levels := range s.levels {
			space, fresh := s.spaceOf(lane, r, levels)
			if fresh {
				s.spaces += space.bytes()
			}
			s.choices = append(s.choices, choice{space: space, role: r, node: uint32(len(s.nodes)), values: make([]tally, space.first[space.dims()])})
			s.spaces += int64(cap(s.choices[len(s.choices)-1].values))*16 + choiceBytes
			if space.size > 1 && !s.options.isChance(r) {
				choosing++
			}
		}
		for i := range s.levels {
			s.choices[n.choices+i].shared = choosing > 1
		}
	}
	s.nodes = append(s.nodes, n)
	return uint32(len(s.nodes) - 1)
}

// choiceBytes is what a choice takes beside what hangs on it, about.
const choiceBytes = 256

// spaceOf is the space of a role in a lane, and whether it is a new one.
func (s *Search) spaceOf(lane, role, levels int) (space *space, fresh bool) {
	if e, ok := s.engine.(engine.Spacer); ok {
		return s.library.of(e.Space(lane, role))
	}
	if _, ok := s.engine.(engine.Lister); ok {
		if values := s.listing.factors[role][lane%64]; len(values) > 0 {
			return s.library.of(engine.Space{Values: slices.Clone(values)})
		}
		return s.library.listed(s.listing.moves[role][lane%64], levels)
	}
	return s.library.listed(walked(s.engine, lane, role, levels, make([]uint32, 0, levels), nil), levels)
}

// look lists the moves of the 64 lanes from a first one on, together, where their states
// become nodes.
func (s *Search) look(first int, ended []uint64) {
	e, ok := s.engine.(engine.Lister)
	if _, spacer := s.engine.(engine.Spacer); spacer || !ok {
		return
	}
	clear(s.listing.mask)
	for lane := first; lane < min(first+64, len(s.flights)); lane++ {
		if s.flights[lane].key != 0 {
			s.listing.mask[first/64] |= 1 << (lane % 64) &^ ended[first/64]
		}
	}
	if s.listing.mask[first/64] != 0 {
		s.listing.list(e)
	}
}

// listing is the moves in some of 64 lanes: what each level offers, where every
// combination is one, else one move after the other.
type listing struct {
	mask    []uint64         // of lanes
	rest    []uint64         // scratch: those without factors
	factors [][64][][]uint32 // by role, lane and level; empty: there are none
	moves   [][64][]uint32   // by role and lane
}

// newListing is for the lanes of an engine.
func newListing(lanes, roles int) listing {
	words := (lanes + 63) / 64
	return listing{mask: make([]uint64, words), rest: make([]uint64, words), factors: make([][64][][]uint32, roles), moves: make([][64][]uint32, roles)}
}

// list lists the moves in the lanes of the mask.
func (l *listing) list(e engine.Lister) {
	for role := range l.moves {
		factors, moves := &l.factors[role], &l.moves[role]
		for i := range moves {
			factors[i], moves[i] = factors[i][:0], moves[i][:0]
		}
		copy(l.rest, l.mask)
		if f, ok := e.(engine.Factorer); ok {
			f.Factors(l.rest, role, func(lane int, values [][]uint32) {
				for _, v := range values { // a space keeps them
					factors[lane%64] = append(factors[lane%64], slices.Clone(v))
				}
			})
		}
		e.Paths(l.rest, role, mostMoves, func(lane int, path []uint32) { moves[lane%64] = append(moves[lane%64], path...) })
	}
}

// words of a node's state.
func (s *Search) state(n uint32) []uint64 {
	x := s.nodes[n]
	return s.words[x.state : x.state+x.length]
}
