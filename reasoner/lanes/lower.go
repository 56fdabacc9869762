package lanes

import (
	"slices"

	"semisplit/reasoner/lanes/kernel"
	"semisplit/reasoner/propnet"
)

// lowerer turns the gates of a net into instructions over values. Each value
// is computed by one instruction (or is an input, with the number of its
// slot). Not gates vanish into their readers, and a gate with one reader
// that is not wider than its reader's ops becomes part of it.
type lowerer struct {
	net     *propnet.Net
	uses    []int32 // readers of each node in all cones, outputs included
	cycleOf []int32 // the cycle of each node, or -1
	value   []int32 // of each node, or -1 when not computed
	negated []int32 // the value of each node's negation, or -1
	level   []int32 // by value: longest way from a value of level 0
	inputs  int32   // values below are inputs
	looping bool    // a cycle is being lowered: its gates stay whole

	segments []segment // of the current cone
}

// segment is a piece of a cone: a straight row of instructions, or one of the
// two sweeps of a loop, over values.
type segment struct {
	code    []kernel.Instr
	loop    bool       // the first sweep; the segment after it is the second
	again   bool       // the second sweep
	changed int32      // of the first sweep: what says that the loop goes on
	rounds  int        // of the first sweep: more of them change nothing
	back    []feedback // of the first sweep: what the second one hands to it
}

// feedback is the value of a head before a first sweep and its value in the
// second sweep, which takes the slot of the former.
type feedback struct {
	prev, next int32
}

// gates collects what an AND or an OR is made of.
type gates struct {
	pos, neg []int32 // values, as they are and negated
	pairs    []pair
}

// pair is a gate of the other kind with two operands, of which notB and notC
// are negated (never notB alone).
type pair struct {
	b, c       int32
	notB, notC bool
}

// kindOps are the ops that build a gate of one kind.
type kindOps struct {
	two, three       kernel.Op // of positive operands
	negTwo, negThree kernel.Op // join operands that are then negated
	pn, ppn, pnn     kernel.Op // positive and negated operands
	nn, nnn          kernel.Op // negated operands only
	accPP, accPN     kernel.Op // an operand and a pair
	accNN            kernel.Op
	pp1, pn1, nn1    kernel.Op // a pair alone
}

var andOps = kindOps{
	two: kernel.OpAnd2, three: kernel.OpAnd3, negTwo: kernel.OpOr2, negThree: kernel.OpOr3,
	pn: kernel.OpAndNot, ppn: kernel.OpAnd2Not, pnn: kernel.OpAndNot2, nn: kernel.OpNor2, nnn: kernel.OpNor3,
	accPP: kernel.OpOrAnd, accPN: kernel.OpOrNotAnd, accNN: kernel.OpNandAnd,
	pp1: kernel.OpOr2, pn1: kernel.OpOrNot, nn1: kernel.OpNand2,
}

var orOps = kindOps{
	two: kernel.OpOr2, three: kernel.OpOr3, negTwo: kernel.OpAnd2, negThree: kernel.OpAnd3,
	pn: kernel.OpOrNot, ppn: kernel.OpOr2Not, pnn: kernel.OpOrNot2, nn: kernel.OpNand2, nnn: kernel.OpNand3,
	accPP: kernel.OpAndOr, accPN: kernel.OpAndNotOr, accNN: kernel.OpNorOr,
	pp1: kernel.OpAnd2, pn1: kernel.OpAndNot, nn1: kernel.OpNor2,
}

func opsOf(and bool) *kindOps {
	if and {
		return &andOps
	}
	return &orOps
}

// newLowerer starts with the inputs: slotOf is the slot of every input node
// (-1 for gates), inputs the number of input slots.
func newLowerer(net *propnet.Net, uses, cycleOf, slotOf []int32, inputs int) *lowerer {
	l := &lowerer{
		net: net, uses: uses, cycleOf: cycleOf,
		value:   slices.Clone(slotOf),
		negated: make([]int32, len(net.Ops)),
		level:   make([]int32, inputs, inputs+len(net.Ops)),
		inputs:  int32(inputs),
	}
	for i := range l.negated {
		l.negated[i] = -1
	}
	return l
}

func operands(net *propnet.Net, n propnet.Node) []propnet.Node {
	return net.Args[net.First[n]:net.First[n+1]]
}

// resolve goes through Not gates to the node that is meant, as it is or
// negated.
func resolve(net *propnet.Net, n propnet.Node) (propnet.Node, bool) {
	not := false
	for net.Ops[n] == propnet.Not {
		n = operands(net, n)[0]
		not = !not
	}
	return n, not
}

