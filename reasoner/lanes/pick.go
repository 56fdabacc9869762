package lanes

import (
	"fmt"
	"math/bits"
	"slices"

	"semisplit/reasoner/lanes/kernel"
)

// picker lets lanes choose at one level of a role: at random, by an order of
// semimoves, or as somebody else says.
type picker struct {
	*circuit
	trace    *tracer
	random   *kernel.Random
	policies [][]policy // by role and level
	missing  []uint64   // of the last choice: the lanes without an offer

	coin, part []uint64 // scratch
	seen       []bool   // scratch of setPolicy
	shown      askScratch
	fault      error // the first wrong choice of a chooser
}

// policy is how the lanes choose at a level: by an order of semimoves, but
// uniformly with probability epsilon; or as somebody else says. The zero policy
// is uniform.
type policy struct {
	ordered bool
	order   []int32
	epsilon float64
	chooser chooser
}

// chooser chooses for lanes: see Engine.SetChooser.
type chooser = func(lanes, offers []uint64, words int, prefix []uint64, into []int32)

// choice is what is to be chosen.
type choice struct {
	role, level int
	lanes       []uint64 // that choose
	marked      []uint64 // lanes with a mark in the columns of what was tried

	// Merging keeps the selections of all lanes but those that choose, and
	// those given a semimove otherwise. Else these are left without a selection.
	merge bool
	given []uint64
}

// askScratch is what a chooser is shown and fills in.
type askScratch struct {
	offers, prefix, numbers []uint64
	into                    []int32
}

func newPicker(c *circuit, t *tracer, seed uint64) *picker {
	p := &picker{circuit: c, trace: t, random: kernel.NewRandom(seed, c.words), missing: c.empty(), coin: c.empty(), part: c.empty()}
	for r := range c.plan.roles {
		p.policies = append(p.policies, make([]policy, len(c.plan.roles[r].levels)))
	}
	return p
}

// uniform tells whether neither an order nor anybody else chooses, nor is
// anything preferred.
func (p *picker) uniform(role, level int) bool {
	pol := &p.policies[role][level]
	return !pol.ordered && pol.chooser == nil && !p.plan.foresees
}

