package perfect

import (
	"fmt"
	"math/bits"
)

// connectFour is all of Connect Four: alpha-beta on bits. A column has one bit
// more than places, which stays free, so that lines do not run into the next
// column. A position is the discs of who moves and those of both.
type connectFour struct {
	w, h   int
	bottom uint64 // the lowest places
	board  uint64
	order  []int // columns from the centre on

	// coarse is for positions far from the end: who wins, not how soon.
	coarse bool

	// seen has the key of a position above the lowest byte, which is a bound of
	// its value: 64 more than that, and with isLow a lower one. 0: nothing.
	seen         []uint64
	nodes, limit int
}

const isLow = 128

// newConnectFour has w columns of h places, at most 7 by 6 or as many bits, and
// a table of 2^slots slots.
func newConnectFour(w, h, slots int) *match[pair] {
	return (&connectFour{w: w, h: h}).match(slots)
}

// newCoarseConnectFour finds who wins, not how soon: all moves but those that end the
// match have the distance of a draw.
func newCoarseConnectFour(w, h, slots int) *match[pair] {
	return (&connectFour{w: w, h: h, coarse: true}).match(slots)
}

func (g *connectFour) match(slots int) *match[pair] {
	w, h := g.w, g.h
	g.seen = make([]uint64, 1<<slots)
	for x := range w {
		g.bottom |= 1 << (x * (h + 1))
		g.order = append(g.order, w/2+(1-2*(x%2))*(x+1)/2)
	}
	g.board = g.bottom * (1<<h - 1)
	return newMatch(g, g.solve)
}

func (g *connectFour) start() pair { return pair{} }

// four tells whether there are four in a line.
func (g *connectFour) four(discs uint64) bool {
	for _, s := range [4]int{1, g.h, g.h + 1, g.h + 2} {
		two := discs & (discs >> s)
		if two&(two>>(2*s)) != 0 {
			return true
		}
	}
	return false
}

// gaps are the places where one more disc makes four in a line.
func (g *connectFour) gaps(discs uint64) uint64 {
	all := discs << 1 & (discs << 2) & (discs << 3)
	for _, s := range [3]int{g.h, g.h + 1, g.h + 2} {
		two := discs << s & (discs << (2 * s))
		all |= two & (discs << (3 * s)) // three below, and three around from below
		all |= two & (discs >> s)
		two = discs >> s & (discs >> (2 * s))
		all |= two & (discs >> (3 * s))
		all |= two & (discs << s)
	}
	return all & g.board
}

func (g *connectFour) over(p pair) (int, bool) {
	if g.four(p.other) {
		return -1, true
	}
	return 0, p.own|p.other == g.board
}

// open are the places where a disc can land.
func (g *connectFour) open(all uint64) uint64 { return (all + g.bottom) & g.board }

func (g *connectFour) column(x int) uint64 { return (1<<g.h - 1) << (x * (g.h + 1)) }

func (g *connectFour) next(p pair, into []step[pair]) []step[pair] {
	open := g.open(p.own | p.other)
	for x := range g.w {
		if disc := open & g.column(x); disc != 0 {
			into = append(into, step[pair]{to: pair{p.other, p.own | disc}, move: uint16(x)})
		}
	}
	return into
}

func (g *connectFour) left(p pair) int { return g.w*g.h - bits.OnesCount64(p.own|p.other) }

func (g *connectFour) spell(move uint16, _ int) string { return fmt.Sprintf("(drop %d)", move+1) }

func (g *connectFour) hash(p pair) uint64 { return mix(p.own, p.other) }

func (g *connectFour) solve(p pair, steps []step[pair], _, nodes int) []Outcome {
	outcomes := make([]Outcome, len(steps))
	g.nodes, g.limit = 0, nodes
	left := g.left(p)
	for i, s := range steps {
		if worth, ended := g.over(s.to); ended {
			outcomes[i] = Outcome{Known: true, Value: -worth, Distance: 1}
			continue
		}
		v := -g.value(s.to)
		if g.nodes > g.limit {
			break
		}
		outcomes[i] = Outcome{Known: true, Value: signum(v), Distance: left + 1 - max(v, -v)}
		if v == 0 || g.coarse {
			outcomes[i].Distance = left
		}
	}
	return outcomes
}

// value of a position that is not over: one more than the places that are free
// at the end, if the mover wins; less than 0, if he loses; 0 for a draw. Of a
// coarse one the sign alone.
func (g *connectFour) value(p pair) int {
	if g.gaps(p.own)&g.open(p.own|p.other) != 0 {
		return g.left(p)
	}
	low, high := 1-g.left(p), g.left(p)-2
	if g.coarse {
		low, high = -1, 1
	}
	for low < high {
		middle := (low + high) >> 1
		v := g.search(p, middle, middle+1)
		if g.nodes > g.limit {
			return 0
		}
		if v <= middle {
			high = v
		} else {
			low = v
		}
	}
	return low
}

// search is the value of a position, in which the mover cannot win at once, if it
// is within alpha and beta, or a bound of it.
func (g *connectFour) search(p pair, alpha, beta int) int {
	if g.nodes++; g.nodes > g.limit {
		return 0
	}
	left := g.left(p)
	all := p.own | p.other
	open, theirs := g.open(all), g.gaps(p.other)
	if forced := open & theirs; forced != 0 {
		if forced&(forced-1) != 0 {
			return 1 - left // two to be closed
		}
		open = forced
	}
	if open &^= theirs >> 1; open == 0 {
		return 1 - left // below a gap of the opponent
	}
	if left <= 2 {
		return 0
	}
	low, high := 3-left, left-2
	key := (p.own + all + g.bottom) << 8
	slot := &g.seen[mix(key, 0)&uint64(len(g.seen)-1)]
	if *slot&^255 == key && *slot&255 != 0 {
		bound := int(*slot&127) - 64
		if *slot&isLow != 0 {
			low = max(low, bound)
		} else {
			high = min(high, bound)
		}
	}
	if low >= beta {
		return low
	}
	if beta = min(beta, high); alpha >= beta {
		return beta
	}
	return g.best(p, open, alpha, beta, slot, key)
}

// best is search for a position where open are the places that do not lose at
// once. It keeps in the slot what it finds.
func (g *connectFour) best(p pair, open uint64, alpha, beta int, slot *uint64, key uint64) int {
	var discs, worth [8]uint64 // sorted by the gaps that they make, and from the centre on
	n := 0
	for _, x := range g.order {
		disc := open & g.column(x)
		if disc == 0 {
			continue
		}
		gaps := uint64(bits.OnesCount64(g.gaps(p.own|disc) &^ (p.own | p.other)))
		i := n
		for ; i > 0 && worth[i-1] < gaps; i-- {
			discs[i], worth[i] = discs[i-1], worth[i-1]
		}
		discs[i], worth[i] = disc, gaps
		n++
	}
	for _, disc := range discs[:n] {
		v := -g.search(pair{p.other, p.own | disc}, -beta, -alpha)
		if g.nodes > g.limit {
			return 0
		}
		if v >= beta {
			*slot = key | isLow | uint64(v+64)
			return v
		}
		alpha = max(alpha, v)
	}
	*slot = key | uint64(alpha+64)
	return alpha
}
