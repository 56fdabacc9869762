package prover

import (
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
)

// stratified checks what fixpoint relies on: no negation inside a group.
func stratified(p *gdl.Program) error {
	for i := range p.Rules {
		head := &p.Relations[p.Rules[i].Head.Rel]
		for _, l := range p.Rules[i].Body {
			if l.Kind == gdl.Negative && head.Cyclic && p.Relations[l.Rel].Group == head.Group {
				return fmt.Errorf("prover: %d:%d: recursion through a negation", l.Pos.Line, l.Pos.Col)
			}
		}
	}
	return nil
}

// grouped checks the numbers of the recursive groups, which evaluation
// relies on.
func grouped(p *gdl.Program) error {
	for i := range p.Rules {
		head := &p.Relations[p.Rules[i].Head.Rel]
		for _, l := range p.Rules[i].Body {
			if l.Rel < 0 {
				continue
			}
			body := &p.Relations[l.Rel]
			if body.Group > head.Group || body.Group == head.Group && !head.Cyclic {
				return fmt.Errorf("prover: %s uses %s, which is in a group above it",
					p.Symbols.Name(head.Name), p.Symbols.Name(body.Name))
			}
		}
	}
	return nil
}

// reachable marks the relations that the roots use, directly or not.
func reachable(p *gdl.Program, roots ...gdl.RelID) []bool {
	used := make([]bool, len(p.Relations))
	for len(roots) > 0 {
		rel := roots[len(roots)-1]
		roots = roots[:len(roots)-1]
		if used[rel] {
			continue
		}
		used[rel] = true
		for _, r := range p.Relations[rel].Rules {
			for _, l := range p.Rules[r].Body {
				if l.Rel >= 0 {
					roots = append(roots, l.Rel)
				}
			}
		}
	}
	return used
}

func markTerm(t gdl.Term, vars []bool) {
	if t.Var >= 0 {
		vars[t.Var] = true
		return
	}
	for _, a := range t.Args {
		markTerm(a, vars)
	}
}

func markAtom(args []gdl.Term, vars []bool) {
	for _, a := range args {
		markTerm(a, vars)
	}
}

// covered says whether all variables of the term are in vars.
func covered(t gdl.Term, vars []bool) bool {
	if t.Var >= 0 {
		return vars[t.Var]
	}
	return !slices.ContainsFunc(t.Args, func(a gdl.Term) bool { return !covered(a, vars) })
}

func allCovered(args []gdl.Term, vars []bool) bool {
	return !slices.ContainsFunc(args, func(a gdl.Term) bool { return !covered(a, vars) })
}

func equalTerms(a, b gdl.Term) bool {
	return a.Var == b.Var && a.Name == b.Name && slices.EqualFunc(a.Args, b.Args, equalTerms)
}

func occurs(args []gdl.Term, v int32) int {
	n := 0
	for _, a := range args {
		if a.Var == v {
			n++
		}
		n += occurs(a.Args, v)
	}
	return n
}
