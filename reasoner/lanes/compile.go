package lanes

import (
	"semisplit/reasoner/lanes/kernel"
	"semisplit/reasoner/propnet"
)

// plan is a compiled net: programs over one array of slots.
//
// Layout of the slots: false, true, the fluents, the Movable inputs, the held
// lanes, the selections (level after level of role after role, each padded),
// temporaries, and what choosing needs: a mask, what was tried, two rows of
// columns as long as the widest level, and what a trace and choosers need.
//
// The programs of a state run in the order state, goals (if asked), deeper
// levels, next; each may use what those before it computed, goals excepted.
// fresh is next for lanes whose state has just been loaded: it relies on the
// inputs alone. So does score, which is goals for a bank of states, and works
// on slots of its own: a second set of fluents and Movable inputs, from bank
// on, and what it computes.
type plan struct {
	slots    int
	fluents  int32   // first slot of the fluents
	count    int32   // number of fluents
	columns  int32   // number of slots of the fluents and the Movable inputs
	inputs   int     // number of slots before the temporaries
	held     int32   // slot of the lanes whose fluents next and fresh keep; -1 if they keep none
	state    program // terminal, and the offers of the first levels
	deeper   []program
	goals    program
	next     program
	fresh    program
	score    program
	terminal int32
	roles    []rolePlan
	mask     int32 // slot
	aside    int32 // first of the columns for selections that are to be merged
	masked   int32 // first of the columns for offers without those that were tried
	bank     int32 // first of the columns of the bank
	trace    tracePlan
	ask      askPlan
	movable  bool // a role has a Movable input
	simple   bool // one level a role, no Movable input

	// About what a Step costs, and a pass of choosing in it, in instructions.
	stepCost, passCost float64
}

// rolePlan is where a role's levels and goals are found.
type rolePlan struct {
	levels  []levelPlan
	goals   []int32 // by goal of the net: slot
	scores  []int32 // the same in score
	movable int32   // slot of the Movable input, -1 if there is none
	first   int     // place of its first semimove in a joint move
}

// levelPlan is a level of semimoves.
type levelPlan struct {
	count  int     // semimoves
	offers []int32 // by semimove: slot
	sel    int32   // slot of the first selection, of kernel.Pad(count)
	tried  int32   // slot of the first mark, of count; 0 at the last level, where nothing can be found dead
	field  field   // of the number of what is selected
}

// compiler holds what the steps of compile share.
type compiler struct {
	net     *propnet.Net
	plan    *plan
	slotOf  []int32 // by node: slot of an input, else -1
	cycleOf []int32
	uses    []int32
}

// compile makes the programs of a net.
func compile(net *propnet.Net) *plan {
	c := &compiler{net: net, plan: &plan{fluents: 2, held: -1}}
	c.layout()
	c.cycleOf = make([]int32, len(net.Ops))
	for i := range c.cycleOf {
		c.cycleOf[i] = -1
	}
	for i, cy := range net.Cycles {
		for n := cy.From; n < cy.To; n++ {
			if isGate(net.Ops[n]) {
				c.cycleOf[n] = int32(i)
			}
		}
	}
	levels := c.outputs()
	var all []propnet.Node
	for _, roots := range levels {
		all = append(all, roots...)
	}
	all = append(append(all, c.goalNodes()...), net.Next...)
	c.uses = countUses(net, all)
	c.compileState(levels)
	c.compileFresh()
	c.compileScore()
	c.layoutChoice()
	c.estimate()
	return c.plan
}

// size is the number of instructions that every step runs.
func (p *plan) size() int {
	n := p.state.size() + p.next.size()
	for i := range p.deeper {
		n += p.deeper[i].size()
	}
	return n
}

// estimate fills in the costs. Choosing takes about three instructions for
// each semimove, and 60 besides (measured on AVX-512).
func (c *compiler) estimate() {
	p := c.plan
	for i := range p.deeper {
		p.passCost += float64(p.deeper[i].size())
	}
	for r := range p.roles {
		for _, lv := range p.roles[r].levels {
			if lv.count > 1 {
				p.passCost += 3*float64(lv.count) + 60
			}
		}
	}
	p.stepCost = p.passCost + float64(p.state.size()+p.next.size())
}

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
		rp := rolePlan{movable: -1}
		if n := net.Roles[r].Movable; n != propnet.False {
			c.slotOf[n], rp.movable, p.movable = slot, slot, true
			slot++
		}
		p.roles = append(p.roles, rp)
		deep = deep || len(net.Roles[r].Levels) > 1
	}
	p.columns = slot - p.fluents
	p.simple = !deep && !p.movable
	if deep || p.movable {
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
	p.aside, p.masked = take(widest), take(widest)
	c.layoutTrace(take)
	c.layoutAsking(take)
	p.slots = int(next)
}

