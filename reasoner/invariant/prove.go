package invariant

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// prove shows that after a joint move no two fluents break the invariant: for
// each pair of rules for next, that they cannot derive two different fluents
// with the same keys. It returns the hypotheses that the proof used.
func (s *inductions) prove(c *candidate) (used []bool, ok bool) {
	b := s.tableau.b
	b.used = make([]bool, len(s.k.hypotheses))
	inv := c.Invariant
	rules := s.k.rules[gdl.RelNext]
	for p := range inv.Patterns {
		for q := p; q < len(inv.Patterns); q++ {
			if p == q && len(inv.Patterns) > 1 && s.usesAlone(&inv, p) {
				continue
			}
			for i, r := range rules {
				if !s.mayHead(r, &inv.Patterns[p]) {
					continue
				}
				others := rules
				if p == q {
					others = rules[i:]
				}
				for _, r2 := range others {
					if s.mayHead(r2, &inv.Patterns[q]) && !s.separate(c, p, q, r, r2) {
						return nil, false
					}
				}
			}
		}
	}
	if c.exact && !s.proveTotal(&inv, nil) {
		return nil, false
	}
	return b.used, true
}

// usesAlone tells whether a hypothesis says of one pattern alone what an invariant of several
// says of it. The proof rests on it then.
func (s *inductions) usesAlone(inv *Invariant, pattern int) bool {
	alone := Invariant{Patterns: inv.Patterns[pattern : pattern+1], Keys: inv.Keys}
	for i := range s.k.hypotheses {
		if c := &s.k.hypotheses[i]; c.assumed && sameInvariant(&c.Invariant, &alone) {
			s.tableau.b.used[i] = true
			return true
		}
	}
	return false
}

// mayHead tells whether the rule's fluent can have the functor.
func (s *inductions) mayHead(r int32, p *Pattern) bool {
	f := &s.k.rule(r).Head.Args[0]
	return f.Var >= 0 || f.Name == p.Functor && len(f.Args) == len(p.Args)
}

// separate refutes that two rules for next derive fluents that break the
// invariant.
func (s *inductions) separate(c *candidate, p, q int, r1, r2 int32) bool {
	return s.closes(func() bool { return s.refutes(c, p, q, r1, r2) })
}

// closes runs one proof. The steps of one that fails may be spared only so
// often.
func (s *inductions) closes(proof func() bool) bool {
	b := s.tableau.b
	b.reset()
	closed := b.attempt(proof)
	if !closed {
		s.k.spare -= min(s.k.spare, max(0, b.steps-b.began-freeProofSteps))
	}
	return closed
}

func (s *inductions) refutes(c *candidate, p, q int, r1, r2 int32) bool {
	b, inv := s.tableau.b, &c.Invariant
	keys := b.fresh(inv.Keys, false)
	if c.exact {
		b.hold(gdl.RelTrue, []gdl.Term{*b.patternTerm(&inv.Patterns[p], keys)}, 0, 0, 0)
	}
	x := b.patternTerm(&inv.Patterns[p], keys)
	y := b.patternTerm(&inv.Patterns[q], keys)
	if p == q {
		b.differs = append(b.differs, difference{sharedTerm{x, 0}, sharedTerm{y, 0}, 0})
	}
	for _, side := range []struct {
		rule int32
		f    *gdl.Term
	}{{r1, x}, {r2, y}} {
		rule := s.k.rule(side.rule)
		off := b.instance(side.rule, false)
		if !b.equate(sharedTerm{side.f, 0}, sharedTerm{&rule.Head.Args[0], off}, 0) || !b.assert(rule.Body, off, 0, 0) {
			return true
		}
	}
	closed, _ := s.tableau.refute(0)
	return closed
}

// shapes lists the fluents' functors, in the order of init and next.
func (s *inductions) shapes() []fluentShape {
	var out []fluentShape
	note := func(f *gdl.Term) {
		shape := fluentShape{f.Name, len(f.Args)}
		if f.Var < 0 && !slices.Contains(out, shape) {
			out = append(out, shape)
		}
	}
	for i := range s.initial {
		note(&s.initial[i])
	}
	for _, r := range s.k.rules[gdl.RelNext] {
		note(&s.k.rule(r).Head.Args[0])
	}
	return out
}

