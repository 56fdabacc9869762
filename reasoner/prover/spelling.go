package prover

import (
	"fmt"
	"slices"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

// Fluents spells a state, in the order of its numbers.
func (m *Machine) Fluents(state []uint64) []kif.Term {
	c := m.codec
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []kif.Term
	for _, w := range state {
		for _, n := range [2]uint32{uint32(w), uint32(w >> 32)} {
			if n != 0 {
				out = append(out, c.store.KIF(c.fluents.terms[n-1]))
			}
		}
	}
	return out
}

// Encode is the inverse of Fluents; duplicates are fine. It fails for a
// fluent with a symbol that the rules do not contain.
func (m *Machine) Encode(fluents []kif.Term) ([]uint64, error) {
	c := m.codec
	c.mu.Lock()
	defer c.mu.Unlock()
	var numbers []uint32
	for _, f := range fluents {
		if !known(m.program.Symbols, f) {
			return nil, fmt.Errorf("prover: the rules cannot make the fluent %v", f)
		}
		numbers = append(numbers, c.fluents.give(c.store.FromKIF(f)))
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	return packWords(numbers, nil), nil
}

// Move spells a move.
func (m *Machine) Move(_ int, path []uint32) kif.Term {
	c := m.codec
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.layout != nil {
		return c.semis.move(c.store, path)
	}
	return c.store.KIF(c.moves.terms[path[0]])
}

// Path is the inverse of Move; false if the rules do not contain the symbols
// of the move, or its plan has no such moves.
func (m *Machine) Path(role int, move kif.Term) ([]uint32, bool) {
	if !known(m.program.Symbols, move) {
		return nil, false
	}
	c := m.codec
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.store.FromKIF(move)
	if m.layout != nil {
		return m.paths[role].Path(c.store.KIF(t))
	}
	return []uint32{c.moves.give(t) - 1}, true
}

// known says whether all symbols of a term occur in the rules.
func known(s *gdl.Symbols, t kif.Term) bool {
	if t.IsVar() {
		return false
	}
	if !t.IsList() {
		_, ok := s.Lookup(t.Name)
		return ok
	}
	if len(t.Items) == 0 || t.Items[0].IsList() {
		return false
	}
	return !slices.ContainsFunc(t.Items, func(i kif.Term) bool { return !known(s, i) })
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
