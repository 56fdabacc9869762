package split

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"semisplit/reasoner/gdl"
)

// Bounds of the rewriting. Where they are reached, moves stay terms.
const (
	maxCopies       = 4_000   // relations made for arguments of one form
	maxAlternatives = 1_024   // rules made of one rule
	maxRules        = 400_000 // rules of the rewritten program
	maxFacts        = 64      // facts of a relation that are looked through
	maxWritten      = 1 << 26 // bytes of the keys of all rules; the largest published description comes to 2 MB
)

// flattener rewrites a program so that the arguments of moves become those of
// relations: does and legal become Select and Offer relations for each role
// and form, and a relation that is called with a move becomes, for each form,
// relations.
//
// Every relation is rewritten on demand, from the roots. What terminal, goal
// and offers depend on is rewritten "still": read without moves, so that does
// holds of nothing.
type flattener struct {
	ctx        context.Context
	src, out   *gdl.Program
	kinds      *kinds
	roles      []flatRole
	nested     map[functor]gdl.Term // form whose outermost function it is
	facts      map[gdl.RelID][]gdl.Atom
	made       map[string]gdl.RelID
	moveCopies map[gdl.RelID]bool // copies for a form of moves
	queue      []request
	strange    func() (rel gdl.RelID, rules []gdl.Rule)
	seen       map[string]bool // rules
	written    int             // bytes of their keys
}

// flatRole holds the forms of a role and their relations.
type flatRole struct {
	forms      []form
	offer, sel []gdl.RelID
}

// request asks for the rules of a relation, for heads of a pattern.
type request struct {
	src   gdl.RelID
	still bool
	offer bool       // out is an Offer relation: the rules of legal are wanted as they stand
	rules []gdl.Rule // these are wanted, whatever src has
	args  []gdl.Term // pattern of the head, variables numbered from 0
	names []string   // of these variables, the arguments of out
	out   gdl.RelID
}

func newFlattener(ctx context.Context, p *gdl.Program) *flattener {
	f := &flattener{
		ctx:        ctx,
		src:        p,
		out:        &gdl.Program{Symbols: p.Symbols.Clone(), Roles: p.Roles, Relations: slices.Clone(p.Relations)},
		kinds:      inferKinds(ctx, p, place{rel: gdl.RelLegal, arg: 1}),
		nested:     make(map[functor]gdl.Term),
		facts:      make(map[gdl.RelID][]gdl.Atom),
		made:       make(map[string]gdl.RelID),
		moveCopies: make(map[gdl.RelID]bool),
		seen:       make(map[string]bool),
	}
	f.strange = sync.OnceValues(f.strangers)
	for r := range f.out.Relations {
		f.out.Relations[r].Rules = nil
	}
	f.findFacts()
	for _, role := range p.Roles {
		fr := flatRole{forms: f.kinds.forms(role)}
		for _, m := range fr.forms {
			if m.pattern.Args != nil {
				f.nested[functor{m.pattern.Name, len(m.pattern.Args)}] = m.pattern
			}
			name := "#" + f.spell(role) + "#" + f.spell(m.pattern)
			fr.offer = append(fr.offer, f.relation("offer"+name, len(m.names)))
			fr.sel = append(fr.sel, f.relation("does"+name, len(m.names)))
		}
		f.roles = append(f.roles, fr)
	}
	return f
}

// findFacts collects the relations that are a few facts and nothing else.
func (f *flattener) findFacts() {
	for r := range f.src.Relations {
		rules := f.src.Relations[r].Rules
		if len(rules) == 0 || len(rules) > maxFacts || slices.ContainsFunc(rules, func(i int32) bool {
			return len(f.src.Rules[i].Body) > 0 || !isGround(f.src.Rules[i].Head.Args)
		}) {
			continue
		}
		for _, i := range rules {
			f.facts[gdl.RelID(r)] = append(f.facts[gdl.RelID(r)], f.src.Rules[i].Head)
		}
	}
	delete(f.facts, gdl.RelInit)
	delete(f.facts, gdl.RelNext)
	delete(f.facts, gdl.RelLegal)
	f.facts[gdl.RelRole] = nil
	for _, r := range f.src.Roles {
		f.facts[gdl.RelRole] = append(f.facts[gdl.RelRole], gdl.Atom{Rel: gdl.RelRole, Args: []gdl.Term{r}})
	}
}

