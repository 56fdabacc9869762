package mcts

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/search"
	"semisplit/search/internal/toys"
	"semisplit/search/tree"
)

func mustSearch(t *testing.T, mc *searcher, iterations int) search.Report {
	t.Helper()
	r, err := mc.Search(nil, search.Budget{Iterations: iterations})
	if err != nil {
		t.Fatal(err)
	}
	if err := mc.check(); err != nil {
		t.Fatal(err)
	}
	if r.Iterations != iterations {
		t.Fatalf("%d iterations done, %d asked", r.Iterations, iterations)
	}
	return r
}

func wantBest(t *testing.T, mc *searcher, role int, path ...uint32) {
	t.Helper()
	got, ok := mc.Best(role)
	if !ok || !reflect.DeepEqual(got, path) {
		t.Errorf("best of role %d is %v (%v), want %v; edges %+v", role, got, ok, path, mc.RootEdges(role))
	}
}

// oneThread skips a test of a single thread in the short run, which is for the race
// detector.
func oneThread(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one thread")
	}
}

// variants runs a test with one lane, a word of them, and more.
func variants(t *testing.T, f func(t *testing.T, lanes int)) {
	for _, lanes := range []int{1, 64, 100} {
		t.Run(fmt.Sprintf("lanes=%d", lanes), func(t *testing.T) { f(t, lanes) })
	}
}

// tactics: x at the bits of the first word, o of the second.
var tactics = []struct {
	name  string
	start []uint64
	role  int
	best  uint32
}{
	{"x wins at once", []uint64{0o003, 0o030}, 0, 2},
	{"o wins at once", []uint64{0o103, 0o030}, 1, 5},
	{"x blocks", []uint64{0o001 | 0o200, 0o030}, 0, 5},
	{"o blocks", []uint64{0o003, 0o020}, 1, 2},
}

func TestTactics(t *testing.T) {
	oneThread(t)
	for _, c := range tactics {
		t.Run(c.name, func(t *testing.T) {
			variants(t, func(t *testing.T, lanes int) {
				mc := toyTree(toys.TicTacToe{Start: c.start}, lanes, Options{Seed: 1})
				mustSearch(t, mc, 2000)
				wantBest(t, mc, c.role, c.best)
				wantBest(t, mc, 1-c.role, 9)
				split := toyTree(toys.SplitTicTacToe{TicTacToe: toys.TicTacToe{Start: c.start}}, lanes, Options{Seed: 1})
				mustSearch(t, split, 2000)
				wantBest(t, split, c.role, c.best%3, c.best/3)
				wantBest(t, split, 1-c.role, 3, 3)
				for _, stall := range []int{0, 2} {
					verified := stallingTree(toys.VerifiedTicTacToe{TicTacToe: toys.TicTacToe{Start: c.start}}, lanes, stall, Options{Seed: 1})
					mustSearch(t, verified, 2000)
					wantBest(t, verified, c.role, c.best%3, c.best/3, 0)
					wantBest(t, verified, 1-c.role, 3, 3, 0)
				}
			})
		})
	}
}

func TestTicTacToeIsADraw(t *testing.T) {
	oneThread(t)
	for _, g := range []toy{toys.TicTacToe{}, toys.SplitTicTacToe{}} {
		variants(t, func(t *testing.T, lanes int) {
			mc := toyTree(g, lanes, Options{Seed: 3})
			for move := 0; !mc.terminal(); move++ {
				mustSearch(t, mc, 4000)
				var joint []uint32
				for r := range 2 {
					path, ok := mc.Best(r)
					if !ok {
						t.Fatalf("move %d: no best", move)
					}
					joint = append(joint, path...)
				}
				if !mc.Advance(joint) {
					t.Fatalf("move %d: %v is not in the tree", move, joint)
				}
			}
			r, err := mc.Search(nil, search.Budget{Iterations: 100})
			if err != nil || !reflect.DeepEqual(r.Value, []float64{0.5, 0.5}) || r.Iterations != 0 {
				t.Errorf("at the end: %+v, %v", r, err)
			}
			if _, ok := mc.Best(0); ok {
				t.Error("a best move in a terminal state")
			}
		})
	}
}