func isGate(o propnet.Op) bool { return o == propnet.And || o == propnet.Or }

// countUses counts the readers of every gate that the outputs need.
func countUses(net *propnet.Net, outputs []propnet.Node) []int32 {
	uses := make([]int32, len(net.Ops))
	var work []propnet.Node
	use := func(n propnet.Node) {
		n, _ = resolve(net, n)
		uses[n]++
		if uses[n] == 1 && isGate(net.Ops[n]) {
			work = append(work, n)
		}
	}
	for _, n := range outputs {
		use(n)
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, x := range operands(net, n) {
			use(x)
		}
	}
	return uses
}

// output makes the value of a node, computing what is not computed yet.
func (l *lowerer) output(n propnet.Node) int32 {
	x, not := resolve(l.net, n)
	if !not {
		return l.valueOf(x)
	}
	if x == propnet.False || x == propnet.True {
		return l.value[1-x]
	}
	if l.negated[x] >= 0 {
		return l.negated[x]
	}
	if l.absorbable(x) {
		l.negated[x] = l.build(x, true)
	} else {
		l.negated[x] = l.emit(kernel.OpNot, l.valueOf(x), 0, 0)
	}
	return l.negated[x]
}

// copyOf makes a value that holds what an input holds now.
func (l *lowerer) copyOf(v int32) int32 { return l.emit(kernel.OpMov, v, 0, 0) }

func (l *lowerer) emit(o kernel.Op, a, b, c int32) int32 {
	v := int32(len(l.level))
	in := kernel.Instr{Op: o, D: v, A: a, B: b, C: c}
	top := int32(0)
	for _, x := range in.Operands() {
		top = max(top, l.level[x])
	}
	l.level = append(l.level, top+1)
	last := len(l.segments) - 1
	l.segments[last].code = append(l.segments[last].code, in)
	return v
}

// beginCone opens a new row of instructions; endCone returns the segments.
func (l *lowerer) beginCone() { l.segments = []segment{{}} }

func (l *lowerer) endCone() []segment {
	out := l.segments[:0]
	for _, s := range l.segments {
		if len(s.code) > 0 || s.loop || s.again {
			out = append(out, s)
		}
	}
	return out
}

// forget drops the values of the nodes in computed since the mark was taken,
// for a cone that later ones must not rely on.
func (l *lowerer) forget(mark int32) {
	for n, v := range l.value {
		if v >= mark {
			l.value[n] = -1
		}
	}
	for n, v := range l.negated {
		if v >= mark {
			l.negated[n] = -1
		}
	}
}

func (l *lowerer) mark() int32 { return int32(len(l.level)) }

func (l *lowerer) absorbable(x propnet.Node) bool {
	return !l.looping && l.uses[x] == 1 && l.value[x] < 0 && l.cycleOf[x] < 0
}

func (l *lowerer) valueOf(x propnet.Node) int32 {
	if l.value[x] < 0 {
		if c := l.cycleOf[x]; c >= 0 {
			l.lowerCycle(x, l.net.Cycles[c])
		} else {
			l.value[x] = l.build(x, false)
		}
	}
	return l.value[x]
}

// build makes the value of a gate or of its negation.
func (l *lowerer) build(x propnet.Node, not bool) int32 {
	and := (l.net.Ops[x] == propnet.And) != not
	var g gates
	l.collect(x, not, and, &g)
	return l.join(and, &g)
}

// collect adds the operands of a gate, with De Morgan's laws where the gate
// is negated. Gates of the same kind that nothing else reads are flattened,
// of the other kind become pairs.
func (l *lowerer) collect(x propnet.Node, not, and bool, g *gates) {
	for _, arg := range operands(l.net, x) {
		y, neg := resolve(l.net, arg)
		neg = neg != not
		if y == propnet.False || y == propnet.True {
			g.pos = append(g.pos, l.constant((y == propnet.True) != neg))
			continue
		}
		if !l.absorbable(y) {
			v := l.valueOf(y)
			if neg {
				g.neg = append(g.neg, v)
			} else {
				g.pos = append(g.pos, v)
			}
			continue
		}
		if ((l.net.Ops[y] == propnet.And) != neg) == and {
			l.collect(y, neg, and, g)
			continue
		}
		var inner gates
		l.collect(y, neg, !and, &inner)
		l.addOther(and, &inner, g)
	}
}

func (l *lowerer) constant(v bool) int32 {
	if v {
		return l.value[propnet.True]
	}
	return l.value[propnet.False]
}

