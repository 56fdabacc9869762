package backup

import (
	"slices"
	"testing"

	"semisplit/search/heuristic"
	"semisplit/search/proof"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// setup is of a tree with a root for one role, without anything beside it.
func setup(o Options) Setup {
	s := Setup{Options: o, Tree: new(tree.Tree), Values: new(heuristic.Values), Proofs: new(proof.Prover), Learner: new(stats.Learner)}
	s.Tree.Init([]int{1}, 1<<20)
	s.Tree.NewRoot([]uint64{1}, 0)
	return s
}

// Only passes that are asked for are in the lists, and one that is added is run in its place.
func TestPasses(t *testing.T) {
	usual, more := New(setup(Options{})), New(setup(Options{RollUp: true}))
	if len(more.path) != len(usual.path)+1 || len(more.playouts) != len(usual.playouts) || len(usual.path) >= len(passes) {
		t.Fatalf("%d and %d passes, %d and %d with one more", len(usual.playouts), len(usual.path), len(more.playouts), len(more.path))
	}
	before := passes
	defer func() { passes = before }()
	seen := uint32(0)
	count := func(s *Setup) pass {
		return func(it *Iteration) { seen += s.Tree.Node(it.Nodes[0]).Visits }
	}
	passes = slices.Concat([]func(*Setup) pass{count}, passes, []func(*Setup) pass{count})
	s := setup(Options{})
	s.Tree.Node(s.Tree.Root).Virtual++
	it := Iteration{Values: []float64{1}}
	it.Nodes = []uint32{s.Tree.Root}
	b := New(s)
	b.Path(&it)
	if nd := s.Tree.Node(s.Tree.Root); nd.Visits != 1 || nd.Virtual != 0 || seen != 1 {
		t.Errorf("%d visits, %d virtual ones; the added passes saw %d", nd.Visits, nd.Virtual, seen)
	}
}
