package gdl

import (
	"fmt"

	"semisplit/kif"
)

// String gives the program as text: the relations as comments, then the rules.
// The text reads back as an equal program.
func (p *Program) String() string {
	var b []byte
	for _, r := range p.Roles {
		b = fmt.Appendf(b, "; role %s\n", p.TermKIF(r, nil))
	}
	for id, r := range p.Relations {
		if RelID(id) < NumKeywordRelations && len(r.Rules) == 0 {
			continue
		}
		b = fmt.Appendf(b, "; relation %s/%d rules %d group %d stratum %d%s", p.Symbols.Name(r.Name), r.Arity, len(r.Rules), r.Group, r.Stratum, r.Depends)
		if r.Cyclic {
			b = append(b, " cyclic"...)
		}
		b = append(b, '\n')
	}
	for i := range p.Rules {
		b = p.RuleKIF(&p.Rules[i]).Append(b)
		b = append(b, '\n')
	}
	return string(b)
}

// String gives " static", or what the relation depends on.
func (d Dependence) String() string {
	return [...]string{" static", " state", " moves", " state moves"}[d&(OnState|OnMoves)]
}

// RuleKIF returns the rule as a term that reads back as the rule.
func (p *Program) RuleKIF(r *Rule) kif.Term {
	head := p.AtomKIF(r.Head, r.Vars)
	if len(r.Body) == 0 {
		return head
	}
	items := []kif.Term{kif.Symbol("<="), head}
	for _, l := range r.Body {
		items = append(items, p.LiteralKIF(l, r.Vars))
	}
	return kif.List(items...)
}

// LiteralKIF returns the literal as a term; vars are the rule's.
func (p *Program) LiteralKIF(l Literal, vars []string) kif.Term {
	var t kif.Term
	if l.Kind == Distinct || l.Kind == Same {
		t = kif.List(kif.Symbol("distinct"), p.TermKIF(l.Args[0], vars), p.TermKIF(l.Args[1], vars))
	} else {
		t = p.AtomKIF(l.Atom, vars)
	}
	if l.Kind == Negative || l.Kind == Same {
		t = kif.List(kif.Symbol("not"), t)
	}
	return t
}

// AtomKIF returns the atom as a term; vars are the rule's.
func (p *Program) AtomKIF(a Atom, vars []string) kif.Term {
	return p.applied(p.Relations[a.Rel].Name, a.Args, vars)
}

// TermKIF returns the term as text can show it; vars are the rule's.
func (p *Program) TermKIF(t Term, vars []string) kif.Term {
	if t.Var >= 0 {
		return kif.Symbol(vars[t.Var])
	}
	return p.applied(t.Name, t.Args, vars)
}

func (p *Program) applied(name Symbol, args []Term, vars []string) kif.Term {
	sym := kif.Symbol(p.Symbols.Name(name))
	if len(args) == 0 {
		return sym
	}
	items := []kif.Term{sym}
	for _, arg := range args {
		items = append(items, p.TermKIF(arg, vars))
	}
	return kif.List(items...)
}