// functional proves for single fluents that some arguments determine the
// others, with as few keys as possible.
func (s *inductions) functional() {
	for _, shape := range s.shapes() {
		if shape.arity > 0 && shape.arity <= maxFluentArity {
			s.weaken(keyed(shape, 0, nil))
		}
	}
	s.settle(func(failed *candidate) {
		s.exactly(failed)
		s.weaker(failed)
	})
}

// exactly proposes that one fluent always holds in place of at most one. That may be provable
// where the weaker fact is not: if each role has the turn that has waited, two have it after
// a state in which nobody had.
func (s *inductions) exactly(failed *candidate) {
	if keys, ok := holdsIn(&failed.Invariant, s.initial); ok && keys == 1 && failed.Keys == 0 && !failed.exact {
		s.propose(candidate{Invariant: failed.Invariant, exact: true})
	}
}

// keyed is the invariant with the positions of a set as keys, and constants at
// the positions where they are given.
func keyed(shape fluentShape, keys uint32, fixed map[int]gdl.Term) Invariant {
	p := Pattern{Functor: shape.functor, Args: make([]Arg, shape.arity)}
	n := 0
	for i := range p.Args {
		if term, ok := fixed[i]; ok {
			p.Args[i] = Arg{Kind: Constant, Fixed: term}
		} else if keys&(1<<i) != 0 {
			p.Args[i] = Arg{Kind: Key, Key: n}
			n++
		}
	}
	return Invariant{Patterns: []Pattern{p}, Keys: n}
}

// weaken adds the candidate, or, where the initial state is against it, those
// with one key more.
func (s *inductions) weaken(inv Invariant) {
	for i := range s.k.hypotheses {
		other := &s.k.hypotheses[i]
		if other.assumed && implies(&other.Invariant, &inv) || sameInvariant(&other.Invariant, &inv) {
			return
		}
	}
	if !s.startsWith(&inv) {
		s.weaker(&candidate{Invariant: inv})
		return
	}
	s.add(inv)
}

// weaker adds the candidates that have one key more than one that failed.
func (s *inductions) weaker(failed *candidate) {
	p := failed.Patterns[0]
	for i := range p.Args {
		if p.Args[i].Kind != Value {
			continue
		}
		shape := fluentShape{p.Functor, len(p.Args)}
		keys, fixed, values := uint32(1)<<i, map[int]gdl.Term{}, 0
		for j := range p.Args {
			switch p.Args[j].Kind {
			case Key:
				keys |= 1 << j
			case Constant:
				fixed[j] = p.Args[j].Fixed
			default:
				if j != i {
					values++
				}
			}
		}
		if values > 0 {
			s.weaken(keyed(shape, keys, fixed))
		}
	}
}

// pinned proves invariants of fluents with a constant at one position, such as
// one king of each colour on the board.
func (s *inductions) pinned() {
	for _, shape := range s.shapes() {
		if shape.arity < 2 || shape.arity > maxFluentArity {
			continue
		}
		for i := range shape.arity {
			for _, c := range s.constantsAt(shape, i) {
				s.weaken(keyed(shape, 0, map[int]gdl.Term{i: c}))
			}
		}
	}
	s.settle(nil)
}

// constantsAt lists what stands at a position of a fluent initially, if that
// is not too much.
func (s *inductions) constantsAt(shape fluentShape, i int) []gdl.Term {
	var out []gdl.Term
	for j := range s.initial {
		f := &s.initial[j]
		if f.Name != shape.functor || len(f.Args) != shape.arity {
			continue
		}
		if !slices.ContainsFunc(out, func(t gdl.Term) bool { return sameGround(&t, &f.Args[i]) }) {
			if out = append(out, f.Args[i]); len(out) > maxPinnedTerms {
				return nil
			}
		}
	}
	return out
}
