package tree

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The value of a semimove is that of the paper's formula, with lanes in flight among the
// iterations; what was never played is worth its mean, or more than any goal.
func TestMixed(t *testing.T) {
	for _, c := range []struct{ mean, visits, bias, sum, n, pending float64 }{
		{0.2, 10, 0, 30, 40, 0}, {0.9, 1, 0.01, 3, 7, 0}, {0.5, 400, 0.001, 1000, 3000, 0}, {0.5, 40, 0.1, 9, 30, 3}, {0, 0, 0.1, 9, 30, 0},
	} {
		beta := c.n / (c.n + c.visits + c.bias*c.n*c.visits)
		want := (1-beta)*c.mean + beta*c.sum/(c.n+c.pending)
		by := Mix{Bias: float32(c.bias)}
		got := by.Mixed(Evidence{float32(c.sum), float32(c.n)}, float32(c.mean), float32(c.visits), float32(c.pending))
		if math.Abs(float64(got)-want) > 1e-5 {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
	if got := (Mix{Bias: 0.1}).Mixed(NoEvidence, 0.3, 5, 0); math.Abs(float64(got)-0.3) > 1e-6 {
		t.Errorf("a move that was never played is worth %v, and has a mean of 0.3", got)
	}
	if got := (Mix{}).Mixed(NoEvidence, 0, 0, 0); got <= 1 {
		t.Errorf("a move that was never played is worth %v", got)
	}
	one := NoEvidence
	if one.Add(0); one.Worth() > 1e-6 {
		t.Errorf("after a loss it is worth %v", one.Worth())
	}
}

// However many iterations there are, evidence is worth what they bring.
func TestMuchEvidence(t *testing.T) {
	e := NoEvidence
	for i := range 10 * mostEvidence {
		e.Add(float32(i % 2))
	}
	if math.Abs(float64(e.Worth())-0.5) > 1e-3 {
		t.Errorf("half of all iterations are won, and it is worth %v", e.Worth())
	}
}

// The scans find what a list says that is made here.
func TestScanByEvidence(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 3000 {
		edges := 1 + i%60
		s, trie := fronts(rng, edges, false)
		list := make([]Evidence, rng.IntN(edges+1)) // of others nothing is known
		for k := range list {
			list[k] = []Evidence{NoEvidence, {1, 2}, {2, 4}, {3, 10}}[rng.IntN(4)]
		}
		s.Edges.EdgesOf(trie, func(id uint32, e *Edge) bool {
			at := s.Edges.chunks.At(id >> PlaceBits)
			if at.value[id&PlaceMask] == untriedScore {
				e.Visits, at.virtual[id&PlaceMask] = 0, 0
			} else {
				e.Visits, at.virtual[id&PlaceMask] = uint32(1+rng.IntN(3)), uint16(rng.IntN(3))
			}
			return true
		})
		by := ByEvidence{&s.Edges, list, Mix{[]float32{0, 0.1}[rng.IntN(2)], []float32{0, 0.3}[rng.IntN(2)]}}
		high, want := float32(math.Inf(-1)), []uint32{}
		s.Edges.EdgesOf(trie, func(id uint32, e *Edge) bool {
			value, pending := s.Edges.chunks.At(id >> PlaceBits).value[id&PlaceMask], float32(s.Edges.chunks.At(id >> PlaceBits).virtual[id&PlaceMask])
			if value == excludedScore {
				return true
			}
			if value == untriedScore {
				value = 0
			}
			n := float32(e.Visits) + pending
			score := by.Mixed(EvidenceOf(list, e.Semimove), value, n, pending)
			if by.Exploration > 0 {
				score += by.Exploration * float32(math.Sqrt(1/float64(n+1)))
			}
			if score > high {
				high, want = score, nil
			}
			if score == high {
				want = append(want, id)
			}
			return true
		})
		best, ties, score := by.Scan(trie)
		if int(ties) != len(want) || ties > 0 && (best != want[0] || score != high) {
			t.Fatalf("%d edges: edge %d of %d with %v, want %v with %v", edges, best, ties, score, want, high)
		}
		for skip, id := range want {
			if got := by.Nth(trie, best, uint32(skip)); got != id {
				t.Fatalf("after %d: %d, want %d", skip, got, id)
			}
		}
	}
}

// The next semimove to be tried is the one that is worth most.
func TestPreferByEvidence(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 1000 {
		s := new(Tree)
		s.Init([]int{1}, 1<<30)
		semimoves := make([]uint32, 2+i%50)
		for k := range semimoves {
			semimoves[k] = uint32(k)
		}
		trie, _ := s.Edges.NewTrie(semimoves, true)
		list := make([]Evidence, rng.IntN(len(semimoves)+1))
		for k := range list {
			list[k] = Evidence{float32(rng.IntN(40)), 40}
			if rng.IntN(20) == 0 {
				list[k] = NoEvidence
			}
		}
		for s.Edges.Left(trie) > 0 {
			var high float32
			left := s.Edges.UntriedOf(trie, nil)
			for _, x := range left {
				high = max(high, EvidenceOf(list, x).Worth())
			}
			worth := (&ByEvidence{Edges: &s.Edges, Of: list}).Prefer(trie)
			opened := s.Edges.Edge(s.Edges.Open(trie, true)).Semimove
			if worth != high || EvidenceOf(list, opened).Worth() != high || !slices.Contains(left, opened) {
				t.Fatalf("semimove %d, worth %v, want %v", opened, worth, high)
			}
		}
	}
}
