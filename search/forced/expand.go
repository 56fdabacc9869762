package forced

import (
	"errors"
	"sync/atomic"

	"semisplit/search/engine"
)

// expander makes the children of nodes, those of many nodes together, a lane for
// each. It looks one move further than it stores: what the moves of a child lead to
// counts for the child's numbers, and what wins at once decides it.
type expander struct {
	*graph
	lister lister
	them   int // the other player; -1: there is none, or several
	loaded int // lanes that the engine may still hold

	leaves  []leaf
	queue   []branch // moves of the leaves
	moves   []uint32 // their joint moves
	fresh   []sprout // children that are new
	replies []reply  // moves of these

	mask     []uint64
	goals    []float64
	state    []uint64
	opposed  opposition
	states   int // joint moves played, ever
	expanded int // nodes
	patience
}

// leaf is a node that is to be expanded.
type leaf struct {
	node  uint32
	first int // of its moves in the queue
	count int
}

// branch is a move of a leaf, and what it leads to.
type branch struct{ child uint32 }

// sprout is a new child while its moves are looked at.
type sprout struct {
	node uint32
	best bounds // of the moves so far: highest low, highest high
	rest bounds // lowest low, lowest high
	open [layers]numbers
}

// reply is a move of a sprout.
type reply struct {
	sprout int32
	joint  int32 // in moves
}

var (
	errStopped = errors.New("search: stopped between expansions")
	errWide    = errors.New("search: an expansion took too long")
)

// patience bounds what one expansion may take.
type patience struct {
	late  func() bool // it is to end; nil: never
	begun int         // states when it began
}

// wide is how many joint moves an expansion plays before it can be given up: with fewer it
// is not the moves that took the time.
const wide = 1 << 13

// lost tells whether to give an expansion up that has come to so many states.
func (p *patience) lost(states int) bool {
	return p.late != nil && states-p.begun >= wide && p.late()
}

// tooWide lets the states with the most moves of an expansion that was given up, and those
// with half of them, be no question any more.
func (x *expander) tooWide() {
	most := 0
	for _, l := range x.leaves {
		most = max(most, l.count)
	}
	for i := range x.lister.lanes {
		if c := &x.lister.lanes[i]; c.size > 0 {
			most = max(most, c.count())
		}
	}
	x.lister.most = min(x.lister.most, max(most/2, leastMoves))
}

// leastMoves is how many moves a state can always have.
const leastMoves = 16

// expand expands leaves, given as nodes. Nothing has changed if it fails.
func (x *expander) expand(stop *atomic.Bool) (err error) {
	before := x.mark()
	x.begun = x.states
	x.queue, x.moves = x.queue[:0], x.moves[:0]
	if err = x.look(stop); err == nil {
		for from := 0; from < len(x.queue) && err == nil; from += x.lister.engine.Lanes() {
			err = x.play(from, min(len(x.queue), from+x.lister.engine.Lanes()), stop)
		}
	}
	if err != nil {
		x.rewind(before)
		return err
	}
	for _, l := range x.leaves {
		first := uint32(len(x.edges))
		for i := range l.count {
			at := l.first + i
			x.edges = append(x.edges, x.queue[at].child)
			x.near = append(x.near, 0)
			x.joints = append(x.joints, x.moves[at*x.semimoves:(at+1)*x.semimoves]...)
		}
		n := x.at(l.node)
		n.first, n.count = first, uint16(l.count)
	}
	x.expanded += len(x.leaves)
	return nil
}

// step is a Step of the engine, with its first lanes alone.
func (x *expander) step(lanes int, stop *atomic.Bool) ([]uint64, error) {
	for ; x.loaded > lanes; x.loaded-- {
		x.lister.engine.Unload(x.loaded - 1)
	}
	x.loaded = lanes
	if stop.Load() {
		return nil, errStopped
	}
	if x.lost(x.states) {
		return nil, errWide
	}
	return x.lister.engine.Step(stop)
}

// look lists the moves of the leaves.
func (x *expander) look(stop *atomic.Bool) error {
	lanes := x.lister.engine.Lanes()
	for from := 0; from < len(x.leaves); from += lanes {
		some := x.leaves[from:min(len(x.leaves), from+lanes)]
		clear(x.mask)
		for i, l := range some {
			x.lister.engine.Load(i, x.stateOf(l.node), nil)
			x.mask[i/64] |= 1 << (i % 64)
		}
		if _, err := x.step(len(some), stop); err != nil {
			return err
		}
		x.lister.list(x.mask)
		for i := range some {
			c := &x.lister.lanes[i]
			some[i].first, some[i].count = len(x.queue), c.count()
			for move := range c.count() {
				x.queue = append(x.queue, branch{})
				x.moves = append(x.moves, c.take(move)...)
			}
		}
	}
	return nil
}

