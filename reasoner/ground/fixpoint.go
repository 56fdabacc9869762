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

// fixpoint finds which atoms can be true: it joins rules until they yield
// nothing new.
type fixpoint struct {
	*ruleBase
	joiner joiner
	epoch  int // grows when plans should be made anew
}

func newFixpoint(b *ruleBase) *fixpoint {
	f := &fixpoint{ruleBase: b}
	f.joiner = joiner{f: f, matcher: matcher{store: b.store, atoms: b.atoms}}
	return f
}

// trigger is a literal of a rule that a new atom may match.
type trigger struct {
	rule    *rule
	literal int
}

// staticPhase evaluates the relations that never change, exactly, group by
// group.
func (f *fixpoint) staticPhase() error {
	byGroup := make(map[int][]*rule)
	var groups []int
	for i := range f.relations {
		rel := &f.relations[i]
		if rel.dynamic || len(rel.rules) == 0 {
			continue
		}
		if byGroup[rel.group] == nil {
			groups = append(groups, rel.group)
		}
		byGroup[rel.group] = append(byGroup[rel.group], rel.rules...)
	}
	slices.Sort(groups)
	needed := f.alwaysStatic()
	for _, n := range groups {
		rules := byGroup[n]
		if f.relations[rules[0].head.rel].dynamic {
			continue // rests on one that is postponed
		}
		f.mayPostpone = !needed[rules[0].head.rel]
		f.postponeAt, f.postponeSteps = f.atoms.len()+maxStaticGroup, f.steps+maxStaticSteps
		switch err := f.join(rules); {
		case errors.Is(err, errPostpone):
			f.postpone(rules)
		case err != nil:
			return err
		}
	}
	f.mayPostpone = false
	return nil
}

// Static relations are no longer evaluated as a whole when they have more
// atoms, or take more steps of joining.
const (
	maxStaticGroup = 250_000
	maxStaticSteps = 20_000_000
)

// alwaysStatic marks the relations that must be evaluated before anything
// else.
func (f *fixpoint) alwaysStatic() []bool {
	out := make([]bool, len(f.relations))
	stack := []int32{int32(gdl.RelInit), int32(gdl.RelRole)}
	for len(stack) > 0 {
		rel := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if out[rel] {
			continue
		}
		out[rel] = true
		for _, r := range f.relations[rel].rules {
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
func (f *fixpoint) postpone(rules []*rule) {
	for _, r := range rules {
		f.relations[r.head.rel].postponed = true
	}
	// What waits for its turn may be of other relations: fluents that init
	// has made possible, for one.
	// The fixpoint was left in the middle: queue and spare are one array.
	f.atoms.spare = nil
	f.atoms.queue = slices.DeleteFunc(f.atoms.queue, func(a atomID) bool { return f.relations[f.atoms.rel[a]].postponed })
	for a, rel := range f.atoms.rel {
		if f.relations[rel].postponed && f.atoms.flags[a]&done == 0 {
			f.atoms.flags[a] = 0
		}
	}
	f.group()
}

// dynamicPhase finds every atom that can be true in some reachable state, and
// more: negations of relations that change are taken to hold, and states and
// selections to combine freely.
func (f *fixpoint) dynamicPhase(rules []*rule) error {
	for i, rel := range f.relations {
		for _, a := range f.atoms.rels[i].atoms { // also those of a relation that was postponed later on
			f.feed(a)
		}
		if rel.input && f.asksLegalMove(int32(i)) {
			f.atoms.enqueue(f.atoms.add(int32(i), nil))
		}
	}
	return f.join(rules)
}

func (f *fixpoint) asksLegalMove(rel int32) bool {
	return slices.ContainsFunc(f.game.Roles, func(r split.Role) bool { return int32(r.HasLegalMove) == rel })
}

// feed makes a fluent that holds next one that can be true, and a semimove
// that is offered one that can be selected.
func (f *fixpoint) feed(a atomID) {
	rel := f.atoms.rel[a]
	switch gdl.RelID(rel) {
	case gdl.RelInit, gdl.RelNext:
		f.atoms.enqueue(f.atoms.add(int32(gdl.RelTrue), []gdl.TermID{f.atoms.argsOf(a)[0]}))
	default:
		if int(rel) < len(f.selects) && f.selects[rel] >= 0 {
			f.atoms.enqueue(f.atoms.add(f.selects[rel], slices.Clone(f.atoms.argsOf(a))))
		}
	}
}

// join joins the rules until they yield nothing new.
func (f *fixpoint) join(rules []*rule) error {
	triggers := make([][]trigger, len(f.relations))
	for _, r := range rules {
		for i, l := range r.pos {
			triggers[l.rel] = append(triggers[l.rel], trigger{r, i})
		}
	}
	f.renewPlans()
	for _, r := range rules {
		if err := f.evaluate(r); err != nil {
			return err
		}
	}
	finished, renew := 0, 64
	feeding := len(rules) > 0 && f.relations[rules[0].head.rel].dynamic
	for len(f.atoms.queue) > 0 {
		batch := f.atoms.queue
		f.atoms.queue = f.atoms.spare[:0]
		for _, a := range batch {
			f.atoms.finish(f.store, a)
			if feeding {
				f.feed(a)
			}
			for _, t := range triggers[f.atoms.rel[a]] {
				if err := f.extend(t.rule, t.literal, a); err != nil {
					return err
				}
			}
			if finished++; finished == renew {
				renew *= 2
				f.renewPlans()
			}
		}
		f.atoms.spare = batch
	}
	return f.check()
}

// renewPlans makes all plans stale and drops the indexes: the plans that come
// ask for those that they need.
func (f *fixpoint) renewPlans() {
	f.epoch++
	for i := range f.atoms.rels {
		f.atoms.rels[i].indexes = nil
	}
}
