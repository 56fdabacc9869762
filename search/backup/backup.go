// Package backup carries the result of an iteration up the path of its lane.
package backup

import (
	"semisplit/search/heuristic"
	"semisplit/search/proof"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// pass is one part, for one iteration at a time.
type pass func(it *Iteration)

// Options say which passes there are, beside those that the tree's companions ask for.
type Options struct {
	// RollUp merges a prefix into what precedes it when all that follows it
	// was tried and it was visited MinSimulations times as often as it has
	// successors.
	RollUp         bool
	MinSimulations float64
}

// Setup is what passes work on.
type Setup struct {
	Options
	Tree    *tree.Tree
	Values  *heuristic.Values
	Proofs  *proof.Prover
	Learner *stats.Learner

	RootChanged func() // is called when something new may be proven of the root
}

// Iteration is what a lane has played, and what came of it. Its path holds a virtual visit
// on each node and edge, which are taken back: of nodes by the pass for visits, of edges by
// the one that counts results.
type Iteration struct {
	stats.Iteration
	Crossed     []uint32  // aliases on the path
	SingleMover bool      // in the joint move that left the tree, no more than one role had a choice
	Values      []float64 // by role, in [0, 1]
}
