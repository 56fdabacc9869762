package lanes

import (
	"slices"

	"semisplit/reasoner/lanes/kernel"
	"semisplit/reasoner/propnet"
)

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
	p := compileFor(net, false)
	if !p.asksForMoves && p.goals.size() > p.state.size()+p.next.size() {
		return compileFor(net, true)
	}
	return p
}

// compileFor is compile where it is known whether lanes are to be parked.
func compileFor(net *propnet.Net, parks bool) *plan {
	c := &compiler{net: net, plan: &plan{fluents: 2, held: -1, parks: parks}}
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
	c.layoutChoice()
	c.estimate()
	return c.plan
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

// outputs lists the offers of all roles level by level, with what is preferred,
// the first with the terminal node in front.
func (c *compiler) outputs() [][]propnet.Node {
	levels := [][]propnet.Node{{c.net.Terminal}}
	for r := range c.net.Roles {
		for i := range c.net.Roles[r].Levels {
			if i == len(levels) {
				levels = append(levels, nil)
			}
			lv := &c.net.Roles[r].Levels[i]
			levels[i] = append(levels[i], lv.Offer...)
			if c.plan.foresees {
				levels[i] = append(append(levels[i], lv.Prefer...), lv.Preferring, c.net.Roles[r].Winning)
			}
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
		case segments[i].loop || segments[i].again:
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
		for _, g := range c.net.Roles[r].Goals {
			c.plan.roles[r].goals = append(c.plan.roles[r].goals, goalPlan{slots[goals.outputs[i]], g.Value})
			i++
		}
	}
}

// placeOffers notes the slots of the offers and of what is preferred, in the
// order of outputs.
func (c *compiler) placeOffers(levels []cone, slots []int32) {
	next := make([]int, len(levels))
	for r := range c.plan.roles {
		for i := range c.plan.roles[r].levels {
			lv := &c.plan.roles[r].levels[i]
			take := func() int32 {
				next[i]++
				return slots[levels[i].outputs[next[i]-1]]
			}
			for range lv.count {
				lv.offers = append(lv.offers, take())
			}
			if !c.plan.foresees {
				continue
			}
			for range lv.count {
				lv.prefer = append(lv.prefer, take())
			}
			lv.preferring, c.plan.roles[r].winning = take(), take()
		}
	}
}

func (c *compiler) compileFresh() {
	l := newLowerer(c.net, c.uses, c.cycleOf, c.slotOf, c.plan.inputs)
	next := c.lowerNext(l)
	slots := c.alone(l, next)
	c.plan.fresh = assemble(next, slots, moves(next, slots, c.plan.fluents))
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
		code := slices.Clone(s.code)
		for i := range code {
			in := &code[i]
			for _, v := range []*int32{&in.D, &in.A, &in.B, &in.C} {
				*v = slots[*v]
			}
		}
		switch {
		case s.loop:
			p.stages = append(p.stages, stage{code: code, changed: slots[s.changed], rounds: s.rounds})
		case s.again:
			p.stages[len(p.stages)-1].again = code
		default:
			p.stages = append(p.stages, stage{code: code})
		}
	}
	if len(tail) > 0 {
		p.stages = append(p.stages, stage{code: tail})
	}
	return p
}
