package ground

import (
	"fmt"

	"semisplit/reasoner/gdl"
)

// complement describes a static literal over two groups of variables by what
// it lacks: it holds if both groups have values that occur in it, and the
// pair is not missing.
type complement struct {
	mine, others int32 // the values of each group that occur
	missing      int32 // pairs of occurring values for which the literal fails
	worth        bool  // fewer pairs are missing than are there
}

// complementOf returns the complement of a literal, if it is the smaller one.
func (rw *rewriter) complementOf(l literal, mine, others []int32) (complement, bool) {
	r, key := canonical(append(variables(mine), variables(others)...), &rule{pos: []literal{l}})
	key = fmt.Sprintf("%d of %s", len(mine), key)
	if c, ok := rw.complements[key]; ok {
		return c, c.worth
	}
	c := rw.newComplement(r, len(mine))
	rw.complements[key] = c
	return c, c.worth
}

// newComplement takes a rule whose head lists the variables of its only
// literal, those of the first group first.
func (rw *rewriter) newComplement(r *rule, split int) complement {
	var first, second tuples
	pairs := make(map[[2]int32]bool)
	m := matcher{store: rw.store, atoms: rw.atoms, binding: binding{value: make([]gdl.TermID, r.vars)}}
	for _, a := range rw.atoms.rels[r.pos[0].rel].atoms {
		if m.match(&r.pos[0], a) {
			args := m.ground(&r.head)
			pairs[[2]int32{first.add(args[:split]), second.add(args[split:])}] = true
		}
		m.binding.undo(0)
	}
	missing := len(first.list)*len(second.list) - len(pairs)
	c := complement{worth: 2*missing < len(pairs)}
	if !c.worth {
		return c
	}
	c.mine, c.others, c.missing = rw.newRelation(relation{}), rw.newRelation(relation{}), rw.newRelation(relation{})
	for _, t := range first.list {
		rw.fact(c.mine, t)
	}
	for _, t := range second.list {
		rw.fact(c.others, t)
	}
	for x, s := range first.list {
		rw.heed()
		for y, t := range second.list {
			if !pairs[[2]int32{int32(x), int32(y)}] {
				rw.fact(c.missing, append(append([]gdl.TermID(nil), s...), t...))
			}
		}
	}
	return c
}

// tuples numbers lists of terms.
type tuples struct {
	list   [][]gdl.TermID
	number map[string]int32
}

func (t *tuples) add(args []gdl.TermID) int32 {
	key := fmt.Sprint(args)
	n, ok := t.number[key]
	if !ok {
		if t.number == nil {
			t.number = make(map[string]int32)
		}
		n = int32(len(t.list))
		t.number[key] = n
		t.list = append(t.list, append([]gdl.TermID(nil), args...))
	}
	return n
}
