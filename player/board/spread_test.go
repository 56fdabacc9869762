package board

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/internal/testenv"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/reasonertest"
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
	for _, c := range []struct{ game, plan string }{
		{"amazons", "mod"}, {"amazons", "modshift"}, {"knightthrough", "modplus"}, {"chess", "mod"}, {"skirmish", "modshift"}, {"blotto", "mod"},
	} {
		t.Run(c.game+" "+c.plan, func(t *testing.T) {
			m := gametest.Lanes(t, gametest.Bundled(t, c.game), c.plan)
			together, alone := boardOf(t, m), boardOf(t, prefixwise{m})
			if _, ok := together.engine.(spreader); !ok {
				t.Fatal("the engine does not spread")
			}
			random := rand.New(rand.NewPCG(1, 2))
			for range 6 {
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

// Of a thousand million moves the same are listed first, and a stop in the midst of them is
// heard.
func TestSpreadOfVeryManyMoves(t *testing.T) {
	b := crowded(t, reasonertest.Crowd(), nil, false)["lanes"]
	spread := func(stop *atomic.Bool, visit func()) (paths [][]uint32, all bool) {
		all, err := b.engine.(spreader).Spread(b.state, 0, Most, stop, func(path []uint32) {
			paths = append(paths, slices.Clone(path))
			visit()
		})
		if err != nil {
			t.Fatal(err)
		}
		return paths, all
	}
	alone := boardOf(t, prefixwise{b.Machine()})
	if err := alone.Set(b.State()); err != nil {
		t.Fatal(err)
	}
	want, _ := alone.List(0, Most)
	if paths, all := spread(nil, func() {}); len(paths) != Most || all || !reflect.DeepEqual(paths, want) {
		t.Errorf("%d moves are listed, all: %v; or others than prefix by prefix", len(paths), all)
	}
	var stop atomic.Bool
	if paths, all := spread(&stop, func() { stop.Store(true) }); len(paths) == 0 || len(paths) >= Most/2 || all {
		t.Errorf("%d moves were listed before the stop was heard, all: %v", len(paths), all)
	}
}

// BenchmarkList lists the moves of initial states, with all lanes where that pays, and prefix
// by prefix. The last game is a published one.
func BenchmarkList(b *testing.B) {
	for _, game := range []string{"amazons", "chess", "skirmish", "amazonsTorus"} {
		b.Run(game, func(b *testing.B) {
			program := func() *gdl.Program {
				if game == "amazonsTorus" {
					return gametest.Program(b, testenv.Rules(b, game))
				}
				return gametest.Bundled(b, game)
			}()
			m := gametest.Lanes(b, program, "mod")
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
		})
	}
}
