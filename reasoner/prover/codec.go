package prover

import (
	"sync"

	"semisplit/reasoner/gdl"
)

// codec gives the fluents and the moves of a machine the numbers that its
// engines share. A number, once given, stays. Fluents count from 1, moves
// from 0, both in the order in which they are first met.
type codec struct {
	mu      sync.Mutex
	store   *gdl.Store
	fluents numbering
	moves   numbering
	semis   semimoves // of a split game, in place of moves
}

type numbering struct {
	terms  []gdl.TermID
	number map[gdl.TermID]uint32 // plus one
}

func newCodec(base *gdl.Store) *codec {
	return &codec{
		store:   base.Clone(),
		fluents: numbering{number: make(map[gdl.TermID]uint32)},
		moves:   numbering{number: make(map[gdl.TermID]uint32)},
		semis:   semimoves{number: make(map[semiKey]uint32)},
	}
}

// give returns the number of a term plus one, giving it the next if it has none.
func (n *numbering) give(t gdl.TermID) uint32 {
	k, ok := n.number[t]
	if !ok {
		n.terms = append(n.terms, t)
		k = uint32(len(n.terms))
		n.number[t] = k
	}
	return k
}
