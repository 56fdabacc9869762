package mcts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"semisplit/search/internal/hashing"
	"slices"
)

// thicket is a random game: states are a depth and one of few numbers, so that they
// are met again, and everything follows from these by hashing.
type thicket struct {
	seed     uint64
	of       []int // levels by role
	depth    int   // at which all states are terminal
	width    int   // states of a depth
	together int   // one state in so many lets all roles choose; 0: none
	zeroSum  bool  // the goals of roles 0 and 1 come to 1
	goal     []float64
}

// draw is a number below n that belongs to a state and a few more numbers.
func (g thicket) draw(n int, s []uint64, more ...uint64) int {
	h := g.seed*31 + 7
	for _, x := range append(append([]uint64{}, s...), more...) {
		h = hashing.Of(h ^ x*0x9e3779b97f4a7c15)
	}
	return int(hashing.Of(h) % uint64(n))
}

func (g thicket) Levels() []int     { return g.of }
func (g thicket) Initial() []uint64 { return []uint64{0, 0} }
func (g thicket) Terminal(s []uint64) bool {
	return int(s[0]) >= g.depth || s[0] > 0 && g.draw(5, s, 1) == 0
}
func (g thicket) Goals(s []uint64) []float64 {
	goals := make([]float64, len(g.of))
	for r := range goals {
		goals[r] = g.goal[g.draw(len(g.goal), s, 2, uint64(r))]
	}
	if g.zeroSum {
		goals[1] = 1 - goals[0]
	}
	return goals
}
func (g thicket) mover(s []uint64) int { return g.draw(len(g.of), s, 3) }
func (g thicket) joint(s []uint64) bool {
	return g.together > 0 && g.draw(g.together, s, 4) == 0
}

// Offers: of prefixes that do not consist of zeros, some are dead.
func (g thicket) Offers(s []uint64, role int, prefix []uint32) []uint32 {
	n := 1
	if role == g.mover(s) || g.joint(s) {
		key := []uint64{5, uint64(role)}
		zeros := true
		for _, x := range prefix {
			key = append(key, uint64(x)+1)
			zeros = zeros && x == 0
		}
		n = g.draw(4, s, key...)
		if zeros {
			n = max(n, 1)
		}
	}
	var o []uint32
	for i := range n {
		o = append(o, uint32(i))
	}
	return o
}

func (g thicket) Play(s []uint64, joint []uint32) []uint64 {
	key := []uint64{6}
	for _, x := range joint {
		key = append(key, uint64(x))
	}
	return []uint64{s[0] + 1, uint64(g.draw(g.width, s, key...))}
}

// moves are the complete moves of a role.
func (g thicket) moves(s []uint64, role int, prefix []uint32) (all [][]uint32) {
	if len(prefix) == g.of[role] {
		return [][]uint32{slices.Clone(prefix)}
	}
	for _, x := range g.Offers(s, role, prefix) {
		all = append(all, g.moves(s, role, append(slices.Clone(prefix), x))...)
	}
	return all
}

// table has the states after all joint moves: by move of the first role, then of
// the second, and so on.
func (g thicket) table(s []uint64) (counts []int, next [][]uint64) {
	joints := [][]uint32{nil}
	for r := range g.of {
		moves := g.moves(s, r, nil)
		counts = append(counts, len(moves))
		var longer [][]uint32
		for _, j := range joints {
			for _, m := range moves {
				longer = append(longer, append(slices.Clone(j), m...))
			}
		}
		joints = longer
	}
	for _, j := range joints {
		next = append(next, g.Play(s, j))
	}
	return counts, next
}

func (g thicket) key(s []uint64) [2]uint64 { return [2]uint64{s[0], s[1]} }

// truth knows a thicket by brute force.
type truth struct {
	thicket
	chance []bool
	sets   map[[2]uint64][][]float64
	values map[[2]uint64]float64
}

func newTruth(g thicket, chance []bool) *truth {
	return &truth{g, chance, map[[2]uint64][][]float64{}, map[[2]uint64]float64{}}
}

