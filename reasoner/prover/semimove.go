package prover

import (
	"fmt"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// semimove is a choice with a value for each of its features.
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

// finder numbers the semimoves of a role by their codes. It is called while
// the codec is locked, with codes whose symbols all occur in the rules.
func (m *Machine) finder(role int) func(level int, code kif.Term) (uint32, bool) {
	return func(level int, code kif.Term) (uint32, bool) {
		c := m.codec
		id := c.store.FromKIF(code)
		if id == 0 {
			return 0, false
		}
		for k := m.layout.roles[role][level].from; k < m.layout.roles[role][level].to; k++ {
			row := make([]gdl.TermID, m.layout.choices[k].arity)
			if extract(c.store, m.layout.choices[k].code, id, row) {
				return c.semis.give(semiKey{k, id}, row), true
			}
		}
		return 0, false
	}
}

// sharedSemimove is the machine's number of a semimove.
func (e *Engine) sharedSemimove(choice int32, row []gdl.TermID) uint32 {
	code := e.m.layout.choices[choice].code
	k := semiKey{choice, instantiate(e.store, code, row)}
	if n, ok := e.toSemimove[k]; ok {
		return n
	}
	c := e.m.codec
	c.mu.Lock()
	defer c.mu.Unlock()
	copied := make([]gdl.TermID, len(row))
	for i, t := range row {
		copied[i] = copyTerm(c.store, e.store, t)
	}
	n := c.semis.give(semiKey{choice, instantiate(c.store, code, copied)}, copied)
	if e.toSemimove == nil {
		e.toSemimove = make(map[semiKey]uint32)
	}
	e.toSemimove[k] = n
	return n
}

// localSemimove is a semimove by its number, in terms of the engine.
func (e *Engine) localSemimove(n uint32) semimove {
	if int(n) < len(e.fromSemimove) && e.fromSemimove[n].row != nil {
		return e.fromSemimove[n]
	}
	c := e.m.codec
	c.mu.Lock()
	defer c.mu.Unlock()
	if int(n) >= len(c.semis.list) {
		panic(fmt.Sprintf("BUG: semimove %d is not of this machine", n))
	}
	shared := c.semis.list[n]
	s := semimove{shared.choice, make([]gdl.TermID, len(shared.row))}
	for i, t := range shared.row {
		s.row[i] = copyTerm(e.store, c.store, t)
	}
	if k := int(n) + 1; k > len(e.fromSemimove) {
		e.fromSemimove = append(e.fromSemimove, make([]semimove, k+k/2-len(e.fromSemimove))...)
	}
	e.fromSemimove[n] = s
	return s
}

// forgetSemimoves gives up what is known in terms of a store.
func (e *Engine) forgetSemimoves() {
	e.toSemimove, e.fromSemimove = nil, nil
	for r := range e.chosen {
		for l := range e.chosen[r] {
			e.chosen[r][l].row = e.chosen[r][l].row[:0]
		}
	}
}