func TestNim(t *testing.T) {
	oneThread(t)
	variants(t, func(t *testing.T, lanes int) {
		// The odd sum of 2, 3 and 4 is 5: take three of the four.
		mc := toyTree(toys.Nim{Heaps: []uint64{2, 3, 4}}, lanes, Options{Seed: 5})
		r := mustSearch(t, mc, 30000)
		wantBest(t, mc, 0, 19)
		if r.Value[0] < 0.7 {
			t.Errorf("a won position is worth %v", r.Value)
		}
		if r.Line[0][0] != 19 || r.Line[0][1] != 63 || len(r.Line) < 3 {
			t.Errorf("line %v", r.Line)
		}
		if v := r.Value; math.Abs(v[0]+v[1]-1) > 1e-9 {
			t.Errorf("value %v", r.Value)
		}
	})
}

func TestSimultaneous(t *testing.T) {
	oneThread(t)
	variants(t, func(t *testing.T, lanes int) {
		prisoners := toys.Matrix{Pay: [][][2]float64{{{.6, .6}, {0, 1}}, {{1, 0}, {.2, .2}}}}
		mc := toyTree(prisoners, lanes, Options{Seed: 7})
		mustSearch(t, mc, 4000)
		wantBest(t, mc, 0, 1)
		wantBest(t, mc, 1, 1)

		pennies := toys.Matrix{Pay: [][][2]float64{{{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}}}
		mc = toyTree(pennies, lanes, Options{Seed: 7})
		r := mustSearch(t, mc, 4000)
		if math.Abs(r.Value[0]-0.5) > 0.15 {
			t.Errorf("matching pennies is worth %v", r.Value)
		}
		for role := range 2 {
			for _, e := range mc.RootEdges(role) {
				if e.Visits < 1200 {
					t.Errorf("role %d mixes %+v", role, mc.RootEdges(role))
				}
			}
		}
	})
}

func TestSinglePlayer(t *testing.T) {
	oneThread(t)
	variants(t, func(t *testing.T, lanes int) {
		mc := toyTree(toys.Ladder{}, lanes, Options{Seed: 2})
		r := mustSearch(t, mc, 3000)
		// 1+1=2, *2=4, +1=5, *2=10, +1=11, *2=22 is the only way but for the first move.
		var rest []uint32
		for _, j := range r.Line[1:] {
			rest = append(rest, j...)
		}
		if !reflect.DeepEqual(rest, []uint32{1, 0, 1, 0, 1}) {
			t.Errorf("line %v", r.Line)
		}
	})
}

func TestThreeRoles(t *testing.T) {
	oneThread(t)
	variants(t, func(t *testing.T, lanes int) {
		mc := toyTree(toys.Trio{}, lanes, Options{Seed: 2})
		for i := range 5 { // the last to move, role 2, decides
			mustSearch(t, mc, 1000)
			joint := []uint32{3, 3, 3}
			joint[i%3] = 1
			if !mc.Advance(joint) {
				t.Fatal("lost the tree")
			}
		}
		mustSearch(t, mc, 300)
		wantBest(t, mc, 2, 0) // the pile is 5
		if v := mc.value(); v[2] < 0.9 {
			t.Errorf("value %v", v)
		}
	})
}

func TestChance(t *testing.T) {
	oneThread(t)
	variants(t, func(t *testing.T, lanes int) {
		mc := toyTree(toys.Dice{}, lanes, Options{Seed: 4, Chance: []bool{false, true}})
		mustSearch(t, mc, 4000)
		wantBest(t, mc, 0, 0)
		if !mc.Advance([]uint32{1, 9}) {
			t.Fatal("lost the tree")
		}
		mustSearch(t, mc, 4000)
		for _, e := range mc.RootEdges(1) {
			if share := float64(e.Visits) / float64(mc.RootVisits()); math.Abs(share-0.25) > 0.04 {
				t.Errorf("a chance role moves with %+v", mc.RootEdges(1))
			}
		}
	})
}

func TestAdvanceKeepsVisits(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.TicTacToe{}, 64, Options{Seed: 1})
	mustSearch(t, mc, 5000)
	edges := mc.RootEdges(0)
	best, _ := mc.Best(0)
	visits := edges[best[0]].Visits
	if !mc.Advance([]uint32{best[0], 9}) {
		t.Fatal("not kept")
	}
	if err := mc.check(); err != nil {
		t.Fatal(err)
	}
	// Each visit of the edge went on to the child.
	if mc.RootVisits() != visits {
		t.Errorf("%d visits kept, the edge had %d", mc.RootVisits(), visits)
	}
	r := mustSearch(t, mc, 1000)
	if r.KeptVisits != visits || r.RootVisits != visits+1000 {
		t.Errorf("kept %d, then %d", r.KeptVisits, r.RootVisits)
	}
	for _, joint := range [][]uint32{nil, {9}, {9, 77}, {9, best[0]}, {9, 1, 1}} {
		other := toyTree(toys.TicTacToe{}, 1, Options{Seed: 1})
		mustSearch(t, other, 200)
		if other.Advance(joint) {
			t.Errorf("advanced by %v", joint)
		}
		if _, err := other.Search(nil, search.Budget{Iterations: 1}); !errors.Is(err, search.ErrNoRoot) {
			t.Errorf("search without a root: %v", err)
		}
		if err := other.SetRoot([]uint64{0, 0}); err != nil {
			t.Fatal(err)
		}
		mustSearch(t, other, 200)
	}
}

