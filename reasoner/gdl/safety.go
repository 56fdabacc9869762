package gdl

import (
	"fmt"
	"slices"
)

// varSet is a set of variable numbers.
type varSet map[int32]bool

// addAll adds the variables of the terms and returns the set.
func (set varSet) addAll(terms []Term) varSet {
	for _, t := range terms {
		if t.Args != nil {
			set.addAll(t.Args)
		} else if t.Var >= 0 {
			set[t.Var] = true
		}
	}
	return set
}

// intersect returns what both sets contain, ascending.
func (set varSet) intersect(other varSet) []int32 {
	var both []int32
	for v := range set {
		if other[v] {
			both = append(both, v)
		}
	}
	slices.Sort(both)
	return both
}

// positives returns the variables that the positive literals bind.
func positives(lits []Literal) varSet {
	set := varSet{}
	for _, l := range lits {
		if l.Kind == Positive {
			set.addAll(l.Args)
		}
	}
	return set
}

// finish makes a rule of a clause, or drops it if it can never fire.
//
// A variable is bound by a positive literal only. An unbound one in the head
// leaves no ground instance to derive, so the rule is dropped, except where
// the variable is the role of legal, goal or input: then "for every role" is
// meant, and said. An unbound variable in a negative literal stays and means
// "for no value". In distinct it is compared as it is written: it differs from
// everything but itself, and so becomes a constant that occurs nowhere else.
func (s *statement) finish(head Atom, lits []Literal) {
	bound := positives(lits)
	if (head.Rel == RelLegal || head.Rel == RelGoal || head.Rel == RelInput) && isVar(head.Args[0]) && !bound[head.Args[0].Var] {
		s.once("unbound-role", "add (role "+s.vars[head.Args[0].Var]+")",
			"no condition binds %s: it is read as every role", s.vars[head.Args[0].Var])
		lits = concat([]Literal{{Positive, Atom{Rel: RelRole, Args: head.Args[:1], Pos: head.Pos}}}, lits)
		bound[head.Args[0].Var] = true
	}
	inHead := varSet{}.addAll(head.Args)
	for v := range int32(len(s.vars)) {
		if !bound[v] && inHead[v] {
			s.once("unsafe-head", "add a condition with "+s.vars[v]+" that is not negated",
				"no condition binds %s of the head: the rule can never fire and is ignored", s.vars[v])
			s.analysis.seen[head.Rel].told = true
			return
		}
	}
	kept := make([]Literal, 0, len(lits))
	for _, l := range lits {
		keep, holds := s.literal(&l, bound)
		if !holds {
			return
		}
		if keep {
			kept = append(kept, l)
		}
	}
	s.emit(head, kept)
}

// literal adapts a literal to what is bound. keep is false if it always holds,
// holds is false if it never does.
func (s *statement) literal(l *Literal, bound varSet) (keep, holds bool) {
	switch l.Kind {
	case Positive:
		return true, true
	case Negative:
		for _, v := range unboundIn(l.Args, bound) {
			s.once("unbound-negation", "add a condition with "+s.vars[v]+" that is not negated",
				"no condition binds %s of a negated condition: it is read as \"for no %s\"", s.vars[v], s.vars[v])
		}
		return true, true
	}
	if free := unboundIn(l.Args, bound); free != nil {
		s.once("unsafe-distinct", "add a condition with "+s.vars[free[0]]+" that is not negated",
			"no condition binds %s of distinct: it counts as different from everything but itself", s.vars[free[0]])
		l.Args = []Term{s.frozen(l.Args[0], bound), s.frozen(l.Args[1], bound)}
	}
	equal, possible := equalTerms(l.Args[0], l.Args[1]), unifiable(l.Args[0], l.Args[1])
	if l.Kind == Distinct {
		return possible, !equal
	}
	return !equal, possible
}

