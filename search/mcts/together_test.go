package mcts

import (
	"sync/atomic"
	"testing"

	"semisplit/search"
	"semisplit/search/proof"
)

// table is a game of one turn in which two roles choose at once, one of so many moves
// each. Nobody gets more than a half, or less than a quarter.
type table [2]uint32

func (g table) Levels() []int            { return []int{1, 1} }
func (g table) Initial() []uint64        { return []uint64{0} }
func (g table) Terminal(s []uint64) bool { return s[0] != 0 }
func (g table) Play(_ []uint64, joint []uint32) []uint64 {
	return []uint64{1 + uint64(joint[0])*uint64(g[1]) + uint64(joint[1])}
}

func (g table) Goals(s []uint64) []float64 {
	if s[0]%3 == 0 {
		return []float64{0.5, 0.25}
	}
	return []float64{0.25, 0.5}
}

func (g table) Offers(s []uint64, role int, prefix []uint32) (all []uint32) {
	if len(prefix) > 0 || g.Terminal(s) {
		return nil
	}
	for k := range g[role] {
		all = append(all, k)
	}
	return all
}

// Of many joint moves, or moves of one role, the solver looks at all now and then only, but
// when the last one has come: not before is it known that there is nothing better than a half.
func TestBoundsOfManyTogether(t *testing.T) {
	oneThread(t)
	for _, g := range []table{{5, 7}, {13, 11}, {17, 15}, {150, 1}} {
		mc := toyTree(g, 1, Options{Solver: true, Seed: 1})
		for range 200 {
			if _, err := mc.Search(nil, search.Budget{Iterations: 200}); err != nil {
				t.Fatal(err)
			}
			known := mc.tree.Node(mc.tree.Root).Children
			low, high := mc.proofs.Bounds.Lows(mc.tree.Root), mc.proofs.Bounds.Highs(mc.tree.Root)
			want := [2]uint8{proof.Certain, proof.Certain}
			if known == g[0]*g[1] {
				if want = [2]uint8{50, 50}; g[1] == 1 {
					want[1] = 25 // who moves alone leaves the other as little as it can
				}
			}
			if high[0] != want[0] || high[1] != want[1] || low[0] > 50 || low[1] > 50 {
				t.Fatalf("%v: with %d joint moves known bounds are %v to %v", g, known, low, high)
			}
			if known == g[0]*g[1] {
				break
			}
		}
		if mc.tree.Node(mc.tree.Root).Children != g[0]*g[1] {
			t.Errorf("%v: not all joint moves were tried", g)
		}
	}
}

// The solver looks at some dozens of children for each that is proven, be they thousands, where
// one role moves: a move that brings no more than another that is known proves nothing.
func TestFewLooksAtManyMoves(t *testing.T) {
	oneThread(t)
	const iterations = 900
	mc := toyTree(table{1000, 1}, 1, Options{Solver: true, Seed: 1})
	looks, children := 0, &mc.proofs.ChildSet.Children
	look := func() {
		looks += len(*children)
		*children = (*children)[:0]
	}
	mc.worker.engine.(*toyEngine).OnStep = func(*toyEngine, *atomic.Bool) error {
		look()
		return nil
	}
	mustSearch(t, mc, iterations)
	if looks > 64*iterations {
		t.Errorf("%d children were looked at in %d iterations", looks, iterations)
	}
	root := mc.tree.Root
	mc.tree.EachChild(root, func(c uint32) {
		mc.tree.Node(root).Visits++
		mc.tree.Node(c).Visits++
		looks, *children = 0, (*children)[:0]
		mc.proofs.Prove([]uint32{root, c}, mc.tree.LastEdges(c))
		look()
		if due := mc.tree.Node(root).Visits%32 == 0; looks > 0 && !due {
			t.Fatalf("%d children were looked at for one that was known", looks)
		}
	})
}

// BenchmarkManyTogether is a search with the solver in a round of 27,225 joint moves that
// end the game, as the last one of Blotto.
func BenchmarkManyTogether(b *testing.B) {
	for b.Loop() {
		mc := toyTree(table{165, 165}, 64, Options{Solver: true, Seed: 1})
		if _, err := mc.Search(nil, search.Budget{Iterations: 30_000}); err != nil {
			b.Fatal(err)
		}
	}
}
