package ground

import (
	"errors"
	"slices"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// maxDepth is the depth of a term at which recursion through functions is
// taken for endless.
const maxDepth = 200

// trigger is a literal of a rule that a new atom may match.
type trigger struct {
	rule    *rule
	literal int
}

// staticPhase evaluates the relations that never change, exactly, group by
// group.
func (g *grounder) staticPhase() error {
	byGroup := make(map[int][]*rule)
	var groups []int
	for i := range g.relations {
		rel := &g.relations[i]
		if rel.dynamic || len(rel.rules) == 0 {
			continue
		}
		if byGroup[rel.group] == nil {
			groups = append(groups, rel.group)
		}
		byGroup[rel.group] = append(byGroup[rel.group], rel.rules...)
	}
	slices.Sort(groups)
	needed := g.alwaysStatic()
	for _, n := range groups {
		rules := byGroup[n]
		if g.relations[rules[0].head.rel].dynamic {
			continue // rests on one that is postponed
		}
		g.mayPostpone = !needed[rules[0].head.rel]
		g.postponeAt, g.postponeSteps = g.atoms.len()+maxStaticGroup, g.steps+maxStaticSteps
		switch err := g.fixpoint(rules); {
		case errors.Is(err, errPostpone):
			g.postpone(rules)
		case err != nil:
			return err
		}
	}
	g.mayPostpone = false
	return nil
}

// Static relations are no longer evaluated as a whole when they have more
// atoms, or take more steps of joining.
const (
	maxStaticGroup = 250_000
	maxStaticSteps = 20_000_000
)

var errPostpone = errors.New("ground: static relation too large")

// alwaysStatic marks the relations that must be evaluated before anything
// else.
func (g *grounder) alwaysStatic() []bool {
	out := make([]bool, len(g.relations))
	stack := []int32{int32(gdl.RelInit), int32(gdl.RelRole)}
	for len(stack) > 0 {
		rel := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if out[rel] {
			continue
		}
		out[rel] = true
		for _, r := range g.relations[rel].rules {
			for _, ls := range [][]literal{r.pos, r.neg} {
				for i := range ls {
					stack = append(stack, ls[i].rel)
				}
			}
		}
	}
	return out
}

// postpone treats the relations of a group that is too large to be evaluated
// as a whole like relations that change: they are rewritten for what is asked
// of them. So do those that rest on them.
func (g *grounder) postpone(rules []*rule) {
	for _, r := range rules {
		g.relations[r.head.rel].postponed = true
	}
	// What waits for its turn may be of other relations: fluents that init
	// has made possible, for one.
	// The fixpoint was left in the middle: queue and spare are one array.
	g.spare = nil
	g.queue = slices.DeleteFunc(g.queue, func(a atomID) bool { return g.relations[g.atoms.rel[a]].postponed })
	for a, rel := range g.atoms.rel {
		if g.relations[rel].postponed && g.atoms.flags[a]&done == 0 {
			g.atoms.flags[a] = 0
		}
	}
	g.group()
}

// dynamicPhase finds every atom that can be true in some reachable state, and
// more: negations of relations that change are taken to hold, and states and
// selections to combine freely.
func (g *grounder) dynamicPhase() error {
	for i, rel := range g.relations {
		if !rel.dynamic {
			for _, a := range g.atoms.rels[i].atoms {
				g.feed(a)
			}
		}
		if rel.input && g.isMovable(int32(i)) {
			g.queueAtom(g.atoms.add(int32(i), nil))
		}
	}
	return g.fixpoint(g.dynamic)
}

func (g *grounder) isMovable(rel int32) bool {
	return slices.ContainsFunc(g.game.Roles, func(r split.Role) bool { return int32(r.Movable) == rel })
}

// feed makes a fluent that holds next one that can be true, and a semimove
// that is offered one that can be selected.
func (g *grounder) feed(a atomID) {
	rel := g.atoms.rel[a]
	switch gdl.RelID(rel) {
	case gdl.RelInit, gdl.RelNext:
		g.queueAtom(g.atoms.add(int32(gdl.RelTrue), []gdl.TermID{g.atoms.argsOf(a)[0]}))
	default:
		if int(rel) < len(g.selects) && g.selects[rel] >= 0 {
			g.queueAtom(g.atoms.add(g.selects[rel], slices.Clone(g.atoms.argsOf(a))))
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
