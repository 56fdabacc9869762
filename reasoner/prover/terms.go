package prover

import (
	"fmt"

	"semisplit/reasoner/gdl"
)

// terms is the store of an evaluation, held against the limits, and the
// registers that plans are executed in.
type terms struct {
	store  *gdl.Store
	limits Limits
	fresh  mark // when the store was fresh
	before mark // when the position was entered

	registers []gdl.TermID
	top       int // registers that are taken
}

// mark is how much a store held at some time.
type mark struct{ terms, arguments int }

// meanArguments is how many arguments the terms that a limit allows may have on
// average: a limit on their number alone would allow gigabytes of them.
const meanArguments = 16

// begin makes a store the one that terms are made in.
func (t *terms) begin(store *gdl.Store) {
	t.store = store
	t.fresh = t.now()
}

func (t *terms) now() mark { return mark{t.store.Len(), t.store.Arguments()} }

// exceeds tells whether more was made since then than so many terms.
func (t *terms) exceeds(since mark, most int) bool {
	return t.store.Len()-since.terms > most || t.store.Arguments()-since.arguments > meanArguments*most
}

// check holds a term that was made against the limits, also one that was
// there before: what broke the limits stays in the store.
func (t *terms) check(id gdl.TermID) {
	if t.exceeds(t.before, t.limits.Terms) || !t.store.Within(id, t.limits.Size, t.limits.Depth) {
		panic(unwind{t.brokenLimit(id)})
	}
}

func (t *terms) brokenLimit(id gdl.TermID) error {
	switch {
	case t.exceeds(t.before, t.limits.Terms):
		return fmt.Errorf("%w: %d new terms with %d arguments", ErrLimit, t.store.Len()-t.before.terms, t.store.Arguments()-t.before.arguments)
	case t.store.Depth(id) > t.limits.Depth:
		return fmt.Errorf("%w: a term nested %d deep", ErrLimit, t.store.Depth(id))
	}
	return fmt.Errorf("%w: a term of more than %d symbols", ErrLimit, t.limits.Size)
}

// checkState holds the fluents of a state that was derived against the limits.
func (t *terms) checkState(fluents []gdl.TermID) {
	size := 0
	for _, id := range fluents {
		size += t.store.Size(id)
	}
	if size > t.limits.State {
		panic(unwind{fmt.Errorf("%w: a state of more than %d symbols", ErrLimit, t.limits.State)})
	}
}

// copyTerm interns a term of one store in another. Both know the same symbols.
// Terms that were copied before are known, by their number in src: what is
// shared is looked at once.
func copyTerm(dst, src *gdl.Store, t gdl.TermID, known *[]gdl.TermID) gdl.TermID {
	if done := lookup(*known, t); done != 0 {
		return done
	}
	args := src.Args(t)
	copied := make([]gdl.TermID, len(args))
	for i, a := range args {
		copied[i] = copyTerm(dst, src, a, known)
	}
	done := dst.Compound(src.Functor(t), copied)
	*known = remember(*known, t, done)
	return done
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

// instantiate makes the code of a semimove of its row of arguments.
func instantiate(s *gdl.Store, t gdl.Term, row []gdl.TermID) gdl.TermID {
	if t.Var >= 0 {
		return row[t.Var]
	}
	if len(t.Args) == 0 {
		return s.Const(t.Name)
	}
	var buf [8]gdl.TermID
	args := buf[:0]
	for _, a := range t.Args {
		args = append(args, instantiate(s, a, row))
	}
	return s.Compound(t.Name, args)
}

// extract reads the row of arguments off a code. The row starts out as zeros.
func extract(s *gdl.Store, t gdl.Term, id gdl.TermID, row []gdl.TermID) bool {
	if t.Var >= 0 {
		if row[t.Var] == 0 {
			row[t.Var] = id
		}
		return row[t.Var] == id
	}
	args := s.Args(id)
	if s.Functor(id) != t.Name || len(args) != len(t.Args) {
		return false
	}
	for i := range args {
		if !extract(s, t.Args[i], args[i], row) {
			return false
		}
	}
	return true
}
