package gdl

import (
	"errors"
	"strings"

	"semisplit/kif"
)

// Limits bound what a description may ask of the analysis. The defaults are
// far above every published game.
type Limits struct {
	Rules     int // rules and facts, those that come from multiplying out included
	Bodies    int // literals in all of them together
	Literals  int // conditions and connectives in one rule as written
	Variables int // in one rule
	Arguments int // of one relation or function
	Depth     int // functions inside each other, and connectives inside each other

	// Alternatives is how many clauses a condition is multiplied out to before
	// a part of it is moved to a relation of its own, where that can be.
	Alternatives int
}

// DefaultLimits: the largest published description has about 4,000 rules and facts.
var DefaultLimits = Limits{Rules: 200_000, Bodies: 2_000_000, Literals: 2000, Variables: 250, Arguments: 250, Depth: 100, Alternatives: 64}

// Read reads a description from its text. The program is nil if and only if
// the diagnostics contain an error.
func Read(src string) (*Program, Diagnostics) {
	terms, err := kif.Parse(src)
	if err != nil {
		d := Diagnostic{Severity: Error, Pos: kif.Pos{Line: 1, Col: 1}, Code: "syntax", Message: err.Error()}
		var fault kif.Error
		if errors.As(err, &fault) {
			d.Pos = fault.Pos
			d.Message = "expected " + fault.Expected + ", found " + fault.Found
			d.Advice = adviseUnbalanced(src, fault)
		}
		return nil, Diagnostics{d}
	}
	return Analyze(terms)
}

// Analyze makes a program of the terms of a description, within
// DefaultLimits. The program is nil if and only if the diagnostics contain an
// error.
func Analyze(terms []kif.Term) (*Program, Diagnostics) { return DefaultLimits.Analyze(terms) }

// Analyze makes a program of the terms of a description, within the limits.
//
// The passes, in order: every statement becomes clauses (or and nested not are
// gone), every clause becomes safe or is dropped, the relations are sorted by
// what they depend on, and the roles are listed. The first error of a pass
// ends the statement it is in; a later pass runs only on what is whole.
func (l Limits) Analyze(terms []kif.Term) (*Program, Diagnostics) {
	a := newAnalysis(l)
	a.reserve(terms)
	for _, t := range terms {
		a.statement(t)
		if a.full {
			break
		}
	}
	if len(terms) == 0 {
		a.fail("no-rules", kif.Pos{}, "a description needs at least roles and legal moves", "there are no rules")
	}
	if a.failed {
		return nil, a.sorted()
	}
	a.checkWhole()
	a.order()
	if !a.failed {
		a.findRoles()
	}
	if a.failed {
		return nil, a.sorted()
	}
	return a.program, a.sorted()
}

// analysis is the work on one description.
type analysis struct {
	reporter
	limits    Limits
	program   *Program
	relations map[relationKey]RelID
	seen      []relationUse         // by RelID
	functions map[Symbol]functorUse // names with arguments inside terms
	arities   map[Symbol]int        // of the relation first seen with that name
	partOf    map[RelID]RelID       // the relation that a separated one is a part of
	reserved  map[string]bool       // names of the text that look like names of ours
	helpers   int                   // relations introduced so far
	literals  int                   // emitted so far
	symbols   int                   // in the rules that were made so far
	full      bool                  // a limit on the whole was passed
}

type relationKey struct {
	name  Symbol
	arity int
}

// relationUse is where a relation was first seen: in a head, in a body, anywhere.
type relationUse struct {
	head, body, any kif.Pos
	inHead, inBody  bool
	told            bool // a finding says why a rule for it can never fire
}

type functorUse struct {
	arity  int
	pos    kif.Pos
	warned bool
}

func newAnalysis(l Limits) *analysis {
	a := &analysis{
		limits:    l,
		program:   &Program{Symbols: NewSymbols()},
		relations: make(map[relationKey]RelID),
		functions: make(map[Symbol]functorUse),
		arities:   make(map[Symbol]int),
		partOf:    make(map[RelID]RelID),
		reserved:  make(map[string]bool),
	}
	for _, k := range keywordRelations {
		key := relationKey{a.program.Symbols.Intern(k.name), k.arity}
		a.relations[key] = RelID(len(a.program.Relations))
		a.program.Relations = append(a.program.Relations, Relation{Name: key.name, Arity: k.arity})
		a.seen = append(a.seen, relationUse{})
		a.arities[key.name] = k.arity
	}
	return a
}

// reserve notes the names that the relations we introduce must not take.
func (a *analysis) reserve(terms []kif.Term) {
	for _, t := range terms {
		if t.IsList() {
			a.reserve(t.Items)
		} else if strings.Contains(t.Name, "#") {
			a.reserved[t.Name] = true
		}
	}
}

// statement reads one term of the description: a rule or a fact.
func (a *analysis) statement(t kif.Term) {
	head, body, pos := t, []kif.Term(nil), t.Pos
	if t.IsList() {
		if len(t.Items) == 0 {
			a.warn("empty-list", pos, "remove it", "() says nothing and is ignored")
			return
		}
		switch first := t.Items[0]; {
		case first.Name == "<=":
			if len(t.Items) == 1 {
				a.fail("no-head", pos, "write (<= head condition ...)", "a rule without head")
				return
			}
			head, body = t.Items[1], t.Items[2:]
			if len(body) == 0 {
				a.warn("empty-body", pos, "write the head alone", "a rule without conditions is read as a fact")
			}
		case isForeignArrow(first.Name):
			a.fail("infix", pos, "write (<= head condition ...)", "%q does not make a rule here", first.Name)
			return
		}
	} else if t.Name == "<=" || isForeignArrow(t.Name) {
		a.fail("infix", pos, "write (<= head condition ...), with parentheses around all of it", "%q stands outside of a rule: infix rules are not read", t.Name)
		return
	}
	a.rule(head, body, pos)
}

// isForeignArrow recognises the arrows of other notations.
func isForeignArrow(name string) bool {
	switch name {
	case ":-", "=>", "<-", "->", "<=>":
		return true
	}
	return strings.HasPrefix(name, ":-")
}

// rule reads a rule or fact into clauses.
func (a *analysis) rule(head kif.Term, body []kif.Term, pos kif.Pos) {
	s := &statement{analysis: a, pos: pos}
	h, ok := s.head(head)
	if !ok {
		return
	}
	whole := formula{kind: formAnd, pos: pos}
	for _, t := range body {
		f, ok := s.formula(t, 0)
		if !ok {
			return
		}
		whole.kids = append(whole.kids, f)
	}
	if len(s.vars) > a.limits.Variables {
		a.fail("limit", pos, "move conditions to relations of their own", "a rule with more than %d variables", a.limits.Variables)
		return
	}
	a.usedInHead(h.Rel, head.Pos)
	if h.Rel == RelTrue || h.Rel == RelDoes {
		a.warn("head-"+s.analysis.relationName(h.Rel), head.Pos, "states follow from init and next, moves from the players",
			"a rule for %s is ignored", s.analysis.relationName(h.Rel))
		return
	}
	if h.Rel == RelGoal {
		a.checkGoalValue(head.Items[2])
	}
	if s.never {
		a.seen[h.Rel].told = true
	}
	s.clauses(h, whole.normal(false))
}

func (a *analysis) relationName(id RelID) string {
	return a.program.Symbols.Name(a.program.Relations[id].Name)
}
