package split

import (
	"context"
	"slices"

	"semisplit/reasoner/gdl"
)

// base is the orthodox game and what is known of it: what plans are made from.
type base struct {
	ctx    context.Context
	game   *Game
	pairs  *pairs
	rules  map[gdl.RelID][]clause // the rules of an Offer relation, whole-move helpers unfolded
	recurs []bool                 // by relation: recursion over fluents is needed to find it
	tight  []bool                 // by relation: static, or every rule takes all arguments from such a one
	single map[functor]bool       // fluents of which at most one is true at a time
}

// maxUnfolded bounds the rules that an Offer relation may have once the
// relations that take whole moves are unfolded.
const maxUnfolded = 40

func newBase(ctx context.Context, p *gdl.Program) (b *base, err error) {
	defer catch(&err)
	g, f, err := orthodox(ctx, p)
	if err != nil {
		return nil, err
	}
	b = &base{ctx: ctx, game: g, pairs: findPairs(ctx, g.Program), rules: make(map[gdl.RelID][]clause)}
	b.findRecursion()
	b.findTight()
	b.single = findSingle(ctx, g.Program)
	for _, r := range g.Roles {
		for _, c := range r.Levels[0].Choices {
			b.rules[c.Offer] = b.unfolded(c.Offer, f.moveCopies)
		}
	}
	return b, nil
}

func (b *base) dynamic(rel gdl.RelID) bool {
	return rel >= 0 && b.game.Program.Relations[rel].Depends != 0
}

// unfolded are the rules of an Offer relation in which relations that take
// whole moves are replaced by their own rules, so that conditions on one group
// of arguments stand alone.
func (b *base) unfolded(offer gdl.RelID, takesMoves map[gdl.RelID]bool) []clause {
	p := b.game.Program
	var done []clause
	for _, i := range p.Relations[offer].Rules {
		done = append(done, newClause(&p.Rules[i]))
	}
	for round := 0; round < maxNesting; round++ {
		var next []clause
		for _, c := range done {
			heed(b.ctx)
			next = append(next, b.unfold(c, takesMoves)...)
		}
		if len(next) > maxUnfolded {
			break
		}
		if len(next) == len(done) && round > 0 {
			done = next
			break
		}
		done = next
	}
	return done
}

// unfold replaces the first such relation of a rule.
func (b *base) unfold(c clause, takesMoves map[gdl.RelID]bool) []clause {
	p := b.game.Program
	at := slices.IndexFunc(c.body, func(l gdl.Literal) bool {
		return l.Kind == gdl.Positive && takesMoves[l.Rel] && b.dynamic(l.Rel) && !p.Relations[l.Rel].Cyclic
	})
	if at < 0 {
		return []clause{c}
	}
	var out []clause
	for _, i := range p.Relations[c.body[at].Rel].Rules {
		r := &p.Rules[i]
		a := c
		own := make([]gdl.Term, len(r.Vars))
		for v, name := range r.Vars {
			own[v] = a.fresh(name)
		}
		bind := newBinding(len(a.vars))
		matches := true
		for j, t := range r.Head.Args {
			// the rule's variables give way to those of the clause, and of these
			// the later ones to the first
			x, y := bind.walk(replace(t, own)), a.body[at].Args[j]
			if x.Var >= 0 && int(x.Var) < len(c.vars) {
				x, y = y, x
			}
			matches = matches && bind.unify(x, y)
		}
		if !matches {
			continue
		}
		var body []gdl.Literal
		for _, l := range r.Body {
			l.Args = slices.Clone(l.Args)
			for j, t := range l.Args {
				l.Args[j] = replace(t, own)
			}
			body = append(body, l)
		}
		a = a.with(at, body...).under(bind)
		if a, ok := a.simple(); ok {
			out = append(out, a)
		}
	}
	return out
}

// simple drops conditions that always hold; false if one never does.
func (c clause) simple() (clause, bool) {
	var body []gdl.Literal
	for i := range c.body {
		if l := c.body[i]; l.Kind == gdl.Distinct || l.Kind == gdl.Same {
			holds, decided := compare(&l)
			if decided && !holds {
				return c, false
			}
			if decided {
				continue
			}
		}
		body = append(body, c.body[i])
	}
	c.body = body
	return c, true
}

// findRecursion marks the relations for which a recursive relation that
// depends on fluents is needed.
func (b *base) findRecursion() {
	p := b.game.Program
	b.recurs = make([]bool, len(p.Relations))
	for grown := true; grown; {
		grown = false
		for r := range p.Relations {
			heed(b.ctx)
			rel := &p.Relations[r]
			if b.recurs[r] || rel.Depends == 0 {
				continue
			}
			found := rel.Cyclic
			for _, i := range rel.Rules {
				found = found || slices.ContainsFunc(p.Rules[i].Body, func(l gdl.Literal) bool { return l.Rel >= 0 && b.recurs[l.Rel] })
			}
			if found {
				b.recurs[r], grown = true, true
			}
		}
	}
}

// findTight marks the relations that have few tuples, because static relations
// list them.
func (b *base) findTight() {
	p := b.game.Program
	b.tight = make([]bool, len(p.Relations))
	for grown := true; grown; {
		grown = false
		for r := range p.Relations {
			heed(b.ctx)
			rel := &p.Relations[r]
			if b.tight[r] || b.recurs[r] || rel.Depends&gdl.OnMoves != 0 || gdl.RelID(r) == gdl.RelTrue {
				continue
			}
			if rel.Depends == 0 || !slices.ContainsFunc(rel.Rules, func(i int32) bool { return !b.listed(&p.Rules[i]) }) {
				b.tight[r], grown = true, true
			}
		}
	}
}

// listed says whether a condition on a tight relation has all variables of the
// head.
func (b *base) listed(r *gdl.Rule) bool {
	if isGround(r.Head.Args) {
		return true
	}
	return slices.ContainsFunc(r.Body, func(l gdl.Literal) bool {
		if l.Kind != gdl.Positive || !b.tight[l.Rel] {
			return false
		}
		all := true
		varsIn(r.Head.Args, func(v int32) { all = all && mentionsAny(l, []int32{v}) })
		return all
	})
}
