package ground

import (
	"fmt"
	"strings"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/invariant"
)

// rewriter rewrites rules for what is known where their relations are asked
// for.
type rewriter struct {
	*helpers
	sizes        *sizes
	matcher      matcher
	functional   map[gdl.Symbol][]functional
	sources      []source
	sourceNumber map[string]int32
	specials     map[string]int32
	complements  map[string]complement
}

func newRewriter(h *helpers, s *sizes, known []invariant.Invariant) *rewriter {
	rw := &rewriter{
		helpers: h, sizes: s,
		matcher:      matcher{store: h.store, atoms: h.atoms},
		functional:   make(map[gdl.Symbol][]functional),
		sourceNumber: make(map[string]int32),
		specials:     make(map[string]int32),
		complements:  make(map[string]complement),
	}
	rw.learn(known)
	return rw
}

// specialize rewrites the dynamic rules that the roots need, beginning with
// the roots: each relation as often as there are ways in which it is asked
// for.
func (rw *rewriter) specialize() error {
	rw.demanded = make([]bool, len(rw.relations))
	for _, r := range rw.rootRelations() {
		rw.demand(r)
	}
	for len(rw.waiting) > 0 {
		s := rw.waiting[0]
		rw.waiting = rw.waiting[1:]
		for _, r := range rw.relations[s.rel].rules {
			rw.specializeRule(&s, r)
			if err := rw.tick(); err != nil {
				return err
			}
		}
	}
	return rw.check()
}

// special returns the relation that stands for rel with these places.
func (rw *rewriter) special(rel int32, places []pattern, leaves []pick) int32 {
	var b strings.Builder
	fmt.Fprintf(&b, "%d ", rel)
	for i := range places {
		places[i].spell(&b)
	}
	fmt.Fprint(&b, leaves)
	key := b.String()
	if made, ok := rw.specials[key]; ok {
		return made
	}
	made := rw.newRelation(relation{name: rw.relations[rel].name + "'", dynamic: true, group: rw.relations[rel].group, cyclic: rw.relations[rel].cyclic})
	rw.specials[key] = made
	rw.relations[made].final = true
	rw.waiting = append(rw.waiting, special{rel: rel, made: made, places: places, leaves: leaves})
	return made
}

// finding says that the value of a pick is what stands in a rule.
type finding struct {
	pick  pick
	value pattern
}

// specializeRule puts what is known of the head into a rule and rewrites it.
func (rw *rewriter) specializeRule(s *special, r *rule) {
	n := int32(r.vars)
	u := substitution{store: rw.store, to: make([]*pattern, r.vars+len(s.leaves))}
	for i, a := range r.head.args {
		place := s.places[i].replace(rw.store, func(v int32) pattern { return variable(n + v) })
		if !u.unify(place, a) {
			return
		}
	}
	w := &rewriting{rw: rw, special: s, rule: r, u: &u}
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
		rw.weigh(&w.out)
		rw.dynamic = append(rw.dynamic, &w.out)
	}
}
