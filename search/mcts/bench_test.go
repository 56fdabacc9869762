package mcts

import (
	"fmt"
	"sync"
	"testing"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/toys"
	"semisplit/search/stats"
)

func spinTree(lanes, work int, memory int64) *searcher {
	t := newSearcher(toys.NewSpin(lanes, 60, work, 0), []int{1, 1}, usual(Options{Memory: memory}), 0)
	if err := t.SetRoot([]uint64{0, 1}); err != nil {
		panic(err)
	}
	return t
}

// BenchmarkSearch: playouts of 60 moves, 25 moves a state. "free" Steps show
// the cost of the tree; Steps with work are like those of a small circuit
// (10 us for 64 lanes).
func BenchmarkSearch(b *testing.B) {
	for _, v := range []struct {
		name        string
		lanes, work int
		memory      int64
	}{
		{"free/lanes=1", 1, 0, 1 << 30},
		{"free/lanes=64", 64, 0, 1 << 30},
		{"free/lanes=64/full", 64, 0, 8 << 20},
		{"work/lanes=64", 64, 8000, 1 << 30},
	} {
		b.Run(v.name, func(b *testing.B) {
			mc := spinTree(v.lanes, v.work, v.memory)
			b.ReportAllocs()
			b.ResetTimer()
			r, err := mc.Search(nil, search.Budget{Iterations: b.N})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(r.Iterations)/r.Elapsed.Seconds(), "iterations/s")
			b.ReportMetric(float64(r.Bytes)/float64(r.Nodes), "B/node")
		})
	}
}

// BenchmarkGuided: playouts of split tic-tac-toe that follow statistics, by a common order
// of semimoves or lane by lane.
func BenchmarkGuided(b *testing.B) {
	for _, v := range []struct {
		name string
		mast stats.Mast
	}{
		{"split", stats.Mast{Kind: stats.Split}},
		{"mix", stats.Mast{Kind: stats.Mix}},
		{"3-grams", stats.Mast{Kind: stats.Split, Beside: stats.Beside{NGram: 3}}},
	} {
		b.Run(v.name, func(b *testing.B) {
			g := toys.SplitTicTacToe{}
			o := usual(Options{Mast: v.mast})
			o.Seed = 1
			s := newSearcher(newSteered(g, 64, 4, 3), g.Levels(), o, 0)
			if err := s.SetRoot(g.Initial()); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			if _, err := s.Search(nil, search.Budget{Iterations: b.N}); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkTwoTrees is what two threads could do at best, with a tree each.
func BenchmarkTwoTrees(b *testing.B) {
	trees := []*searcher{spinTree(64, 8000, 1<<30), spinTree(64, 8000, 1<<30)}
	var wait sync.WaitGroup
	b.ResetTimer()
	for _, mc := range trees {
		wait.Go(func() {
			if _, err := mc.Search(nil, search.Budget{Iterations: (b.N + 1) / 2}); err != nil {
				b.Error(err)
			}
		})
	}
	wait.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "iterations/s")
}

// The hot path allocates pages of the arenas and nothing else.
func TestNoAllocations(t *testing.T) {
	oneThread(t)
	for _, lanes := range []int{1, 64} {
		mc := spinTree(lanes, 0, 2<<20)
		mustSearch(t, mc, 15000) // memory is full now, and the buffers have grown
		for _, n := range []int{100, 3000} {
			allocs := testing.AllocsPerRun(3, func() {
				if _, err := mc.Search(nil, search.Budget{Iterations: n}); err != nil {
					t.Fatal(err)
				}
			})
			if allocs > 200 && !invariants { // the check allocates
				t.Errorf("%d lanes: %g allocations in a search of %d iterations", lanes, allocs, n)
			}
		}
	}
}

func ExampleForest() {
	e := newToyEngine(toys.TicTacToe{Start: []uint64{0o003, 0o030}}, 1, 1)
	mc := NewForest([]engine.Engine{e}, []int{1, 1}, usual(Options{Seed: 1}))
	if err := mc.SetRoot([]uint64{0o003, 0o030}); err != nil {
		panic(err)
	}
	if _, err := mc.Search(nil, search.Budget{Iterations: 1000}); err != nil {
		panic(err)
	}
	move, _ := mc.Best(0)
	fmt.Println(move)
	// Output: [2]
}
