package local

import (
	"reflect"
	"strings"
	"testing"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
	"semisplit/search"
	"semisplit/search/mcts"
	"semisplit/search/portfolio"
)

// The mode of the threads reaches the search.
func TestThreadsModes(t *testing.T) {
	m := lanesOf(t, gametest.Bundled(t, "tictactoe"), "orthodox")
	for _, c := range []struct {
		threads string
		shared  bool
	}{
		{`{"threads": 2, "threads_mode": "shared"}`, true},
		{`{"threads": 2, "threads_mode": "joined"}`, false},
		{`{"threads": 2}`, false}, // not decided yet
		{`{"threads": 1, "threads_mode": "joined"}`, true},
	} {
		a, err := agent.Read(strings.NewReader(`{"general": ` + c.threads + `}`))
		if err != nil {
			t.Fatal(err)
		}
		b := newPlayer(t, m, a, 0, 1)
		if _, r, err := b.Choose(search.Budget{Iterations: 500}); err != nil || r.Iterations != 500 {
			t.Errorf("%s: %+v, %v", c.threads, r, err)
		}
		if f, ok := b.tree.(*portfolio.Search); !ok || f.Shared() != c.shared {
			t.Errorf("%s: %T, shared %v", c.threads, b.tree, ok && f.Shared())
		}
	}
}

// Two threads play a match in every design of the tree and in every mode, and
// keep what they know from move to move.
func TestThreadsPlay(t *testing.T) {
	program := gametest.Bundled(t, "knightthrough")
	most, iterations := 12, 800
	if testing.Short() {
		most, iterations = 4, 300
	}
	for _, mode := range []mcts.ThreadMode{mcts.ThreadsAuto, mcts.ThreadsShared, mcts.ThreadsJoined} {
		for _, tree := range []agent.Strategy{agent.Orthodox, agent.Semisplit, agent.Rollup} {
			a := agent.Default()
			a.General.Threads, a.General.ThreadsMode, a.Algorithm.TreeStrategy = 2, mode, tree
			m := lanesFor(t, program, "mod", a)
			players := []*Player{newPlayer(t, m, a, 0, 1), newPlayer(t, m, a, 1, 2)}
			kept, turns := 0, 0
			for ; turns < most && !players[0].board.Terminal(); turns++ {
				joint := make([]kif.Term, 2)
				for role, b := range players {
					var err error
					if joint[role], _, err = b.Choose(search.Budget{Iterations: iterations}); err != nil {
						t.Fatal(err)
					}
				}
				for _, b := range players {
					if err := b.Advance(joint); err != nil {
						t.Fatal(err)
					}
				}
				if r, err := players[0].Prepare(search.Budget{Iterations: 100}); err != nil {
					t.Fatal(err)
				} else if r.KeptVisits > 0 {
					kept++
				}
			}
			if kept < max(1, turns/3) { // a match may be over in five turns
				t.Errorf("%s, %s: the tree was kept in %d of %d turns", mode, tree, kept, turns)
			}
		}
	}
}

// One thread searches alike in every mode.
func TestOneThreadIsTheSameInAllModes(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	m := lanesOf(t, gametest.Bundled(t, "breakthrough"), "mod")
	var first search.Report
	for i, mode := range []mcts.ThreadMode{mcts.ThreadsAuto, mcts.ThreadsShared, mcts.ThreadsJoined} {
		a := agent.Default()
		a.General.Threads, a.General.ThreadsMode = 1, mode
		_, r, err := newPlayer(t, m, a, 0, 1).Choose(search.Budget{Iterations: 3000})
		if err != nil {
			t.Fatal(err)
		}
		if r.Elapsed = 0; i == 0 {
			first = r
		} else if !reflect.DeepEqual(r, first) {
			t.Errorf("%s: %+v, %+v", mode, r, first)
		}
	}
}
