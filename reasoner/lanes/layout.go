package lanes

import (
	"math/bits"

	"semisplit/reasoner/lanes/kernel"
	"semisplit/reasoner/propnet"
)

// layout gives every input a slot.
func (c *compiler) layout() {
	net, p := c.net, c.plan
	c.slotOf = make([]int32, len(net.Ops))
	for i := range c.slotOf {
		c.slotOf[i] = -1
	}
	c.slotOf[propnet.False], c.slotOf[propnet.True] = 0, 1
	slot := p.fluents
	for i := range net.Fluents {
		c.slotOf[2+i] = slot
		slot++
	}
	p.count = int32(len(net.Fluents))
	deep := false
	for r := range net.Roles {
		rp := rolePlan{hasLegalMove: -1}
		if n := net.Roles[r].HasLegalMove; n != propnet.False {
			c.slotOf[n], rp.hasLegalMove, p.asksForMoves = slot, slot, true
			slot++
		}
		p.roles = append(p.roles, rp)
		deep = deep || len(net.Roles[r].Levels) > 1
		for _, lv := range net.Roles[r].Levels {
			p.foresees = p.foresees || lv.Prefer != nil
		}
	}
	p.simple = !deep && !p.asksForMoves
	if !p.simple || p.parks {
		p.held = slot
		slot++
	}
	first := 0
	for r := range net.Roles {
		rp := &p.roles[r]
		rp.first = first
		for _, lv := range net.Roles[r].Levels {
			for k, n := range lv.Select {
				if n != propnet.False {
					c.slotOf[n] = slot + int32(k)
				}
			}
			rp.levels = append(rp.levels, levelPlan{count: len(lv.Offer), sel: slot})
			slot += int32(kernel.Pad(len(lv.Offer)))
			first++
		}
	}
	p.inputs = int(slot)
	for r, n := range net.Binding() {
		p.roles[r].binding = n
	}
}

// layoutChoice adds the slots that only choosing uses.
func (c *compiler) layoutChoice() {
	p, widest := c.plan, 0
	next := int32(p.slots)
	take := func(n int) (first int32) {
		first, next = next, next+int32(n)
		return first
	}
	p.mask = take(1)
	for r := range p.roles {
		for i := range p.roles[r].levels {
			lv := &p.roles[r].levels[i]
			widest = max(widest, kernel.Pad(lv.count))
			if i+1 < len(p.roles[r].levels) {
				lv.tried = take(lv.count)
			}
		}
	}
	p.mergeScratch, p.masked = take(widest), take(widest)
	c.layoutTrace(take)
	c.layoutAsking(take)
	p.slots = int(next)
}

// layoutTrace gives the levels their fields and the words their slots.
func (c *compiler) layoutTrace(take func(n int) int32) {
	p := c.plan
	t := &p.trace
	t.words = []traceWord{{}}
	high := 0
	for r := range p.roles {
		for i := range p.roles[r].levels {
			lv := &p.roles[r].levels[i]
			width := uint(bits.Len(uint(max(lv.count, 1) - 1)))
			if t.words[len(t.words)-1].used+int32(width) > wordBits {
				t.words = append(t.words, traceWord{})
			}
			w := &t.words[len(t.words)-1]
			lv.field = field{len(t.words) - 1, uint(w.used), width}
			w.used += int32(width)
			high = max(high, foldScratch(width))
		}
	}
	for i := range t.words {
		w := &t.words[i]
		w.now, w.last = take(int(w.used)), take(kernel.PadRows(int(w.used)))
	}
	t.scratch = take(high)
}

// partSlots is how many columns decoding numbers of so many bits takes.
func partSlots(width uint) int { return 1<<(width/2) + 1<<(width-width/2) }

func (c *compiler) layoutAsking(take func(n int) int32) {
	p, high := c.plan, 0
	for r := range p.roles {
		for i := range p.roles[r].levels {
			high = max(high, partSlots(p.roles[r].levels[i].field.bits))
		}
	}
	p.ask = askPlan{any: take(1), many: take(1), forced: take(1), asked: take(1), parts: take(high)}
}
