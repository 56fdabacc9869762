package ground

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// maxDepth is the depth of a term at which recursion through functions is
// taken for endless.
const maxDepth = 200

// trigger is a literal of a rule that a new atom may match.
type trigger struct {
	rule    *rule
	literal int
}

// staticPhase evaluates the relations that never change, exactly, stratum by
// stratum.
func (g *grounder) staticPhase() error {
	rules := g.static
	slices.SortStableFunc(rules, func(a, b *rule) int {
		return g.relations[a.head.rel].stratum - g.relations[b.head.rel].stratum
	})
	for len(rules) > 0 {
		n := 1
		for n < len(rules) && g.relations[rules[n].head.rel].stratum == g.relations[rules[0].head.rel].stratum {
			n++
		}
		if err := g.fixpoint(rules[:n]); err != nil {
			return err
		}
		rules = rules[n:]
	}
	return nil
}

// dynamicPhase finds every atom that can be true in some reachable state, and
// more: negations of relations that change are taken to hold, and states and
// moves to combine freely.
func (g *grounder) dynamicPhase() error {
	for _, rel := range []gdl.RelID{gdl.RelInit, gdl.RelNext, gdl.RelLegal} {
		for _, a := range g.atoms.rels[rel].atoms {
			g.feed(a)
		}
	}
	return g.fixpoint(g.dynamic)
}

// feed makes a fluent that holds next one that can be true, and a move that
// is legal one that can be done.
func (g *grounder) feed(a atomID) {
	args := g.atoms.argsOf(a)
	switch gdl.RelID(g.atoms.rel[a]) {
	case gdl.RelInit, gdl.RelNext:
		g.queueAtom(g.atoms.add(int32(gdl.RelTrue), []gdl.TermID{args[0]}))
	case gdl.RelLegal:
		if slices.Contains(g.roles, args[0]) {
			g.queueAtom(g.atoms.add(int32(gdl.RelDoes), []gdl.TermID{args[0], args[1]}))
		}
	}
}

func (g *grounder) queueAtom(a atomID) {
	if g.atoms.flags[a]&queued == 0 {
		g.atoms.flags[a] |= queued
		g.queue = append(g.queue, a)
	}
}

// fixpoint joins the rules until they yield nothing new.
func (g *grounder) fixpoint(rules []*rule) error {
	triggers := make([][]trigger, len(g.relations))
	for _, r := range rules {
		for i, l := range r.pos {
			triggers[l.rel] = append(triggers[l.rel], trigger{r, i})
		}
	}
	g.renewPlans()
	for _, r := range rules {
		if err := g.evaluate(r); err != nil {
			return err
		}
	}
	finished, renew := 0, 64
	feeding := len(rules) > 0 && g.relations[rules[0].head.rel].dynamic
	for len(g.queue) > 0 {
		batch := g.queue
		g.queue = g.spare[:0]
		for _, a := range batch {
			g.atoms.finish(g.store, a)
			if feeding {
				g.feed(a)
			}
			for _, t := range triggers[g.atoms.rel[a]] {
				if err := g.extend(t.rule, t.literal, a); err != nil {
					return err
				}
			}
			if finished++; finished == renew {
				renew *= 2
				g.renewPlans()
			}
		}
		g.spare = batch
	}
	return g.check()
}

// renewPlans makes all plans stale and drops the indexes: the plans that come
// ask for those that they need.
func (g *grounder) renewPlans() {
	g.epoch++
	for i := range g.atoms.rels {
		g.atoms.rels[i].indexes = nil
	}
}

// record keeps a rule instance: the head holds if every atom of the body
// does (^a: does not).
func (g *grounder) record(head atomID, body []int32) {
	for len(g.firstInstance) <= int(head) {
		g.firstInstance = append(g.firstInstance, -1)
	}
	g.nextInstance = append(g.nextInstance, g.firstInstance[head])
	g.firstInstance[head] = int32(len(g.nextInstance) - 1)
	g.bodies = append(g.bodies, body...)
	g.bodyStart = append(g.bodyStart, int32(len(g.bodies)))
	g.instances++
}
