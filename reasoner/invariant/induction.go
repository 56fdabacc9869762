package invariant

import (
	"context"
	"slices"

	"semisplit/reasoner/gdl"
)

// Bounds of the search for invariants.
const (
	maxFluentArity = 6  // longer fluents have no candidates
	maxPinnedTerms = 24 // constants tried at one position
	maxCandidates  = 400
)

// Prove finds invariants of the game by induction: what holds initially, and
// after every legal joint move if it held before, always holds. They are the
// same for every split of its moves. The program is one with does and legal.
// It takes as long as the context allows, within bounds of its own. The result
// is in a fixed order, and nil if the context ends before anything is proved.
func Prove(ctx context.Context, p *gdl.Program) []Invariant {
	k := newKnowledge(p)
	initial, ok := k.initialFluents()
	if !ok {
		return nil
	}
	s := &inductions{k: k, ctx: ctx, initial: initial}
	b := &branch{k: k, ctx: ctx}
	s.tableau = tableau{b: b, search: search{b: b}}
	k.domainRelations(s.shapes(), newDomains(k, initial))
	(&lemmaFinder{b}).findLemmas()
	s.functional()
	s.phases()
	s.pinned()
	s.groups()
	found := append(s.result(), s.united...)
	s.totals(found)
	return found
}

// inductions is the search for a set of candidates that prove one another.
type inductions struct {
	k       *knowledge
	ctx     context.Context
	initial []gdl.Term
	tableau tableau
	united  []Invariant // of several patterns
}

// add makes a candidate a hypothesis if the initial state allows it.
func (s *inductions) add(inv Invariant) { s.propose(candidate{Invariant: inv}) }

// propose is add for a candidate that is more than its invariant.
func (s *inductions) propose(c candidate) {
	inv := &c.Invariant
	if len(s.k.hypotheses) >= maxCandidates || !s.startsWith(inv) {
		return
	}
	for i := range inv.Patterns {
		shape := fluentShape{inv.Patterns[i].Functor, len(inv.Patterns[i].Args)}
		if about := s.k.about[shape]; !slices.Contains(about, len(s.k.hypotheses)) {
			s.k.about[shape] = append(about, len(s.k.hypotheses))
		}
	}
	c.assumed = true
	s.k.hypotheses = append(s.k.hypotheses, c)
}

// settle proves the hypotheses, dropping those that fail with all that rested
// on them, until all that are left have been proved. dropped, if any, may add
// weaker candidates in place of one that failed. What is not proved when the
// context ends fails too: others may rest on it.
func (s *inductions) settle(dropped func(failed *candidate)) {
	for again := true; again; {
		again = false
		for i := 0; i < len(s.k.hypotheses); i++ {
			c := &s.k.hypotheses[i]
			if !c.assumed || c.proved {
				continue
			}
			ended := s.ctx.Err() != nil
			if !ended {
				if c.used, c.proved = s.prove(c); c.proved {
					continue
				}
			}
			again = true
			c.assumed = false
			for j := range s.k.hypotheses {
				if other := &s.k.hypotheses[j]; other.proved && i < len(other.used) && other.used[i] {
					other.proved = false
				}
			}
			if dropped != nil && !ended {
				failed := *c
				dropped(&failed)
			}
		}
	}
}

// result are the proved candidates of one pattern that no other one implies.
func (s *inductions) result() []Invariant {
	var out []Invariant
	for i := range s.k.hypotheses {
		c := &s.k.hypotheses[i]
		implied := func(other *candidate) bool {
			return other != c && other.assumed && implies(&other.Invariant, &c.Invariant)
		}
		if len(c.Patterns) == 1 && c.assumed && c.proved && !slices.ContainsFunc(pointers(s.k.hypotheses), implied) {
			inv := c.Invariant
			inv.Total = c.exact
			out = append(out, inv)
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

// startsWith checks the invariant in the initial state.
func (s *inductions) startsWith(inv *Invariant) bool {
	_, ok := holdsIn(inv, s.initial)
	return ok
}
