package combinatorial

import (
	"slices"
	"sync/atomic"
	"time"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/random"
	"semisplit/search/internal/table"
)

var _ search.Algorithm = (*Search)(nil)

// Search is a search by one of the methods. It takes the lanes of one engine, in each of
// which an iteration is in flight.
type Search struct {
	engine  engine.Engine
	levels  []int
	options Options
	rng     *random.Source
	library library

	rooted   bool
	nodes    []node
	words    []uint64  // of the states of nodes
	results  []float64 // goals of terminal ones
	children table.Of[child]
	choices  []choice
	graph    graph
	album    album
	mast     mast // nil unless moves are completed by it
	spaces   int64

	flights []flight
	clock   clock
	begun   int // iterations since the root was made, those in flight among them
	counts

	partial partial // scratch, as are the following
	joint   []uint32
	goals   []float64
	listing listing
	ranks   []float64
	ranked  *choice // whose ranks these are
}

// counts are what a report is made of.
type counts struct {
	iterations, playouts, states int
	sums                         []float64 // of goals, by role
}

// New makes a search without a root. It runs in the lanes of the first engine; levels are
// the dimensions of each role. Check tells whether the game can be searched; if not,
// SetRoot fails.
func New(engines []engine.Engine, levels []int, o Options) *Search {
	o = o.filled()
	return &Search{
		engine: engines[0], levels: levels, options: o, rng: random.New(o.Seed, 0x636f6d62),
		library: library{}, flights: make([]flight, engines[0].Lanes()), goals: make([]float64, len(levels)),
		listing: newListing(engines[0].Lanes(), len(levels)),
	}
}

// SetRoot is search.Algorithm.SetRoot. A game without dimensions is refused with
// ErrDimensions.
func (s *Search) SetRoot(state []uint64) error {
	s.rooted = false
	if err := Check(s.levels); err != nil && s.options.Method != Whole {
		return err
	}
	s.clear()
	s.engine.Load(0, state, nil)
	ended, err := s.engine.Step(new(atomic.Bool))
	if err != nil {
		return err
	}
	if e, ok := s.engine.(engine.Lister); ok && ended[0]&1 == 0 {
		clear(s.listing.mask)
		s.listing.mask[0] = 1
		s.listing.list(e)
	}
	s.add(0, ended[0]&1 != 0)
	s.engine.Unload(0)
	s.rooted = true
	return nil
}

// clear forgets all but spaces, as long as these leave half of the memory.
func (s *Search) clear() {
	s.unload()
	s.spaces = s.library.bytes()
	if len(s.library) == mostKept || s.spaces > s.options.Memory/2 {
		clear(s.library)
		s.spaces = 0
	}
	s.nodes, s.words, s.results, s.choices = s.nodes[:0], s.words[:0], s.results[:0], nil
	s.children, s.graph, s.album = table.Of[child]{}, graph{edges: s.graph.edges[:0], apart: s.options.Apart}, album{values: s.album.values[:0]}
	s.begun, s.ranked = 0, nil
	s.counts = counts{sums: make([]float64, len(s.levels))}
	if s.options.Completion == CompleteMAST {
		s.mast = newMAST(s.levels)
	}
}

// Advance is search.Algorithm.Advance. Nothing is kept: of so many moves hardly any was
// searched below.
func (s *Search) Advance([]uint32) (kept bool) {
	s.rooted = false
	return false
}

// Search is search.Algorithm.Search.
func (s *Search) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	if !s.rooted {
		return search.Report{}, search.ErrNoRoot
	}
	if stop == nil {
		stop = new(atomic.Bool)
	}
	before := s.counts
	before.sums = slices.Clone(s.sums)
	nodes := len(s.nodes)
	s.clock.begin(b, s.begun)
	for i := range s.choices[:min(len(s.choices), len(s.levels))] {
		s.choices[i].linear.begin(s)
	}
	err := s.run(stop, b)
	s.unload()
	if stop.Load() {
		err = nil // an engine that was stopped says so with an error
	}
	r := search.Report{
		Iterations: s.iterations - before.iterations, Playouts: s.playouts - before.playouts, States: s.states - before.states,
		Elapsed: time.Since(s.clock.start), Created: len(s.nodes) - nodes, Nodes: len(s.nodes), Bytes: s.bytes(),
		KeptVisits: before.iterations, RootVisits: s.iterations,
	}
	if r.Playouts > 0 {
		r.MeanLength = float64(r.States) / float64(r.Playouts)
	}
	if s.iterations > 0 {
		for _, sum := range s.sums {
			r.Value = append(r.Value, sum/float64(s.iterations))
		}
		r.Line = s.line()
	}
	return r, err
}

// run goes on until the budget is used up.
func (s *Search) run(stop *atomic.Bool, b search.Budget) error {
	if s.nodes[0].goals >= 0 {
		return nil
	}
	begun, states := s.begun, s.states
	used := func() bool { return s.clock.over() || b.States > 0 && s.states-states >= b.States }
	var lane, busy int
	for !stop.Load() {
		over := used()
		for lane = range s.flights {
			for !s.flights[lane].busy && !over && (b.Iterations == 0 || s.begun-begun < b.Iterations) {
				if s.begin(lane) {
					busy++
					break
				}
				s.states++ // iterations in the tree count as well
				over = used() || stop.Load()
			}
		}
		if busy == 0 || over {
			return nil
		}
		if err := s.step(stop); err != nil {
			return err
		}
		busy = 0
		for lane = range s.flights {
			if s.flights[lane].busy {
				busy++
			}
		}
	}
	return nil
}

// line is the joint move that is recommended.
func (s *Search) line() [][]uint32 {
	joint := []uint32{}
	for r := range s.levels {
		path, ok := s.Best(r)
		if !ok {
			return nil
		}
		joint = append(joint, path...)
	}
	return [][]uint32{joint}
}

// Best is search.Algorithm.Best.
func (s *Search) Best(role int) (path []uint32, ok bool) {
	if !s.rooted || s.nodes[0].goals >= 0 || s.choices[role].space.size == 0 || s.iterations == 0 {
		return nil, false
	}
	s.recommend(uint32(role))
	return s.choices[role].space.path(s.partial.move, nil), true
}

// RootEdges is search.Algorithm.RootEdges: the values of the first dimension, whatever
// the order in which they were chosen.
func (s *Search) RootEdges(role int) (edges []search.EdgeStats) {
	if !s.rooted || s.nodes[0].goals >= 0 {
		return nil
	}
	c := &s.choices[role]
	for place, semimove := range c.space.values[0] {
		t := c.values[place]
		edges = append(edges, search.EdgeStats{Path: []uint32{semimove}, Visits: int(t.visits), Value: t.mean()})
	}
	return edges
}

// hasRoom tells whether more can be kept.
func (s *Search) hasRoom() bool { return s.bytes() < s.options.Memory }

// bytes is what is kept, about.
func (s *Search) bytes() int64 {
	return s.spaces + s.graph.bytes() + s.album.bytes() + int64(cap(s.words))*8 + int64(cap(s.nodes))*32 + int64(cap(s.results))*8 + int64(s.children.Len())*24
}
