package tree

import (
	"math/rand/v2"
	"testing"
)

// What the cache says of joint moves is what the lists hold, while nodes come, leave their
// place and are made again under names that others had.
func TestJointMoves(t *testing.T) {
	const most = 24
	s := new(Tree)
	s.Init([]int{1, 1}, 1<<20)
	rng := rand.New(rand.NewPCG(1, 2))
	semimoves := make([]uint32, most)
	parent := func() (n uint32) {
		n = s.NewNode([]uint64{1}, FlagTogether, true)
		for r := range s.Tries(n) {
			trie, _ := s.Edges.NewTrie(semimoves[:most-8*r], true)
			for s.Edges.Left(trie) > 0 {
				s.Edges.Open(trie, true)
			}
			s.Tries(n)[r] = trie
		}
		return n
	}
	parents := []uint32{parent(), parent(), parent()}
	played := map[[3]uint32]bool{}
	found, forgotten := 0, 0
	for range 200_000 {
		i := rng.IntN(len(parents))
		n := parents[i]
		leaves := []uint32{s.Edges.NthEdge(s.Tries(n)[0], rng.Uint32N(most)), s.Edges.NthEdge(s.Tries(n)[1], rng.Uint32N(most-8))}
		key := [3]uint32{n, leaves[0], leaves[1]}
		c := s.Child(n, leaves)
		if s.Node(n).Children > 0 {
			if want := childInList(s, n, leaves); c != want {
				t.Fatalf("joint move %v leads to %d by the list, %d by the cache", key, want, c)
			}
		}
		switch {
		case c != 0:
			if found++; rng.IntN(8) == 0 {
				s.orphan(c)
				s.free(c)
			}
		case s.Joint.IsFirst(n, leaves):
			if played[key] {
				forgotten++
			}
			played[key] = true
		case !played[key]:
			t.Fatalf("joint move %v was never played", key)
		default:
			s.Adopt(n, s.NewNode([]uint64{2}, 0, true), leaves)
		}
		if rng.IntN(5000) == 0 { // a node goes, with all below it, and another takes its name
			s.discard(n)
			s.reclaim() // what was below it is given up later
			parents[i] = parent()
		}
	}
	if found < 10_000 || forgotten == 0 || forgotten*2 > len(played)*100 {
		t.Errorf("%d found; of %d joint moves %d forgotten", found, len(played), forgotten)
	}
	if n := len(s.Joint.entries); n != fewestJoint {
		t.Errorf("%d places, where the bound allows %d", n, fewestJoint)
	}
}
