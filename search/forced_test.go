package search

import (
	"math"
	"testing"

	"semisplit/search/internal/arena"
	"semisplit/search/internal/toys"
)

// The role that waits has a forced edge, whose figures are those that a stored
// edge would have; they survive an Advance.
func TestForcedEdge(t *testing.T) {
	variants(t, func(t *testing.T, lanes, threads int) {
		tree := toyTree(toys.TicTacToe{}, lanes, threads, Options{Seed: 6})
		for ply := range 4 {
			mustSearch(t, tree, 2000)
			waits := 1 - ply%2
			if tree.tries(tree.root)[waits]&forced == 0 || tree.tries(tree.root)[1-waits]&forced != 0 {
				t.Fatalf("ply %d: tries %x", ply, tree.tries(tree.root))
			}
			visits, sum := 0, 0.0
			for _, e := range tree.RootEdges(1 - waits) {
				visits += e.Visits
				sum += e.Value * float64(e.Visits)
			}
			edges := tree.RootEdges(waits)
			if len(edges) != 1 || edges[0].Path[0] != 9 || edges[0].Visits != visits || visits < 2000 {
				t.Errorf("ply %d: waiting: %+v; the other has %d visits", ply, edges, visits)
			}
			// What one wins the other loses.
			if got, want := edges[0].Value, 1-sum/float64(visits); math.Abs(got-want) > 1e-9 {
				t.Errorf("ply %d: waiting is worth %g, want %g", ply, got, want)
			}
			if v := tree.value(); math.Abs(v[0]+v[1]-1) > 1e-9 {
				t.Errorf("ply %d: value %v", ply, v)
			}
			if tree.follow(tree.root, []uint32{9, 9}) != 0 {
				t.Errorf("ply %d: nobody moves", ply)
			}
			if joint := tree.line()[0]; !tree.Advance(joint) {
				t.Fatalf("ply %d: %v is not in the tree", ply, joint)
			}
		}
	})
}

func TestMayForce(t *testing.T) {
	tree := toyTree(toys.TicTacToe{}, 1, 1, Options{})
	for _, c := range []struct {
		other     uint32 // link of the other role
		level     int
		semimoves []uint32
		want      bool
	}{
		{0, 1, []uint32{3}, true},
		{5, 1, []uint32{3}, true},
		{forced | 3, 1, []uint32{3}, false},
		{0, 1, []uint32{3, 4}, false},
		{0, 2, []uint32{3}, false},
		{0, 1, []uint32{forced | 3}, false},
		{0, 1, []uint32{dead &^ forced}, false},
	} {
		tree.tries(tree.root)[0] = c.other
		tree.levels[1] = c.level
		if got := tree.mayForce(tree.root, 1, c.semimoves); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, n := range []uint32{0, 1, 2, 100, 4095, 4096, 4097, 8191, 8192, 100003, 1<<31 + 12345, math.MaxUint32} {
		want := math.Sqrt(math.Log(float64(max(n, 1))))
		if got := spreadOf(n); math.Abs(got-want) > want/20000 {
			t.Errorf("spread of %d: %g, want %g", n, got, want)
		}
	}
}

// Large trees grow by slabs, within the bound to the last page.
func TestSlabs(t *testing.T) {
	tree := spinTree(64, 1, 0, 64<<20)
	r := mustSearch(t, tree, 100000)
	if n := len(tree.chunks.Pages); n < 2*arena.SlabPages {
		t.Skipf("%d pages of chunks only", n)
	}
	held := int64(len(tree.nodes.Pages))*tree.pageBytes(nodeKind) +
		int64(len(tree.chunks.Pages))*tree.pageBytes(chunkKind) +
		int64(len(tree.cells.Pages))*tree.pageBytes(cellKind)
	if r.Bytes != held || held > 64<<20 {
		t.Errorf("%d bytes reported, %d held", r.Bytes, held)
	}
}