// play makes the children of a part of the queue.
func (x *expander) play(from, to int, stop *atomic.Bool) error {
	at := 0
	for lane := range to - from {
		move := from + lane
		for x.leaves[at].first+x.leaves[at].count <= move {
			at++
		}
		x.lister.engine.Load(lane, x.stateOf(x.leaves[at].node), x.moves[move*x.semimoves:(move+1)*x.semimoves])
	}
	over, err := x.step(to-from, stop)
	if err != nil {
		return err
	}
	x.states += to - from
	x.fresh = x.fresh[:0]
	clear(x.mask)
	for lane := range to - from {
		b := &x.queue[from+lane]
		if over[lane/64]>>(lane%64)&1 != 0 {
			b.child = x.end(x.outcome(lane))
			continue
		}
		x.state = x.lister.engine.State(lane, x.state[:0])
		var fresh bool
		if b.child, fresh = x.meet(x.state); fresh {
			x.mask[lane/64] |= 1 << (lane % 64)
			x.fresh = append(x.fresh, sprout{node: b.child, rest: bounds{whole, whole}})
		}
	}
	return x.evaluate(stop)
}

// outcome is what our role gets in a lane that has ended.
func (x *expander) outcome(lane int) bounds {
	x.lister.engine.Goals(lane, x.goals)
	if x.them >= 0 {
		x.opposed.note(x.goals[x.lister.us], x.goals[x.them])
	}
	return boundsOf(x.goals[x.lister.us])
}

// evaluate looks at what the moves of the new children lead to; the lanes of the mask
// hold them.
func (x *expander) evaluate(stop *atomic.Bool) error {
	x.lister.list(x.mask)
	x.replies = x.replies[:0]
	base, i := len(x.moves), 0
	each(x.mask, func(lane int) {
		c := &x.lister.lanes[lane]
		x.at(x.fresh[i].node).kind = c.kind
		if c.kind != unknown {
			for move := range c.count() {
				x.replies = append(x.replies, reply{int32(i), int32(len(x.moves))})
				x.moves = append(x.moves, c.take(move)...)
			}
		}
		i++
	})
	err := x.reply(stop)
	x.moves = x.moves[:base]
	if err != nil {
		return err
	}
	for i := range x.fresh {
		x.settle(&x.fresh[i])
	}
	return nil
}

// reply plays the moves of the new children.
func (x *expander) reply(stop *atomic.Bool) error {
	for left := x.replies; len(left) > 0; {
		n := min(len(left), x.lister.engine.Lanes())
		for lane, r := range left[:n] {
			x.lister.engine.Load(lane, x.stateOf(x.fresh[r.sprout].node), x.moves[r.joint:int(r.joint)+x.semimoves])
		}
		over, err := x.step(n, stop)
		if err != nil {
			return err
		}
		x.states += n
		for lane, r := range left[:n] {
			to := bounds{0, whole}
			if over[lane/64]>>(lane%64)&1 != 0 {
				to = x.outcome(lane)
			}
			x.fresh[r.sprout].add(to)
		}
		left = left[n:]
	}
	return nil
}

// add counts a move with such bounds.
func (s *sprout) add(b bounds) {
	s.best.low, s.best.high = max(s.best.low, b.low), max(s.best.high, b.high)
	s.rest.low, s.rest.high = min(s.rest.low, b.low), min(s.rest.high, b.high)
	for layer := range s.open {
		if !b.yes(layer) {
			s.open[layer].prove++
		}
		if !b.no(layer) {
			s.open[layer].refute++
		}
	}
}

// settle gives a new child what was found.
func (x *expander) settle(s *sprout) {
	n := x.at(s.node)
	if n.kind == unknown {
		n.counts = x.at(endless).counts
		return
	}
	switch n.kind {
	case ours:
		n.bounds = s.best
	case theirs:
		n.bounds = s.rest
	case chance:
		n.low, n.high = s.rest.low, s.best.high
	}
	for layer, open := range s.open {
		n.counts[layer] = open
		if n.kind == ours {
			n.counts[layer].prove = 1
		}
		if n.kind == theirs {
			n.counts[layer].refute = 1
		}
	}
	n.decide()
	if n.closed() {
		n.distance = 1
	}
}

// newExpander makes one for an engine with such levels of moves.
func newExpander(e engine.Engine, levels []int, moveAtRandom []bool) *expander {
	x := &expander{graph: &graph{}, them: -1, goals: make([]float64, len(levels)), mask: make([]uint64, (e.Lanes()+63)/64)}
	x.lister = lister{engine: e, levels: levels, most: mostMoves, chance: make([]bool, len(levels)), lanes: make([]choices, e.Lanes())}
	copy(x.lister.chance, moveAtRandom)
	for _, n := range levels {
		x.semimoves += n
	}
	return x
}
