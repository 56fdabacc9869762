package perfect

import (
	"fmt"
	"math/bits"
)

// through is Breakthrough or Knightthrough on a board of w by h squares: at least 4
// columns, at most 64 squares. Square x, y is bit y·w + x; the mover moves upwards.
type through struct {
	w, h   int
	board  uint64
	stride int // rows of the longest leap
	leaps  []leap
}

// leap is one way to move: to a higher bit, from the squares from which it does
// not leave the board at a side.
type leap struct {
	shift int
	from  uint64
	empty bool // only to an empty square
}

// pair are the squares of who moves, and those of the opponent.
type pair struct{ own, other uint64 }

// newThrough has two rows of pieces on each side. ways are the leaps: columns,
// rows, and whether the square must be empty.
func newThrough(w, h, stride int, ways ...[3]int) *through {
	g := &through{w: w, h: h, board: 1<<(w*h) - 1, stride: stride}
	for _, way := range ways {
		l := leap{shift: way[1]*w + way[0], empty: way[2] == 1}
		for i := range w * h {
			if x := i%w + way[0]; x >= 0 && x < w {
				l.from |= 1 << i
			}
		}
		g.leaps = append(g.leaps, l)
	}
	return g
}

func newBreakthrough(w, h int) *through {
	return newThrough(w, h, 1, [3]int{-1, 1, 0}, [3]int{0, 1, 1}, [3]int{1, 1, 0})
}

func newKnightthrough(w, h int) *through {
	return newThrough(w, h, 2, [3]int{-1, 2, 0}, [3]int{1, 2, 0}, [3]int{-2, 1, 0}, [3]int{2, 1, 0})
}

func (g *through) start() pair {
	home := uint64(1)<<(2*g.w) - 1
	return pair{home, g.turn(home)}
}

// turn is the board seen from the other side.
func (g *through) turn(squares uint64) uint64 {
	return bits.Reverse64(squares) >> (64 - g.w*g.h)
}

func (g *through) over(p pair) (int, bool) {
	return -1, p.other&(1<<g.w-1) != 0 || p.own == 0
}

func (g *through) next(p pair, into []step[pair]) []step[pair] { return g.onto(g.board, p, into) }

// threats are the pieces of the opponent that are a leap away from their far row.
func (g *through) threats(p pair) uint64 { return p.other & (1<<((g.stride+1)*g.w) - 1) }

// replies take the piece that would win, if there is one.
func (g *through) replies(p pair, into []step[pair]) []step[pair] {
	if threats := g.threats(p); threats != 0 {
		return g.onto(threats, p, into)
	}
	return g.onto(g.board, p, into)
}

// onto are the moves to some squares, those nearest to the far row first.
func (g *through) onto(squares uint64, p pair, into []step[pair]) []step[pair] {
	var all uint64
	var to [4]uint64
	for i, l := range g.leaps {
		to[i] = (p.own & l.from) << l.shift & squares &^ p.own
		if l.empty {
			to[i] &^= p.other
		}
		all |= to[i]
	}
	for all != 0 {
		square := 63 - bits.LeadingZeros64(all)
		bit := uint64(1) << square
		all &^= bit
		for i, l := range g.leaps {
			if to[i]&bit == 0 {
				continue
			}
			own := p.own&^(bit>>l.shift) | bit
			into = append(into, step[pair]{to: pair{g.turn(p.other &^ bit), g.turn(own)}, move: uint16((square-l.shift)<<6 | square)})
		}
	}
	return into
}

func (g *through) left(p pair) (rows int) {
	for i := range g.w * g.h {
		if p.own>>i&1 != 0 {
			rows += g.h - 1 - i/g.w
		}
		if p.other>>i&1 != 0 {
			rows += i / g.w
		}
	}
	return rows
}

// reach is sure of a win at once where a piece is a leap away from the far row:
// from any column one of its leaps stays on the board, which has four at least.
// Of two such pieces of the opponent one is left.
func (g *through) reach(p pair) (own, other, settled int) {
	rows := g.h - 1 - (63-bits.LeadingZeros64(p.own))/g.w
	if rows <= g.stride {
		return 1, 2, 1
	}
	own = min((rows+g.stride-1)/g.stride, bits.OnesCount64(p.other))
	if threats := g.threats(p); threats&(threats-1) != 0 && own > 1 {
		settled = -1
	}
	rows = bits.TrailingZeros64(p.other) / g.w
	other = min((rows+g.stride-1)/g.stride, bits.OnesCount64(p.own))
	return 2*own - 1, 2 * other, settled
}

func (g *through) spell(move uint16, role int) string {
	from, to := int(move>>6), int(move&63)
	if role == 1 {
		from, to = g.w*g.h-1-from, g.w*g.h-1-to
	}
	return fmt.Sprintf("(move %c %d %c %d)", 'a'+from%g.w, from/g.w+1, 'a'+to%g.w, to/g.w+1)
}

func (g *through) hash(p pair) uint64 { return mix(p.own, p.other) }
