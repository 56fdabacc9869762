package mcts

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/final"
	"semisplit/search/internal/toys"
	"semisplit/search/selection"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// toyForest is a forest at the initial state, joined.
func toyForest(g toy, lanes, threads int, o Options) *Forest {
	var engines []engine.Engine
	for i := range threads {
		engines = append(engines, newToyEngine(g, lanes, o.Seed*100+uint64(i)))
	}
	f := NewForest(engines, g.Levels(), usual(o))
	if err := f.SetRoot(g.Initial()); err != nil {
		panic(err)
	}
	return f
}

func mustSearchForest(t *testing.T, f *Forest, iterations int) search.Report {
	t.Helper()
	before, transposed := f.trees[0].RootVisits(), aliases(f)
	r, err := f.Search(nil, search.Budget{Iterations: iterations})
	if err != nil {
		t.Fatal(err)
	}
	if transposed = aliases(f) - transposed; r.Transposed != transposed {
		t.Fatalf("%d further ways to states found, %d reported", transposed, r.Transposed)
	}
	if r.Iterations != iterations {
		t.Fatalf("%d iterations done, %d asked", r.Iterations, iterations)
	}
	if r.KeptVisits != before || r.RootVisits != before+iterations {
		t.Fatalf("%d visits, then %d, of %d iterations", r.KeptVisits, r.RootVisits, iterations)
	}
	checkForest(t, f)
	return r
}

// aliases are the further ways to states that the trees have ever found.
func aliases(f *Forest) (n int) {
	for _, mc := range f.trees {
		n += mc.tree.Index.Aliases
	}
	return n
}

// checkForest holds every tree against itself, and the roots of all trees
// against each other.
func checkForest(t *testing.T, f *Forest) {
	t.Helper()
	for i, mc := range f.trees {
		if err := mc.check(); err != nil {
			t.Fatalf("tree %d: %v", i, err)
		}
	}
	for role := range f.trees[0].tree.Roles {
		want := visitedMoves(f.trees[0].RootEdges(role))
		for i, mc := range f.trees[1:] {
			if got := visitedMoves(mc.RootEdges(role)); !reflect.DeepEqual(got, want) {
				t.Fatalf("role %d: tree %d has %v, tree 0 %v", role, i+1, got, want)
			}
		}
	}
}

// visitedMoves are visits and values (to a millionth) by path; labels of trees
// that number whole moves are in the engine's terms.
func visitedMoves(edges []search.EdgeStats) map[string]string {
	of := map[string]string{}
	for _, e := range edges {
		if e.Visits > 0 {
			of[fmt.Sprint(e.Path)] = fmt.Sprintf("%d %.6f", e.Visits, e.Value)
		}
	}
	return of
}

func wantForestBest(t *testing.T, f *Forest, role int, path ...uint32) {
	t.Helper()
	if got, ok := f.Best(role); !ok || !reflect.DeepEqual(got, path) {
		t.Errorf("best of role %d is %v (%v), want %v; edges %+v", role, got, ok, path, f.RootEdges(role))
	}
}

// wantForestMost is wantForestBest of the whole move with the most visits. The other
// rules prefer the best mean, be it of ten visits; and how those fall depends on which
// thread the processor runs first.
func wantForestMost(t *testing.T, f *Forest, role int, path ...uint32) {
	t.Helper()
	var most search.EdgeStats
	for _, e := range f.RootEdges(role) {
		if len(e.Path) == len(path) && e.Visits > most.Visits {
			most = e
		}
	}
	if !reflect.DeepEqual(most.Path, path) {
		t.Errorf("most visited of role %d is %v, want %v; edges %+v", role, most.Path, path, f.RootEdges(role))
	}
}

// widths runs a test with few and many lanes on two and three trees.
func widths(t *testing.T, f func(t *testing.T, lanes, threads int)) {
	for _, v := range [][2]int{{1, 2}, {64, 2}, {16, 3}} {
		if testing.Short() && v[0] == 64 {
			continue
		}
		t.Run(fmt.Sprintf("lanes=%d,threads=%d", v[0], v[1]), func(t *testing.T) { f(t, v[0], v[1]) })
	}
}

