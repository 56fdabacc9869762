package mcts

import (
	"math"
	"testing"
	"time"

	"semisplit/search"
	"semisplit/search/heuristic"
	"semisplit/search/internal/hashing"
	"semisplit/search/internal/toys"
	"semisplit/search/selection"
)

// fixed says that all states are worth the same.
type fixed struct{ first float64 }

func (f fixed) Values(_ []uint64, values []float64) { values[0], values[1] = f.first, 1-f.first }

// Playouts that end after a fixed number of moves are worth what the evaluation
// says, so that the means of the root are its values, as long as the tree does
// not see an end of the game.
func TestFixedTermination(t *testing.T) {
	oneThread(t)
	variants(t, func(t *testing.T, lanes int) {
		long := toys.Nim{Heaps: []uint64{7, 7, 7, 7, 7, 7, 7}} // no line of the tree ends it
		mc := toyTree(long, lanes, Options{Seed: 1, Knowledge: heuristic.Knowledge{Evaluate: fixed{0.25}, Fixed: 2}})
		r := mustSearch(t, mc, 2000)
		if math.Abs(r.Value[0]-0.25) > 1e-9 || math.Abs(r.Value[1]-0.75) > 1e-9 {
			t.Errorf("the root is worth %v", r.Value)
		}
		if r.MeanLength > 3 {
			t.Errorf("playouts have %.1f moves", r.MeanLength)
		}
	})
}

// An evaluation that is sure ends playouts as won and lost, one that is not leaves
// them alone.
func TestDynamicTermination(t *testing.T) {
	oneThread(t)
	variants(t, func(t *testing.T, lanes int) {
		long := toys.Nim{Heaps: []uint64{7, 7, 7, 7, 7, 7, 7}}
		length := func(first, ahead float64) float64 {
			mc := toyTree(long, lanes, Options{Seed: 1, Knowledge: heuristic.Knowledge{Evaluate: fixed{first}, Dynamic: ahead}})
			r := mustSearch(t, mc, 2000)
			if sure := 2*math.Max(first, 1-first)-1 >= ahead; sure && (math.Abs(r.Value[0]-math.Round(first)) > 0.01) {
				t.Errorf("worth %v, by an evaluation of %v", r.Value, first)
			}
			return r.MeanLength
		}
		if sure, unsure := length(0.1, 0.5), length(0.3, 0.5); sure > dynamicEvery+1 || unsure < 2*dynamicEvery {
			t.Errorf("%.1f moves where the evaluation is sure, %.1f where it is not", sure, unsure)
		}
		if black := length(0.9, 0.5); black > dynamicEvery+1 {
			t.Errorf("%.1f moves where it is sure of the first role", black)
		}
	})
}

// All uses of an evaluation that knows a game's values find the winning move
// sooner than a search without: with a hundred seeds, for a few seeds find it by
// luck. A progressive bias fades, so it counts in the first visits.
func TestUsesOfAnEvaluation(t *testing.T) {
	oneThread(t)
	share := func(k heuristic.Knowledge, iterations int) float64 {
		of, all := 0, 0
		for seed := range uint64(100) {
			mc := toyTree(toys.Nim{Heaps: []uint64{2, 3, 4}}, 1, Options{Seed: seed, Knowledge: k})
			mustSearch(t, mc, iterations)
			for _, e := range mc.RootEdges(0) {
				if all += e.Visits; e.Path[0] == 19 {
					of += e.Visits
				}
			}
		}
		return float64(of) / float64(all)
	}
	for name, c := range map[string]struct {
		k          heuristic.Knowledge
		iterations int
	}{
		"constant bias":     {heuristic.Knowledge{Evaluate: nimValue{}, Alpha: 0.4, Bias: heuristic.ConstantBias}, 300},
		"progressive bias":  {heuristic.Knowledge{Evaluate: nimValue{}, Alpha: 0.8, Bias: heuristic.ProgressiveBias}, 40},
		"node priors":       {heuristic.Knowledge{Evaluate: nimValue{}, Priors: 20}, 300},
		"fixed termination": {heuristic.Knowledge{Evaluate: nimValue{}, Fixed: 1}, 300},
		"implicit minimax":  {heuristic.Knowledge{Evaluate: nimValue{}, Alpha: 0.4}, 300},
	} {
		if with, without := share(c.k, c.iterations), share(heuristic.Knowledge{}, c.iterations); with < without*1.2 {
			t.Errorf("%s: the winning move has %.2f of the visits, %.2f without", name, with, without)
		}
	}
}

// wild is an evaluation that says all sorts of things.
type wild struct{}

func (wild) Values(s []uint64, values []float64) {
	for r := range values {
		values[r] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0.5}[hashing.Of(s[0]+s[1]*31+uint64(r))%4]
	}
}

