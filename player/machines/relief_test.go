package machines

import (
	"errors"
	"sync/atomic"
	"testing"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/internal/gametest"
	"semisplit/search"
)

// phases is a game in which one role chooses, then both, then the other one.
const phases = `(role a) (role b) (init (turn 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal a ?m) (true (turn 1)) (option ?m)) (<= (legal b noop) (true (turn 1)))
(<= (legal a ?m) (true (turn 2)) (option ?m)) (<= (legal b ?m) (true (turn 2)) (option ?m))
(<= (legal a noop) (true (turn 3))) (<= (legal b ?m) (true (turn 3)) (option ?m))
(option good) (option bad)
(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m)) (<= (next (lead a)) (does a good)) (<= (next (lead b)) (does b good))
(<= (next (lead ?r)) (true (lead ?r)))
(<= terminal (true (turn 4))) (<= (goal ?r 100) (true (lead ?r))) (<= (goal ?r 0) (role ?r) (not (true (lead ?r))))`

// States that an algorithm is not for are searched all the same once a match has come to
// them; the first root is refused unless a match may have come to any state.
func TestRefusedStatesAreSearched(t *testing.T) {
	m := gametest.Prover(t, gametest.Program(t, phases))
	b, err := board.New(m, 1, new(atomic.Bool))
	if err != nil {
		t.Fatal(err)
	}
	good, bad, noop := kif.Symbol("good"), kif.Symbol("bad"), kif.Symbol("noop")
	line := [][]kif.Term{{bad, noop}, {good, bad}}
	for _, preset := range []string{"alphabeta", "bestfirst"} {
		a, err := agent.Find(preset)
		if err != nil {
			t.Fatal(err)
		}
		tree, strict, any := NewTree(m, a, 1), NewTree(m, a, 1), NewMatchTree(m, a, 1)
		if err := b.Set(m.Initial()); err != nil {
			t.Fatal(err)
		}
		rooted := false
		for turn := 1; turn <= 3; turn++ {
			if !rooted {
				if err := tree.SetRoot(b.State()); err != nil {
					t.Fatalf("%s, turn %d: %v", preset, turn, err)
				}
			}
			if turn == 2 {
				if err := strict.SetRoot(b.State()); !errors.As(err, new(search.Refusal)) {
					t.Errorf("%s: the first root has the error %v", preset, err)
				}
				if err := any.SetRoot(b.State()); err != nil {
					t.Errorf("%s: the first root of a match has the error %v", preset, err)
				}
			}
			if _, err := tree.Search(nil, search.Budget{Iterations: 300}); err != nil {
				t.Fatalf("%s, turn %d: %v", preset, turn, err)
			}
			for role := range 2 {
				path, ok := tree.Best(role)
				if !ok {
					t.Fatalf("%s, turn %d: no move of role %d", preset, turn, role)
				}
				if move := m.Move(role, path); !kif.Equal(move, good) && !kif.Equal(move, noop) {
					t.Errorf("%s, turn %d: role %d plays %v", preset, turn, role, move)
				}
			}
			if turn == 3 {
				break
			}
			joint, err := b.Joint(line[turn-1])
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Moved(joint); err != nil {
				t.Fatal(err)
			}
			rooted = tree.Advance(joint)
		}
	}
}