// forestDesigns are options that change what a tree's edges are.
var forestDesigns = []Options{
	{}, {Whole: true}, {Raw: true}, {Backup: rolledUp}, {Backup: rolledUp, Final: final.RollUp}, {Final: final.Mean},
	{Mast: stats.Mast{Kind: stats.Split}, Rave: stats.Rave{Kind: stats.Split}},
	{Grave: stats.Grave{Reference: 20, Bias: 0.01}, Final: final.Visits},
}

func TestForestTactics(t *testing.T) {
	for k, c := range tactics {
		for i, o := range forestDesigns {
			if testing.Short() && (i+k)%3 != 0 {
				continue
			}
			widths(t, func(t *testing.T, lanes, threads int) {
				o.Seed = 1
				f := toyForest(toys.SplitTicTacToe{TicTacToe: toys.TicTacToe{Start: c.start}}, lanes, threads, o)
				mustSearchForest(t, f, 600)
				mustSearchForest(t, f, 2401)
				if t.Failed() {
					t.Fatalf("design %d", i)
				}
				want := wantForestBest
				if o.Final != "" {
					want = wantForestMost
				}
				want(t, f, c.role, c.best%3, c.best/3)
				want(t, f, 1-c.role, 3, 3)
			})
		}
	}
}

func TestForestFollowsAGame(t *testing.T) {
	widths(t, func(t *testing.T, lanes, threads int) {
		for _, o := range []Options{{Seed: 3}, {Seed: 3, Whole: true}} {
			f := toyForest(toys.SplitTicTacToe{}, lanes, threads, o)
			for move := 0; !f.trees[0].terminal(); move++ {
				mustSearchForest(t, f, 4000)
				var joint []uint32
				for r := range 2 {
					path, ok := f.Best(r)
					if !ok {
						t.Fatalf("move %d: no best", move)
					}
					joint = append(joint, path...)
				}
				if !f.Advance(joint) {
					t.Fatalf("move %d: %v is not in the forest", move, joint)
				}
				if move == 2 && f.trees[0].RootVisits() < 100 {
					t.Errorf("move %d: %d joint visits kept", move, f.trees[0].RootVisits())
				}
			}
			r, err := f.Search(nil, search.Budget{Iterations: 100})
			if err != nil || !reflect.DeepEqual(r.Value, []float64{0.5, 0.5}) || r.Iterations != 0 {
				t.Errorf("at the end: %+v, %v", r, err)
			}
		}
	})
}

func TestForestNim(t *testing.T) {
	widths(t, func(t *testing.T, lanes, threads int) {
		// By the mean: a thread that was put aside for long may have most of its
		// visits on another move.
		// And with more exploration than usual: which of the moves the threads take to
		// is a matter of their turns, and a wrong one was kept for 30,000 iterations.
		f := toyForest(toys.Nim{Heaps: []uint64{2, 3, 4}}, lanes, threads, Options{Seed: 5, Selection: selection.Options{Exploration: 1}, Final: final.Mean})
		r := mustSearchForest(t, f, 30000)
		wantForestBest(t, f, 0, 19) // see TestNim
		// How high the value is depends on the threads' turns: one that ran alone at first
		// may have spent most visits on moves that it then left (0.48 was seen).
		if math.Abs(r.Value[0]+r.Value[1]-1) > 1e-9 || len(r.Line) < 3 {
			t.Errorf("value %v, line %v", r.Value, r.Line)
		}
	})
}

