package invariant

import (
	"testing"

	"semisplit/reasoner/gdl"
)

// Two chains of variables, each of which stands for a term with the one before in
// it twice, are found equal after more steps than there will ever be: a proof that
// asks is given up, and the next one begins anew.
func TestOverrun(t *testing.T) {
	const links = 60
	pair := &gdl.Term{Var: -1, Name: 1, Args: []gdl.Term{{Var: 0}, {Var: 0}}}
	p := &branch{k: &knowledge{limit: maxAllSteps}, ctx: t.Context()}
	ask := func(long bool) bool {
		p.reset()
		return p.attempt(func() bool {
			first := p.fresh(2*links, false)
			p.slots[first+1].to = sharedTerm{&anyVariable, first}
			for i := range int32(2*links - 2) {
				p.slots[first+i+2].to = sharedTerm{pair, first + i}
			}
			last := first + 2*links - 1
			if !long {
				last = first + 3
			}
			return p.same(sharedTerm{&anyVariable, last}, sharedTerm{&anyVariable, last - 1})
		})
	}
	if ask(true) {
		t.Error("a proof went on beyond its bounds")
	}
	if !ask(false) {
		t.Error("the next proof failed")
	}
}

// Searches count their own steps as well: where one of these is the last, what
// comes after it is given up all the same.
func TestOverrunInSearch(t *testing.T) {
	p := &branch{k: &knowledge{limit: maxAllSteps}, ctx: t.Context()}
	p.reset()
	one := gdl.Term{Var: -1, Name: 1}
	same := gdl.Literal{Kind: gdl.Same, Atom: gdl.Atom{Args: []gdl.Term{one, one}}}
	if p.attempt(func() bool {
		p.last = p.steps + 1
		s := search{b: p, until: p.last}
		return s.show(&goalList{l: &same}, func() bool { return true })
	}) {
		t.Error("a proof went on beyond its bounds")
	}
}
