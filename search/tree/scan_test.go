package tree

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"semisplit/search/internal/arena"
)

// fronts makes a store with a chain of chunks, of as many edges, with few
// different scores.
func fronts(rng *rand.Rand, edges int, ranked bool) (*Tree, uint32) {
	s := new(Tree)
	s.Init([]int{1}, 1<<30)
	if ranked {
		s.Edges.KeepBonuses()
	}
	semimoves := make([]uint32, edges)
	for i := range semimoves {
		semimoves[i] = uint32(i)
	}
	// Others in between, so that the chain is not in order.
	tries := make([]uint32, 2)
	for i := range tries {
		tries[i], _ = s.Edges.NewTrie(semimoves, true)
	}
	for range edges - 1 {
		for _, trie := range tries {
			s.Edges.Open(trie, true)
		}
	}
	s.Edges.EdgesOf(tries[1], func(id uint32, _ *Edge) bool {
		at := s.Edges.chunks.At(id >> PlaceBits)
		at.value[id&PlaceMask] = []float32{0, 0.25, 0.3, untriedScore, excludedScore}[rng.IntN(5)]
		at.invSqrtVisits[id&PlaceMask] = []float32{0, 0.1, 1}[rng.IntN(3)]
		if ranked {
			s.Edges.bonuses.At(id >> PlaceBits)[id&PlaceMask] = []float32{0, 0.25, 1}[rng.IntN(3)]
		}
		return true
	})
	return s, tries[1]
}

// The scan in vector instructions finds what the plain one finds, and what a
// list says that is made here.
func TestScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 6000 {
		edges, ranked := 1+i%60, rng.IntN(2) == 0
		s, trie := fronts(rng, edges, ranked)
		by := Weights{[]float32{0, 0.05, 0.5, 3}[rng.IntN(4)], []float32{0, 0.1, 0.5}[rng.IntN(3)]}
		high, want := float32(math.Inf(-1)), []uint32{}
		s.Edges.EdgesOf(trie, func(id uint32, _ *Edge) bool {
			chunk, place := id>>PlaceBits, id&PlaceMask
			score := s.Edges.chunks.At(chunk).value[place] + float32(by.Exploration*s.Edges.chunks.At(chunk).invSqrtVisits[place])
			if ranked {
				score += float32(by.Bonus * s.Edges.bonuses.At(chunk)[place])
			}
			if score > high {
				high, want = score, nil
			}
			if score == high && score > excludedScore {
				want = append(want, id)
			}
			return true
		})
		best, ties := s.Edges.Scan(trie, by)
		if plain, plainTies := s.Edges.scanPlain(trie, by); best != plain || ties != plainTies {
			t.Fatalf("%d edges, ranked %v: edge %d of %d, plainly %d of %d", edges, ranked, best, ties, plain, plainTies)
		}
		if int(ties) != len(want) || ties > 0 && best != want[0] {
			t.Fatalf("%d edges, ranked %v: edge %d of %d, want %v", edges, ranked, best, ties, want)
		}
		for skip, id := range want {
			if got := s.Edges.NthBest(trie, by, best, uint32(skip)); got != id {
				t.Fatalf("after %d: %d, want %d", skip, got, id)
			}
		}
	}
}

// The assembly knows where things are.
func TestLayout(t *testing.T) {
	var c Chunk
	for what, x := range map[string][2]uintptr{
		"the size of a chunk": {unsafe.Sizeof(c), 256},
		"value":               {unsafe.Offsetof(c.value), 0},
		"invSqrtVisits":       {unsafe.Offsetof(c.invSqrtVisits), 32},
		"next":                {unsafe.Offsetof(c.Next), 240},
		"the size of a page":  {arena.PageSize, 512},
		"places":              {1 << PlaceBits, ChunkEdges},
	} {
		if x[0] != x[1] {
			t.Errorf("%s: %d, want %d", what, x[0], x[1])
		}
	}
}
