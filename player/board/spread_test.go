package board

import (
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"

	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
)

// prefixwise is a machine whose engines list moves prefix by prefix alone.
type prefixwise struct{ reasoner.Machine }

func (m prefixwise) NewSingle(seed uint64) reasoner.Engine {
	return struct{ reasoner.Engine }{m.Machine.NewSingle(seed)}
}

// Moves that all lanes list together are those that are listed prefix by prefix, in the
// same order, and the board still stands where it was.
func TestSpread(t *testing.T) {
	listed := 0
	for name, plan := range map[string]string{"amazons": "mod", "knightthrough": "modplus", "chess": "mod", "skirmish": "modshift", "blotto": "mod"} {
		t.Run(name, func(t *testing.T) {
			m := gametest.Lanes(t, gametest.Bundled(t, name), plan)
			together, alone := boardOf(t, m), boardOf(t, prefixwise{m})
			if _, ok := together.engine.(spreader); !ok {
				t.Fatal("the engine does not spread")
			}
			random := rand.New(rand.NewPCG(1, 2))
			for range 12 {
				var joint []uint32
				for role := range together.Roles() {
					for _, most := range []int{Most, 70, 5} {
						together.step = 0 // so that it spreads at once
						got, all := together.List(role, most)
						want, wantAll := alone.List(role, most)
						if !reflect.DeepEqual(got, want) || all != wantAll {
							t.Fatalf("%d moves of role %d, all: %v; prefix by prefix %d, %v", len(got), role, all, len(want), wantAll)
						}
						listed += len(got)
					}
					path, ok := alone.Random(role, random)
					if !ok {
						return
					}
					joint = append(joint, path...)
				}
				if !reflect.DeepEqual(together.Goals(), alone.Goals()) {
					t.Fatalf("goals %v, and %v without", together.Goals(), alone.Goals())
				}
				for _, b := range []*Board{together, alone} {
					if err := b.Moved(joint); err != nil {
						t.Fatal(err)
					}
				}
				if !reflect.DeepEqual(together.State(), alone.State()) || together.Terminal() != alone.Terminal() {
					t.Fatal("the boards stand at different states")
				}
			}
		})
	}
	if listed < 10000 {
		t.Errorf("only %d moves were listed", listed)
	}
}

func boardOf(t *testing.T, m reasoner.Machine) *Board {
	t.Helper()
	b, err := New(m, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A board that is stopped lists nothing more.
func TestSpreadStops(t *testing.T) {
	var stop atomic.Bool
	b, err := New(gametest.Lanes(t, gametest.Bundled(t, "amazons"), "mod"), 1, &stop)
	if err != nil {
		t.Fatal(err)
	}
	stop.Store(true)
	if paths, all := b.List(0, Most); all {
		t.Errorf("%d moves are said to be all", len(paths))
	}
}

// BenchmarkList lists the moves of the initial state of Amazons, with all lanes and prefix
// by prefix.
func BenchmarkList(b *testing.B) {
	m := gametest.Lanes(b, gametest.Bundled(b, "amazons"), "mod")
	for name, m := range map[string]reasoner.Machine{"together": m, "prefixwise": prefixwise{m}} {
		b.Run(name, func(b *testing.B) {
			board, err := New(m, 1, nil)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				board.List(0, Most)
			}
		})
	}
}
