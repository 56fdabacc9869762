package perfect

import (
	"fmt"
	"math/bits"
)

// pentago has square x, y at bit 6·y + x. A move is nine times the square, and
// what is turned: twice the quadrant, and one for counterclockwise; 8: nothing.
type pentago struct {
	lines []uint64
	turns [8][9][2]uint8 // from which square to which
	masks [4]uint64
}

const finish = 8

func newPentago() *pentago {
	g := &pentago{}
	for i := range 36 {
		for _, way := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			x, y := i%6+4*way[0], i/6+4*way[1]
			if x > 5 || y > 5 || y < 0 {
				continue
			}
			var line uint64
			for n := range 5 {
				line |= 1 << (i + n*(6*way[1]+way[0]))
			}
			g.lines = append(g.lines, line)
		}
	}
	for q := range 4 {
		corner := q%2*3 + q/2*18
		for i := range 9 {
			x, y := i%3, i/3
			from := uint8(corner + 6*y + x)
			g.masks[q] |= 1 << from
			g.turns[2*q][i] = [2]uint8{from, uint8(corner + 6*(2-x) + y)}
			g.turns[2*q+1][i] = [2]uint8{from, uint8(corner + 6*x + 2 - y)}
		}
	}
	return g
}

func (g *pentago) start() pair { return pair{} }

func (g *pentago) five(stones uint64) bool {
	for _, line := range g.lines {
		if stones&line == line {
			return true
		}
	}
	return false
}

func (g *pentago) over(p pair) (int, bool) {
	worth := 0
	own, other := g.five(p.own), g.five(p.other)
	if own {
		worth++
	}
	if other {
		worth--
	}
	return worth, own || other || p.own|p.other == 1<<36-1
}

func (g *pentago) next(p pair, into []step[pair]) []step[pair] {
	for free := ^(p.own | p.other) & (1<<36 - 1); free != 0; free &= free - 1 {
		square := bits.TrailingZeros64(free)
		own := p.own | free&-free
		if g.five(own) {
			into = append(into, step[pair]{to: pair{p.other, own}, move: uint16(9*square + finish)})
			continue
		}
		for turn := range 8 {
			into = append(into, step[pair]{to: pair{g.turn(p.other, turn), g.turn(own, turn)}, move: uint16(9*square + turn)})
		}
	}
	return into
}

// turn turns the stones of a quadrant.
func (g *pentago) turn(stones uint64, turn int) uint64 {
	turned := stones &^ g.masks[turn/2]
	for _, t := range g.turns[turn] {
		turned |= stones >> t[0] & 1 << t[1]
	}
	return turned
}

func (g *pentago) left(p pair) int { return 36 - bits.OnesCount64(p.own|p.other) }

// reach knows nothing: a turn can complete lines from afar, of either side.
func (g *pentago) reach(pair) (own, other, settled int) { return 1, 1, 0 }

func (g *pentago) replies(p pair, into []step[pair]) []step[pair] { return g.next(p, into) }

func (g *pentago) spell(move uint16, _ int) string {
	square, turn := move/9, move%9
	at := fmt.Sprintf("%c %d", 'a'+square%6, square/6+1)
	if turn == finish {
		return "(finish " + at + ")"
	}
	quadrant := [4]string{"southwest", "southeast", "northwest", "northeast"}[turn/2]
	return "(place " + at + " " + quadrant + " " + [2]string{"clockwise", "counterclockwise"}[turn%2] + ")"
}

func (g *pentago) hash(p pair) uint64 { return mix(p.own, p.other) }
