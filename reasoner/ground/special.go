package ground

import (
	"fmt"
	"strings"
)

// special is a relation of which some arguments are known before it is
// grounded: constants, and values that are selected. The arguments of the
// relation that stands for it are the others.
type special struct {
	rel    int32     // whose rules are rewritten
	made   int32     // the relation that stands for it; rel itself if nothing is known
	places []pattern // by argument of rel: variable i stands for leaf i
	leaves []pick    // noPick: free
}

// specialize rewrites the dynamic rules that the roots need, beginning with
// the roots: each relation as often as there are ways in which it is asked
// for.
func (g *grounder) specialize() error {
	g.specials = make(map[string]int32)
	g.demanded = make([]bool, len(g.relations))
	for _, r := range g.rootRelations() {
		g.demand(r)
	}
	for len(g.waiting) > 0 {
		s := g.waiting[0]
		g.waiting = g.waiting[1:]
		for _, r := range g.relations[s.rel].rules {
			g.specializeRule(&s, r)
			if err := g.tick(); err != nil {
				return err
			}
		}
	}
	return g.check()
}

// demand asks for a relation as it is.
func (g *grounder) demand(rel int32) {
	for len(g.demanded) < len(g.relations) {
		g.demanded = append(g.demanded, false)
	}
	if g.demanded[rel] || !g.relations[rel].dynamic {
		return
	}
	g.demanded[rel] = true
	if g.relations[rel].input || g.rewritten(rel) {
		return
	}
	s := special{rel: rel, made: rel}
	if rules := g.relations[rel].rules; len(rules) > 0 {
		for i := range rules[0].head.args {
			s.places = append(s.places, variable(int32(i)))
			s.leaves = append(s.leaves, noPick)
		}
	}
	g.waiting = append(g.waiting, s)
}

// special returns the relation that stands for rel with these places.
func (g *grounder) special(rel int32, places []pattern, leaves []pick) int32 {
	var b strings.Builder
	fmt.Fprintf(&b, "%d ", rel)
	for i := range places {
		places[i].spell(&b)
	}
	fmt.Fprint(&b, leaves)
	key := b.String()
	if made, ok := g.specials[key]; ok {
		return made
	}
	made := g.newRelation(relation{name: g.relations[rel].name + "'", dynamic: true, group: g.relations[rel].group, cyclic: g.relations[rel].cyclic})
	g.specials[key] = made
	g.relations[made].final = true
	g.waiting = append(g.waiting, special{rel: rel, made: made, places: places, leaves: leaves})
	return made
}

// rewritten tells whether the rules of a relation need no more rewriting.
func (g *grounder) rewritten(rel int32) bool { return g.relations[rel].final }

func (p *pattern) spell(b *strings.Builder) {
	switch {
	case p.v >= 0:
		fmt.Fprintf(b, "?%d ", p.v)
	case p.id != 0:
		fmt.Fprintf(b, "%d ", p.id)
	default:
		fmt.Fprintf(b, "f%d( ", p.fn)
		for i := range p.args {
			p.args[i].spell(b)
		}
		b.WriteString(") ")
	}
}

// finding says that the value of a pick is what stands in a rule.
type finding struct {
	pick  pick
	value pattern
}

// specializeRule puts what is known of the head into a rule and rewrites it.
func (g *grounder) specializeRule(s *special, r *rule) {
	n := int32(r.vars)
	u := substitution{store: g.store, to: make([]*pattern, r.vars+len(s.leaves))}
	for i, a := range r.head.args {
		place := s.places[i].replace(g.store, func(v int32) pattern { return variable(n + v) })
		if !u.unify(place, a) {
			return
		}
	}
	w := &rewriting{g: g, special: s, rule: r, u: &u}
	if !w.settle() {
		return
	}
	head := literal{rel: s.made}
	for i, sl := range s.leaves {
		if sl == noPick {
			head.args = append(head.args, u.apply(variable(n+int32(i))))
		}
	}
	w.in.head = head
	if w.run() {
		g.dynamic = append(g.dynamic, &w.out)
	}
}