func TestMemoryBound(t *testing.T) {
	oneThread(t)
	const iterations = 4000
	for _, lanes := range []int{1, 64} {
		for _, g := range []toy{toys.Counting{Width: 3}, toys.Counting{Width: 12}, toys.TicTacToe{}, toys.SplitTicTacToe{}} {
			o := Options{Seed: 1, Memory: 1 << 20, PlayoutLimit: 5}
			if _, ok := g.(toys.Counting); !ok {
				o.Memory = 400 << 10
			}
			mc := toyTree(g, lanes, o)
			pruned := 0
			for range 5 {
				r := mustSearch(t, mc, iterations)
				pruned += r.Pruned
				if r.Bytes > o.Memory {
					t.Errorf("%T: %d bytes held, bound %d", g, r.Bytes, o.Memory)
				}
				if len(r.Line) < 2 && len(g.Initial()) == 1 {
					t.Errorf("%T: line %v: the most visited part is gone", g, r.Line)
				}
			}
			if mc.RootVisits() != 5*iterations {
				t.Errorf("%T: %d visits", g, mc.RootVisits())
			}
			if pruned == 0 {
				t.Errorf("%T: nothing was pruned; %d bytes", g, mc.tree.Edges.Memory.Bytes)
			}
			if _, ok := mc.Best(0); !ok {
				t.Fatalf("%T: no best move", g)
			}
			joint := mc.principal()[0]
			if !mc.Advance(joint) {
				t.Errorf("%T: the best child is gone", g)
				continue
			}
			mustSearch(t, mc, 2000)
		}
	}
}

func TestTinyMemory(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.TicTacToe{Start: []uint64{0o003, 0o030}}, 64, Options{Seed: 1, Memory: 1})
	mustSearch(t, mc, 2000)
	wantBest(t, mc, 0, 2)
}

// Leaves with more visits outlive those with fewer.
func TestPruningTakesTheLeastVisited(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.Counting{Width: 8}, 1, Options{Seed: 1, Memory: 1 << 20, PlayoutLimit: 3})
	mustSearch(t, mc, 40000)
	// All of the root's children are visited hundreds of times.
	most, kept := 0, 0
	for _, e := range mc.RootEdges(mc.rootKey()) {
		most++
		if e.Visits > 200 && mc.tree.Edges.Edge(mc.edgeNamed(e.Path[0])).Child != 0 {
			kept++
		}
	}
	if kept < most/2 {
		t.Errorf("%d of %d parts of the root are left", kept, most)
	}
}

func (t *searcher) rootKey() int { return int(t.tree.Node(t.tree.Root).Key) }

func (t *searcher) edgeNamed(x uint32) (found uint32) {
	t.tree.Edges.EdgesOf(t.tree.Tries(t.tree.Root)[t.rootKey()], func(id uint32, e *tree.Edge) bool {
		if e.Semimove == x {
			found = id
		}
		return found == 0
	})
	return found
}

