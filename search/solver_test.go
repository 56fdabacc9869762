package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// proofTrials are ways to search a thicket.
var proofTrials = []struct {
	name           string
	lanes, threads int
	o              Options
}{
	{"nodal", 1, 1, Options{}},
	{"nodal, 16 lanes", 16, 1, Options{}},
	{"threads", 8, 2, Options{}},
	{"raw", 1, 1, Options{Raw: true}},
	{"rolled up", 4, 1, Options{RollUp: true}},
	{"rolled up, raw", 1, 1, Options{RollUp: true, Raw: true}},
	{"orthodox", 4, 1, Options{Whole: true}},
	{"transpositions", 4, 1, Options{Transpositions: true}},
	{"transpositions, orthodox, threads", 4, 2, Options{Transpositions: true, Whole: true}},
	{"little memory", 4, 1, Options{Memory: 1}},
	{"little memory, transpositions", 4, 1, Options{Memory: 1, Transpositions: true}},
}

// eachProofTrial searches random thickets in every way, and looks at every node of
// the trees on the way.
func eachProofTrial(t *testing.T, thickets int, draw func(rng *rand.Rand) (thicket, []bool), o Options, look func(t *testing.T, b *truth, tree *Tree, n uint32, s []uint64), end func(t *testing.T, b *truth, tree *Tree)) {
	if testing.Short() {
		thickets = max(thickets/4, 2)
	}
	for _, trial := range proofTrials {
		t.Run(trial.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(len(trial.name)), 5))
			for i := range thickets {
				g, chance := draw(rng)
				b := newTruth(g, chance)
				of := trial.o
				of.Seed, of.Chance, of.Solver, of.Sum, of.PN = uint64(i)+1, chance, o.Solver, o.Sum, o.PN
				tree := toyTree(g, trial.lanes, trial.threads, of)
				for step := range 6 {
					if _, err := tree.Search(nil, Budget{Iterations: 40 << step}); err != nil {
						t.Fatal(err)
					}
					if err := tree.check(); err != nil {
						t.Fatal(err)
					}
					eachState(tree, func(n uint32, s []uint64) { look(t, b, tree, n, s) })
					if t.Failed() {
						t.Fatalf("thicket %+v, chance %v, step %d", g, chance, step)
					}
					if step%3 == 2 && len(tree.line()) > 0 && !tree.Advance(tree.line()[0]) {
						break
					}
					if tree.Terminal() {
						break
					}
				}
				if end != nil && tree.root != 0 && !tree.Terminal() {
					end(t, b, tree)
				}
			}
		})
	}
}

// eachState calls f for the nodes of a tree that are not terminal.
func eachState(tree *Tree, f func(n uint32, s []uint64)) {
	for n := uint32(1); n < tree.nodes.Used; n++ {
		if flags := tree.nodes.At(n).flags; flags&flagUsed != 0 && flags&(flagTerminal|flagAlias) == 0 {
			f(n, tree.words(n, nil))
		}
	}
}

func within(tree *Tree, n uint32, v []float64) bool {
	for r := range v {
		if v[r]*certain < float64(tree.lows(n)[r])-1e-6 || v[r]*certain > float64(tree.highs(n)[r])+1e-6 {
			return false
		}
	}
	return true
}

// Where one role moves at a time, some equilibrium is within the bounds of every
// node, and so the only one if there is one; a search that is long enough solves
// the game and finds a best move.
func TestBoundsInTurns(t *testing.T) {
	solved, nodes := 0, 0
	for roles := 1; roles <= 3; roles++ {
		t.Run(fmt.Sprint(roles, " roles"), func(t *testing.T) {
			eachProofTrial(t, 12, func(rng *rand.Rand) (thicket, []bool) {
				g := someThicket(rng, roles)
				g.zeroSum = roles == 2 && rng.IntN(2) == 0
				return g, make([]bool, roles)
			}, Options{Solver: true}, func(t *testing.T, b *truth, tree *Tree, n uint32, s []uint64) {
				nodes++
				if tree.isSolved(n) {
					solved++
				}
				if set := b.outcomes(s); !slices.ContainsFunc(set, func(v []float64) bool { return within(tree, n, v) }) {
					t.Errorf("state %v: bounds %v to %v, equilibria %v", s, tree.lows(n), tree.highs(n), set)
				}
			}, checkSolved)
		})
	}
	if solved*5 < nodes {
		t.Errorf("%d of %d nodes are solved", solved, nodes)
	}
}

// checkSolved: a search without end ends, with a best move.
func checkSolved(t *testing.T, b *truth, tree *Tree) {
	r, err := tree.Search(nil, Budget{Iterations: 300000})
	if err != nil {
		t.Fatal(err)
	}
	s := tree.words(tree.root, nil)
	if r.Iterations == 300000 {
		if slices.Contains(b.goal, 1.0/3) {
			return // such goals have no exact bounds
		}
		t.Errorf("thicket %+v: not solved: %v to %v", b.thicket, r.Low, r.High)
		return
	}
	again, _ := tree.Search(nil, Budget{Iterations: 1000})
	if again.Iterations != 0 {
		t.Errorf("a solved root was searched for %d iterations", again.Iterations)
	}
	set := b.outcomes(s)
	if len(set) != 1 {
		return
	}
	joint := []uint32{}
	for r := range b.of {
		path, ok := tree.Best(r)
		if !ok {
			t.Fatalf("no best move of role %d", r)
		}
		joint = append(joint, path...)
	}
	m := b.mover(s)
	for _, v := range b.outcomes(b.Play(s, joint)) {
		if v[m] < set[0][m] {
			t.Errorf("thicket %+v, state %v: %v may bring %v, the best %v", b.thicket, s, joint, v, set[0])
		}
	}
}

// Where roles choose together, and with chance, the value is within the bounds.
func TestBoundsTogether(t *testing.T) {
	for _, sum := range []float64{0, 1} {
		for _, luck := range []bool{false, true} {
			narrow, exact := 0, 0
			t.Run(fmt.Sprintf("sum %g, chance %v", sum, luck), func(t *testing.T) {
				eachProofTrial(t, 12, func(rng *rand.Rand) (thicket, []bool) {
					roles := 2
					if luck {
						roles = 3
					}
					g := someThicket(rng, roles)
					g.zeroSum, g.together, g.depth = true, 1+rng.IntN(4), min(g.depth, 4)
					if rng.IntN(3) == 0 {
						g.goal = []float64{0, 1}
					}
					chance := make([]bool, roles)
					if luck {
						chance[2] = true
						g.of[2] = 1 // or its moves have unequal weights
					}
					return g, chance
				}, Options{Solver: true, Sum: sum}, func(t *testing.T, b *truth, tree *Tree, n uint32, s []uint64) {
					const off = 0.04 // of fictitious play
					v := b.value(s) * certain
					low, high := tree.lows(n), tree.highs(n)
					if v < float64(low[0])-off*certain || v > float64(high[0])+off*certain ||
						certain-v < float64(low[1])-off*certain || certain-v > float64(high[1])+off*certain {
						t.Errorf("state %v: bounds %v to %v, value %g", s, low, high, v)
					}
					if high[0]-low[0] < certain {
						narrow++
					}
					if tree.isSolved(n) {
						exact++
					}
				}, nil)
			})
			if narrow == 0 || exact == 0 {
				t.Errorf("sum %g, chance %v: nothing proven: %d, %d", sum, luck, narrow, exact)
			}
		}
	}
}
