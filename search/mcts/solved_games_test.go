package mcts

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/toys"
	"semisplit/search/proof"
)

// connect is a small Connect Four: words are the stones of the two, then the
// number of columns, rows, and stones in a row that win.
type connect struct{ columns, rows, line uint64 }

func (connect) Levels() []int       { return []int{1, 1} }
func (g connect) Initial() []uint64 { return []uint64{0, 0} }
func (g connect) won(b uint64) bool {
	for x := range int(g.columns) {
		for y := range int(g.rows) {
			for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				n := uint64(0)
				for i, j := x, y; i < int(g.columns) && j >= 0 && j < int(g.rows) && b>>(uint64(i)*g.rows+uint64(j))&1 != 0; i, j = i+d[0], j+d[1] {
					n++
				}
				if n >= g.line {
					return true
				}
			}
		}
	}
	return false
}
func (g connect) Terminal(s []uint64) bool {
	return g.won(s[0]) || g.won(s[1]) || s[0]|s[1] == 1<<(g.columns*g.rows)-1
}
func (g connect) Goals(s []uint64) []float64 {
	switch {
	case g.won(s[0]):
		return []float64{1, 0}
	case g.won(s[1]):
		return []float64{0, 1}
	}
	return []float64{0.5, 0.5}
}
func (g connect) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
	if role != toys.Mover(s) {
		return []uint32{99}
	}
	for x := range g.columns {
		if (s[0]|s[1])>>(x*g.rows+g.rows-1)&1 == 0 {
			o = append(o, uint32(x))
		}
	}
	return o
}
func (g connect) Play(s []uint64, j []uint32) []uint64 {
	n := []uint64{s[0], s[1]}
	m := toys.Mover(s)
	at := uint64(j[m]) * g.rows
	for (s[0]|s[1])>>at&1 != 0 {
		at++
	}
	n[m] |= 1 << at
	return n
}

// position is a state as a key: a test that makes text of each spends most of its
// time on that.
type position [4]uint64

// minimax is the value of a game of two in turns for role 0.
func minimax(g toy, s []uint64, known map[position]float64) float64 {
	if g.Terminal(s) {
		return g.Goals(s)[0]
	}
	var key position
	if copy(key[:], s) < len(s) {
		panic("BUG: a state of too many words")
	}
	if v, ok := known[key]; ok {
		return v
	}
	best, first := 0.0, true
	a, b := g.Offers(s, 0, nil), g.Offers(s, 1, nil)
	for _, x := range a {
		for _, y := range b {
			v := minimax(g, g.Play(s, []uint32{x, y}), known)
			if first || len(a) > 1 && v > best || len(b) > 1 && v < best {
				best, first = v, false
			}
		}
	}
	known[key] = best
	return best
}

// Small games are solved from their starts, and played as they should be to the
// end.
func TestSolvedGames(t *testing.T) {
	oneThread(t)
	larger := connect{4, 3, 4}
	for _, c := range []struct {
		g toy
		o Options
	}{
		{toys.TicTacToe{}, Options{Transpositions: true}},
		{toys.TicTacToe{}, Options{}},
		{toys.Nim{Heaps: []uint64{2, 3, 4}}, Options{}},
		{toys.Nim{Heaps: []uint64{1, 2, 3}}, Options{PN: allNumbers}},
		{toys.Nim{Heaps: []uint64{3, 3, 4}}, Options{Transpositions: true, PN: allNumbers}},
		{connect{4, 3, 3}, Options{}},
		{larger, Options{Transpositions: true}},
		{connect{5, 3, 3}, Options{PN: allNumbers}},
	} {
		known := map[position]float64{}
		for _, lanes := range []int{1, 32} {
			t.Run(fmt.Sprintf("%T %v, %d lanes", c.g, c.o, lanes), func(t *testing.T) {
				o := c.o
				o.Solver, o.Seed = true, 1
				mc := toyTree(c.g, lanes, o)
				value := minimax(c.g, c.g.Initial(), known)
				for s := c.g.Initial(); !mc.terminal(); {
					if r := solveTree(t, mc, 2_000_000); !slices.Equal(r.Low, r.High) && !mc.answered() {
						t.Fatalf("state %v: not solved: %v to %v", s, r.Low, r.High)
					}
					a, _ := mc.Best(0)
					b, _ := mc.Best(1)
					joint := slices.Concat(a, b)
					s = c.g.Play(s, joint)
					if v := minimax(c.g, s, known); v != value {
						t.Fatalf("%v leads to %v, which is worth %g, not %g", joint, s, v, value)
					}
					if !mc.Advance(joint) {
						t.Fatal("lost the tree")
					}
				}
			})
		}
	}
}

