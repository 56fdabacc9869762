package prover

import (
	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// semimove is a choice with a value for each of its arguments.
type semimove struct {
	choice int32
	row    []gdl.TermID
}

// semiKey names a semimove: within a choice, the code tells the row.
type semiKey struct {
	choice int32
	code   gdl.TermID
}

// semimoves gives the semimoves of a machine the numbers that its engines
// share, in the order in which they are first met. Terms are of the codec's
// store.
type semimoves struct {
	list   []semimove
	codes  []gdl.TermID
	number map[semiKey]uint32
}

// give returns the number of a semimove. The row is kept if it is new.
func (n *semimoves) give(k semiKey, row []gdl.TermID) uint32 {
	number, ok := n.number[k]
	if !ok {
		number = uint32(len(n.list))
		n.list = append(n.list, semimove{k.choice, row})
		n.codes = append(n.codes, k.code)
		n.number[k] = number
	}
	return number
}

// move spells a path.
func (n *semimoves) move(s *gdl.Store, path []uint32) kif.Term {
	codes := make([]kif.Term, len(path))
	for i, number := range path {
		codes[i] = s.KIF(n.codes[number])
	}
	if len(codes) == 1 {
		return codes[0]
	}
	return split.Overlay(codes...)
}