// setPolicy takes an order, nil for none.
func (p *picker) setPolicy(role, level int, order []int32, epsilon float64) {
	pol := &p.policies[role][level]
	pol.ordered, pol.epsilon = order != nil, epsilon
	if order == nil {
		return
	}
	count := p.plan.roles[role].levels[level].count
	if len(p.seen) < count {
		p.seen = make([]bool, count)
	}
	seen := p.seen[:count]
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

// setChooser takes a chooser, nil for none.
func (p *picker) setChooser(role, level int, choose chooser) {
	p.policies[role][level].chooser = choose
	if choose == nil {
		return
	}
	p.code.needTracing(p.plan)
	lv := &p.plan.roles[role].levels[level]
	p.code.roles[role][level].asking.need(p.plan, lv, p.set)
	a, n := &p.shown, 64*p.words
	if need := n * offerWords(lv); len(a.offers) < need {
		a.offers = make([]uint64, need)
	}
	if a.into == nil {
		a.into, a.numbers = make([]int32, n), make([]uint64, n)
		a.prefix = make([]uint64, n*len(p.plan.trace.words))
	}
}

// offerWords is the number of words in a set of semimoves of a level.
func offerWords(lv *levelPlan) int { return (lv.count + wordBits - 1) / wordBits }

// pick lets lanes choose, by the policy of the level, and notes those without
// an offer in p.missing.
func (p *picker) pick(c choice) {
	p.trace.changed(c.role, c.level)
	pol, code := &p.policies[c.role][c.level], &p.code.roles[c.role][c.level]
	base := p.restrict(c)
	into := code.level
	if c.merge {
		into = code.scratch
	}
	switch {
	case pol.chooser != nil:
		p.ask(c, base)
	case pol.ordered:
		p.pickGreedily(pol, into, base, c.lanes)
	default:
		p.pickUniformly(into, base, c.lanes)
	}
	if c.merge {
		mask := p.slot(p.plan.mask)
		for w, x := range c.lanes {
			mask[w] = x | c.given[w]
		}
		p.exec(code.merge)
	}
}

// restrict puts what the lanes may choose into the columns plan.masked, and
// returns the first of them, where that is not all that is offered; else -1.
func (p *picker) restrict(c choice) (base int32) {
	lv, code := &p.plan.roles[c.role].levels[c.level], &p.code.roles[c.role][c.level]
	prefers := p.plan.foresees && meet(p.slot(lv.preferring), c.lanes)
	marked := c.marked != nil && meet(c.marked, c.lanes)
	switch {
	case prefers:
		p.exec(code.prefer)
		if marked {
			p.exec(code.spare)
		}
	case marked:
		code.level.Without(p.plan.masked, lv.tried, p.slots)
	default:
		return -1
	}
	return p.plan.masked
}

// pickUniformly lets lanes choose at random. The offers are those in the slots
// from base on, if that is not negative.
func (p *picker) pickUniformly(into *kernel.Level, base int32, lanes []uint64) {
	if base < 0 {
		into.Choose(p.slots, lanes, p.missing, p.random)
	} else {
		into.ChooseFrom(base, p.slots, lanes, p.missing, p.random)
	}
}

// pickGreedily lets some lanes choose at random and the others by the order.
func (p *picker) pickGreedily(pol *policy, into *kernel.Level, base int32, lanes []uint64) {
	coin, part := p.coin, p.part
	p.set.Bernoulli(pol.epsilon, coin, p.random)
	for w, x := range lanes {
		part[w] = x &^ coin[w]
		coin[w] &= x
	}
	p.pickUniformly(into, base, coin)
	if base < 0 {
		into.Greedy(pol.order, p.slots, part, part)
	} else {
		into.GreedyFrom(base, pol.order, p.slots, part, part)
	}
	for w, x := range part {
		p.missing[w] |= x
	}
}

// ask lets the chooser of a level choose, into the selections or to be merged.
// The offers are in the columns plan.masked if base is not negative.
func (p *picker) ask(c choice, base int32) {
	plan := p.plan
	if kernel.Empty(c.lanes) && c.merge {
		p.columns(plan.mergeScratch, plan.roles[c.role].levels[c.level].count).Clear()
		copy(p.missing, c.lanes)
		return
	}
	code := p.code.roles[c.role][c.level].asking
	if base < 0 {
		p.exec(code.copy)
	}
	p.exec(code.count)
	any, many := p.slot(plan.ask.any), p.slot(plan.ask.many)
	forced, asked := p.slot(plan.ask.forced), p.slot(plan.ask.asked)
	for w, x := range c.lanes {
		p.missing[w] = x &^ any[w]
		forced[w] = x & any[w] &^ many[w]
		asked[w] = x & many[w]
	}
	if !kernel.Empty(asked) {
		p.consult(c.role, c.level, asked)
	}
	if c.merge {
		p.exec(code.scratch)
	} else {
		p.exec(code.level)
	}
}

// consult calls the chooser of a level, and writes the numbers that it chose
// into the planes of the level. Lanes for which it chose none of the offers
// change from asked to missing.
func (p *picker) consult(role, level int, asked []uint64) {
	a, lv := &p.shown, &p.plan.roles[role].levels[level]
	words := offerWords(lv)
	p.columns(p.plan.masked, lv.count).Gather(asked, a.offers, words)
	prefix := p.prefix(role, level, asked)
	p.policies[role][level].chooser(asked, a.offers[:64*p.words*words], words, prefix, a.into)
	for w, x := range asked {
		for ; x != 0; x &= x - 1 {
			lane := 64*w + bits.TrailingZeros64(x)
			k := int(a.into[lane])
			if uint(k) < uint(lv.count) && a.offers[lane*words+k/64]>>(k%64)&1 != 0 {
				a.numbers[lane] = uint64(k)
				continue
			}
			if p.fault == nil {
				p.fault = fmt.Errorf("lanes: the chooser of role %d, level %d took semimove %d, which lane %d is not offered", role, level, k, lane)
			}
			asked[w] &^= x & -x
			p.missing[w] |= x & -x
		}
	}
	p.columns(p.plan.plane(lv.field), int(lv.field.bits)).Scatter(asked, a.numbers, 1)
}

// prefix gathers what a role has selected at the levels before one.
func (p *picker) prefix(role, level int, lanes []uint64) []uint64 {
	if level == 0 {
		return nil
	}
	levels := p.plan.roles[role].levels[:level]
	for i := range levels {
		p.trace.fold(role, i)
	}
	all := p.plan.trace.words
	for i := levels[0].field.word; i <= levels[level-1].field.word; i++ {
		p.columns(all[i].now, int(all[i].used)).Gather(lanes, p.shown.prefix[i:], len(all))
	}
	return p.shown.prefix
}
