package gdl

import (
	"strconv"
	"strings"

	"semisplit/kif"
)

func itoa(n int) string { return strconv.Itoa(n) }

// statement is the reading of one rule. All its atoms share one numbering of
// variables; clauses are renumbered when they are finished.
type statement struct {
	analysis *analysis
	pos      kif.Pos
	vars     []string
	size     int             // conditions and connectives read so far
	never    bool            // it has a condition that never holds, and a finding says so
	warned   map[string]bool // findings that are reported once in a statement
}

// The kinds of formula.
const (
	formLiteral = iota
	formAnd
	formOr
	formNot    // of its only kid; gone after normal
	formNotAnd // the negation of a conjunction, which stays whole until its clause is known
)

// formula is a condition as written. An empty formAnd holds, an empty formOr
// does not.
type formula struct {
	kind int
	lit  Literal
	kids []formula
	pos  kif.Pos
}

// head reads the head of a rule, or a fact.
func (s *statement) head(t kif.Term) (Atom, bool) {
	switch {
	case t.IsVar():
		s.analysis.fail("head", t.Pos, "name a relation", "the variable %s stands for a head", t.Name)
		return Atom{}, false
	case !t.IsList():
	case len(t.Items) == 0:
		s.analysis.fail("head", t.Pos, "name a relation", "() stands for a head")
		return Atom{}, false
	case !t.Items[0].IsSymbol():
		s.analysis.fail("head", t.Items[0].Pos, "name a relation", "a head must begin with the name of a relation, not with %s", t.Items[0])
		return Atom{}, false
	}
	name, args := split(t)
	if c := connective(name); c != "" {
		s.analysis.fail("head", t.Pos, "write one rule for each relation that follows", "%s cannot be the head of a rule", c)
		return Atom{}, false
	}
	if len(args) == 2 && len(name) == 4 && strings.EqualFold(name, "sees") {
		s.analysis.fail("gdl-ii", t.Pos, "only games of complete information can be played", "GDL-II (imperfect information) is not supported: the rules define what each player sees")
		return Atom{}, false
	}
	return s.atom(t)
}

// formula reads a condition. depth counts the connectives around it.
func (s *statement) formula(t kif.Term, depth int) (formula, bool) {
	if s.size++; s.size > s.analysis.limits.Literals || depth > s.analysis.limits.Depth {
		s.analysis.fail("limit", t.Pos, "move conditions to relations of their own",
			"more than %d conditions in a rule, or %d connectives inside each other", s.analysis.limits.Literals, s.analysis.limits.Depth)
		return formula{}, false
	}
	switch {
	case t.IsVar():
		s.analysis.fail("literal", t.Pos, "name a relation", "the variable %s stands for a condition", t.Name)
		return formula{}, false
	case t.IsList() && len(t.Items) == 0:
		s.analysis.fail("literal", t.Pos, "remove it", "() stands for a condition")
		return formula{}, false
	case t.IsList() && !t.Items[0].IsSymbol():
		s.analysis.fail("literal", t.Items[0].Pos, "conditions stand side by side, without parentheses around all of them",
			"a condition must begin with the name of a relation, not with %s", t.Items[0])
		return formula{}, false
	}
	name, args := split(t)
	switch connective(name) {
	case "or":
		return s.connected(formOr, t, args, depth)
	case "and":
		return s.connected(formAnd, t, args, depth)
	case "not":
		if len(args) == 0 {
			s.analysis.fail("literal", t.Pos, "write (not condition)", "not without a condition")
			return formula{}, false
		}
		if len(args) > 1 {
			s.analysis.warn("not-arguments", t.Pos, "write (not (or a b)), or (not a) (not b)",
				"not with %d conditions: only the first one counts", len(args))
			args = args[:1]
		}
		return s.connected(formNot, t, args, depth)
	case "distinct":
		return s.distinct(t, args)
	case "<=":
		s.analysis.fail("literal", t.Pos, "close the rule above", "a rule inside of a rule")
		return formula{}, false
	}
	atom, ok := s.atom(t)
	if ok {
		s.analysis.usedInBody(atom.Rel, t.Pos)
	}
	return formula{kind: formLiteral, lit: Literal{Positive, atom}, pos: t.Pos}, ok
}

