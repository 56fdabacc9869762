package ground

import (
	"context"
	"slices"

	"semisplit/reasoner/gdl"
)

// invariant is a fact that was proved of all reachable states: for every tuple
// of keys at most one fluent that fits any of the patterns holds.
//
// A state is reachable if legal joint moves, one move a role and turn, lead to
// it from the initial state.
type invariant struct {
	patterns []fluentPattern // one: the fluent is functional; several: they also exclude one another
	keys     int             // number of key columns
	total    bool            // exactly one, for the keys of the fluents that hold initially
}

// fluentPattern is a form of fluents.
type fluentPattern struct {
	functor gdl.Symbol
	args    []fluentArg // by position; none for a constant
}

// fluentArg says what an argument of a fluent is in an invariant.
type fluentArg struct {
	role  argRole
	key   int      // argKey: the number of the key column
	fixed gdl.Term // argConstant: a ground term
}

type argRole uint8

const (
	argValue    argRole = iota // determined by the keys
	argKey                     // any value, for each of which the invariant holds
	argConstant                // one value, of which alone the invariant speaks
)

// Bounds of the search for invariants.
const (
	maxAllSteps      = 40_000_000 // terms looked at in all proofs of a game
	maxFluentArity   = 6          // longer fluents have no candidates
	maxPinnedTerms   = 24         // constants tried at one position
	maxCandidates    = 400
	maxInitialFluent = 20_000
)

// candidate is an invariant that is to be proved.
type candidate struct {
	invariant
	assumed bool   // it is a hypothesis about the state in which a move is done
	proved  bool   // under the hypotheses in used
	used    []bool // by number of the candidate
}

// proveInvariants finds invariants of the game by induction: what holds
// initially, and after every legal joint move if it held before, always holds.
// The program is one with does and legal. The result is in a fixed order, and
// nil if the context ends before anything is proved.
func proveInvariants(ctx context.Context, p *gdl.Program) []invariant {
	k := newKnowledge(p)
	initial, ok := k.initialFluents()
	if !ok {
		return nil
	}
	s := &inductions{k: k, ctx: ctx, initial: initial}
	s.tableau = tableau{k: k, ctx: ctx}
	k.domainRelations(s.shapes(), newDomains(k, initial))
	s.tableau.findLemmas()
	s.functional()
	s.pinned()
	s.groups()
	found := append(s.result(), s.united...)
	s.totals(found)
	return found
}

// initialFluents are the fluents of the initial state; false if they cannot be
// told without a state.
func (k *knowledge) initialFluents() ([]gdl.Term, bool) {
	if len(k.rules[gdl.RelInit]) == 0 {
		return nil, true
	}
	table := k.facts.known[gdl.RelInit]
	if table == nil || table.count > maxInitialFluent {
		return nil, false
	}
	return table.terms, true
}

// inductions is the search for a set of candidates that prove one another.
type inductions struct {
	k       *knowledge
	ctx     context.Context
	initial []gdl.Term
	tableau tableau
	united  []invariant // of several patterns
}

// add makes a candidate a hypothesis if the initial state allows it.
func (s *inductions) add(inv invariant) {
	if len(s.k.hypotheses) >= maxCandidates || !s.startsWith(&inv) {
		return
	}
	for i := range inv.patterns {
		shape := fluentShape{inv.patterns[i].functor, len(inv.patterns[i].args)}
		if about := s.k.about[shape]; !slices.Contains(about, len(s.k.hypotheses)) {
			s.k.about[shape] = append(about, len(s.k.hypotheses))
		}
	}
	s.k.hypotheses = append(s.k.hypotheses, candidate{invariant: inv, assumed: true})
}

// settle proves the hypotheses, dropping those that fail with all that rested
// on them, until all that are left have been proved. dropped, if any, may add
// weaker candidates in place of one that failed.
func (s *inductions) settle(dropped func(failed *candidate)) {
	for again := true; again; {
		again = false
		for i := 0; i < len(s.k.hypotheses); i++ {
			c := &s.k.hypotheses[i]
			if !c.assumed || c.proved {
				continue
			}
			used, ok := s.prove(c)
			if ok {
				c.proved, c.used = true, used
				continue
			}
			again = true
			c.assumed = false
			for j := range s.k.hypotheses {
				if other := &s.k.hypotheses[j]; other.proved && i < len(other.used) && other.used[i] {
					other.proved = false
				}
			}
			if dropped != nil {
				failed := *c
				dropped(&failed)
			}
		}
	}
}

// result are the proved candidates of one pattern that no other one implies.
func (s *inductions) result() []invariant {
	var out []invariant
	for i := range s.k.hypotheses {
		c := &s.k.hypotheses[i]
		implied := func(other *candidate) bool {
			return other != c && other.assumed && implies(&other.invariant, &c.invariant)
		}
		if len(c.patterns) == 1 && c.assumed && c.proved && !slices.ContainsFunc(pointers(s.k.hypotheses), implied) {
			out = append(out, c.invariant)
		}
	}
	return out
}

func pointers(cs []candidate) []*candidate {
	out := make([]*candidate, len(cs))
	for i := range cs {
		out[i] = &cs[i]
	}
	return out
}

// implies tells, for two different invariants of one pattern each, whether a
// implies b: its keys are keys or constants of b, its constants are b's.
func implies(a, b *invariant) bool {
	if len(a.patterns) != 1 || len(b.patterns) != 1 {
		return false
	}
	p, q := &a.patterns[0], &b.patterns[0]
	if p.functor != q.functor || len(p.args) != len(q.args) {
		return false
	}
	for i := range p.args {
		switch p.args[i].role {
		case argKey:
			if q.args[i].role == argValue {
				return false
			}
		case argConstant:
			if q.args[i].role != argConstant || !sameGround(&p.args[i].fixed, &q.args[i].fixed) {
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

// startsWith checks the invariant in the initial state.
func (s *inductions) startsWith(inv *invariant) bool {
	_, ok := holdsIn(inv, s.initial)
	return ok
}

// holdsIn tells whether the invariant holds in a state of ground fluents,
// each once, and returns how many keys have a fluent.
func holdsIn(inv *invariant, state []gdl.Term) (keys int, ok bool) {
	type row struct{ keys []gdl.Term }
	rows := make(map[uint64][]row)
	for i := range state {
		for j := range inv.patterns {
			at, fits := keysOf(&inv.patterns[j], inv.keys, &state[i])
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

func keysOf(p *fluentPattern, keys int, f *gdl.Term) (at []gdl.Term, fits bool) {
	if f.Name != p.functor || len(f.Args) != len(p.args) {
		return nil, false
	}
	at = make([]gdl.Term, keys)
	for i := range p.args {
		switch p.args[i].role {
		case argKey:
			at[p.args[i].key] = f.Args[i]
		case argConstant:
			if !sameGround(&p.args[i].fixed, &f.Args[i]) {
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
