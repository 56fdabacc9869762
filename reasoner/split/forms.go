package split

import (
	"context"
	"slices"

	"semisplit/reasoner/gdl"
)

// form is one form of the moves of a role: a term in which variable i stands
// for argument i. The forms of a role have no instance in common.
type form struct {
	pattern gdl.Term
	names   []string // how the rules call the arguments
}

// whole is the form of which every term is an instance.
var whole = form{gdl.Term{}, []string{"?move"}}

// place is where a term can stand: an argument of a relation, or of a fluent
// when rel is gdl.RelTrue and name is set.
type place struct {
	rel   gdl.RelID
	name  gdl.Symbol // of a fluent
	arity int        // of a fluent
	arg   int
}

// functor is a name with a number of arguments.
type functor struct {
	name  gdl.Symbol
	arity int
}

// kind says what terms can stand at a place: nothing known when any is set.
type kind struct {
	any       bool
	data      bool // some of the constants stand in facts
	consts    []gdl.Symbol
	compounds []compoundKind
	name      string // of a variable that stands there
}

type compoundKind struct {
	functor
	args []*kind
}

const (
	maxConsts    = 64 // constants at a place that are told apart
	explicitMost = 16 // constant moves that are forms of their own, when all are constants
	maxNesting   = 4  // functions inside each other that are flattened
	maxForms     = 64
)

// kinds infers what can stand at a place, such as that of moves, and at those
// that this comes from. It is a least fixed point over the rules, so recursion
// through them is harmless.
type kinds struct {
	p     *gdl.Program
	of    map[place]*kind
	order []place
	grown bool
}

func inferKinds(ctx context.Context, p *gdl.Program, of place) *kinds {
	k := &kinds{p: p, of: make(map[place]*kind)}
	k.at(of)
	for k.grown = true; k.grown; {
		k.grown = false
		for i := 0; i < len(k.order); i++ {
			heed(ctx)
			pl := k.order[i]
			k.eachRule(pl, func(r *gdl.Rule, t gdl.Term) { k.add(k.of[pl], pl, t, r) })
		}
	}
	return k
}

func (k *kinds) at(pl place) *kind {
	if k.of[pl] == nil {
		k.of[pl] = &kind{}
		k.order = append(k.order, pl)
		k.grown = true
	}
	return k.of[pl]
}

// eachRule calls f for every rule that puts a term at the place.
func (k *kinds) eachRule(pl place, f func(*gdl.Rule, gdl.Term)) {
	if pl.name == 0 {
		for _, i := range k.p.Relations[pl.rel].Rules {
			f(&k.p.Rules[i], k.p.Rules[i].Head.Args[pl.arg])
		}
		return
	}
	for _, rel := range []gdl.RelID{gdl.RelInit, gdl.RelNext} {
		for _, i := range k.p.Relations[rel].Rules {
			r := &k.p.Rules[i]
			switch t := r.Head.Args[0]; {
			case t.Var >= 0:
				if !copiesFluent(r, t.Var) {
					k.anything(k.of[pl])
				}
			case t.Name == pl.name && len(t.Args) == pl.arity:
				f(r, t.Args[pl.arg])
			}
		}
	}
}

// copiesFluent says whether the variable is a fluent that holds already.
func copiesFluent(r *gdl.Rule, v int32) bool {
	return slices.ContainsFunc(r.Body, func(l gdl.Literal) bool {
		return l.Kind == gdl.Positive && l.Rel == gdl.RelTrue && l.Args[0].Var == v
	})
}

func (k *kinds) anything(to *kind) {
	if !to.any {
		*to = kind{any: true, name: to.name}
		k.grown = true
	}
}

// add notes that the term, from the head of the rule, stands at the place.
func (k *kinds) add(to *kind, pl place, t gdl.Term, r *gdl.Rule) {
	if to.any {
		return
	}
	if t.Var < 0 {
		k.addTerm(to, t, r, len(r.Body) == 0 && pl.rel != gdl.RelLegal, 0)
		return
	}
	if to.name == "" {
		to.name = r.Vars[t.Var]
	}
	from := k.source(r, t.Var)
	if from == nil {
		k.anything(to)
		return
	}
	if from != to {
		k.join(to, from)
	}
}

func (k *kinds) addTerm(to *kind, t gdl.Term, r *gdl.Rule, fact bool, depth int) {
	switch {
	case to.any:
	case t.Var >= 0:
		if to.name == "" {
			to.name = r.Vars[t.Var]
		}
		k.anything(to)
	case t.Args == nil:
		k.addConst(to, t.Name, fact)
	case depth == maxNesting:
		k.anything(to)
	default:
		for i, a := range k.compound(to, functor{t.Name, len(t.Args)}).args {
			k.addTerm(a, t.Args[i], r, fact, depth+1)
		}
	}
}

