package mcts

import (
	"math"
	"testing"

	"semisplit/search/internal/toys"
	"semisplit/search/tree"
)

// The role that waits has a forced edge, whose figures are those that a stored
// edge would have; they survive an Advance.
func TestForcedEdge(t *testing.T) {
	oneThread(t)
	variants(t, func(t *testing.T, lanes int) {
		mc := toyTree(toys.TicTacToe{}, lanes, Options{Seed: 6})
		for ply := range 4 {
			mustSearch(t, mc, 2000)
			waits := 1 - ply%2
			if !tree.IsForced(mc.tree.Tries(mc.tree.Root)[waits]) || tree.IsForced(mc.tree.Tries(mc.tree.Root)[1-waits]) {
				t.Fatalf("ply %d: tries %x", ply, mc.tree.Tries(mc.tree.Root))
			}
			visits, sum := 0, 0.0
			for _, e := range mc.RootEdges(1 - waits) {
				visits += e.Visits
				sum += e.Value * float64(e.Visits)
			}
			edges := mc.RootEdges(waits)
			if len(edges) != 1 || edges[0].Path[0] != 9 || edges[0].Visits != visits || visits < 2000 {
				t.Errorf("ply %d: waiting: %+v; the other has %d visits", ply, edges, visits)
			}
			// What one wins the other loses.
			if got, want := edges[0].Value, 1-sum/float64(visits); math.Abs(got-want) > 1e-9 {
				t.Errorf("ply %d: waiting is worth %g, want %g", ply, got, want)
			}
			if v := mc.value(); math.Abs(v[0]+v[1]-1) > 1e-9 {
				t.Errorf("ply %d: value %v", ply, v)
			}
			if mc.follow(mc.tree.Root, []uint32{9, 9}) != 0 {
				t.Errorf("ply %d: nobody moves", ply)
			}
			if joint := mc.principal()[0]; !mc.Advance(joint) {
				t.Fatalf("ply %d: %v is not in the tree", ply, joint)
			}
		}
	})
}

func TestMayForce(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.TicTacToe{}, 1, Options{})
	for _, c := range []struct {
		other     uint32 // link of the other role
		level     int
		semimoves []uint32
		want      bool
	}{
		{0, 1, []uint32{3}, true},
		{5, 1, []uint32{3}, true},
		{tree.Forced | 3, 1, []uint32{3}, false},
		{0, 1, []uint32{3, 4}, false},
		{0, 2, []uint32{3}, false},
		{0, 1, []uint32{tree.Forced | 3}, false},
		{0, 1, []uint32{tree.Dead &^ tree.Forced}, false},
	} {
		mc.tree.Tries(mc.tree.Root)[0] = c.other
		mc.tree.Levels[1] = c.level
		if got := mc.tree.MayForce(mc.tree.Root, 1, c.semimoves); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