// outputs lists the offers of all roles level by level, the first with the
// terminal node in front.
func (c *compiler) outputs() [][]propnet.Node {
	levels := [][]propnet.Node{{c.net.Terminal}}
	for r := range c.net.Roles {
		for i := range c.net.Roles[r].Levels {
			if i == len(levels) {
				levels = append(levels, nil)
			}
			levels[i] = append(levels[i], c.net.Roles[r].Levels[i].Offer...)
		}
	}
	return levels
}

func (c *compiler) goalNodes() []propnet.Node {
	var nodes []propnet.Node
	for r := range c.net.Roles {
		for _, g := range c.net.Roles[r].Goals {
			nodes = append(nodes, g.Node)
		}
	}
	return nodes
}

// cone is one lowered program: its segments, and the values it is run for.
type cone struct {
	segments []segment
	outputs  []int32
}

func (c *compiler) lower(l *lowerer, roots []propnet.Node) cone {
	l.beginCone()
	out := make([]int32, len(roots))
	for i, n := range roots {
		out[i] = l.output(n)
	}
	return cone{segments: scheduled(l.endCone()), outputs: out}
}

// lowerNext is lower for the next state.
func (c *compiler) lowerNext(l *lowerer) cone {
	if c.plan.held >= 0 {
		return c.lowerHeld(l)
	}
	l.beginCone()
	out := make([]int32, len(c.net.Next))
	copies := map[int32]int32{}
	// Copies come first: then the fluents that they read can be computed in
	// place.
	for i, n := range c.net.Next {
		x, not := resolve(c.net, n)
		if v := l.value[x]; !not && v != c.plan.fluents+int32(i) && c.isFluent(v) && copies[v] == 0 {
			copies[v] = l.copyOf(v)
		}
	}
	for i, n := range c.net.Next {
		v := l.output(n)
		// A fluent that takes the value of another is copied at once, so that
		// the slots of the fluents can be written in any order afterwards.
		own := c.plan.fluents + int32(i)
		if v != own && c.isFluent(v) {
			if _, ok := copies[v]; !ok {
				copies[v] = l.copyOf(v)
			}
			v = copies[v]
		}
		out[i] = v
	}
	return cone{segments: scheduled(l.endCone()), outputs: out}
}

// lowerHeld is lowerNext where some lanes keep their fluents: the next state
// is mixed with the present one at the end.
func (c *compiler) lowerHeld(l *lowerer) cone {
	l.beginCone()
	out := make([]int32, len(c.net.Next))
	for i, n := range c.net.Next {
		out[i] = l.output(n)
	}
	segments := scheduled(l.endCone())
	l.segments = []segment{{}}
	open := map[int32]int32{} // a value without the held lanes
	for i, v := range out {
		if _, ok := open[v]; !ok && v != c.plan.fluents+int32(i) {
			open[v] = l.emit(kernel.OpAndNot, v, c.plan.held, 0)
		}
	}
	for i, v := range out {
		if own := c.plan.fluents + int32(i); v != own {
			out[i] = l.emit(kernel.OpAndOr, open[v], own, c.plan.held)
		}
	}
	return cone{segments: append(segments, l.endCone()...), outputs: out}
}

func (c *compiler) isFluent(v int32) bool {
	return v >= c.plan.fluents && v < c.plan.fluents+int32(len(c.net.Fluents))
}

// scheduled orders the instructions for kernels that want runs of one op. Where
// they become machine code they stay in the order in which values are read soon
// after they are computed.
func scheduled(segments []segment) []segment {
	compiles := kernel.Sets()[0].Compiles()
	for i := range segments {
		code := segments[i].code
		switch {
		case compiles && len(code) <= kernel.MaxCompiled:
		case segments[i].loop:
			segments[i].code = scheduleWindow(code)
		default:
			segments[i].code = schedule(code)
		}
	}
	return segments
}