func (k *kinds) addConst(to *kind, name gdl.Symbol, fact bool) {
	if fact && !to.data {
		to.data, k.grown = true, true
	}
	if !slices.Contains(to.consts, name) && len(to.consts) <= maxConsts {
		to.consts, k.grown = append(to.consts, name), true
	}
}

func (k *kinds) compound(to *kind, f functor) *compoundKind {
	for i := range to.compounds {
		if to.compounds[i].functor == f {
			return &to.compounds[i]
		}
	}
	c := compoundKind{functor: f, args: make([]*kind, f.arity)}
	for i := range c.args {
		c.args[i] = &kind{}
	}
	to.compounds, k.grown = append(to.compounds, c), true
	return &to.compounds[len(to.compounds)-1]
}

func (k *kinds) join(to, from *kind) {
	if from.any {
		k.anything(to)
		return
	}
	if to.any {
		return
	}
	for _, c := range from.consts {
		k.addConst(to, c, from.data)
	}
	for _, c := range from.compounds {
		args := k.compound(to, c.functor).args
		for i, a := range args {
			if a.name == "" {
				a.name = c.args[i].name
			}
			k.join(a, c.args[i])
		}
	}
}

// source is the kind of a variable: of the positive literal that says most of
// it. nil if none says anything.
func (k *kinds) source(r *gdl.Rule, v int32) *kind {
	var best *kind
	consider := func(pl place) {
		if c := k.at(pl); best == nil || best.any || !c.any && c.size() < best.size() {
			best = c
		}
	}
	for _, l := range r.Body {
		if l.Kind != gdl.Positive {
			continue
		}
		switch {
		case l.Rel == gdl.RelTrue:
			for i, a := range l.Args[0].Args {
				if a.Var == v {
					consider(place{gdl.RelTrue, l.Args[0].Name, len(l.Args[0].Args), i})
				}
			}
		case l.Rel == gdl.RelDoes && l.Args[1].Var == v:
			consider(place{rel: gdl.RelLegal, arg: 1})
		case l.Rel != gdl.RelDoes:
			for i, a := range l.Args {
				if a.Var == v {
					consider(place{rel: l.Rel, arg: i})
				}
			}
		}
	}
	return best
}

func (k *kind) size() int { return len(k.consts) + maxConsts*len(k.compounds) }

// forms are the forms of the moves of a role.
func (k *kinds) forms(role gdl.Term) []form {
	own := &kind{}
	for _, i := range k.p.Relations[gdl.RelLegal].Rules {
		r := &k.p.Rules[i]
		if canEqual(r.Head.Args[0], role) {
			k.add(own, place{rel: gdl.RelLegal, arg: 1}, r.Head.Args[1], r)
		}
	}
	return own.forms()
}

// forms lists the forms of the terms of a kind.
func (k *kind) forms() []form {
	everything := whole
	if k.name != "" {
		everything.names = []string{k.name}
	}
	one := len(k.compounds) == 0 && (k.data || len(k.consts) > explicitMost)
	if k.any || one || len(k.consts) > maxConsts || len(k.consts)+len(k.compounds) > maxForms {
		return []form{everything}
	}
	var out []form
	for _, c := range k.compounds {
		f := form{pattern: gdl.Term{Var: -1, Name: c.name}}
		for _, a := range c.args {
			f.pattern.Args = append(f.pattern.Args, a.flatten(&f))
		}
		out = append(out, f)
	}
	for _, c := range k.consts {
		out = append(out, form{pattern: gdl.Term{Var: -1, Name: c}})
	}
	return out
}

// flatten spells an argument of a form: a compound if it can be nothing else,
// an argument otherwise.
func (k *kind) flatten(f *form) gdl.Term {
	if !k.any && len(k.consts) == 0 && len(k.compounds) == 1 {
		c := k.compounds[0]
		t := gdl.Term{Var: -1, Name: c.name}
		for _, a := range c.args {
			t.Args = append(t.Args, a.flatten(f))
		}
		return t
	}
	name := k.name
	if name == "" {
		name = "?argument"
	}
	for slices.Contains(f.names, name) {
		name += "'"
	}
	f.names = append(f.names, name)
	return gdl.Term{Var: int32(len(f.names) - 1)}
}
