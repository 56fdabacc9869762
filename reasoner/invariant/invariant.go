// Package invariant proves what holds in every state of a game: that of some
// fluents at most one holds, or exactly one, as of the pieces on a square.
package invariant

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// Invariant is a fact that was proved of all reachable states: for every tuple
// of keys at most one fluent that fits any of the patterns holds.
//
// A state is reachable if legal joint moves, one move a role and turn, lead to
// it from the initial state.
type Invariant struct {
	Patterns []Pattern // one: the fluent is functional; several: they also exclude one another
	Keys     int       // number of key columns
	Total    bool      // exactly one, for the keys of the fluents that hold initially
}

// Pattern is a form of fluents.
type Pattern struct {
	Functor gdl.Symbol
	Args    []Arg // by position; none for a constant
}

// Arg says what an argument of a fluent is in an invariant.
type Arg struct {
	Kind  Kind
	Key   int      // Key: the number of the key column
	Fixed gdl.Term // Constant: a ground term
}

// Kind is the part of an argument in an invariant.
type Kind uint8

// The kinds of arguments.
const (
	Value    Kind = iota // determined by the keys
	Key                  // any value, for each of which the invariant holds
	Constant             // one value, of which alone the invariant speaks
)

// implies tells, for two different invariants of one pattern each, whether a
// implies b: its keys are keys or constants of b, its constants are b's.
func implies(a, b *Invariant) bool {
	if len(a.Patterns) != 1 || len(b.Patterns) != 1 {
		return false
	}
	p, q := &a.Patterns[0], &b.Patterns[0]
	if p.Functor != q.Functor || len(p.Args) != len(q.Args) {
		return false
	}
	for i := range p.Args {
		switch p.Args[i].Kind {
		case Key:
			if q.Args[i].Kind == Value {
				return false
			}
		case Constant:
			if q.Args[i].Kind != Constant || !sameGround(&p.Args[i].Fixed, &q.Args[i].Fixed) {
				return false
			}
		}
	}
	return true
}

func sameGround(a, b *gdl.Term) bool {
	if a.Var != b.Var || a.Name != b.Name || len(a.Args) != len(b.Args) {
		return false
	}
	for i := range a.Args {
		if !sameGround(&a.Args[i], &b.Args[i]) {
			return false
		}
	}
	return true
}

// holdsIn tells whether the invariant holds in a state of ground fluents,
// each once, and returns how many keys have a fluent.
func holdsIn(inv *Invariant, state []gdl.Term) (keys int, ok bool) {
	type row struct{ keys []gdl.Term }
	rows := make(map[uint64][]row)
	for i := range state {
		for j := range inv.Patterns {
			at, fits := keysOf(&inv.Patterns[j], inv.Keys, &state[i])
			if !fits {
				continue
			}
			h := hashTerms(at)
			for _, r := range rows[h] {
				if slices.EqualFunc(r.keys, at, func(a, b gdl.Term) bool { return sameGround(&a, &b) }) {
					return 0, false
				}
			}
			rows[h] = append(rows[h], row{at})
			keys++
		}
	}
	return keys, true
}

func keysOf(p *Pattern, keys int, f *gdl.Term) (at []gdl.Term, fits bool) {
	if f.Name != p.Functor || len(f.Args) != len(p.Args) {
		return nil, false
	}
	at = make([]gdl.Term, keys)
	for i := range p.Args {
		switch p.Args[i].Kind {
		case Key:
			at[p.Args[i].Key] = f.Args[i]
		case Constant:
			if !sameGround(&p.Args[i].Fixed, &f.Args[i]) {
				return nil, false
			}
		}
	}
	return at, true
}

func hashTerms(terms []gdl.Term) uint64 {
	h := uint64(len(terms))
	for i := range terms {
		h = (h^uint64(uint32(terms[i].Name)))*0xff51afd7ed558ccd + hashTerms(terms[i].Args)
		h ^= h >> 29
	}
	return h
}

func sameInvariant(a, b *Invariant) bool {
	return implies(a, b) && implies(b, a)
}
