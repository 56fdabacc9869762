package combinatorial

import (
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
		for r, levels := range s.levels {
			space, fresh := s.library.of(s.spaceOf(lane, r, levels))
			if fresh {
				s.spaces += space.bytes()
			}
			s.choices = append(s.choices, choice{space: space, role: r, node: uint32(len(s.nodes)), values: make([]tally, space.first[space.dims()])})
			s.spaces += int64(cap(s.choices[len(s.choices)-1].values))*16 + choiceBytes
		}
	}
	s.nodes = append(s.nodes, n)
	return uint32(len(s.nodes) - 1)
}

// choiceBytes is what a choice takes beside what hangs on it, about.
const choiceBytes = 256

// spaceOf is the space of a role in a lane.
func (s *Search) spaceOf(lane, role, levels int) engine.Space {
	if e, ok := s.engine.(engine.Spacer); ok {
		return e.Space(lane, role)
	}
	return listed(s.engine, lane, role, levels)
}

// words of a node's state.
func (s *Search) state(n uint32) []uint64 {
	x := s.nodes[n]
	return s.words[x.state : x.state+x.length]
}
