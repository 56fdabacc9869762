package portfolio

import (
	"errors"
	"sync/atomic"

	"semisplit/search"
)

// Relief is an algorithm that is not for each state of a game, and another one that
// searches those that it refuses: games in which roles choose one after the other may have
// a state in which several choose at once, or one with more moves than any before.
type Relief struct {
	main   search.Algorithm
	relief func() search.Algorithm
	strict bool // the first root is refused if main refuses it
	now    search.Algorithm
	kept   bool // the relief stands at the state after the last joint move
}

var _ search.Algorithm = (*Relief)(nil)

// NewRelief makes one without a root. strict: its first root must be one for main, which is
// the one that was asked for.
func NewRelief(main search.Algorithm, relief func() search.Algorithm, strict bool) *Relief {
	return &Relief{main: main, relief: relief, strict: strict, now: main}
}

// SetRoot is search.Algorithm.SetRoot. After a joint move it is for the state that this led to, in
// which the relief may stand already.
func (r *Relief) SetRoot(state []uint64) error {
	kept := r.kept
	r.kept = false
	err := r.main.SetRoot(state)
	switch refusal := search.Refusal(""); {
	case err == nil:
		r.now, r.strict = r.main, false
		return nil
	case r.strict || !errors.As(err, &refusal):
		r.now = r.main
		return err
	}
	if r.now == r.main {
		r.now, kept = r.relief(), false
	}
	if kept {
		return nil
	}
	return r.now.SetRoot(state)
}

// Advance is search.Algorithm.Advance. After a state that main refused it is asked again, and
// what the relief knows is kept for the next state that it refuses.
func (r *Relief) Advance(joint []uint32) (kept bool) {
	kept = r.now.Advance(joint)
	if r.now == r.main {
		return kept
	}
	r.kept = kept
	return false
}

// Search is search.Algorithm.Search.
func (r *Relief) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	return r.now.Search(stop, b)
}

// Best is search.Algorithm.Best.
func (r *Relief) Best(role int) (path []uint32, ok bool) { return r.now.Best(role) }

// RootEdges is search.Algorithm.RootEdges.
func (r *Relief) RootEdges(role int) []search.EdgeStats { return r.now.RootEdges(role) }
