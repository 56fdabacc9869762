package perfect

import (
	"fmt"
	"math/bits"
)

// dots is Dots and Boxes. A position is the set of open lines; who owns boxes
// has no part in what comes.
type dots struct {
	names []string
	boxes [][]uint64 // those at each line, as the sets of their lines
}

// newDots has w by h boxes.
func newDots(w, h int) *dots {
	g := &dots{}
	index := map[[3]int]int{} // of the line from a dot, to the right (0) or upwards (1)
	for i := range (w + 1) * (h + 1) * 2 {
		x, y, up := i/2%(w+1), i/2/(w+1), i%2
		if x+1-up > w || y+up > h {
			continue
		}
		index[[3]int{x, y, up}] = len(g.names)
		g.names = append(g.names, fmt.Sprintf("(draw %c %d %s)", 'a'+x, y+1, [2]string{"right", "up"}[up]))
	}
	g.boxes = make([][]uint64, len(g.names))
	for i := range w * h {
		x, y := i%w, i/w
		sides := [4]int{index[[3]int{x, y, 0}], index[[3]int{x, y + 1, 0}], index[[3]int{x, y, 1}], index[[3]int{x + 1, y, 1}]}
		var box uint64
		for _, line := range sides {
			box |= 1 << line
		}
		for _, line := range sides {
			g.boxes[line] = append(g.boxes[line], box)
		}
	}
	return g
}

func (g *dots) start() uint64 { return 1<<len(g.names) - 1 }

func (g *dots) over(open uint64) (int, bool) { return 0, open == 0 }

// next takes the lines that complete boxes first.
func (g *dots) next(open uint64, into []step[uint64]) []step[uint64] {
	begin := len(into)
	for rest := open; rest != 0; rest &= rest - 1 {
		line, bit := bits.TrailingZeros64(rest), rest&-rest
		s := step[uint64]{to: open &^ bit, move: uint16(line)}
		for _, box := range g.boxes[line] {
			if box&open == bit {
				s.gain++
			}
		}
		s.again = s.gain > 0
		into = append(into, s)
		if s.again {
			last := len(into) - 1
			into[begin], into[last] = into[last], into[begin]
			begin++
		}
	}
	return into
}

func (g *dots) left(open uint64) int { return bits.OnesCount64(open) }

func (g *dots) spell(move uint16, _ int) string { return g.names[move] }

func (g *dots) hash(open uint64) uint64 { return mix(open, 0) }