// solveTree searches until the root is solved, or it is known what to play there,
// for so many iterations at most.
func solveTree(t *testing.T, mc *searcher, most int) (r search.Report) {
	t.Helper()
	const portion = 500
	for begun := 0; begun < most && !mc.answered(); begun += portion {
		var err error
		if r, err = mc.Search(nil, search.Budget{Iterations: portion}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// A root that is won ends a search at once, on threads with a tree each as well;
// one that is lost is searched on.
func TestSolvedForest(t *testing.T) {
	for _, transposing := range []bool{false, true} {
		var engines []engine.Engine
		for i := range 3 {
			engines = append(engines, newToyEngine(toys.Nim{Heaps: []uint64{2, 3, 4}}, 16, uint64(i)))
		}
		f := NewForest(engines, []int{1, 1}, usual(Options{Solver: true, Seed: 1, PN: proof.PN{Solve: true}, Transpositions: transposing}))
		if err := f.SetRoot([]uint64{2, 3, 4, 0}); err != nil {
			t.Fatal(err)
		}
		r, err := f.Search(nil, search.Budget{Iterations: 5_000_000})
		if err != nil || r.Iterations >= 5_000_000 {
			t.Fatalf("transpositions %v: %+v, %v", transposing, r, err)
		}
		if path, ok := f.Best(0); !ok || path[0] != 19 {
			t.Errorf("transpositions %v: best %v", transposing, path)
		}
		if r, err = f.Search(nil, search.Budget{Iterations: 1000}); err != nil || r.Iterations != 0 {
			t.Errorf("transpositions %v: a second search made %d iterations, %v", transposing, r.Iterations, err)
		}
		if !f.Advance([]uint32{19, 63}) {
			t.Fatal("lost the tree")
		}
		if r, err = f.Search(nil, search.Budget{Iterations: 3000}); err != nil || r.Iterations != 3000 || r.High[1] != 0 {
			t.Errorf("transpositions %v: the lost child: %+v, %v", transposing, r, err)
		}
		for _, mc := range f.trees {
			if err := mc.check(); err != nil {
				t.Error(err)
			}
		}
	}
}

// Trees that exchange visits prove nothing wrong, and go on doing so after moves.
func TestJoinedBounds(t *testing.T) {
	g := connect{4, 4, 4}
	known := map[position]float64{}
	iterations := 6000
	if testing.Short() {
		iterations = 1000
	}
	for _, o := range []Options{{}, {PN: allNumbers, Backup: rolledUp}, {Raw: true, Memory: 1 << 20}, {Transpositions: true}, {Transpositions: true, Memory: 1 << 20}} {
		var engines []engine.Engine
		for i := range 2 {
			engines = append(engines, newToyEngine(g, 16, uint64(i)))
		}
		o.Solver, o.Seed = true, 1
		f := NewForest(engines, g.Levels(), usual(o))
		if err := f.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		solved := 0
		for range 5 {
			r, err := f.Search(nil, search.Budget{Iterations: iterations})
			if err != nil {
				t.Fatal(err)
			}
			for _, mc := range f.trees {
				if err := mc.check(); err != nil {
					t.Fatal(err)
				}
				eachState(mc, func(n uint32, s []uint64) {
					if mc.proofs.Bounds.IsSolved(n) {
						solved++
					}
					if v := minimax(g, s, known); !within(mc, n, []float64{v, 1 - v}) {
						t.Errorf("state %v: %v to %v, worth %g", s, mc.proofs.Bounds.Lows(n), mc.proofs.Bounds.Highs(n), v)
					}
				})
			}
			if len(r.Line) == 0 || !f.Advance(r.Line[0]) {
				break
			}
		}
		if solved == 0 {
			t.Errorf("%+v: nothing was solved", o)
		}
	}
}

// A lane that ends its iteration at a node which another has closed meanwhile
// is not at that state when it begins anew.
func TestLanesLeaveSolvedNodes(t *testing.T) {
	oneThread(t)
	mc := toyTree(connect{4, 3, 3}, 64, Options{Seed: 1, Solver: true})
	if _, err := mc.Search(new(atomic.Bool), search.Budget{Iterations: 200_000}); err != nil {
		t.Fatal(err)
	}
	for i, l := range mc.worker.flight.lanes {
		if l.atNode {
			t.Errorf("lane %d", i)
		}
	}
}

// Bounds and numbers stay right when memory is out and parts are given up all
// the time, and the search goes on.
func TestProofsUnderPruning(t *testing.T) {
	oneThread(t)
	g := connect{4, 4, 4}
	known := map[position]float64{}
	rounds := 8
	for _, o := range []Options{
		{}, {Transpositions: true}, {PN: allNumbers}, {PN: proof.PN{Solve: true}},
	} {
		o.Solver, o.Seed, o.Memory = true, 1, 1
		mc := toyTree(g, 16, o)
		pruned, solved := 0, 0
		for range rounds {
			r, err := mc.Search(nil, search.Budget{Iterations: 4000})
			if err != nil {
				t.Fatal(err)
			}
			pruned += r.Pruned
			if err := mc.check(); err != nil {
				t.Fatal(err)
			}
			eachState(mc, func(n uint32, s []uint64) {
				v := minimax(g, s, known)
				if !within(mc, n, []float64{v, 1 - v}) {
					t.Errorf("state %v: %v to %v, worth %g", s, mc.proofs.Bounds.Lows(n), mc.proofs.Bounds.Highs(n), v)
				}
				if mc.proofs.Bounds.IsSolved(n) {
					solved++
				}
				if mc.proofs.Ranks.Layers > 0 {
					if x := mc.proofs.NumbersOf(n, 0)[0]; x.Proof == 0 && v < 1 || x.Disproof == 0 && v == 1 {
						t.Errorf("state %v: numbers %v, worth %g", s, x, v)
					}
				}
			})
		}
		if pruned == 0 || solved == 0 {
			t.Errorf("%+v: %d pruned, %d solved", o, pruned, solved)
		}
	}
}
