package mcts

import (
	"testing"

	"semisplit/search"
	"semisplit/search/internal/toys"
	"semisplit/search/tree"
)

// A state that is won at once is solved when it is reached first, without children, and
// still played out where it is the root.
func TestSeenWinsAreSolved(t *testing.T) {
	mc := seeingTree(toys.TicTacToe{}, 8, Options{Seed: 1, Solver: true})
	if _, err := mc.Search(nil, search.Budget{Iterations: 400}); err != nil {
		t.Fatal(err)
	}
	if err := mc.check(); err != nil {
		t.Fatal(err)
	}
	bare := 0
	eachState(mc, func(n uint32, s []uint64) {
		if nd := mc.tree.Node(n); nd.Flags&tree.FlagSolved != 0 && nd.Children == 0 {
			if bare++; mc.proofs.Bounds.Distance(n) != 1 {
				t.Errorf("state %o: distance %d", s, mc.proofs.Bounds.Distance(n))
			}
		}
	})
	if bare == 0 {
		t.Error("no state was solved by what was seen")
	}
	// x has 0 and 1, o has 3: x wins by 2.
	if err := mc.SetRoot([]uint64{0o003, 0o110}); err != nil {
		t.Fatal(err)
	}
	if _, err := mc.Search(nil, search.Budget{Iterations: 1000}); err != nil {
		t.Fatal(err)
	}
	if path, ok := mc.Best(0); !ok || path[0] != 2 {
		t.Errorf("plays %v", path)
	}
}

// The child that lets the opponent win at once becomes the root: the win is found.
func TestSolvedByWhatWasSeenAsRoot(t *testing.T) {
	g := toys.TicTacToe{}
	mc := seeingTree(g, 4, Options{Seed: 2, Solver: true})
	if err := mc.SetRoot([]uint64{0o003, 0o010}); err != nil { // o is to move, and must take 2
		t.Fatal(err)
	}
	if _, err := mc.Search(nil, search.Budget{Iterations: 300}); err != nil {
		t.Fatal(err)
	}
	joint := g.Offers([]uint64{0o003, 0o010}, 0, nil)[:1:1]
	joint = append(joint, 8)
	if !mc.Advance(joint) {
		t.Fatal("the tree does not hold what o could play")
	}
	r, err := mc.Search(nil, search.Budget{Iterations: 300})
	if err != nil {
		t.Fatal(err)
	}
	if path, ok := mc.Best(0); !ok || path[0] != 2 || r.Low[0] != 1 {
		t.Errorf("plays %v, sure of %v", path, r.Low)
	}
}
