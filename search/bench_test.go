package search

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// spin is a cheap game of a fixed length for benchmarks: its states are one
// number, its playouts cost a given amount of work a Step and allocate nothing.
type spin struct {
	lanes  []spinLane
	ended  []uint64
	rng    *rand.PCG
	length uint64
	work   int
	sink   uint64
}

type spinLane struct {
	loaded, look bool
	ply, hash    uint64
	joint        uint32
}

const spinMoves = 25

func newSpin(lanes, length, work int, seed uint64) *spin {
	return &spin{
		lanes: make([]spinLane, lanes), ended: make([]uint64, (lanes+63)/64),
		rng: rand.NewPCG(seed, 1), length: uint64(length), work: work,
	}
}

func (e *spin) Lanes() int { return len(e.lanes) }
func (e *spin) Load(lane int, s []uint64, joint []uint32) {
	l := spinLane{loaded: true, look: joint == nil, ply: s[0], hash: s[1]}
	if joint != nil {
		l.joint = joint[s[0]%2]
	}
	e.lanes[lane] = l
}
func (e *spin) Unload(lane int) { e.lanes[lane].loaded = false }
func (e *spin) Step(*atomic.Bool) ([]uint64, error) {
	sink := e.sink
	for range e.work {
		sink = sink*6364136223846793005 + 1442695040888963407
	}
	e.sink = sink
	clear(e.ended)
	random := e.rng.Uint64()
	for i := range e.lanes {
		l := &e.lanes[i]
		if !l.loaded {
			continue
		}
		if !l.look {
			l.hash = (l.hash ^ uint64(l.joint) ^ random>>i) * 0x9e3779b97f4a7c15
			l.ply++
		}
		l.look, l.joint = false, 0
		if l.ply >= e.length {
			e.ended[i/64] |= 1 << (i % 64)
		}
	}
	return e.ended, nil
}
func (e *spin) State(lane int, dst []uint64) []uint64 {
	return append(dst, e.lanes[lane].ply, e.lanes[lane].hash)
}
func (e *spin) Goals(lane int, dst []float64) {
	dst[0] = float64(e.lanes[lane].hash >> 63)
	dst[1] = 1 - dst[0]
}
func (e *spin) Offers(lane, role int, prefix, dst []uint32) []uint32 {
	if len(prefix) > 0 {
		return dst
	}
	if uint64(role) != e.lanes[lane].ply%2 {
		return append(dst, spinMoves)
	}
	for i := range uint32(spinMoves) {
		dst = append(dst, i)
	}
	return dst
}

func spinTree(lanes, threads, work int, memory int64) *Tree {
	var engines []Engine
	for i := range threads {
		engines = append(engines, newSpin(lanes, 60, work, uint64(i)))
	}
	t := New(engines, []int{1, 1}, Options{Memory: memory})
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
		name                 string
		lanes, threads, work int
		memory               int64
	}{
		{"free/lanes=1/threads=1", 1, 1, 0, 1 << 30},
		{"free/lanes=64/threads=1", 64, 1, 0, 1 << 30},
		{"free/lanes=64/threads=1/full", 64, 1, 0, 8 << 20},
		{"free/lanes=64/threads=2", 64, 2, 0, 1 << 30},
		{"work/lanes=64/threads=1", 64, 1, 8000, 1 << 30},
		{"work/lanes=64/threads=2", 64, 2, 8000, 1 << 30},
	} {
		b.Run(v.name, func(b *testing.B) {
			tree := spinTree(v.lanes, v.threads, v.work, v.memory)
			b.ReportAllocs()
			b.ResetTimer()
			r, err := tree.Search(nil, Budget{Iterations: b.N})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(r.Iterations)/r.Elapsed.Seconds(), "iterations/s")
			b.ReportMetric(float64(r.Bytes)/float64(r.Nodes), "B/node")
		})
	}
}

// BenchmarkTwoTrees is what two threads could do at best, with a tree each.
func BenchmarkTwoTrees(b *testing.B) {
	trees := []*Tree{spinTree(64, 1, 8000, 1<<30), spinTree(64, 1, 8000, 1<<30)}
	var wait sync.WaitGroup
	b.ResetTimer()
	for _, tree := range trees {
		wait.Go(func() {
			if _, err := tree.Search(nil, Budget{Iterations: (b.N + 1) / 2}); err != nil {
				b.Error(err)
			}
		})
	}
	wait.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "iterations/s")
}

// The hot path allocates pages of the arenas and nothing else.
func TestNoAllocations(t *testing.T) {
	for _, lanes := range []int{1, 64} {
		tree := spinTree(lanes, 1, 0, 2<<20)
		mustSearch(t, tree, 15000) // memory is full now, and the buffers have grown
		for _, n := range []int{100, 3000} {
			allocs := testing.AllocsPerRun(3, func() {
				if _, err := tree.Search(nil, Budget{Iterations: n}); err != nil {
					t.Fatal(err)
				}
			})
			if allocs > 200 && !invariants { // the check allocates
				t.Errorf("%d lanes: %g allocations in a search of %d iterations", lanes, allocs, n)
			}
		}
	}
}

func ExampleTree() {
	engine := newToyEngine(ticTacToe{[]uint64{0o003, 0o030}}, 1, 1)
	tree := New([]Engine{engine}, []int{1, 1}, Options{Seed: 1})
	if err := tree.SetRoot([]uint64{0o003, 0o030}); err != nil {
		panic(err)
	}
	if _, err := tree.Search(nil, Budget{Iterations: 1000}); err != nil {
		panic(err)
	}
	move, _ := tree.Best(0)
	fmt.Println(move)
	// Output: [2]
}