func TestForestKindsOfGames(t *testing.T) {
	widths(t, func(t *testing.T, lanes, threads int) {
		pennies := toys.Matrix{Pay: [][][2]float64{{{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}}}
		f := toyForest(pennies, lanes, threads, Options{Seed: 7})
		if r := mustSearchForest(t, f, 4000); math.Abs(r.Value[0]-0.5) > 0.25 {
			t.Errorf("matching pennies is worth %v", r.Value)
		}

		f = toyForest(toys.Ladder{}, lanes, threads, Options{Seed: 2})
		r := mustSearchForest(t, f, 3000)
		var rest []uint32 // see TestSinglePlayer
		for _, j := range r.Line[1:] {
			rest = append(rest, j...)
		}
		if !reflect.DeepEqual(rest, []uint32{1, 0, 1, 0, 1}) {
			t.Errorf("line %v", r.Line)
		}

		f = toyForest(toys.Dice{}, lanes, threads, Options{Seed: 4, Chance: []bool{false, true}})
		mustSearchForest(t, f, 4000)
		wantForestBest(t, f, 0, 0)
		if !f.Advance([]uint32{1, 9}) {
			t.Fatal("lost the tree")
		}
		mustSearchForest(t, f, 4000)
		for _, e := range f.RootEdges(1) {
			if share := float64(e.Visits) / float64(f.trees[0].RootVisits()); math.Abs(share-0.25) > 0.04 {
				t.Errorf("a chance role moves with %+v", f.RootEdges(1))
			}
		}

		f = toyForest(toys.Trio{}, lanes, threads, Options{Seed: 2})
		pile := uint32(0)
		for i := range 5 {
			// Any other joint move may be one that no tree has a node for.
			joint := slices.Clone(mustSearchForest(t, f, 1000).Line[0])
			if !f.Advance(joint) {
				t.Fatal("lost the tree")
			}
			pile += joint[i%3]
		}
		mustSearchForest(t, f, 300)
		wantForestBest(t, f, 2, (14-pile)%3)
	})
}

// What the trees hold together is what they have learned: after any number of
// exchanges, each visit of one tree is counted once.
func TestExchangeCountsOnce(t *testing.T) {
	f := toyForest(toys.SplitTicTacToe{}, 1, 3, Options{Seed: 1})
	one, all := 0, 0
	for round := range 20 {
		for i, mc := range f.trees {
			mc.prepare(f.trees[0].deadline, search.Budget{Iterations: 7 * (i + 1)})
			mc.member.Due = math.MaxInt
			if round%4 == i {
				mc.member.Due = 3
			}
			runAll([]*worker{mc.worker}, new(atomic.Bool))
			all += mc.done
			if i == 0 {
				one += mc.done
			}
		}
	}
	if all <= one {
		t.Fatal("only one tree has searched")
	}
	f.exchange()
	checkForest(t, f)
	if f.trees[0].RootVisits() != all {
		t.Errorf("%d visits, of %d iterations", f.trees[0].RootVisits(), all)
	}
	sum := 0
	f.trees[2].tree.Edges.EdgesOf(f.trees[2].tree.Tries(f.trees[2].tree.Root)[0], func(_ uint32, e *tree.Edge) bool {
		sum += int(e.Visits)
		return true
	})
	if sum != all-1 && sum != all { // an iteration that makes the root takes no edge
		t.Errorf("%d visits of the edges, of %d iterations", sum, all)
	}
}

// Trees learn from each other below the root too: what one has never seen it
// takes from the other.
func TestExchangeBelowTheRoot(t *testing.T) {
	f := toyForest(toys.SplitTicTacToe{}, 8, 2, Options{Seed: 1})
	f.trees[0].prepare(f.trees[0].deadline, search.Budget{Iterations: 5000})
	runAll([]*worker{f.trees[0].worker}, new(atomic.Bool))
	best, _ := f.trees[0].Best(0)
	joint := append(best, 3, 3)
	alone := f.trees[0].tree.Node(f.trees[0].follow(f.trees[0].tree.Root, joint)).Visits
	mustSearchForest(t, f, 4000)
	for i, mc := range f.trees {
		n := mc.follow(mc.tree.Root, joint)
		if n == 0 || alone < 500 || mc.tree.Node(n).Visits < alone {
			t.Errorf("tree %d has not learned what tree 0 found in %d visits of the best reply: node %d, %d visits", i, alone, n, mc.tree.Node(n).Visits)
		}
	}
}

// With transpositions the state after a move may have its node elsewhere, and elsewhere in
// another tree. Wherever a match goes, the trees go on to exchange what they learn there and
// below.
func TestForestTransposed(t *testing.T) {
	moved, seeds := 0, uint64(20)
	if testing.Short() {
		seeds = 6
	}
	for _, g := range []toy{toys.Nim{Heaps: []uint64{3, 4, 5}}, toys.TicTacToe{}} {
		for seed := range seeds {
			f := toyForest(g, 4, 2, Options{Seed: seed, Transpositions: true})
			rng, done := rand.New(rand.NewPCG(seed, 1)), 0
			for s := g.Initial(); !g.Terminal(s); {
				if done == 0 || rng.IntN(3) == 0 {
					done += mustSearchForest(t, f, 600).Iterations
				}
				joint := append(slices.Clone(drawn(rng, toys.Moves(g, s, 0, nil))), drawn(rng, toys.Moves(g, s, 1, nil))...)
				for _, mc := range f.trees {
					if n := mc.follow(mc.tree.Root, joint); n != 0 && mc.tree.IsAlias(n) {
						moved++
					}
				}
				if s = g.Play(s, joint); !f.Advance(joint) {
					done = 0
					if err := f.SetRoot(s); err != nil {
						t.Fatal(err)
					}
				}
				for i, mc := range f.trees {
					if got := mc.RootVisits(); got > done || got != f.trees[0].RootVisits() && !mc.terminal() {
						t.Fatalf("%T, seed %d, state %v: tree %d has %d visits, the first one %d, of %d iterations", g, seed, s, i, got, f.trees[0].RootVisits(), done)
					}
				}
			}
		}
	}
	if moved == 0 && !testing.Short() { // it may be in so few matches
		t.Error("no root was an alias")
	}
}

func drawn[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

func TestForestCopesWithALostRoot(t *testing.T) {
	for _, lost := range [][]int{{0}, {1}, {0, 1}} {
		f := toyForest(toys.SplitTicTacToe{}, 8, 3, Options{Seed: 1})
		mustSearchForest(t, f, 3000)
		best, _ := f.Best(0)
		joint := append(best, 3, 3)
		visits := f.trees[2].tree.Node(f.trees[2].follow(f.trees[2].tree.Root, joint)).Visits
		for _, i := range lost {
			if err := f.trees[i].SetRoot(toys.SplitTicTacToe{}.Initial()); err != nil {
				t.Fatal(err)
			}
		}
		if !f.Advance(joint) {
			t.Fatal("the forest is lost, though a tree holds the state")
		}
		checkForest(t, f)
		if got := f.trees[0].RootVisits(); uint32(got) != visits || got < 100 {
			t.Errorf("lost %v: %d visits kept of %d", lost, got, visits)
		}
		mustSearchForest(t, f, 1000)
	}
	f := toyForest(toys.SplitTicTacToe{}, 8, 2, Options{Seed: 1})
	if f.Advance([]uint32{1, 1, 3, 3}) {
		t.Error("an empty forest has followed a move")
	}
	if _, err := f.Search(nil, search.Budget{Iterations: 10}); !errors.Is(err, search.ErrNoRoot) {
		t.Errorf("error %v", err)
	}
	if err := f.SetRoot(toys.SplitTicTacToe{}.Initial()); err != nil {
		t.Fatal(err)
	}
	mustSearchForest(t, f, 1000)
}

// What one tree has proven to be lost is not what another one has played.
func TestForestAvoidsLosses(t *testing.T) {
	met := 0
	for seed := range uint64(10) {
		for _, whole := range []bool{true, false} {
			g := toys.SplitTicTacToe{}
			f := toyForest(g, 4, 2, Options{Seed: seed, Solver: true, Whole: whole})
			// x threatens 2, and o loses by all other squares.
			if err := f.SetRoot([]uint64{0o003, 0o020}); err != nil {
				t.Fatal(err)
			}
			mustSearchOn(t, f.trees[0], 10)
			mustSearchOn(t, f.trees[1], 40)
			own, ok := f.trees[0].Best(1)
			if !ok || f.answered() >= 0 {
				continue
			}
			lost := map[string]bool{}
			f.trees[1].lostMoves(1, lost)
			if !lost[nameOf(own)] {
				continue
			}
			met++
			if best, ok := f.Best(1); !ok || lost[nameOf(best)] {
				t.Errorf("seed %d: plays %v, and lost are %v", seed, best, lost)
			}
		}
	}
	if met < 3 {
		t.Errorf("%d times only, one tree would play what the other has proven to be lost", met)
	}
}

func TestForestBudgets(t *testing.T) {
	f := toyForest(toys.TicTacToe{}, 4, 3, Options{Seed: 1})
	for _, n := range []int{1, 2, 3, 4, 100} {
		mustSearchForest(t, f, n)
	}
	r, err := f.Search(nil, search.Budget{States: 3000})
	if err != nil || r.States < 2900 || r.States > 3200 {
		t.Errorf("%d states of 3000, %v", r.States, err)
	}
	if r, err := f.Search(nil, search.Budget{Time: 20e6}); err != nil || r.Iterations == 0 || r.Elapsed > 2e9 {
		t.Errorf("20 ms: %+v, %v", r, err)
	}
	var stop atomic.Bool
	stop.Store(true)
	if r, err := f.Search(&stop, search.Budget{}); err != nil || r.Iterations != 0 {
		t.Errorf("stopped: %+v, %v", r, err)
	}
}

func TestForestMemory(t *testing.T) {
	const bound = 3 << 20
	f := toyForest(toys.Nim{Heaps: []uint64{7, 7, 7, 7}}, 64, 2, Options{Seed: 1, Memory: bound})
	for range 2 {
		r := mustSearchForest(t, f, 25000)
		if all := r.Bytes; all > bound {
			t.Errorf("%d bytes, bound %d", all, bound)
		}
	}
	if f.joint.Bytes() == 0 || f.trees[0].tree.Pruned == 0 {
		t.Errorf("%d joint bytes, %d nodes given up: not much of a test", f.joint.Bytes(), f.trees[0].tree.Pruned)
	}
}

// A tree without memory for anything new goes on to learn what others found of its own moves.
func TestForestBeyondMemory(t *testing.T) {
	f := toyForest(toys.TicTacToe{}, 1, 2, Options{Seed: 1})
	mustSearchForest(t, f, 2000)
	for _, mc := range f.trees {
		of := &mc.tree.Edges.Memory
		of.Limit = of.Bytes * 4 / 5
	}
	mustSearchForest(t, f, 2000)
}

func TestForestFaults(t *testing.T) {
	for _, panics := range []bool{false, true} {
		f := toyForest(toys.TicTacToe{}, 64, 2, Options{Seed: 1})
		e := f.trees[1].worker.engine.(*toyEngine)
		e.OnStep = func(e *toyEngine, _ *atomic.Bool) error {
			switch {
			case e.Steps != 40:
				return nil
			case panics:
				panic("engine on fire")
			}
			return errRule
		}
		r, err := func() (r search.Report, err error) {
			defer func() {
				if v := recover(); v != nil {
					err = v.(error)
				}
			}()
			return f.Search(nil, search.Budget{})
		}()
		if panics && !strings.Contains(fmt.Sprint(err), "engine on fire") {
			t.Errorf("recovered %v", err)
		}
		if !panics && (!errors.Is(err, errRule) || r.Iterations == 0 || r.RootVisits != r.Iterations) {
			t.Errorf("report %+v, error %v", r, err)
		}
		checkForest(t, f)
		if _, ok := f.Best(0); !ok {
			t.Error("no best move after an error")
		}
		mustSearchForest(t, f, 1000)
	}
}
