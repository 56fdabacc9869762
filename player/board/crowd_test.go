package board

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"semisplit/kif"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/reasoner/reasonertest"
)

// crowded are boards in the second state of a game whose moves are split, on the
// prover and in lanes, and also with whole moves, if that is wanted.
func crowded(t *testing.T, rules string, stop *atomic.Bool, whole bool) map[string]*Board {
	t.Helper()
	program := gametest.Program(t, rules)
	split, err := reasoner.NewAnalysis(program).Prover("modshift", reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	machines := map[string]reasoner.Machine{"split": split, "lanes": gametest.Lanes(t, program, "modshift")}
	if whole {
		machines["whole"] = gametest.Prover(t, program)
	}
	boards := map[string]*Board{}
	for name, m := range machines {
		b, err := New(m, 1, stop)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Play([]kif.Term{kif.Symbol("noop")}); err != nil {
			t.Fatal(err)
		}
		boards[name] = b
	}
	return boards
}

// Of a thousand million legal moves some are listed, one is drawn, and any is
// found.
func TestVeryManyMoves(t *testing.T) {
	for name, b := range crowded(t, reasonertest.Crowd(), new(atomic.Bool), true) {
		random := rand.New(rand.NewPCG(1, 1))
		reasonertest.Sparing(t, 512<<20, func() {
			if paths, all := b.List(0, Most); len(paths) != Most || all {
				t.Errorf("%s: %d moves are listed, all: %v", name, len(paths), all)
			}
		})
		if !b.HasChoice(0) {
			t.Errorf("%s: there is no choice", name)
		}
		seen := map[string]bool{}
		for range 20 {
			path, ok := b.Draw(0, random)
			if !ok {
				t.Fatalf("%s: no move was drawn", name)
			}
			move := b.Machine().Move(0, path)
			seen[move.String()] = true
			if found, ok := b.Find(0, move); !ok || len(found) != len(path) {
				t.Errorf("%s: %v is not legal", name, move)
			}
		}
		if len(seen) < 15 {
			t.Errorf("%s: of 20 moves only %d differ", name, len(seen))
		}
		if _, ok := b.Random(0, random); !ok {
			t.Errorf("%s: no random move", name)
		}
		if _, err := b.Joint([]kif.Term{kif.Symbol("noop")}); !errors.Is(err, ErrIllegal) {
			t.Errorf("%s: noop: %v", name, err)
		}
		last := kif.List(kif.Symbol("m"))
		for range 9 {
			last.Items = append(last.Items, kif.Symbol("9"))
		}
		if err := b.Play([]kif.Term{last}); err != nil || !b.Terminal() {
			t.Errorf("%s: %v, terminal %v", name, err, b.Terminal())
		}
		if paths, all := b.List(0, Most); len(paths) > 0 || !all {
			t.Errorf("%s: %d moves in a terminal state", name, len(paths))
		}
	}
}

// A listing hears the stop flag.
func TestListingStopped(t *testing.T) {
	stop := new(atomic.Bool)
	for name, b := range crowded(t, reasonertest.Crowd(), stop, false) {
		stop.Store(true)
		if paths, all := b.List(0, Most); len(paths) > 0 || all {
			t.Errorf("%s: %d moves were listed after the stop, all: %v", name, len(paths), all)
		}
		stop.Store(false)
	}
}

// Where all beginnings of a move lead nowhere but one, that one is found.
func TestDeadBeginnings(t *testing.T) {
	for name, b := range crowded(t, reasonertest.DeadCrowd(), new(atomic.Bool), true) {
		if paths, all := b.List(0, Most); len(paths) != 1 || !all {
			t.Errorf("%s: %d moves are listed, all: %v", name, len(paths), all)
		}
	}
}
