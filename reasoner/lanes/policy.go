package lanes

import (
	"slices"

	"semisplit/reasoner/lanes/kernel"
)

// policy is how the lanes choose at a level: by an order of semimoves, but
// uniformly with probability epsilon; or as somebody else says. The zero policy
// is uniform.
type policy struct {
	ordered bool
	order   []int32
	epsilon float64
	chooser func(lanes, offers []uint64, words int, prefix []uint64, into []int32)
}

// uniform tells whether neither an order nor anybody else chooses.
func (p *policy) uniform() bool { return !p.ordered && p.chooser == nil }

// SetPolicy says how a role chooses at a level, in all lanes: the first offer
// in the given order of semimoves (those left out come last, rising), but with
// probability epsilon (to 1/65536) a uniformly random one. A nil order is
// uniform choice throughout, as before the first call. The order is copied.
//
// It counts for choices that are still to be made. Where the rules ask whether
// a role can move, those for the next joint move were made in the last Step.
func (e *Engine) SetPolicy(role, level int, order []int32, epsilon float64) {
	pol := &e.turns[role].policy[level]
	pol.ordered, pol.epsilon = order != nil, epsilon
	if order == nil {
		return
	}
	count := e.p.roles[role].levels[level].count
	if len(e.seen) < count {
		e.seen = make([]bool, count)
	}
	seen := e.seen[:count]
	clear(seen)
	pol.order = slices.Grow(pol.order[:0], count)
	for _, k := range order {
		if !seen[k] {
			seen[k] = true
			pol.order = append(pol.order, k)
		}
	}
	for k, s := range seen {
		if !s {
			pol.order = append(pol.order, int32(k))
		}
	}
}

// pick lets the lanes at a level choose, by the policy of the level, and notes
// those without an offer in e.choice.missing. Merging keeps the selections of
// lanes that neither choose nor are given one.
func (e *Engine) pick(role, level int, merge bool) {
	t := &e.turns[role]
	pol := &t.policy[level]
	t.folded[level] = false
	want, base := t.at[level], int32(-1)
	for w, x := range t.marked[level] {
		if x&want[w] != 0 {
			base = e.p.masked
		}
	}
	if base >= 0 {
		e.set.Without(base, e.code.roles[role][level].level, e.p.roles[role].levels[level].tried, e.slots)
	}
	c := &e.code.roles[role][level]
	into := c.level
	if merge {
		into = c.aside
	}
	switch {
	case pol.chooser != nil:
		e.ask(role, level, base, merge)
	case pol.ordered:
		e.pickGreedily(pol, into, base, want)
	default:
		e.pickUniformly(into, base, want, e.choice.missing)
	}
	if merge {
		mask := e.slot(e.p.mask)
		for w, x := range want {
			mask[w] = x | e.choice.given[w]
		}
		e.set.Exec(c.merge, e.slots)
	}
}

// pickUniformly lets lanes choose at random. The offers are those in the slots
// from base on, if that is not negative.
func (e *Engine) pickUniformly(into *kernel.Level, base int32, want, missing []uint64) {
	if base < 0 {
		e.set.Choose(into, e.slots, want, missing, e.random)
	} else {
		e.set.ChooseFrom(into, base, e.slots, want, missing, e.random)
	}
}

// pickGreedily lets some lanes choose at random and the others by the order.
func (e *Engine) pickGreedily(pol *policy, into *kernel.Level, base int32, want []uint64) {
	missing, coin, part := e.choice.missing, e.choice.coin, e.choice.part
	e.set.Bernoulli(pol.epsilon, coin, e.random)
	for w, x := range want {
		part[w] = x &^ coin[w]
		coin[w] &= x
	}
	e.pickUniformly(into, base, coin, missing)
	if base < 0 {
		e.set.Greedy(into, pol.order, e.slots, part, part)
	} else {
		e.set.GreedyFrom(into, base, pol.order, e.slots, part, part)
	}
	for w, x := range part {
		missing[w] |= x
	}
}
