package mcts

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"semisplit/search/final"
	"semisplit/search/internal/toys"
	"semisplit/search/selection"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// graveKey is a semimove in the table of a node.
type graveKey struct{ node, semimove, label uint32 }

// The table of a node has the iterations since it was made in which a semimove was played at
// that node or later, and what they brought, by a count of its own.
func TestGraveCounts(t *testing.T) {
	oneThread(t)
	for name, game := range map[string]pattern{"whole moves": likesTwo, "semimoves": likesTwo.halved()} {
		e := newSteered(game, 1, 0, 3)
		mc := newSearcher(e, game.Levels(), usual(Options{Seed: 3, Grave: stats.Grave{Reference: 1}, Final: final.Visits}), 0)
		if err := mc.SetRoot(game.Initial()); err != nil {
			t.Fatal(err)
		}
		type count struct{ sum, n float64 }
		want, nodes := map[graveKey]count{}, map[uint32]bool{}
		for range 800 {
			mustSearch(t, mc, 1)
			f := &mc.worker.flight
			joints, stride := f.learner.Joints, f.learner.Stride
			for i, node := range f.iteration.Nodes {
				if mc.grave.Table(node) == 0 {
					continue
				}
				nodes[node] = true
				played := map[graveKey]bool{}
				for at := i * stride; at < len(joints); at++ {
					played[graveKey{node, uint32(at % stride), joints[at]}] = true
				}
				for key := range played {
					c := want[key]
					want[key] = count{c.sum + f.iteration.Values[0], c.n + 1}
				}
			}
		}
		if len(nodes) < 3 {
			t.Errorf("%s: %d nodes have a table", name, len(nodes))
		}
		for key, c := range want {
			got := tree.EvidenceOf(mc.grave.Of(mc.grave.Table(key.node), key.semimove), key.label)
			if float64(got.N) != c.n || math.Abs(float64(got.Sum)-c.sum) > 1e-3 {
				t.Errorf("%s: semimove %d of node %d: %+v, want %+v", name, key.label, key.node, got, c)
			}
		}
	}
}

// A node is gone by when it has statistics of half of the visits that are asked for; they
// begin with the others.
func TestGraveReference(t *testing.T) {
	oneThread(t)
	mc := newSearcher(newSteered(likesTwo, 1, 0, 3), likesTwo.Levels(), usual(Options{Grave: stats.Grave{Reference: 40}, Final: final.Visits}), 0)
	if err := mc.SetRoot(likesTwo.Initial()); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		if has := mc.grave.Table(mc.tree.Root) != 0; has != (i > 40) {
			t.Fatalf("after %d iterations the root has a table that counts: %v", i, has)
		}
		mustSearch(t, mc, 1)
	}
}

// With few iterations a move that is good whenever it is played is found earlier.
func TestGraveFindsEarlier(t *testing.T) {
	oneThread(t)
	found := map[bool]int{}
	for _, grave := range []bool{false, true} {
		for seed := range uint64(300) {
			o := Options{Seed: seed, Selection: selection.Options{Exploration: 0.2}}
			if grave {
				o.Grave, o.Final = stats.Grave{Reference: 5}, final.Visits
			}
			mc := newSearcher(newSteered(likesTwo, 1, 0, seed), likesTwo.Levels(), usual(o), 0)
			if err := mc.SetRoot(likesTwo.Initial()); err != nil {
				t.Fatal(err)
			}
			mustSearch(t, mc, 25)
			if best, _ := mc.Best(0); best[0]/4 == 2 && best[0]%4 != 0 {
				found[grave]++
			}
		}
	}
	if found[true] < found[false]+40 {
		t.Errorf("found in 300 searches: %v", found)
	}
}

// GRAVE changes no tactics, and leaves trees whole, in the designs that it works with.
func TestDesignsWithGrave(t *testing.T) {
	oneThread(t)
	for _, d := range designs {
		if d.o.Whole || d.o.Divide != nil || d.o.Backup.RollUp {
			continue
		}
		for i, more := range []Options{{}, {Solver: true}, {Transpositions: true}, {Mast: stats.Mast{Kind: stats.Split}}, {Memory: 400 << 10}} {
			t.Run(fmt.Sprint(d.name, i), func(t *testing.T) {
				more.Raw, more.Grave, more.Final = d.o.Raw, stats.Grave{Reference: 20, Bias: 0.01}, final.Visits
				wantTactics(t, d, more)
			})
		}
	}
}

// Tables that come when the tree is full find the part of the memory that it has left them.
func TestGraveTablesComeLate(t *testing.T) {
	oneThread(t)
	o := usual(Options{Seed: 1, Memory: 1 << 20, Grave: stats.Grave{Reference: 500}, Final: final.Visits})
	g := toys.Nim{Heaps: []uint64{7, 7, 7, 7}}
	mc := newSearcher(newSteered(g, 64, 0, 0), g.Levels(), o, 0)
	if err := mc.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if r := mustSearch(t, mc, 5000); r.Bytes > o.Memory {
			t.Fatalf("%d bytes of %d, with %d nodes", r.Bytes, o.Memory, r.Nodes)
		}
	}
	if mc.grave.Table(mc.tree.Root) == 0 {
		t.Error("the root has no table")
	}
}

// Tables of nodes that are gone serve others, each of one node, and all of them leave room for
// the tree within its memory.
func TestGraveMemory(t *testing.T) {
	oneThread(t)
	o := usual(Options{Seed: 1, Memory: 400 << 10, Grave: stats.Grave{Reference: 2}, Final: final.Visits})
	g := toys.TicTacToe{}
	mc := newSearcher(newSteered(g, 64, 0, 0), g.Levels(), o, 0)
	if err := mc.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if err := mc.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		if r := mustSearch(t, mc, 2000); r.Bytes > o.Memory || r.Nodes < 100 {
			t.Fatalf("%d bytes of %d, with %d nodes", r.Bytes, o.Memory, r.Nodes)
		}
	}
	seen := map[uint32]bool{}
	for n := uint32(1); n < uint32(mc.tree.Created) && n < 1000; n++ {
		if table := mc.grave.Table(n); table != 0 {
			if seen[table] {
				t.Fatalf("two nodes have the table %d", table)
			}
			seen[table] = true
			known := func(square uint32) bool {
				return slices.ContainsFunc([]uint32{0, 1}, func(role uint32) bool {
					return tree.EvidenceOf(mc.grave.Of(table, role), square).Worth() <= 1
				})
			}
			if !slices.ContainsFunc([]uint32{0, 1, 2, 3, 4, 5, 6, 7, 8}, known) {
				t.Fatalf("the table of node %d says nothing", n)
			}
		}
	}
	if len(seen) == 0 {
		t.Error("no node has a table")
	}
}
