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

// beside is an algorithm that works for a forest in a game for one, as long as no line is
// known that is sure to be best: the search by layers, for playouts find nothing where good
// lines are rare. That takes time of its own: with one engine half of the clock, with
// several one of them all the time.
type beside struct {
	algorithm search.Algorithm // nil: it has not begun
	engines   []engine.Engine  // which it runs on: the last one of the forest
	levels    []int
	seed      uint64

	rooted bool     // it stands at root
	root   []uint64 // the state in which nothing holds may have no words
	idle   bool     // everything is known of the root, or the algorithm broke down there

	moves int // joint moves in each search, whatever the budget; 0: what the clock allows
}

// layersPart is the part of the memory for the search by layers.
const layersPart = 4

// begin brings the algorithm to the root of a forest; false: it has nothing to do there.
func (b *beside) begin(f *mcts.Forest) bool {
	if b.algorithm == nil {
		b.algorithm = layers.New(b.engines, b.levels, layers.Options{Memory: f.GiveMemory(layersPart), Seed: b.seed})
	}
	if root := f.RootState(); !b.rooted || !slices.Equal(root, b.root) {
		b.rooted, b.root = true, root
		b.idle = b.algorithm.SetRoot(root) != nil
	}
	return !b.idle
}

// advance tells the algorithm of a joint move, after which the root is another one.
func (b *beside) advance(joint []uint32) {
	if b.algorithm != nil {
		b.algorithm.Advance(joint)
		b.rooted = false
	}
}

// search lets the algorithm search until a deadline, or until halted. A panic comes back as
// an error; after one of its own there is nothing to do at this root any more.
func (b *beside) search(stop, halted *atomic.Bool, deadline time.Time) (r search.Report, err error) {
	if fault := guard.Run(func() error {
		r, err = b.algorithm.Search(halted, search.Budget{Deadline: deadline, States: b.moves})
		return nil
	}); fault != nil {
		err = fmt.Errorf("search: by layers: %w", fault)
	} else if stop.Load() || halted.Load() {
		err = nil // an engine that was stopped says so with an error
	}
	b.idle = err != nil || r.High != nil && r.High[0] <= r.Low[0]
	return r, err
}

// tell tells a forest what the algorithm has found.
func tell(f *mcts.Forest, r search.Report) {
	if r.Low == nil {
		return
	}
	f.TakeLine(r.Low[0], r.Line)
	if r.High[0] <= r.Low[0] {
		f.LineIsBest(r.High[0])
	}
}

// searchBoth is Search, in the forest and beside it.
func (s *Search) searchBoth(stop *atomic.Bool, b search.Budget) (r search.Report, err error) {
	start := time.Now()
	b.Deadline, b.Time = b.Until(start), 0
	var found search.Report
	var fault error
	if s.engines == 1 {
		half := b.Deadline
		if !half.IsZero() {
			half = start.Add(half.Sub(start) / 2)
		}
		found, fault = s.beside.search(stop, stop, half)
		tell(s.forest, found)
		r, err = s.forest.Search(stop, b)
		r.Elapsed = time.Since(start)
	} else {
		r, err = s.forest.SearchBeside(stop, b, func(halted *atomic.Bool) {
			found, fault = s.beside.search(stop, halted, b.Deadline)
			if s.beside.idle && fault == nil {
				halted.Store(true)
			}
		}, func() { tell(s.forest, found) })
	}
	r.Layered, r.LayersFault = found.States, fault
	return r, err
}
