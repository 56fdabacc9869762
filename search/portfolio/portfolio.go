// Package portfolio lets two algorithms share a clock: Monte Carlo tree search, and the
// search by layers in games for one; alpha-beta, and what learns for it while others
// choose; any one, and another for the states that it refuses.
package portfolio

import (
	"sync/atomic"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/mcts"
)

// Search is a forest that another search works for. What is counted goes to the forest
// alone.
type Search struct {
	forest  *mcts.Forest
	engines int
	beside  beside
}

var _ search.Algorithm = (*Search)(nil)

// New makes an algorithm without a root; the arguments are those of mcts.NewForest.
func New(engines []engine.Engine, levels []int, o mcts.Options) *Search {
	return &Search{
		forest: mcts.NewForest(engines, levels, o), engines: len(engines),
		beside: beside{engines: engines[len(engines)-1:], levels: levels, seed: o.Seed},
	}
}

// SetRoot is search.Algorithm.SetRoot.
func (s *Search) SetRoot(state []uint64) error { return s.forest.SetRoot(state) }

// Advance is search.Algorithm.Advance.
func (s *Search) Advance(joint []uint32) (kept bool) {
	s.beside.advance(joint)
	return s.forest.Advance(joint)
}

// RootEdges is search.Algorithm.RootEdges.
func (s *Search) RootEdges(role int) []search.EdgeStats { return s.forest.RootEdges(role) }

// Search is search.Algorithm.Search.
func (s *Search) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	if stop == nil {
		stop = new(atomic.Bool)
	}
	clocked := b.Iterations <= 0 && b.States <= 0 && (b.Time > 0 || !b.Deadline.IsZero())
	if (clocked || s.beside.moves > 0) && s.forest.IsOpen() && s.beside.begin(s.forest) {
		return s.searchBoth(stop, b)
	}
	return s.forest.Search(stop, b)
}

// Best is search.Algorithm.Best.
func (s *Search) Best(role int) (path []uint32, ok bool) { return s.forest.Best(role) }