// spell gives the names of a term without parentheses and variables.
func (f *flattener) spell(t gdl.Term) string {
	if t.Var >= 0 {
		return "_"
	}
	s := f.src.Symbols.Name(t.Name)
	for _, a := range t.Args {
		if a.Args != nil {
			s += "." + f.spell(a)
		}
	}
	return s
}

// relation makes a relation with a name that nothing has yet.
func (f *flattener) relation(name string, arity int) gdl.RelID {
	return addRelation(f.out, name, arity)
}

func addRelation(p *gdl.Program, name string, arity int) gdl.RelID {
	own := name
	for i := 2; ; i++ {
		if _, taken := p.Symbols.Lookup(own); !taken {
			break
		}
		own = fmt.Sprintf("%s#%d", name, i)
	}
	p.Relations = append(p.Relations, gdl.Relation{Name: p.Symbols.Intern(own), Arity: arity})
	return gdl.RelID(len(p.Relations) - 1)
}

// run rewrites the roots and all that they need.
func (f *flattener) run() {
	for i, role := range f.src.Roles {
		for j, m := range f.roles[i].forms {
			f.ask(request{src: gdl.RelLegal, still: true, offer: true, args: []gdl.Term{role, m.pattern}, names: m.names, out: f.roles[i].offer[j]})
		}
	}
	for _, r := range f.src.Roles {
		f.emit(clause{head: gdl.Atom{Rel: gdl.RelRole, Args: []gdl.Term{r}}})
	}
	f.drain()
	for _, root := range []gdl.RelID{gdl.RelInit, gdl.RelTerminal, gdl.RelGoal, gdl.RelNext} {
		f.plain(root, root != gdl.RelNext, root)
	}
	f.drain()
}

func (f *flattener) ask(r request) { f.queue = append(f.queue, r) }

// plain asks for all rules of a relation, for heads of any form.
func (f *flattener) plain(src gdl.RelID, still bool, out gdl.RelID) {
	key := requestKey(src, still, nil)
	if _, ok := f.made[key]; ok {
		return
	}
	f.made[key] = out
	q := request{src: src, still: still, out: out}
	for i := range f.src.Relations[src].Arity {
		q.args = append(q.args, gdl.Term{Var: int32(i)})
		q.names = append(q.names, fmt.Sprintf("?a%d", i+1))
	}
	f.ask(q)
}

func requestKey(src gdl.RelID, still bool, args []gdl.Term) string {
	return string(termsKey(fmt.Appendf(nil, "%d %t", src, still), args))
}

func (f *flattener) drain() {
	for len(f.queue) > 0 {
		q := f.queue[0]
		f.queue = f.queue[1:]
		for _, r := range f.rulesOf(&q) {
			heed(f.ctx)
			f.rewrite(&r, &q)
		}
	}
}

// rulesOf are the rules of a relation. does holds of what is selected, legal
// of what is offered.
func (f *flattener) rulesOf(q *request) []gdl.Rule {
	if q.rules != nil {
		return q.rules
	}
	var out []gdl.Rule
	offers := q.src == gdl.RelLegal && !q.offer && (q.still || f.src.Relations[q.src].Depends&gdl.OnMoves == 0)
	if offers || q.src == gdl.RelDoes {
		for i, role := range f.src.Roles {
			for j, m := range f.roles[i].forms {
				sel := gdl.Literal{Kind: gdl.Positive, Atom: gdl.Atom{Rel: f.roles[i].sel[j], Args: numbered(len(m.names))}}
				if offers {
					sel.Rel = f.roles[i].offer[j]
				}
				out = append(out, gdl.Rule{Head: gdl.Atom{Rel: q.src, Args: []gdl.Term{role, m.pattern}}, Body: []gdl.Literal{sel}, Vars: m.names})
			}
		}
		if !offers {
			return out
		}
		if rel, rules := f.strange(); len(rules) > 0 {
			args := numbered(2)
			body := []gdl.Literal{{Kind: gdl.Positive, Atom: gdl.Atom{Rel: rel, Args: args}}}
			out = append(out, gdl.Rule{Head: gdl.Atom{Rel: q.src, Args: args}, Body: body, Vars: strangeNames})
		}
		return out
	}
	for _, i := range f.src.Relations[q.src].Rules {
		out = append(out, f.src.Rules[i])
	}
	return out
}