func unboundIn(args []Term, bound varSet) []int32 {
	var out []int32
	for v := range (varSet{}).addAll(args) {
		if !bound[v] {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// frozen replaces the unbound variables of a term by constants with their
// spelling, which no symbol of a description can have.
func (s *statement) frozen(t Term, bound varSet) Term {
	if isVar(t) && !bound[t.Var] {
		return Term{Var: -1, Name: s.analysis.program.Symbols.Intern(s.vars[t.Var])}
	}
	if t.Args != nil {
		args := make([]Term, len(t.Args))
		for i, a := range t.Args {
			args[i] = s.frozen(a, bound)
		}
		t.Args = args
	}
	return t
}

func isVar(t Term) bool { return t.Var >= 0 }

func equalTerms(a, b Term) bool {
	return a.Var == b.Var && a.Name == b.Name && slices.EqualFunc(a.Args, b.Args, equalTerms)
}

// unifiable reports whether values of the variables might make the terms
// equal; true where it is not obvious that none do.
func unifiable(a, b Term) bool {
	if isVar(a) || isVar(b) {
		return true
	}
	return a.Name == b.Name && slices.EqualFunc(a.Args, b.Args, unifiable)
}

// once warns about the statement, each kind of finding one time.
func (s *statement) once(code, advice, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if s.warned[code+message] {
		return
	}
	if s.warned == nil {
		s.warned = make(map[string]bool)
	}
	s.warned[code+message] = true
	s.analysis.warn(code, s.pos, advice, "%s", message)
}

// emit adds a rule, its variables numbered in order of appearance.
func (s *statement) emit(head Atom, body []Literal) {
	p := s.analysis.program
	if s.analysis.literals += len(body); len(p.Rules) == s.analysis.limits.Rules || s.analysis.literals > s.analysis.limits.Bodies {
		s.analysis.full = true
		s.analysis.fail("limit", s.pos, "", "more than %d rules, or %d conditions in them", s.analysis.limits.Rules, s.analysis.limits.Bodies)
		return
	}
	if !s.analysis.weigh(head, body) {
		s.analysis.full = true
		s.analysis.fail("limit", s.pos, "move large terms to relations of their own", "more than %d symbols in all rules, as they are multiplied out", maxSymbols)
		return
	}
	r := renumbering{from: s.vars, to: make(map[int32]int32)}
	rule := Rule{Head: r.atom(head), Pos: s.pos}
	for _, l := range body {
		rule.Body = append(rule.Body, Literal{l.Kind, r.atom(l.Atom)})
	}
	rule.Vars = r.names
	rel := &p.Relations[head.Rel]
	rel.Rules = append(rel.Rules, int32(len(p.Rules)))
	p.Rules = append(p.Rules, rule)
}

// maxSymbols bounds the symbols of all rules: what is multiplied out has copies of the
// terms of its rule, however large these are. Rules as they are written have less than
// an eighth of it.
const maxSymbols = 8 << 20

// weigh counts the symbols of a rule that is to be made; false if they are too many.
func (a *analysis) weigh(head Atom, body []Literal) bool {
	a.symbols += CountSymbols(head.Args)
	for _, l := range body {
		a.symbols += CountSymbols(l.Args)
	}
	return a.symbols <= maxSymbols
}

// CountSymbols counts the symbols and variables in terms.
func CountSymbols(terms []Term) int {
	n := len(terms)
	for _, t := range terms {
		n += CountSymbols(t.Args)
	}
	return n
}

// renumbering copies atoms from a statement's variables to a rule's.
type renumbering struct {
	from  []string
	to    map[int32]int32
	names []string
}

func (r *renumbering) atom(a Atom) Atom {
	a.Args = r.terms(a.Args)
	return a
}

func (r *renumbering) terms(terms []Term) []Term {
	if terms == nil {
		return nil
	}
	out := make([]Term, len(terms))
	for i, t := range terms {
		if isVar(t) {
			v, ok := r.to[t.Var]
			if !ok {
				v = int32(len(r.names))
				r.to[t.Var] = v
				r.names = append(r.names, r.from[t.Var])
			}
			t.Var = v
		}
		t.Args = r.terms(t.Args)
		out[i] = t
	}
	return out
}