// addOther adds a gate of the other kind to g: as a pair where it can be
// brought to two operands.
func (l *lowerer) addOther(and bool, inner, g *gates) {
	k, m := len(inner.pos), len(inner.neg)
	if len(inner.pairs) > 0 || k+m < 2 {
		g.pos = append(g.pos, l.join(!and, inner))
		return
	}
	ops := opsOf(!and)
	switch {
	case m == 0:
		p := l.reduce(inner.pos, 2, true, ops.two, ops.three)
		g.pairs = append(g.pairs, pair{b: p[0], c: p[1]})
	case k == 0:
		n := l.reduce(inner.neg, 2, true, ops.negTwo, ops.negThree)
		g.pairs = append(g.pairs, pair{b: n[0], c: n[1], notB: true, notC: true})
	default:
		p := l.reduce(inner.pos, 1, true, ops.two, ops.three)
		n := l.reduce(inner.neg, 1, true, ops.negTwo, ops.negThree)
		g.pairs = append(g.pairs, pair{b: p[0], c: n[0], notC: true})
	}
}

// reduce joins values until at most limit are left (exactly limit if asked),
// those of the lowest level first, so that the tree stays flat.
func (l *lowerer) reduce(vals []int32, limit int, exact bool, two, three kernel.Op) []int32 {
	byLevel := func(a, b int32) int { return int(l.level[a] - l.level[b]) }
	slices.SortStableFunc(vals, byLevel)
	// What is joined of lower levels is not above what is joined later, so joined values
	// are in order as they come.
	var joined []int32
	lowest := func() (v int32) {
		if len(joined) == 0 || len(vals) > 0 && l.level[vals[0]] <= l.level[joined[0]] {
			v, vals = vals[0], vals[1:]
		} else {
			v, joined = joined[0], joined[1:]
		}
		return v
	}
	for n := len(vals); n > limit; {
		a, b := lowest(), lowest()
		if n >= 3 && (!exact || n-2 >= limit) {
			joined = append(joined, l.emit(three, a, b, lowest()))
			n -= 2
		} else {
			joined = append(joined, l.emit(two, a, b, 0))
			n--
		}
	}
	vals = append(slices.Clip(vals), joined...)
	slices.SortStableFunc(vals, byLevel)
	return vals
}

// chain is how many pairs one accumulator takes: longer chains wait for
// themselves, shorter ones need more instructions.
const chain = 4

func (l *lowerer) join(and bool, g *gates) int32 {
	ops := opsOf(and)
	if n := len(g.pairs); n > 0 {
		var sums []int32
		for i := 0; i < n; i += chain {
			part := g.pairs[i:min(i+chain, n)]
			acc := int32(-1)
			if k := len(g.pos); k > 0 {
				acc, g.pos = g.pos[k-1], g.pos[:k-1]
			}
			for _, p := range part {
				acc = l.addPair(ops, acc, p)
			}
			sums = append(sums, acc)
		}
		g.pos = append(g.pos, sums...)
	}
	return l.joinPlain(ops, g.pos, g.neg)
}

func (l *lowerer) addPair(ops *kindOps, acc int32, p pair) int32 {
	one, more := ops.pp1, ops.accPP
	switch {
	case p.notB:
		one, more = ops.nn1, ops.accNN
	case p.notC:
		one, more = ops.pn1, ops.accPN
	}
	if acc < 0 {
		return l.emit(one, p.b, p.c, 0)
	}
	return l.emit(more, acc, p.b, p.c)
}

func (l *lowerer) joinPlain(ops *kindOps, pos, neg []int32) int32 {
	if len(neg) == 0 {
		return l.reduce(pos, 1, true, ops.two, ops.three)[0]
	}
	if len(pos) == 0 {
		n := l.reduce(neg, 3, false, ops.negTwo, ops.negThree)
		switch len(n) {
		case 1:
			return l.emit(kernel.OpNot, n[0], 0, 0)
		case 2:
			return l.emit(ops.nn, n[0], n[1], 0)
		}
		return l.emit(ops.nnn, n[0], n[1], n[2])
	}
	p := l.reduce(pos, 2, false, ops.two, ops.three)
	n := l.reduce(neg, 2, false, ops.negTwo, ops.negThree)
	if len(p) == 2 && len(n) == 2 {
		p = []int32{l.emit(ops.two, p[0], p[1], 0)}
	}
	switch {
	case len(p) == 2:
		return l.emit(ops.ppn, p[0], p[1], n[0])
	case len(n) == 2:
		return l.emit(ops.pnn, p[0], n[0], n[1])
	}
	return l.emit(ops.pn, p[0], n[0], 0)
}
