package minimax

import (
	"sync/atomic"
	"testing"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/hashing"
	"semisplit/search/internal/toys"
)

// sown is a game whose moves take some more joint moves without a choice, counted by the
// last word, before the other role moves.
type sown struct {
	toys.Game
	steps uint64
}

// split gives the state of the game, and the joint moves that are missing.
func (sown) split(s []uint64) (of []uint64, left uint64) { return s[:len(s)-1], s[len(s)-1] }

func (g sown) Initial() []uint64 { return append(g.Game.Initial(), 0) }
func (g sown) Terminal(s []uint64) bool {
	of, left := g.split(s)
	return left == 0 && g.Game.Terminal(of)
}
func (g sown) Goals(s []uint64) []float64 {
	of, _ := g.split(s)
	return g.Game.Goals(of)
}
func (g sown) Offers(s []uint64, role int, prefix []uint32) []uint32 {
	of, left := g.split(s)
	if left > 0 {
		return []uint32{77}
	}
	return g.Game.Offers(of, role, prefix)
}
func (g sown) Play(s []uint64, joint []uint32) []uint64 {
	of, left := g.split(s)
	if left > 0 {
		return append(append([]uint64{}, of...), left-1)
	}
	return append(g.Game.Play(of, joint), g.steps)
}

// amid counts the states that are evaluated in the middle of a move.
type amid struct {
	opinion
	amid, all int
}

func (x *amid) Values(state []uint64, values []float64) {
	if x.all++; state[len(state)-1] > 0 {
		x.amid++
	}
	x.opinion.Values(state, values)
}

// long is sown with lines of a length that depends on the state: 0 or steps.
type long struct{ sown }

func (g long) Play(s []uint64, joint []uint32) []uint64 {
	next := g.sown.Play(s, joint)
	if of, left := g.split(next); left == g.steps && hashing.Words(of)%4 != 0 {
		next[len(next)-1] = 0
	}
	return next
}

// Lines of forced moves are played on beside moves that are asked for meanwhile.
func TestForcedBesideOthers(t *testing.T) {
	game := long{sown{rows{5, 4}, 12}}
	e := toys.NewEngine(game, 64, 1)
	forced, chosen, both := false, false, 0
	e.OnStep = func(*toys.Engine, *atomic.Bool) error {
		if forced && chosen {
			both++
		}
		forced, chosen = false, false
		return nil
	}
	e.OnPlay = func(_ int, joint []uint32) {
		single := joint[0] == 77 && joint[1] == 77
		forced, chosen = forced || single, chosen || !single
	}
	s := NewAlphaBeta([]engine.Engine{e}, game.Levels(), Options{Evaluate: opinion(1)})
	if err := s.SetRoot(game.Initial()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Search(nil, search.Budget{Iterations: 4 * forcedLeast}); err != nil {
		t.Fatal(err)
	}
	both, e.Steps = 0, 0
	if _, err := s.Search(nil, search.Budget{Iterations: 4000}); err != nil {
		t.Fatal(err)
	}
	if !s.forced.isFrequent() || both < e.Steps/20 {
		t.Errorf("%+v: %d of %d steps play both", s.forced, both, e.Steps)
	}
}

// Where most states are forced, alpha-beta evaluates those in which there is a choice, once
// it knows; and lines of forced moves that are too long, and games without any, go on as
// usual.
func TestForced(t *testing.T) {
	for _, c := range []struct {
		name    string
		steps   uint64
		follows bool
	}{
		{"in each move", 3, true},
		{"in no move", 0, false},
		{"longer than is followed", longestLine + 10, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			game := sown{rows{4, 3}, c.steps}
			seen := &amid{opinion: 1}
			s := NewAlphaBeta([]engine.Engine{toys.NewEngine(game, 64, 1)}, game.Levels(), Options{Evaluate: seen})
			if err := s.SetRoot(game.Initial()); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Search(nil, search.Budget{Iterations: 4 * forcedLeast}); err != nil {
				t.Fatal(err)
			}
			if s.forced.isFrequent() != c.follows {
				t.Fatalf("%+v after %d states", s.forced, seen.all)
			}
			*seen = amid{opinion: 1}
			r, err := s.Search(nil, search.Budget{Iterations: 2000})
			if err != nil || seen.all == 0 {
				t.Fatalf("%+v, %v", r, err)
			}
			if (seen.amid > 0) != (c.steps > longestLine) {
				t.Errorf("%d of %d states are in the middle of a move", seen.amid, seen.all)
			}
			if c.follows && r.States < 2*r.Iterations {
				t.Errorf("%d states for %d that were evaluated", r.States, r.Iterations)
			}
		})
	}
}

// parking is an engine that keeps the end of a game which a lane comes to by itself, after the
// Step for which it was loaded, until the next Step.
type parking struct {
	*toys.Engine
	fresh   []bool // by lane: it was loaded for the next Step
	stalled []uint64
	parked  int
}

func (e *parking) Load(lane int, state []uint64, joint []uint32) {
	e.fresh[lane] = true
	e.Engine.Load(lane, state, joint)
}

func (e *parking) Step(stop *atomic.Bool) ([]uint64, error) {
	ended, err := e.Engine.Step(stop)
	if err != nil {
		return nil, err
	}
	e.stalled[0] = 0
	for lane, fresh := range e.fresh {
		if bit := uint64(1) << lane; ended[0]&bit != 0 && !fresh {
			ended[0] &^= bit
			e.stalled[0] |= bit
			e.Engine.Load(lane, e.State(lane, nil), nil) // to be looked at in the next Step
			e.parked++
		}
		e.fresh[lane] = e.stalled[0]>>lane&1 != 0
	}
	return ended, nil
}

func (e *parking) Stalled() []uint64 { return e.stalled }

// Ends that forced moves lead to, which an engine tells of a Step later, are ends.
func TestForcedToTheEnd(t *testing.T) {
	game := sown{rows{4, 3}, 3}
	e := &parking{Engine: toys.NewEngine(game, 64, 1), fresh: make([]bool, 64), stalled: make([]uint64, 1)}
	s := NewAlphaBeta([]engine.Engine{e}, game.Levels(), Options{Evaluate: opinion(1)})
	if err := s.SetRoot(game.Initial()); err != nil {
		t.Fatal(err)
	}
	r, err := s.Search(nil, search.Budget{States: 1 << 22})
	if err != nil || !s.Decided() || !s.forced.isFrequent() || e.parked == 0 {
		t.Fatalf("%+v, %d parked, %+v, %v", s.forced, e.parked, r, err)
	}
	if want := truth(game, game.Initial(), map[[4]uint64][]float64{}); r.Value[0] != want[0] {
		t.Errorf("worth %v, want %v", r.Value, want)
	}
}
