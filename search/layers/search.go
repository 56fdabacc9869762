package layers

import (
	"slices"
	"sync/atomic"
	"time"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/hashing"
)

// Options are the parameters of a search.
type Options struct {
	Memory int64 // bound, in bytes
	Seed   uint64
}

var _ search.Algorithm = (*Search)(nil)

// New makes a search without a root, for a game with one role. It runs in the lanes of the
// first engine; levels are those of the machine.
func New(engines []engine.Engine, levels []int, o Options) *Search {
	return &Search{
		engine: engines[0], lister: lister{engine: engines[0], levels: levels[0]},
		memory: o.Memory, seed: hashing.Of(o.Seed ^ 0x66726f6e74696572), done: true,
	}
}

// SetRoot is search.Algorithm.SetRoot.
func (f *Search) SetRoot(state []uint64) error {
	f.rooted, f.root = true, append(f.root[:0], state...)
	f.best.Begin()
	f.value, f.done = -1, f.best.Proven
	if f.best.Known() {
		f.value = f.best.Value
	}
	f.schedule = schedule{}
	f.beginPass()
	return nil
}

// Advance is search.Algorithm.Advance: the line goes on, nothing else.
func (f *Search) Advance(joint []uint32) (kept bool) {
	f.rooted = false
	f.best.Advance(joint, false)
	return false
}

// Search is search.Algorithm.Search; joint moves that are played are the iterations. The
// bounds of its report meet when there is nothing left to find, nor to be told.
func (f *Search) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	if !f.rooted {
		return search.Report{}, search.ErrNoRoot
	}
	if stop == nil {
		stop = new(atomic.Bool)
	}
	start, begun := time.Now(), f.states
	deadline := b.Until(start)
	err := f.run(stop, func() bool {
		played := f.states - begun
		return stop.Load() || b.States > 0 && played >= b.States || b.Iterations > 0 && played >= b.Iterations ||
			!deadline.IsZero() && !time.Now().Before(deadline)
	})
	played := f.states - begun
	r := search.Report{
		Iterations: played, States: played, Elapsed: time.Since(start), Bytes: f.tables.bytes(),
		Low: []float64{0}, High: []float64{1}, Line: slices.Clone(f.best.Moves),
	}
	value := f.value
	if f.pass.best.record != 0 { // that line is to be told yet: nobody can play by its goal
		if value = -1; f.best.Known() {
			value = f.best.Value
		}
	}
	if value >= 0 {
		r.Value = []float64{value}
	}
	if r.Low[0] = max(value, 0); f.best.Proven {
		r.High[0] = r.Low[0]
	}
	return r, err
}

// Best is search.Algorithm.Best: the first move of the best line.
func (f *Search) Best(role int) (path []uint32, ok bool) {
	if role != 0 || !f.rooted || !f.best.Known() {
		return nil, false
	}
	return slices.Clone(f.best.Moves[0]), true
}

// RootEdges is search.Algorithm.RootEdges: there are no such statistics.
func (f *Search) RootEdges(int) []search.EdgeStats { return nil }
