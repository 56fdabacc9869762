package prover

import (
	"fmt"
	"slices"
	"sync"

	"semisplit/kif"
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

// share numbers a term of an engine.
func (c *codec) share(n *numbering, src *gdl.Store, t gdl.TermID) uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return n.give(copyTerm(c.store, src, t))
}

// fetch brings the k-th term of a numbering into the store of an engine.
func (c *codec) fetch(n *numbering, dst *gdl.Store, k uint32) gdl.TermID {
	c.mu.Lock()
	defer c.mu.Unlock()
	if int(k) >= len(n.terms) {
		panic(fmt.Sprintf("BUG: number %d is not of this machine", k))
	}
	return copyTerm(dst, c.store, n.terms[k])
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

// lookup reads a translation table that grows on demand; 0: not known.
func lookup[K, V gdl.TermID | uint32](table []V, k K) V {
	if int(k) < len(table) {
		return table[k]
	}
	return 0
}

func remember[K, V gdl.TermID | uint32](table []V, k K, v V) []V {
	if n := int(k) + 1; n > len(table) {
		table = append(table, make([]V, n+n/2-len(table))...)
	}
	table[k] = v
	return table
}

// sharedFluent is the machine's number of a fluent.
func (e *Engine) sharedFluent(t gdl.TermID) uint32 {
	n := lookup(e.toShared, t)
	if n == 0 {
		n = e.m.codec.share(&e.m.codec.fluents, e.store, t)
		e.toShared = remember(e.toShared, t, n)
		e.fromShared = remember(e.fromShared, n, t)
	}
	return n
}

// localFluent is the engine's number of a fluent.
func (e *Engine) localFluent(n uint32) gdl.TermID {
	t := lookup(e.fromShared, n)
	if t == 0 {
		t = e.m.codec.fetch(&e.m.codec.fluents, e.store, n-1)
		e.toShared = remember(e.toShared, t, n)
		e.fromShared = remember(e.fromShared, n, t)
	}
	return t
}

// sharedMove is the machine's number of a move.
func (e *Engine) sharedMove(t gdl.TermID) uint32 {
	n := lookup(e.toMove, t)
	if n == 0 {
		n = e.m.codec.share(&e.m.codec.moves, e.store, t)
		e.toMove = remember(e.toMove, t, n)
		e.fromMove = remember(e.fromMove, n, t)
	}
	return n - 1
}

// localMove is the engine's number of a move.
func (e *Engine) localMove(n uint32) gdl.TermID {
	t := lookup(e.fromMove, n+1)
	if t == 0 {
		t = e.m.codec.fetch(&e.m.codec.moves, e.store, n)
		e.toMove = remember(e.toMove, t, n+1)
		e.fromMove = remember(e.fromMove, n+1, t)
	}
	return t
}
