package joint

import (
	"testing"

	"semisplit/search/encoding"
	"semisplit/search/internal/random"
	"semisplit/search/tree"
)

// grow gives a node of a game for one two edges with so many visits each, half of them won.
func grow(s *tree.Tree, n uint32, visits ...uint32) (edges []uint32) {
	trie, _ := s.Edges.NewTrie([]uint32{0, 1}, true)
	for s.Edges.Left(trie) > 0 {
		s.Edges.Open(trie, true)
	}
	s.Tries(n)[0] = trie
	edges = make([]uint32, 2)
	s.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
		edges[e.Semimove] = id
		return true
	})
	for i, id := range edges {
		add(s, n, id, visits[i])
	}
	return edges
}

func add(s *tree.Tree, n, edge, visits uint32) {
	e := s.Edges.Edge(edge)
	s.Node(n).Visits += visits
	e.Visits += visits
	e.SetSum(e.Sum() + float64(visits)/2)
}

// What trees have exchanged in one place counts once in another, to which the node of the
// state moves when an alias becomes the root; what was not exchanged counts there too. Below
// the root a node of which that is not known any more does not join.
func TestMovedNodeCountsOnce(t *testing.T) {
	encodings := encoding.New([]int{1}, false, nil)
	j := New(2, encodings, 1<<20, true)
	var trees [2]tree.Tree
	var members [2]*Member
	var above, children, edges [2]uint32
	for i := range trees {
		s := &trees[i]
		s.Init([]int{1}, 1<<20)
		s.Index.KeepIndex(s)
		members[i] = NewMember(j, i, s, encodings, []bool{false}, random.New(1, uint64(i)))
		s.NewRoot([]uint64{0}, 0)
		children[i] = s.NewNode([]uint64{1}, 0, true)
		above[i] = grow(s, s.Root, 40, 10)[0]
		s.Adopt(s.Root, children[i], above[i:i+1])
		s.Index.Insert(children[i], tree.HashState([]uint64{1}))
		edges[i] = grow(s, children[i], 25, 15)[0]
	}
	exchange := func() {
		for range 2 {
			for _, m := range members {
				m.Exchange(0)
			}
		}
	}
	exchange()
	want := uint32(80)
	for round, moves := range []bool{false, true, false} {
		s := &trees[round%2]
		add(s, children[round%2], edges[round%2], 7)
		if want += 7; round == 0 {
			add(s, s.Root, above[0], 7)
		}
		if moves {
			for range 2 { // it was in another place before the last move
				j.Advance([]uint32{1}, encodings)
			}
			for i := range trees {
				trees[i].Reroot(children[i])
			}
		}
		exchange()
		for i := range trees {
			s := &trees[i]
			e, got := s.Edges.Edge(edges[i]), s.Node(children[i]).Visits
			if got != want || e.Visits != want-30 || e.Sum() != float64(e.Visits)/2 {
				t.Errorf("round %d: tree %d has %d visits of %d, and %d with a sum of %g on an edge", round, i, got, want, e.Visits, e.Sum())
			}
		}
	}
	j.past = nil
	for i, m := range members {
		if unknown := j.newNode(nil); m.join(unknown, children[i]) != (children[i] == trees[i].Root) {
			t.Errorf("tree %d: the node of another place, which is the root: %v, joins wrongly", i, children[i] == trees[i].Root)
		}
		trees[i].Root = above[i] // another node is the root
		if unknown := j.newNode(nil); m.join(unknown, children[i]) {
			t.Errorf("tree %d: a node of another place joins below the root", i)
		}
	}
}

// What came to a place by way of another one counts there once, also with the tree that has
// not been there.
func TestMovedTwiceCountsOnce(t *testing.T) {
	encodings := encoding.New([]int{1}, false, nil)
	j := New(2, encodings, 1<<20, true)
	places := []*node{j.newNode(nil), j.newNode(nil), j.newNode(nil)}
	j.past = map[uint32]*node{places[0].name: places[0], places[1].name: places[1]}
	places[0].visits = 10
	for i, way := range [][]int{{0, 1, 2}, {0, 2}} {
		var s tree.Tree
		s.Init([]int{1}, 1<<20)
		m := NewMember(j, i, &s, encodings, []bool{false}, random.New(1, 1))
		s.NewRoot([]uint64{0}, 0)
		for _, place := range way {
			m.join(places[place], s.Root)
		}
	}
	if places[2].visits != 10 {
		t.Errorf("%d visits, of 10", places[2].visits)
	}
}

// Whatever was left behind, it takes no more memory than it may.
func TestPastIsBounded(t *testing.T) {
	encodings := encoding.New([]int{1}, false, nil)
	j := New(2, encodings, 100*edgeBytes(2), true)
	for range 10 {
		j.newTrie(j.top, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
		j.Advance([]uint32{1}, encodings)
		if j.kept != len(j.past)*10 || j.kept > j.limit {
			t.Fatalf("%d edges of %d nodes kept, of %d", j.kept, len(j.past), j.limit)
		}
	}
}