// The search stays whole whatever an evaluation says.
func TestWildEvaluation(t *testing.T) {
	oneThread(t)
	for _, g := range []toy{toys.TicTacToe{}, toys.SplitTicTacToe{}, toys.VerifiedTicTacToe{}} {
		mc := toyTree(g, 8, Options{Seed: 1, Solver: true, Knowledge: heuristic.Knowledge{Evaluate: wild{}, Alpha: 0.4}})
		mustSearch(t, mc, 3000)
	}
}

// With a bias of the evaluation alone an edge is worth what the state below it
// is, whatever comes after.
func TestConstantBiasDoesNotBackUp(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.SplitTicTacToe{}, 8, Options{Seed: 2, Knowledge: heuristic.Knowledge{Evaluate: guess{}, Alpha: 0.4, Bias: heuristic.ConstantBias}})
	mustSearch(t, mc, 3000)
	seen := 0
	values := make([]float64, 2)
	mc.tree.EachChild(mc.tree.Root, func(c uint32) {
		seen++
		guess{}.Values(mc.tree.Words(c, nil), values)
		if got := mc.values.Of(c)[0]; got != float32(values[0]) {
			t.Errorf("a node is worth %v, and its state %v", got, values[0])
		}
		if got := *mc.values.EdgeOf(mc.tree.LastEdges(c)[0]); got != float32(values[0]) {
			t.Errorf("an edge is worth %v, and the state below %v", got, values[0])
		}
	})
	if seen < 5 {
		t.Errorf("%d children", seen)
	}
}

// Maximum backpropagation passes on the mean of the best move, from so many
// visits on.
func TestMaxBackup(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.Nim{Heaps: []uint64{2, 3, 4}}, 1, Options{Seed: 1, Selection: selection.Options{Exploration: 1}, Knowledge: heuristic.Knowledge{MaxBackup: 1000}})
	mustSearch(t, mc, 900)
	best := 0.0
	for _, e := range mc.RootEdges(0) {
		best = max(best, e.Value)
	}
	values := []float64{0.25, 0.75}
	if mc.values.Maximize(mc.tree.Root, values); values[0] != 0.25 {
		t.Errorf("%v before the node has its visits", values)
	}
	mustSearch(t, mc, 200)
	for _, e := range mc.RootEdges(0) {
		best = max(best, e.Value)
	}
	if mc.values.Maximize(mc.tree.Root, values); math.Abs(values[0]-best) > 0.05 || math.Abs(values[0]+values[1]-1) > 1e-9 {
		t.Errorf("%v passed on, and the best move has %.3f", values, best)
	}
	mustSearch(t, mc, 20000)
	wantBest(t, mc, 0, 19)
}

// Where goals have no fixed sum, what the best move leaves the other role is a goal all the
// same.
func TestMaxBackupOfUnevenGoals(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.Barren{}, 1, Options{Seed: 1, Knowledge: heuristic.Knowledge{MaxBackup: 1}})
	mustSearch(t, mc, 3000)
	if err := mc.check(); err != nil {
		t.Error(err)
	}
}

// Known tells the states that were visited often enough with their means.
func TestKnown(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.Nim{Heaps: []uint64{2, 3, 4}}, 8, Options{Seed: 1})
	mustSearch(t, mc, 3000)
	seen, most := 0, 0
	mc.known(50, func(state []uint64, means []float64) {
		if seen++; len(state) > 0 && state[len(state)-1] == 0 && state[0] == 2 && state[1] == 3 && state[2] == 4 {
			most++
		}
		if math.Abs(means[0]+means[1]-1) > 1e-9 {
			t.Errorf("means %v of %v", means, state)
		}
	})
	all := 0
	mc.known(1, func([]uint64, []float64) { all++ })
	if seen < 3 || most != 1 || all <= seen {
		t.Errorf("%d states, %d of them the root, %d with one visit", seen, most, all)
	}
	if err := mc.SetRoot([]uint64{1, 1, 0, 0}); err != nil {
		t.Fatal(err)
	}
	mustSearch(t, mc, 300)
	mc.known(1, func(state []uint64, _ []float64) {
		if state[0] > 1 || state[1] > 1 || state[2] > 0 {
			t.Fatalf("%v is told, which the new root does not lead to", state)
		}
	})
}

// Who has searched a state for as long as visits are counted searches it no more.
func TestMostVisits(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.Nim{Heaps: []uint64{2, 3, 4}}, 8, Options{Seed: 1})
	mustSearch(t, mc, 3000)
	mc.tree.Node(mc.tree.Root).Visits = mostVisits
	if r, err := mc.Search(nil, search.Budget{Time: time.Minute}); err != nil || r.Iterations > 0 || r.Elapsed > time.Second {
		t.Errorf("%d iterations in %v, %v", r.Iterations, r.Elapsed, err)
	}
}