func (s *statement) connected(kind int, t kif.Term, args []kif.Term, depth int) (formula, bool) {
	if !t.IsList() {
		s.analysis.fail("literal", t.Pos, "write it with its conditions in parentheses", "%s stands alone", t.Name)
		return formula{}, false
	}
	if len(args) == 0 {
		reading := "never true"
		if kind == formAnd {
			reading = "always true"
		}
		s.never = s.never || kind == formOr
		s.analysis.warn("empty-connective", t.Pos, "write what is meant", "(%s) is read as %s", t.Items[0].Name, reading)
	}
	f := formula{kind: kind, pos: t.Pos, kids: make([]formula, 0, len(args))}
	for _, arg := range args {
		kid, ok := s.formula(arg, depth+1)
		if !ok {
			return formula{}, false
		}
		f.kids = append(f.kids, kid)
	}
	return f, true
}

func (s *statement) distinct(t kif.Term, args []kif.Term) (formula, bool) {
	if len(args) < 2 {
		s.analysis.fail("literal", t.Pos, "write (distinct a b)", "distinct with %s", arguments(len(args)))
		return formula{}, false
	}
	if len(args) > 2 {
		s.analysis.warn("distinct-arguments", t.Pos, "write (distinct a b) for each pair", "distinct with %s: only the first two count", arguments(len(args)))
	}
	terms, ok := s.terms(args[:2])
	return formula{kind: formLiteral, lit: Literal{Distinct, Atom{Rel: -1, Args: terms, Pos: t.Pos}}, pos: t.Pos}, ok
}

// atom reads a relation with its arguments.
func (s *statement) atom(t kif.Term) (Atom, bool) {
	name, args := split(t)
	if t.IsList() && len(args) == 0 {
		s.analysis.warn("empty-arguments", t.Pos, "write "+name, "(%s) is read as %s", name, name)
	}
	if len(args) > s.analysis.limits.Arguments {
		s.analysis.fail("limit", t.Pos, "", "%s with %s, at most %d are read", name, arguments(len(args)), s.analysis.limits.Arguments)
		return Atom{}, false
	}
	id := s.analysis.relation(name, len(args), t.Pos)
	terms, ok := s.terms(args)
	return Atom{Rel: id, Args: terms, Pos: t.Pos}, ok
}

func (s *statement) terms(args []kif.Term) ([]Term, bool) {
	if len(args) == 0 {
		return nil, true
	}
	terms := make([]Term, len(args))
	for i, arg := range args {
		t, ok := s.term(arg, 0)
		if !ok {
			return nil, false
		}
		terms[i] = t
	}
	return terms, true
}

// term reads an argument.
func (s *statement) term(t kif.Term, depth int) (Term, bool) {
	switch {
	case t.IsVar():
		return Term{Var: s.variable(t.Name)}, true
	case !t.IsList():
		return Term{Var: -1, Name: s.analysis.program.Symbols.Intern(t.Name)}, true
	case len(t.Items) == 0 || !t.Items[0].IsSymbol():
		s.analysis.fail("term", t.Pos, "write (function argument ...)", "a term must begin with the name of a function, not so: %s", clip(t))
		return Term{}, false
	case depth == s.analysis.limits.Depth || len(t.Items) > s.analysis.limits.Arguments:
		s.analysis.fail("limit", t.Pos, "", "a term with more than %d functions inside each other, or %d arguments", s.analysis.limits.Depth, s.analysis.limits.Arguments)
		return Term{}, false
	}
	sym := s.analysis.program.Symbols.Intern(t.Items[0].Name)
	if len(t.Items) == 1 {
		s.analysis.warn("empty-arguments", t.Pos, "write "+t.Items[0].Name, "(%s) is read as %s", t.Items[0].Name, t.Items[0].Name)
		return Term{Var: -1, Name: sym}, true
	}
	s.analysis.function(sym, len(t.Items)-1, t.Pos)
	args := make([]Term, len(t.Items)-1)
	for i, item := range t.Items[1:] {
		arg, ok := s.term(item, depth+1)
		if !ok {
			return Term{}, false
		}
		args[i] = arg
	}
	return Term{Var: -1, Name: sym, Args: args}, true
}

// variable returns the number of a variable in the statement. One more than a rule may
// have is enough to refuse it.
func (s *statement) variable(name string) int32 {
	for i, v := range s.vars {
		if v == name {
			return int32(i)
		}
	}
	if len(s.vars) > s.analysis.limits.Variables {
		return 0
	}
	s.vars = append(s.vars, name)
	return int32(len(s.vars) - 1)
}

// split parts a term that is a symbol, or a list with a symbol in front.
func split(t kif.Term) (name string, args []kif.Term) {
	if !t.IsList() {
		return t.Name, nil
	}
	return t.Items[0].Name, t.Items[1:]
}

// clip shows a term in a message, cut to a readable length.
func clip(t kif.Term) string {
	const most = 60
	s := t.String()
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}
