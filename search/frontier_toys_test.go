package search

import "slices"

// hanoi moves a tower of discs from the first peg to the last within a number of
// moves. Words: the peg of each disc in two bits, and moves played if there is a
// limit.
type hanoi struct {
	discs uint64
	limit uint64 // 0: none, and states repeat
}

func (hanoi) levels() []int     { return []int{2} } // from, to
func (hanoi) initial() []uint64 { return []uint64{0, 0} }
func (g hanoi) solved(s []uint64) bool {
	for d := range g.discs {
		if s[0]>>(2*d)&3 != 2 {
			return false
		}
	}
	return true
}
func (g hanoi) terminal(s []uint64) bool {
	return g.solved(s) || g.limit > 0 && s[1] == g.limit
}
func (g hanoi) goals(s []uint64) []float64 {
	if g.solved(s) {
		return []float64{1}
	}
	return []float64{0}
}

// top is the smallest disc of a peg, discs if it is empty.
func (g hanoi) top(s []uint64, peg uint64) uint64 {
	for d := range g.discs {
		if s[0]>>(2*d)&3 == peg {
			return d
		}
	}
	return g.discs
}
func (g hanoi) offers(s []uint64, _ int, prefix []uint32) (o []uint32) {
	for p := range uint64(3) {
		switch {
		case len(prefix) == 0 && g.top(s, p) < g.discs: // its disc may be too large for the others: dead
			o = append(o, uint32(p))
		case len(prefix) == 1 && g.top(s, uint64(prefix[0])) < g.top(s, p):
			o = append(o, uint32(p))
		}
	}
	return o
}
func (g hanoi) play(s []uint64, j []uint32) []uint64 {
	d := g.top(s, uint64(j[0]))
	n := []uint64{s[0]&^(3<<(2*d)) | uint64(j[1])<<(2*d), 0}
	if g.limit > 0 {
		n[1] = s[1] + 1
	}
	return n
}

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
		h := hash(seed*1000 + uint64(i))
		g.goal[i] = -1
		if i > 0 && h%7 == 0 {
			g.goal[i] = float64(h>>8%100) / 100
		}
		for k := range h >> 16 % 4 {
			g.ways[i] = append(g.ways[i], uint32(hash(h+k)%uint64(holes)))
		}
		slices.Sort(g.ways[i])
		g.ways[i] = slices.Compact(g.ways[i])
	}
	return g
}

func (warren) levels() []int     { return []int{1} }
func (warren) initial() []uint64 { return []uint64{0, 0} }
func (g warren) terminal(s []uint64) bool {
	return g.goal[s[0]] >= 0 || g.steps > 0 && s[1] == g.steps
}
func (g warren) goals(s []uint64) []float64                    { return []float64{max(g.goal[s[0]], 0)} }
func (g warren) offers(s []uint64, _ int, _ []uint32) []uint32 { return g.ways[s[0]] }
func (g warren) play(s []uint64, j []uint32) []uint64 {
	n := []uint64{uint64(j[0]), 0}
	if g.steps > 0 {
		n[1] = s[1] + 1
	}
	return n
}

// basket is filled with so many of some things; what all of it together is worth
// cannot be told from its parts. In showing baskets half-full ones look like the
// full ones they may become.
type basket struct {
	things, holds int
	seed          uint64
	shows         bool
}

func (basket) levels() []int              { return []int{1} }
func (basket) initial() []uint64          { return []uint64{0, 0} }
func (g basket) terminal(s []uint64) bool { return int(s[1]) == g.holds }
func (g basket) goals(s []uint64) []float64 {
	if !g.shows && !g.terminal(s) {
		return []float64{0}
	}
	// Whole hundredths, as of GDL: what lies above 0.99 is as good as 1 to the solver.
	return []float64{float64(hash(g.seed^s[0])%98) / 100}
}
func (g basket) offers(s []uint64, _ int, _ []uint32) (o []uint32) {
	for i := range g.things {
		if s[0]>>i&1 == 0 {
			o = append(o, uint32(i))
		}
	}
	return o
}
func (g basket) play(s []uint64, j []uint32) []uint64 {
	return []uint64{s[0] | 1<<j[0], s[1] + 1}
}

// latin fills a square so that no row or column has a number twice, number by
// number; who can go on no more has lost. Words: a bit for each empty square, then
// four bits a square, two rows a word.
type latin struct {
	size  int
	given int // of 100 squares, from the square of i+j
}

func (latin) levels() []int { return []int{1} }
func (g latin) initial() []uint64 {
	s := []uint64{1<<(g.size*g.size) - 1, 0, 0, 0, 0}
	for at := range g.size * g.size {
		if hash(uint64(at))%100 < uint64(g.given) {
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
func (g latin) terminal(s []uint64) bool { return s[0] == 0 }
func (g latin) goals(s []uint64) []float64 {
	if s[0] == 0 {
		return []float64{1}
	}
	return []float64{0}
}
func (g latin) offers(s []uint64, _ int, _ []uint32) (o []uint32) {
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
func (g latin) play(s []uint64, j []uint32) []uint64 {
	n := slices.Clone(s)
	g.put(n, int(j[0]/16), int(j[0]%16))
	return n
}
