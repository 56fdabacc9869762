// Package portfolio lets algorithms share a clock: Monte Carlo tree search, with the
// search by layers in games for one, and with that for forced wins and losses in others.
package portfolio

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/internal/guard"
	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/layers"
	"semisplit/search/mcts"
)

// Search is a forest beside which a game for one is searched by layers, as long as no
// line is known that is sure to be best: playouts find nothing where good lines are rare.
// That takes time of its own: with one engine half of the clock, with several one of them
// all the time. What is counted goes to the forest alone.
type Search struct {
	*mcts.Forest
	layers  *layers.Search // nil: it has not begun
	last    engine.Engine  // which it runs on
	engines int
	levels  int
	seed    uint64

	tactics *tactics // nil: there are none

	moves int // joint moves by layers in each search, whatever the budget; 0: what the clock allows
}

var _ search.Algorithm = (*Search)(nil)

// layersPart is the part of the memory for the search by layers.
const layersPart = 4

// New makes an algorithm without a root; the arguments are those of mcts.NewForest.
func New(engines []engine.Engine, levels []int, o mcts.Options) *Search {
	return &Search{
		Forest: mcts.NewForest(engines, levels, o),
		last:   engines[len(engines)-1], engines: len(engines), levels: levels[0], seed: o.Seed,
	}
}

// Search is search.Algorithm.Search.
func (s *Search) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	counted := b.Iterations > 0 || b.States > 0
	if s.tactics != nil && (!counted || s.tactics.count > 0) && s.HasRoot() && !s.Terminal() {
		if stop == nil {
			stop = new(atomic.Bool)
		}
		return s.searchTactics(stop, b)
	}
	clocked := !counted && (b.Time > 0 || !b.Deadline.IsZero())
	if !clocked && s.moves == 0 || !s.IsOpen() || !s.prepare() {
		return s.Forest.Search(stop, b)
	}
	if stop == nil {
		stop = new(atomic.Bool)
	}
	return s.searchBoth(stop, b)
}

// prepare brings the search by layers to the root; false: it has nothing to do there.
func (s *Search) prepare() bool {
	if s.layers == nil {
		s.layers = layers.New(s.last, s.levels, s.GiveMemory(layersPart), s.seed)
	}
	root, value := s.RootState(), s.LineValue()
	if !slices.Equal(root, s.layers.Root()) {
		s.layers.Begin(root, value)
	} else {
		s.layers.Raise(value)
	}
	return s.layers.Busy()
}

// tell tells the forest what the search by layers has found.
func (s *Search) tell() {
	s.TakeLine(s.layers.Value(), s.layers.Line())
	if s.layers.Proven() {
		s.LineIsBest(s.layers.Value())
	}
}

// searchBoth is Search, in the forest and by layers.
func (s *Search) searchBoth(stop *atomic.Bool, b search.Budget) (r search.Report, err error) {
	start, states := time.Now(), s.layers.States()
	if b.Time > 0 && (b.Deadline.IsZero() || start.Add(b.Time).Before(b.Deadline)) {
		b.Deadline = start.Add(b.Time)
	}
	b.Time = 0
	var fault error
	if s.engines == 1 {
		half := b.Deadline
		if !half.IsZero() {
			half = start.Add(half.Sub(start) / 2)
		}
		fault = s.runLayers(stop, half, func() bool { return false })
		s.tell()
		r, err = s.Forest.Search(stop, b)
		r.Elapsed = time.Since(start)
	} else {
		r, err = s.SearchBeside(stop, b, func() {
			fault = s.runLayers(stop, b.Deadline, s.Halted)
			if s.layers.Proven() {
				s.Halt()
			}
		}, s.tell)
	}
	r.Layered, r.LayersFault = s.layers.States()-states, fault
	return r, err
}

// runLayers searches by layers until a deadline, or until halted. A panic comes back as
// an error; there are no layers from this root any more then.
func (s *Search) runLayers(stop *atomic.Bool, deadline time.Time, halted func() bool) error {
	begun := s.layers.States()
	var err error
	if fault := guard.Run(func() error {
		err = s.layers.Run(stop, func() bool {
			return stop.Load() || halted() || s.moves > 0 && s.layers.States()-begun >= s.moves || !deadline.IsZero() && !time.Now().Before(deadline)
		})
		return nil
	}); fault != nil {
		err = fmt.Errorf("search: by layers: %w", fault)
	}
	if err != nil {
		s.layers.Close()
	}
	return err
}
