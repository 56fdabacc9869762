// Package portfolio lets algorithms share a clock: Monte Carlo tree search, with the
// search by layers in games for one, and with that for forced wins and losses in others.
package portfolio

import (
	"slices"
	"sync/atomic"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/mcts"
)

// Search is a forest that other searches work for. What is counted goes to the forest
// alone.
type Search struct {
	forest  *mcts.Forest
	engines int
	beside  beside
	tactics *tactics // nil: there are none
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
	counted := b.Iterations > 0 || b.States > 0
	if s.tactics != nil && (!counted || s.tactics.count > 0) && s.forest.HasRoot() && !s.forest.Terminal() {
		return s.searchTactics(stop, b)
	}
	clocked := !counted && (b.Time > 0 || !b.Deadline.IsZero())
	if (clocked || s.beside.moves > 0) && s.forest.IsOpen() && s.beside.begin(s.forest) {
		return s.searchBoth(stop, b)
	}
	return s.forest.Search(stop, b)
}

// Best is that of the forest, but for what is proven: a win that is forced is played, by the
// shortest line that is known, and no move that loses by force where another does not.
func (s *Search) Best(role int) (path []uint32, ok bool) {
	path, ok = s.forest.Best(role)
	t := s.tactics
	if t == nil || t.search == nil || t.idle || s.forest.Terminal() || !slices.Equal(t.root, s.forest.RootState()) {
		return path, ok
	}
	return t.mend(role, path, ok, s.forest.RootEdges(role))
}