// compileState compiles the programs that share values.
func (c *compiler) compileState(levels [][]propnet.Node) {
	l := newLowerer(c.net, c.uses, c.cycleOf, c.slotOf, c.plan.inputs)
	state := c.lower(l, levels[0])
	mark := l.mark()
	goals := c.lower(l, c.goalNodes())
	l.forget(mark)
	cones := []cone{state, goals}
	for _, roots := range levels[1:] {
		cones = append(cones, c.lower(l, roots))
	}
	cones = append(cones, c.lowerNext(l))

	a := newAllocator(c.plan.inputs, len(l.level))
	slots := a.allocate(cones, c.plan.fluents)
	c.plan.slots = max(c.plan.slots, a.slots)

	c.plan.state = assemble(state, slots, nil)
	c.plan.goals = assemble(goals, slots, nil)
	for _, d := range cones[2 : len(cones)-1] {
		c.plan.deeper = append(c.plan.deeper, assemble(d, slots, nil))
	}
	next := cones[len(cones)-1]
	c.plan.next = assemble(next, slots, moves(next, slots, c.plan.fluents))

	c.plan.terminal = slots[state.outputs[0]]
	c.placeOffers(append([]cone{{outputs: state.outputs[1:]}}, cones[2:len(cones)-1]...), slots)
	i := 0
	for r := range c.plan.roles {
		for range c.net.Roles[r].Goals {
			c.plan.roles[r].goals = append(c.plan.roles[r].goals, slots[goals.outputs[i]])
			i++
		}
	}
}

// placeOffers notes the slots of the offers, in the order of outputs.
func (c *compiler) placeOffers(levels []cone, slots []int32) {
	at := make([]int, len(levels))
	for r := range c.plan.roles {
		for i := range c.plan.roles[r].levels {
			lv := &c.plan.roles[r].levels[i]
			lv.offers = make([]int32, lv.count)
			for k := range lv.count {
				lv.offers[k] = slots[levels[i].outputs[at[i]]]
				at[i]++
			}
		}
	}
}

func (c *compiler) compileFresh() {
	l := newLowerer(c.net, c.uses, c.cycleOf, c.slotOf, c.plan.inputs)
	next := c.lowerNext(l)
	slots := c.alone(l, next)
	c.plan.fresh = assemble(next, slots, moves(next, slots, c.plan.fluents))
}

func (c *compiler) compileScore() {
	l := newLowerer(c.net, c.uses, c.cycleOf, c.slotOf, c.plan.inputs)
	goals := c.lower(l, c.goalNodes())
	a := newAllocator(c.plan.inputs, len(l.level))
	slots := a.allocate([]cone{goals}, c.plan.fluents)
	// The constants stay, everything else moves.
	shift := int32(c.plan.slots) - c.plan.fluents
	for v := range slots {
		if slots[v] >= c.plan.fluents {
			slots[v] += shift
		}
	}
	c.plan.bank = c.plan.fluents + shift
	c.plan.slots = int(shift) + a.slots
	c.plan.score = assemble(goals, slots, nil)
	i := 0
	for r := range c.plan.roles {
		for range c.net.Roles[r].Goals {
			c.plan.roles[r].scores = append(c.plan.roles[r].scores, slots[goals.outputs[i]])
			i++
		}
	}
}

// alone gives the values of a cone slots that no other program respects.
func (c *compiler) alone(l *lowerer, only cone) []int32 {
	a := newAllocator(c.plan.inputs, len(l.level))
	slots := a.allocate([]cone{only}, c.plan.fluents)
	c.plan.slots = max(c.plan.slots, a.slots)
	return slots
}

// moves are the instructions that bring the next state home, where it was not
// computed in place.
func moves(next cone, slots []int32, fluents int32) []kernel.Instr {
	var out []kernel.Instr
	for i, v := range next.outputs {
		if d := fluents + int32(i); slots[v] != d {
			out = append(out, kernel.Instr{Op: kernel.OpMov, D: d, A: slots[v]})
		}
	}
	return out
}

// assemble turns values into slots and instructions into code, with tail
// appended as it is.
func assemble(c cone, slots []int32, tail []kernel.Instr) program {
	var p program
	for _, s := range c.segments {
		var st stage
		for _, f := range s.back {
			st.feedback = append(st.feedback, feedback{slots[f.prev], slots[f.next]})
		}
		for _, in := range s.code {
			for _, v := range []*int32{&in.D, &in.A, &in.B, &in.C} {
				*v = slots[*v]
			}
			st.code = append(st.code, in)
		}
		p.stages = append(p.stages, st)
	}
	if len(tail) > 0 {
		p.stages = append(p.stages, stage{code: tail})
	}
	return p
}