func TestPlayoutLimit(t *testing.T) {
	oneThread(t)
	for _, lanes := range []int{1, 64} {
		mc := toyTree(toys.Counting{Width: 2}, lanes, Options{Seed: 1, PlayoutLimit: 10})
		r := mustSearch(t, mc, 500)
		if r.MeanLength != 11 || r.States != 500*11 || r.Playouts != 500 {
			t.Errorf("%d lanes: mean length %g, %d states, %d playouts; the way in and 10 moves were allowed", lanes, r.MeanLength, r.States, r.Playouts)
		}
	}
}

// signature names a search by its figures.
func signature(t *testing.T, g toy, lanes int, seed uint64) string {
	mc := toyTree(g, lanes, Options{Seed: seed, Memory: 1 << 19, PlayoutLimit: 20})
	var b strings.Builder
	for range 3 {
		r := mustSearch(t, mc, 1000)
		r.Elapsed = 0
		fmt.Fprintf(&b, "%+v %+v\n", r, mc.RootEdges(0))
		if len(r.Line) == 0 || !mc.Advance(r.Line[0]) {
			break
		}
	}
	return b.String()
}

func TestRepeats(t *testing.T) {
	oneThread(t)
	for _, g := range []toy{toys.TicTacToe{}, toys.SplitTicTacToe{}, toys.Nim{Heaps: []uint64{3, 4, 5}}, toys.Counting{Width: 9}, toys.Trio{}} {
		for _, lanes := range []int{1, 64} {
			a, b := signature(t, g, lanes, 1), signature(t, g, lanes, 1)
			if a != b {
				t.Errorf("%T, %d lanes: two searches differ:\n%s\n%s", g, lanes, a, b)
			}
			if a == signature(t, g, lanes, 2) {
				t.Errorf("%T: the seed makes no difference", g)
			}
		}
	}
}

// With few iterations 64 lanes must not spoil the selection: the lanes in
// flight stay few, and one lane and 64 find the same moves.
func TestLanesFollowTheBudget(t *testing.T) {
	oneThread(t)
	agree := 0
	const tries = 20
	for seed := range uint64(tries) {
		var best [2]uint32
		for i, lanes := range []int{1, 64} {
			mc := toyTree(toys.TicTacToe{Start: []uint64{0o001 | 0o200, 0o030}}, lanes, Options{Seed: seed})
			most := 0
			mc.worker.engine.(*toyEngine).OnStep = func(e *toyEngine, _ *atomic.Bool) error {
				n := e.Loaded()
				most = max(most, n)
				return nil
			}
			mustSearch(t, mc, 200)
			if most > 200/iterationsPerLane {
				t.Errorf("%d lanes in flight with a budget of 200", most)
			}
			path, _ := mc.Best(0)
			best[i] = path[0]
		}
		if best[0] == best[1] {
			agree++
		}
	}
	if agree < tries*3/4 {
		t.Errorf("1 and 64 lanes agree in %d of %d", agree, tries)
	}
	mc := toyTree(toys.Nim{Heaps: []uint64{3, 4, 5}}, 64, Options{})
	full := false
	mc.worker.engine.(*toyEngine).OnStep = func(e *toyEngine, _ *atomic.Bool) error {
		n := e.Loaded()
		full = full || n == 64
		return nil
	}
	mustSearch(t, mc, 5000)
	if !full {
		t.Error("the lanes are never all in use")
	}
}

func TestForcedMove(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.Matrix{Pay: [][][2]float64{{{1, 0}}}}, 64, Options{})
	r := mustSearch(t, mc, 50)
	if r.RootVisits != 50 || r.Nodes != 2 {
		t.Errorf("%+v", r)
	}
	wantBest(t, mc, 0, 0)
}

func TestBestBeforeSearch(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.TicTacToe{}, 1, Options{})
	if _, ok := mc.Best(0); ok {
		t.Error("a best move without a search")
	}
	if mc.RootEdges(0) != nil || mc.RootEdges(7) != nil || mc.value() != nil {
		t.Error("statistics without a search")
	}
}

func TestTimeBudget(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.TicTacToe{}, 64, Options{})
	r, err := mc.Search(nil, search.Budget{Time: time.Millisecond})
	if err != nil || r.Elapsed < time.Millisecond {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = mc.Search(nil, search.Budget{Deadline: time.Now().Add(-time.Second), Time: time.Hour})
	if err != nil || r.Iterations != 0 {
		t.Errorf("a deadline in the past: %+v, %v", r, err)
	}
	if err := mc.check(); err != nil {
		t.Error(err)
	}
}
