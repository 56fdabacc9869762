package greedy

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner/lanes"
)

// Of all positions so many are kept, early ones as well as late ones.
func TestReplayKeeps(t *testing.T) {
	var p replay
	random := rand.New(rand.NewPCG(1, 2))
	for i := range uint32(4 * replayed) {
		p.keep(regression.Sample{Match: i}, random)
	}
	early := 0
	for _, s := range p.kept {
		if s.Match < 2*replayed {
			early++
		}
	}
	if len(p.kept) != replayed || early < 2*replayed/5 || early > 3*replayed/5 {
		t.Errorf("%d are kept, %d of the first half", len(p.kept), early)
	}
}

// Of states with very many fluents fewer are kept, and matches are shorter.
func TestReplayHasRoom(t *testing.T) {
	var p replay
	random := rand.New(rand.NewPCG(1, 2))
	const words = 1 << 13
	state := make([]uint64, words)
	for i := range uint32(3000) {
		p.keep(regression.Sample{State: state, Match: i}, random)
	}
	if len(p.kept)*words > 8<<20 || len(p.kept) == 0 {
		t.Errorf("%d positions of %d words are kept", len(p.kept), words)
	}
	g := &Matches{play: play{tries: tries{words: words}}}
	for i := range 3000 {
		g.Test = append(g.Test, regression.Sample{State: state, Match: uint32(i)})
		g.forget()
	}
	if len(g.Test)*words > 16<<20 || len(g.Test) == 0 {
		t.Errorf("%d positions of %d words are held out", len(g.Test), words)
	}
	if n := g.longest(); n*sideBySide*words > 8<<20 || n < 1 {
		t.Errorf("matches of %d words have up to %d joint moves", words, n)
	}
}

// endingLister sets a flag while the moves of the first role are listed.
type endingLister struct {
	*lanes.Engine
	stop  *atomic.Bool
	lists *int
}

func (e endingLister) Paths(lanes []uint64, role, most int, visit func(lane int, path []uint32)) []uint64 {
	*e.lists++
	e.stop.Store(true)
	return e.Engine.Paths(lanes, role, most, visit)
}

// When the time is over in a game with very many moves, those of the other roles are not
// listed any more, and none is tried.
func TestListingEnds(t *testing.T) {
	program := gametest.Bundled(t, "goofspiel")
	m := gametest.Lanes(t, program, "orthodox")
	g := New(m, evaluation.NewFeatures(m, program), 1)
	var stop atomic.Bool
	lists := 0
	g.engine = endingLister{g.engine.(*lanes.Engine), &stop, &lists}
	g.beginAll()
	if err := g.turn(&stop); err != nil || lists != 1 || len(g.tries.of) > 0 {
		t.Errorf("%d roles were listed, %d moves tried: %v", lists, len(g.tries.of), err)
	}
}

// Nobody waits for what matches have taught that are not wanted any more: there is no last fit.
func TestCanceled(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	g := New(m, evaluation.NewFeatures(m, program), 1)
	ctx, cancel := context.WithCancel(t.Context())
	ended := g.matchEnded
	g.matchEnded = func(match *match, goals []float32) {
		if ended(match, goals); g.Done == sideBySide {
			cancel()
		}
	}
	if err := g.Run(ctx, time.Now().Add(time.Hour), math.MaxInt); !errors.Is(err, context.Canceled) || g.Result != nil {
		t.Errorf("%v, learned anything: %v", err, g.Result != nil)
	}
}

// Positions of the second half of the time are what an evaluation is measured on, where they
// are of matches enough; else those of before are kept, so that something is.
func TestMeasuredOnEnough(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	for _, c := range []struct {
		later, least, most int // rounds after the half; matches that are held out, in the end
	}{{0, 2 * sideBySide / 5, 3 * sideBySide / 5}, {4, leastTested, 5 * sideBySide / 5}} {
		g := New(m, evaluation.NewFeatures(m, program), 1)
		ended := g.matchEnded
		g.matchEnded = func(match *match, goals []float32) {
			if g.Done >= sideBySide {
				g.half = time.Now()
			}
			ended(match, goals)
		}
		if err := g.Run(t.Context(), time.Now().Add(time.Hour), (2+c.later)*sideBySide); err != nil {
			t.Fatal(err)
		}
		if n := regression.Matches(regression.Pointers(g.Test)); n < c.least || n > c.most {
			t.Errorf("%d rounds after the half: measured on %d matches, want %d to %d", c.later, n, c.least, c.most)
		}
	}
}

// No fit begins that would not be over when the last one is due, which learns from more.
func TestLastFitIsDue(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	for _, c := range []struct {
		left time.Duration // beside that of the last fit
		fits bool
	}{{time.Hour, true}, {time.Second, false}} {
		g := New(m, evaluation.NewFeatures(m, program), 1)
		for i := range uint32(100) {
			g.keep(regression.Sample{State: m.Initial(), Values: []float32{0.5, 0.5}, Match: i}, g.random)
		}
		g.Done, g.refit = sideBySide, time.Minute
		g.begun, g.until = time.Now().Add(-time.Hour), time.Now().Add(g.refit+c.left)
		if g.round(); (g.fitted != nil) != c.fits {
			t.Errorf("%v left: fitted: %v", c.left, g.fitted != nil)
		}
	}
}
