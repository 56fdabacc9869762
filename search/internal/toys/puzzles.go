package toys

import "semisplit/search/internal/hashing"

// Hanoi moves a tower of discs from the first peg to the last within a number of
// moves. Words: the peg of each disc in two bits, and moves played if there is a
// limit.
type Hanoi struct {
	Discs uint64
	Limit uint64 // 0: none, and states repeat
}

func (Hanoi) Levels() []int     { return []int{2} } // from, to
func (Hanoi) Initial() []uint64 { return []uint64{0, 0} }
func (g Hanoi) Solved(s []uint64) bool {
	for d := range g.Discs {
		if s[0]>>(2*d)&3 != 2 {
			return false
		}
	}
	return true
}
func (g Hanoi) Terminal(s []uint64) bool {
	return g.Solved(s) || g.Limit > 0 && s[1] == g.Limit
}
func (g Hanoi) Goals(s []uint64) []float64 {
	if g.Solved(s) {
		return []float64{1}
	}
	return []float64{0}
}

// top is the smallest disc of a peg, all discs if it is empty.
func (g Hanoi) top(s []uint64, peg uint64) uint64 {
	for d := range g.Discs {
		if s[0]>>(2*d)&3 == peg {
			return d
		}
	}
	return g.Discs
}
func (g Hanoi) Offers(s []uint64, _ int, prefix []uint32) (o []uint32) {
	for p := range uint64(3) {
		switch {
		case len(prefix) == 0 && g.top(s, p) < g.Discs: // its disc may be too large for the others: dead
			o = append(o, uint32(p))
		case len(prefix) == 1 && g.top(s, uint64(prefix[0])) < g.top(s, p):
			o = append(o, uint32(p))
		}
	}
	return o
}
func (g Hanoi) Play(s []uint64, j []uint32) []uint64 {
	d := g.top(s, uint64(j[0]))
	n := []uint64{s[0]&^(3<<(2*d)) | uint64(j[1])<<(2*d), 0}
	if g.Limit > 0 {
		n[1] = s[1] + 1
	}
	return n
}

// Basket is filled with so many of some Things; what all of it together is worth
// cannot be told from its parts. In showing baskets half-full ones look like the
// full ones they may become.
type Basket struct {
	Things, Holds int
	Seed          uint64
	Shows         bool
}

func (Basket) Levels() []int              { return []int{1} }
func (Basket) Initial() []uint64          { return []uint64{0, 0} }
func (g Basket) Terminal(s []uint64) bool { return int(s[1]) == g.Holds }
func (g Basket) Goals(s []uint64) []float64 {
	if !g.Shows && !g.Terminal(s) {
		return []float64{0}
	}
	// Whole hundredths, as of GDL: what lies above 0.99 is as good as 1 to the solver.
	return []float64{float64(hashing.Of(g.Seed^s[0])%98) / 100}
}
func (g Basket) Offers(s []uint64, _ int, _ []uint32) (o []uint32) {
	for i := range g.Things {
		if s[0]>>i&1 == 0 {
			o = append(o, uint32(i))
		}
	}
	return o
}
func (g Basket) Play(s []uint64, j []uint32) []uint64 {
	return []uint64{s[0] | 1<<j[0], s[1] + 1}
}

// Exhaust is the best goal of a puzzle of one level, and the moves it takes at
// least; -1: it has no end.
func Exhaust(g Game) (best float64, length int) {
	best = -1
	met := map[[4]uint64]bool{}
	for depth, layer := 0, [][]uint64{g.Initial()}; len(layer) > 0; depth++ {
		var next [][]uint64
		for _, s := range layer {
			moves := g.Offers(s, 0, nil)
			if g.Terminal(s) || len(moves) == 0 {
				if v := g.Goals(s)[0]; v > best {
					best, length = v, depth
				}
				continue
			}
			for _, x := range moves {
				n := g.Play(s, []uint32{x})
				var key [4]uint64
				copy(key[:], n)
				if !met[key] {
					met[key] = true
					next = append(next, n)
				}
			}
		}
		layer = next
	}
	return best, length
}
