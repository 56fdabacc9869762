package search

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"semisplit/search/internal/arena"
	"semisplit/search/internal/toys"
)

// fronts makes a store with a chain of chunks, of as many edges, with few
// different scores.
func fronts(rng *rand.Rand, edges int, ranked bool) (*store, uint32) {
	s := &store{memory: 1 << 30}
	if ranked {
		s.proving = newProving(Options{PN: PN{Select: true}})
	}
	semimoves := make([]uint32, edges)
	for i := range semimoves {
		semimoves[i] = uint32(i)
	}
	// Others in between, so that the chain is not in order.
	tries := make([]uint32, 2)
	for i := range tries {
		tries[i], _ = s.newTrie(semimoves, true)
	}
	for range edges - 1 {
		for _, trie := range tries {
			s.open(trie, true)
		}
	}
	s.edgesOf(tries[1], func(id uint32, _ *edge) bool {
		at := s.chunks.At(id >> placeBits)
		at.value[id&placeMask] = []float32{0, 0.25, 0.3, first, last}[rng.IntN(5)]
		at.root[id&placeMask] = []float32{0, 0.1, 1}[rng.IntN(3)]
		if ranked {
			s.bonuses.At(id >> placeBits)[id&placeMask] = []float32{0, 0.25, 1}[rng.IntN(3)]
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
		by := weights{[]float32{0, 0.05, 0.5, 3}[rng.IntN(4)], []float32{0, 0.1, 0.5}[rng.IntN(3)]}
		high, want := float32(math.Inf(-1)), []uint32{}
		s.edgesOf(trie, func(id uint32, _ *edge) bool {
			chunk, place := id>>placeBits, id&placeMask
			score := s.chunks.At(chunk).value[place] + float32(by.bonus*s.chunks.At(chunk).root[place])
			if ranked {
				score += float32(by.constant * s.bonuses.At(chunk)[place])
			}
			if score > high {
				high, want = score, nil
			}
			if score == high && score > last {
				want = append(want, id)
			}
			return true
		})
		best, ties := s.scan(trie, by)
		if plain, plainTies := s.scanPlain(trie, by); best != plain || ties != plainTies {
			t.Fatalf("%d edges, ranked %v: edge %d of %d, plainly %d of %d", edges, ranked, best, ties, plain, plainTies)
		}
		if int(ties) != len(want) || ties > 0 && best != want[0] {
			t.Fatalf("%d edges, ranked %v: edge %d of %d, want %v", edges, ranked, best, ties, want)
		}
		for skip, id := range want {
			if got := s.nthBest(trie, by, best, uint32(skip)); got != id {
				t.Fatalf("after %d: %d, want %d", skip, got, id)
			}
		}
	}
}

// The assembly knows where things are.
func TestLayout(t *testing.T) {
	var c chunk
	for what, x := range map[string][2]uintptr{
		"the size of a chunk": {unsafe.Sizeof(c), 256},
		"value":               {unsafe.Offsetof(c.value), 0},
		"root":                {unsafe.Offsetof(c.root), 32},
		"next":                {unsafe.Offsetof(c.next), 240},
		"the size of a page":  {arena.PageSize, 512},
		"places":              {1 << placeBits, chunkEdges},
	} {
		if x[0] != x[1] {
			t.Errorf("%s: %d, want %d", what, x[0], x[1])
		}
	}
}

// Hundreds of engines on one tree have no more lanes in flight than an edge counts.
func TestLanesInFlightAreCounted(t *testing.T) {
	tree := toyTree(toys.TicTacToe{}, 1, 300, Options{Seed: 1, LanesInFlight: 512})
	if n := tree.lanesAllowed(512); n < 1 || n*300 > math.MaxUint16 {
		t.Errorf("%d lanes for each of 300 engines", n)
	}
}