// strangeNames are the arguments of the relation of strangers.
var strangeNames = []string{"?role", "?move"}

// strangers asks for a relation of what is legal for who plays no role: nobody
// does that, but rules may ask for it. Where there are no rules for it, there is
// no relation.
func (f *flattener) strangers() (rel gdl.RelID, rules []gdl.Rule) {
	k := inferKinds(f.ctx, f.src, place{rel: gdl.RelLegal, arg: 0})
	for _, i := range f.src.Relations[gdl.RelLegal].Rules {
		if r := f.src.Rules[i]; f.mayBeStrange(k, &r) {
			plays := gdl.Atom{Rel: gdl.RelRole, Args: r.Head.Args[:1], Pos: r.Pos}
			r.Body = append(slices.Clone(r.Body), gdl.Literal{Kind: gdl.Negative, Atom: plays})
			rules = append(rules, r)
		}
	}
	if len(rules) == 0 {
		return -1, nil
	}
	rel = f.relation("legal#others", 2)
	f.ask(request{src: gdl.RelLegal, still: true, rules: rules, args: numbered(2), names: strangeNames, out: rel})
	return rel, rules
}

// mayBeStrange tells whether a rule for legal may speak of who plays no role.
func (f *flattener) mayBeStrange(k *kinds, r *gdl.Rule) bool {
	who := r.Head.Args[0]
	if slices.ContainsFunc(r.Body, func(l gdl.Literal) bool {
		return l.Kind == gdl.Positive && l.Rel == gdl.RelRole && equalTerms(l.Args[0], who)
	}) {
		return false
	}
	if isGround([]gdl.Term{who}) {
		return !f.plays(who)
	}
	of := &kind{}
	k.add(of, place{rel: gdl.RelLegal, arg: 0}, who, r)
	return of.any || len(of.compounds) > 0 || slices.ContainsFunc(of.consts, func(name gdl.Symbol) bool {
		return !f.plays(gdl.Term{Var: -1, Name: name})
	})
}

func (f *flattener) plays(who gdl.Term) bool {
	return slices.ContainsFunc(f.src.Roles, func(role gdl.Term) bool { return equalTerms(role, who) })
}

func numbered(n int) []gdl.Term {
	out := make([]gdl.Term, n)
	for i := range out {
		out[i] = gdl.Term{Var: int32(i)}
	}
	return out
}

// rewrite emits what becomes of a rule for heads of the pattern.
func (f *flattener) rewrite(r *gdl.Rule, q *request) {
	c := newClause(r)
	// where the head says nothing of its own, variables keep their names
	own := make([]gdl.Term, len(q.names))
	for i, n := range q.names {
		own[i] = c.fresh(n)
	}
	b := newBinding(len(c.vars))
	for i, a := range q.args {
		if !b.unify(replace(a, own), c.head.Args[i]) {
			return
		}
	}
	c = c.under(b)
	c.head = gdl.Atom{Rel: q.out, Args: b.applyAll(own), Pos: r.Head.Pos}
	x := expansion{flattener: f, still: q.still}
	x.expand(c)
	for _, c := range x.done {
		f.emit(c)
	}
}

func (f *flattener) emit(c clause) {
	r := c.rule()
	key := ruleKey(&r)
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	if f.written += len(key); f.written > maxWritten {
		panic(unwind{errTooLarge})
	}
	f.out.Rules = append(f.out.Rules, r)
}
