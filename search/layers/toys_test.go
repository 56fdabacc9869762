package layers

import (
	"slices"

	"semisplit/search/internal/hashing"
	"semisplit/search/internal/toys"
)

// warren is a random graph: moves lead from hole to hole, round in circles as
// well; some holes are exits with a goal, some have no way out. A state is a
// hole in the first word, with the steps if they are counted.
type warren struct {
	ways  [][]uint32
	goal  []float64 // by hole; below 0: no exit
	steps uint64    // the game ends after so many, with the goal of an exit or 0; 0: it goes on
}

func newWarren(holes int, seed, steps uint64) warren {
	g := warren{ways: make([][]uint32, holes), goal: make([]float64, holes), steps: steps}
	for i := range holes {
		h := hashing.Of(seed*1000 + uint64(i))
		g.goal[i] = -1
		if i > 0 && h%7 == 0 {
			g.goal[i] = float64(h>>8%100) / 100
		}
		for k := range h >> 16 % 4 {
			g.ways[i] = append(g.ways[i], uint32(hashing.Of(h+k)%uint64(holes)))
		}
		slices.Sort(g.ways[i])
		g.ways[i] = slices.Compact(g.ways[i])
	}
	return g
}

func (warren) Levels() []int     { return []int{1} }
func (warren) Initial() []uint64 { return []uint64{0, 0} }
func (g warren) Terminal(s []uint64) bool {
	return g.goal[s[0]] >= 0 || g.steps > 0 && s[1] == g.steps
}
func (g warren) Goals(s []uint64) []float64                    { return []float64{max(g.goal[s[0]], 0)} }
func (g warren) Offers(s []uint64, _ int, _ []uint32) []uint32 { return g.ways[s[0]] }
func (g warren) Play(s []uint64, j []uint32) []uint64 {
	n := []uint64{uint64(j[0]), 0}
	if g.steps > 0 {
		n[1] = s[1] + 1
	}
	return n
}

// latin fills a square so that no row or column has a number twice, number by
// number; who can go on no more has lost. Words: a bit for each empty square, then
// four bits a square, two rows a word.
type latin struct {
	size  int
	given int // of 100 squares, from the square of i+j
}

func (latin) Levels() []int { return []int{1} }
func (g latin) Initial() []uint64 {
	s := []uint64{1<<(g.size*g.size) - 1, 0, 0, 0, 0}
	for at := range g.size * g.size {
		if hashing.Of(uint64(at))%100 < uint64(g.given) {
			g.put(s, at, (at/g.size+at%g.size)%g.size+1)
		}
	}
	return s
}
func (g latin) put(s []uint64, at, number int) {
	row, column := at/g.size, at%g.size
	s[0] &^= 1 << at
	s[1+row/2] |= uint64(number) << (row%2*32 + column*4)
}
func (g latin) number(s []uint64, row, column int) int {
	return int(s[1+row/2] >> (row%2*32 + column*4) & 15)
}
func (g latin) Terminal(s []uint64) bool { return s[0] == 0 }
func (g latin) Goals(s []uint64) []float64 {
	if s[0] == 0 {
		return []float64{1}
	}
	return []float64{0}
}
func (g latin) Offers(s []uint64, _ int, _ []uint32) (o []uint32) {
	for at := range g.size * g.size {
		row, column := at/g.size, at%g.size
		if g.number(s, row, column) != 0 {
			continue
		}
		taken := 0
		for i := range g.size {
			taken |= 1<<g.number(s, row, i) | 1<<g.number(s, i, column)
		}
		for n := 1; n <= g.size; n++ {
			if taken>>n&1 == 0 {
				o = append(o, uint32(at*16+n))
			}
		}
	}
	return o
}
func (g latin) Play(s []uint64, j []uint32) []uint64 {
	n := slices.Clone(s)
	g.put(n, int(j[0]/16), int(j[0]%16))
	return n
}

// swelling is a basket whose states become so many words longer with each thing.
type swelling struct {
	toys.Basket
	by uint64
}

func (g swelling) Play(s []uint64, j []uint32) []uint64 {
	n := g.Basket.Play(s, j)
	return append(n, make([]uint64, g.by*n[1])...)
}
