package perfect

import (
	"fmt"
	"math/bits"
	"slices"
)

// othello is played on n by n squares at the lower left of eight by eight: square
// x, y is bit 8·y + x. pass is the move of who has no other.
type othello struct {
	n     int
	board uint64
}

const pass = 64

func newOthello(n int) *othello {
	g := &othello{n: n}
	for y := range n {
		g.board |= (1<<n - 1) << (8 * y)
	}
	return g
}

func (g *othello) start() pair {
	low, high := g.n/2-1, g.n/2
	at := func(x, y int) uint64 { return 1 << (8*y + x) }
	return pair{at(low, high) | at(high, low), at(low, low) | at(high, high)}
}

// ways are the eight directions: shifts, with the squares that can be entered.
var ways = [8]struct {
	shift int
	into  uint64
}{
	{1, notFirst}, {-1, notLast}, {8, everywhere}, {-8, everywhere},
	{9, notFirst}, {7, notLast}, {-7, notFirst}, {-9, notLast},
}

const (
	everywhere uint64 = 1<<64 - 1
	notFirst          = everywhere / 255 * 254 // column
	notLast           = everywhere / 255 * 127
)

func shift(b uint64, n int) uint64 {
	if n > 0 {
		return b << n
	}
	return b >> -n
}

// places are the squares where who has own can put a disc.
func (g *othello) places(own, other uint64) (all uint64) {
	for _, w := range ways {
		run := shift(own, w.shift) & w.into & other
		for range 5 {
			run |= shift(run, w.shift) & w.into & other
		}
		all |= shift(run, w.shift) & w.into
	}
	return all & g.board &^ (own | other)
}

// turned are the discs that a new one turns over.
func turned(own, other, disc uint64) (all uint64) {
	for _, w := range ways {
		var run uint64
		at := shift(disc, w.shift) & w.into
		for ; at&other != 0; at = shift(at, w.shift) & w.into {
			run |= at
		}
		if at&own != 0 {
			all |= run
		}
	}
	return all
}

func (g *othello) over(p pair) (int, bool) {
	return bits.OnesCount64(p.own) - bits.OnesCount64(p.other), g.places(p.own, p.other) == 0 && g.places(p.other, p.own) == 0
}

// next begins where the opponent has the fewest replies.
func (g *othello) next(p pair, into []step[pair]) []step[pair] {
	free := g.places(p.own, p.other)
	if free == 0 {
		return append(into, step[pair]{to: pair{p.other, p.own}, move: pass})
	}
	begin := len(into)
	var replies [64]int
	for ; free != 0; free &= free - 1 {
		square, disc := bits.TrailingZeros64(free), free&-free
		flips := turned(p.own, p.other, disc)
		to := pair{p.other &^ flips, p.own | flips | disc}
		replies[square] = bits.OnesCount64(g.places(to.own, to.other))
		into = append(into, step[pair]{to: to, move: uint16(square)})
	}
	slices.SortStableFunc(into[begin:], func(a, b step[pair]) int { return replies[a.move] - replies[b.move] })
	return into
}

func (g *othello) left(p pair) int { return bits.OnesCount64(g.board &^ (p.own | p.other)) }

func (g *othello) spell(move uint16, _ int) string {
	if move == pass {
		return "pass"
	}
	return fmt.Sprintf("(place %c %d)", 'a'+move%8, move/8+1)
}

func (g *othello) hash(p pair) uint64 { return mix(p.own, p.other) }
