package forced

import (
	"math/bits"

	"semisplit/search/engine"
)

// lister lists the moves of lanes.
type lister struct {
	engine engine.Engine
	levels []int
	chance []bool
	us     int
	most   int // moves of a state; with more, nothing is proven of it
	lanes  []choices
	one    []uint32 // scratch: a move
	offers []uint32 // scratch
}

// choices are the joint moves of a state.
type choices struct {
	kind   kind
	joint  []uint32 // with any move of who chooses
	offset int      // where in it the semimoves of who chooses are
	size   int      // how many these are
	moves  []uint32 // of who chooses, one after the other

	listed []uint32 // scratch: moves of a role
}

// mostMoves bounds the moves of a state at first.
const mostMoves = 1 << 10

// count is the number of joint moves.
func (c *choices) count() int { return len(c.moves) / c.size }

// take is the joint move with a move of who chooses. It is valid until the next call.
func (c *choices) take(move int) []uint32 {
	copy(c.joint[c.offset:], c.moves[move*c.size:(move+1)*c.size])
	return c.joint
}

// list lists the moves of the lanes in a mask, which have not ended.
func (l *lister) list(mask []uint64) {
	each(mask, func(lane int) {
		c := &l.lanes[lane]
		c.kind, c.joint, c.moves, c.size = ended, c.joint[:0], c.moves[:0], 0
	})
	for role := range l.levels {
		each(mask, func(lane int) { l.lanes[lane].listed = l.lanes[lane].listed[:0] })
		if quick, ok := l.engine.(engine.Lister); ok {
			quick.Paths(mask, role, l.most+1, func(lane int, path []uint32) {
				c := &l.lanes[lane]
				c.listed = append(c.listed, path...)
			})
		} else {
			each(mask, func(lane int) { l.walk(lane, role, l.levels[role]) })
		}
		each(mask, func(lane int) { l.add(&l.lanes[lane], role) })
	}
	each(mask, func(lane int) {
		if c := &l.lanes[lane]; c.kind == ended { // nobody has a choice
			c.kind, c.offset, c.size = ours, 0, len(c.joint)
			c.moves = append(c.moves, c.joint...)
		}
	})
}

// add adds the moves of a role, which were listed.
func (l *lister) add(c *choices, role int) {
	levels := l.levels[role]
	n := len(c.listed) / levels
	sampler, ok := l.engine.(engine.Sampler)
	switch {
	case n == 0 || n > l.most || n > 1 && c.kind != ended || ok && sampler.Partial(role):
		c.kind = unknown
		c.listed = append(c.listed, make([]uint32, levels)...)
	case n > 1:
		switch c.kind = theirs; {
		case l.chance[role]:
			c.kind = chance
		case role == l.us:
			c.kind = ours
		}
		c.offset, c.size = len(c.joint), levels
		c.moves, c.listed = c.listed, c.moves
		c.joint = append(c.joint, c.moves[:levels]...)
		return
	}
	c.joint = append(c.joint, c.listed[:levels]...)
}

// walk lists the moves of a role in a lane that go on from l.one by so many semimoves.
func (l *lister) walk(lane, role, left int) {
	c := &l.lanes[lane]
	if left == 0 {
		c.listed = append(c.listed, l.one...)
		return
	}
	from := len(l.offers)
	l.offers = l.engine.Offers(lane, role, l.one, l.offers)
	for i := from; i < len(l.offers) && len(c.listed) <= l.most*l.levels[role]; i++ {
		l.one = append(l.one, l.offers[i])
		l.walk(lane, role, left-1)
		l.one = l.one[:len(l.one)-1]
	}
	l.offers = l.offers[:from]
}

// each calls visit for each lane of a mask.
func each(mask []uint64, visit func(lane int)) {
	for w, x := range mask {
		for ; x != 0; x &= x - 1 {
			visit(64*w + bits.TrailingZeros64(x))
		}
	}
}
