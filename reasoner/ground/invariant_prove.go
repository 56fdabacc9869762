package ground

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// prove shows that after a joint move no two fluents break the invariant: for
// each pair of rules for next, that they cannot derive two different fluents
// with the same keys. It returns the hypotheses that the proof used.
func (s *inductions) prove(c *candidate) (used []bool, ok bool) {
	t := &s.tableau
	t.used = make([]bool, len(s.k.hypotheses))
	inv := c.invariant
	rules := s.k.rules[gdl.RelNext]
	for p := range inv.patterns {
		for q := p; q < len(inv.patterns); q++ {
			if p == q && len(inv.patterns) > 1 {
				continue // each pattern has been proved on its own
			}
			for i, r := range rules {
				if !s.mayHead(r, &inv.patterns[p]) {
					continue
				}
				others := rules
				if p == q {
					others = rules[i:]
				}
				for _, r2 := range others {
					if s.mayHead(r2, &inv.patterns[q]) && !s.separate(&inv, p, q, r, r2) {
						return nil, false
					}
				}
			}
		}
	}
	return t.used, true
}

// mayHead tells whether the rule's fluent can have the functor.
func (s *inductions) mayHead(r int32, p *fluentPattern) bool {
	f := &s.k.rule(r).Head.Args[0]
	return f.Var >= 0 || f.Name == p.functor && len(f.Args) == len(p.args)
}

// separate refutes that two rules for next derive fluents that break the
// invariant.
func (s *inductions) separate(inv *invariant, p, q int, r1, r2 int32) bool {
	t := &s.tableau
	t.reset()
	keys := t.fresh(inv.keys, false)
	x := t.patternTerm(&inv.patterns[p], keys)
	y := t.patternTerm(&inv.patterns[q], keys)
	if p == q {
		t.differs = append(t.differs, difference{sharedTerm{x, 0}, sharedTerm{y, 0}, 0})
	}
	for _, side := range []struct {
		rule int32
		f    *gdl.Term
	}{{r1, x}, {r2, y}} {
		rule := s.k.rule(side.rule)
		off := t.instance(side.rule, false)
		if !t.equate(sharedTerm{side.f, 0}, sharedTerm{&rule.Head.Args[0], off}, 0) || !t.assert(rule.Body, off, 0, 0) {
			return true
		}
	}
	closed, _ := t.refute(0)
	if !closed {
		s.k.spare -= min(s.k.spare, max(0, t.steps-t.began-freeProofSteps))
	}
	return closed
}

// patternTerm makes a fluent that fits the pattern, with variables from keys
// on for the keys and new ones for the values.
func (t *tableau) patternTerm(p *fluentPattern, keys int32) *gdl.Term {
	f := &gdl.Term{Var: -1, Name: p.functor}
	for _, a := range p.args {
		switch a.role {
		case argKey:
			f.Args = append(f.Args, gdl.Term{Var: keys + int32(a.key)})
		case argConstant:
			f.Args = append(f.Args, a.fixed)
		default:
			f.Args = append(f.Args, gdl.Term{Var: t.fresh(1, false)})
		}
	}
	return f
}

// fluentShape is a functor of fluents with its arity.
type fluentShape struct {
	functor gdl.Symbol
	arity   int
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
	s.settle(func(failed *candidate) { s.weaker(failed) })
}

// keyed is the invariant with the positions of a set as keys, and constants at
// the positions where they are given.
func keyed(shape fluentShape, keys uint32, fixed map[int]gdl.Term) invariant {
	p := fluentPattern{functor: shape.functor, args: make([]fluentArg, shape.arity)}
	n := 0
	for i := range p.args {
		if term, ok := fixed[i]; ok {
			p.args[i] = fluentArg{role: argConstant, fixed: term}
		} else if keys&(1<<i) != 0 {
			p.args[i] = fluentArg{role: argKey, key: n}
			n++
		}
	}
	return invariant{patterns: []fluentPattern{p}, keys: n}
}

// weaken adds the candidate, or, where the initial state is against it, those
// with one key more.
func (s *inductions) weaken(inv invariant) {
	for i := range s.k.hypotheses {
		other := &s.k.hypotheses[i]
		if other.assumed && implies(&other.invariant, &inv) || sameInvariant(&other.invariant, &inv) {
			return
		}
	}
	if !s.startsWith(&inv) {
		s.weaker(&candidate{invariant: inv})
		return
	}
	s.add(inv)
}

// weaker adds the candidates that have one key more than one that failed.
func (s *inductions) weaker(failed *candidate) {
	p := failed.patterns[0]
	for i := range p.args {
		if p.args[i].role != argValue {
			continue
		}
		shape := fluentShape{p.functor, len(p.args)}
		keys, fixed, values := uint32(1)<<i, map[int]gdl.Term{}, 0
		for j := range p.args {
			switch p.args[j].role {
			case argKey:
				keys |= 1 << j
			case argConstant:
				fixed[j] = p.args[j].fixed
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

func sameInvariant(a, b *invariant) bool {
	return implies(a, b) && implies(b, a)
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