// outcomes are the goals of all roles in all subgame-perfect equilibria of a
// game in which one role moves at a time, and no chance. Of two roles the one that moves
// leaves the other as little as it can: there is one outcome.
func (b *truth) outcomes(s []uint64) [][]float64 {
	if b.Terminal(s) {
		return [][]float64{b.Goals(s)}
	}
	if known, ok := b.sets[b.key(s)]; ok {
		return known
	}
	m := b.mover(s)
	_, next := b.table(s)
	if len(b.of) == 2 {
		var best []float64
		for _, x := range next {
			v := b.outcomes(x)[0]
			if best == nil || v[m] > best[m] || v[m] == best[m] && v[1-m] < best[1-m] {
				best = v
			}
		}
		b.sets[b.key(s)] = [][]float64{best}
		return b.sets[b.key(s)]
	}
	// Each child may be one whose equilibrium is the worst for the mover.
	floors := make([]float64, len(next))
	for i, x := range next {
		floors[i] = math.Inf(1)
		for _, v := range b.outcomes(x) {
			floors[i] = min(floors[i], v[m])
		}
	}
	found := map[string][]float64{}
	for i, x := range next {
		for _, v := range b.outcomes(x) {
			best := true
			for k, floor := range floors {
				best = best && (k == i || v[m] >= floor)
			}
			if best {
				found[fmt.Sprint(v)] = v
			}
		}
	}
	var set [][]float64
	for _, v := range found {
		set = append(set, v)
	}
	b.sets[b.key(s)] = set
	return set
}

// value of a game for role 0, with a constant sum: of two roles that may choose
// together, and chance.
func (b *truth) value(s []uint64) float64 {
	if b.Terminal(s) {
		return b.Goals(s)[0]
	}
	if known, ok := b.values[b.key(s)]; ok {
		return known
	}
	counts, next := b.table(s)
	rest := len(next) / counts[0] / counts[1]
	pay := make([][]float64, counts[0])
	for i := range pay {
		for j := range counts[1] {
			sum := 0.0
			for k := range rest { // chance: all of its weights are the same here
				sum += b.value(next[(i*counts[1]+j)*rest+k])
			}
			pay[i] = append(pay[i], sum/float64(rest))
		}
	}
	v := matrixValue(pay)
	b.values[b.key(s)] = v
	return v
}

// matrixValue is about the value of a matrix game, by fictitious play; exact for
// one row or column.
func matrixValue(pay [][]float64) float64 {
	rows, columns := make([]float64, len(pay)), make([]float64, len(pay[0]))
	low, high := math.Inf(-1), math.Inf(1)
	row := 0
	for n := 1.0; n <= 3000; n++ {
		for j := range columns {
			columns[j] += pay[row][j]
		}
		column := slices.Index(columns, slices.Min(columns))
		for i := range rows {
			rows[i] += pay[i][column]
		}
		row = slices.Index(rows, slices.Max(rows))
		low, high = max(low, columns[column]/n), min(high, rows[row]/n)
	}
	return (low + high) / 2
}

// forces says whether a role gets at least a goal whatever the others and chance
// do, if they know its move; prevents, whether they can keep it below, all of
// them knowing nothing where they choose together.
func (b *truth) forces(s []uint64, role int, goal float64) bool {
	return b.paranoid(s, role, func(v float64) bool { return v >= goal }, true)
}

func (b *truth) prevents(s []uint64, role int, goal float64) bool {
	return !b.paranoid(s, role, func(v float64) bool { return v >= goal }, false)
}

func (b *truth) paranoid(s []uint64, role int, good func(float64) bool, strict bool) bool {
	if b.Terminal(s) {
		return good(b.Goals(s)[role])
	}
	counts, next := b.table(s)
	choosers, luck := 0, false
	for r, n := range counts {
		if n > 1 {
			choosers++
			luck = luck || b.chance[r]
		}
	}
	after := 1
	for _, n := range counts[role+1:] {
		after *= n
	}
	all := make([]bool, counts[role])
	for i := range all {
		all[i] = true
	}
	any := false
	for i, x := range next {
		good := b.paranoid(x, role, good, strict)
		any = any || good
		move := i / after % counts[role]
		all[move] = all[move] && good
	}
	if !strict && (choosers > 1 || luck) {
		return any // it is not prevented if some joint move is not
	}
	return slices.Contains(all, true)
}

// someThicket draws one.
func someThicket(rng *rand.Rand, roles int) thicket {
	g := thicket{seed: rng.Uint64(), depth: 2 + rng.IntN(4), width: 2 + rng.IntN(4), goal: []float64{0, 0.5, 1}}
	for range roles {
		g.of = append(g.of, 1+rng.IntN(3))
	}
	if rng.IntN(3) == 0 {
		g.goal = []float64{0, 1}
	}
	if rng.IntN(4) == 0 {
		g.goal = []float64{0, 0.25, 0.37, 0.5, 1, 1.0 / 3}
	}
	return g
}
