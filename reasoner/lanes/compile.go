package lanes

import (
	"fmt"

	"semisplit/reasoner/propnet"
)

// plan is a compiled net: programs over one array of slots.
//
// Layout of the slots: false, true, the fluents, the selections (level after
// level of role after role, each padded to whole blocks), temporaries.
//
// The programs of a state run in the order state, goals (if asked), deeper
// levels, next; each may use what those before it computed, goals excepted.
// fresh is next for lanes whose state has just been loaded: it relies on the
// fluents and the selections alone.
type plan struct {
	slots    int
	fluents  int     // first slot of the fluents
	inputs   int     // number of slots before the temporaries
	state    program // terminal, and the offers of the first levels
	deeper   []program
	goals    program
	next     program
	fresh    program
	terminal int32
	roles    []rolePlan
}

// rolePlan is where a role's levels and goals are found.
type rolePlan struct {
	levels []levelPlan
	goals  []int32 // by goal of the net: slot
}

// levelPlan is a level of semimoves. Offers and selections are padded to
// whole blocks: with slot 0 (false), and with slots that nothing reads.
type levelPlan struct {
	count  int     // semimoves
	offers []int32 // by semimove: slot
	sel    int32   // slot of the first selection
	planes int     // bits of the highest number of offers
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
func compile(net *propnet.Net) (*plan, error) {
	c := &compiler{net: net, plan: &plan{fluents: 2}}
	if err := c.layout(); err != nil {
		return nil, err
	}
	if err := checkOrder(net); err != nil {
		return nil, err
	}
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
	c.plan.narrowAll()
	return c.plan, nil
}

// layout gives every input a slot.
func (c *compiler) layout() error {
	net := c.net
	c.slotOf = make([]int32, len(net.Ops))
	for i := range c.slotOf {
		c.slotOf[i] = -1
	}
	c.slotOf[propnet.False], c.slotOf[propnet.True] = 0, 1
	for i := range net.Fluents {
		c.slotOf[2+i] = int32(2 + i)
	}
	slot := int32(2 + len(net.Fluents))
	for r := range net.Roles {
		var rp rolePlan
		for i := range net.Roles[r].Levels {
			lv := &net.Roles[r].Levels[i]
			for k, n := range lv.Select {
				if n == propnet.False {
					continue
				}
				if net.Ops[n] != propnet.Input || c.slotOf[n] >= 0 {
					return fmt.Errorf("lanes: selection %d of role %d, level %d is not an input of its own", k, r, i)
				}
				c.slotOf[n] = slot + int32(k)
			}
			count := len(lv.Offer)
			rp.levels = append(rp.levels, levelPlan{count: count, sel: slot, planes: bitsFor(count)})
			slot += int32((count + block - 1) / block * block)
		}
		c.plan.roles = append(c.plan.roles, rp)
	}
	for n, o := range net.Ops {
		if o == propnet.Input && c.slotOf[n] < 0 {
			return fmt.Errorf("lanes: input node %d is neither a fluent nor a selection", n)
		}
	}
	c.plan.inputs = int(slot)
	return nil
}

func bitsFor(n int) int {
	b := minPlanes
	for n>>b != 0 {
		b++
	}
	return b
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

// lowerNext is lower for the next state. A fluent that takes the value of
// another is copied at once, so that the slots of the fluents can be written
// in any order afterwards.
func (c *compiler) lowerNext(l *lowerer) cone {
	l.beginCone()
	out := make([]int32, len(c.net.Next))
	copies := map[int32]int32{}
	for i, n := range c.net.Next {
		v := l.output(n)
		own := int32(c.plan.fluents + i)
		if v != own && v >= int32(c.plan.fluents) && v < int32(c.plan.fluents+len(out)) {
			if _, ok := copies[v]; !ok {
				copies[v] = l.copyOf(v)
			}
			v = copies[v]
		}
		out[i] = v
	}
	return cone{segments: scheduled(l.endCone()), outputs: out}
}

func scheduled(segments []segment) []segment {
	for i := range segments {
		if segments[i].loop {
			segments[i].code = scheduleWindow(segments[i].code)
		} else {
			segments[i].code = schedule(segments[i].code)
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
			lv.offers = make([]int32, (lv.count+block-1)/block*block)
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
	a := newAllocator(c.plan.inputs, len(l.level))
	slots := a.allocate([]cone{next}, c.plan.fluents)
	c.plan.slots = max(c.plan.slots, a.slots)
	c.plan.fresh = assemble(next, slots, moves(next, slots, c.plan.fluents))
}

// moves are the instructions that bring the next state home, where it was not
// computed in place.
func moves(next cone, slots []int32, fluents int) []instr {
	var out []instr
	for i, v := range next.outputs {
		if d := int32(fluents + i); slots[v] != d {
			out = append(out, instr{op: opMov, d: d, a: slots[v]})
		}
	}
	return out
}

// assemble turns values into slots and instructions into code, with tail
// appended as it is.
func assemble(c cone, slots []int32, tail []instr) program {
	var p program
	for _, s := range c.segments {
		var st stage
		for _, f := range s.back {
			st.feedback = append(st.feedback, feedback{slots[f.prev], slots[f.next]})
		}
		for _, in := range s.code {
			for _, v := range []*int32{&in.d, &in.a, &in.b, &in.c} {
				*v = slots[*v]
			}
			p.append(&st, in)
		}
		p.stages = append(p.stages, st)
	}
	if len(tail) > 0 {
		var st stage
		for _, in := range tail {
			p.append(&st, in)
		}
		p.stages = append(p.stages, st)
	}
	return p
}

// append adds an instruction to the last run, or to a new one.
func (p *program) append(st *stage, in instr) {
	at := int32(len(p.wide))
	if n := len(st.runs); n == 0 || st.runs[n-1].op != in.op {
		st.runs = append(st.runs, run{op: in.op, lo: at, hi: at})
	}
	st.runs[len(st.runs)-1].hi++
	p.wide = append(p.wide, code32{uint32(in.d), uint32(in.a), uint32(in.b), uint32(in.c)})
}

// narrowAll packs the code of all programs, when every slot fits.
func (p *plan) narrowAll() {
	if p.slots > narrowSlots {
		return
	}
	all := []*program{&p.state, &p.goals, &p.next, &p.fresh}
	for i := range p.deeper {
		all = append(all, &p.deeper[i])
	}
	for _, q := range all {
		q.narrow = make([]code16, len(q.wide))
		for i, c := range q.wide {
			q.narrow[i] = code16{uint16(c.d), uint16(c.a), uint16(c.b), uint16(c.c)}
		}
		q.wide = nil
	}
}
