package layers

import (
	"testing"

	"semisplit/search/internal/toys"
)

// onePass searches in one pass of an order and a width, and says whether it came
// to the highest goal, and how many moves it took.
func onePass(t *testing.T, g toys.Game, o order, width int, seed uint64) (solved bool, moves int) {
	t.Helper()
	f := begun(g, 32, 1<<22, seed)
	f.pass.order, f.pass.width = o, width
	for number := f.number; f.number == number && !f.done; {
		runFor(t, f, 1)
	}
	return f.value == 1, f.states
}

// Where all squares must be filled a narrow pass by groups is enough, and others
// fail.
func TestByGroups(t *testing.T) {
	others := 0
	for seed := range uint64(4) {
		for _, given := range []int{20, 40} {
			g := latin{7, given}
			if solved, moves := onePass(t, g, order{by: byGroups}, 12, seed); !solved {
				t.Errorf("seed %d, %d%% given: not solved in %d moves", seed, given, moves)
			}
			if solved, _ := onePass(t, g, order{}, 12, seed); solved {
				others++
			}
		}
	}
	if others > 3 {
		t.Errorf("chance solves %d of 8", others)
	}
}

// A pass by groups that has left groups out proves nothing; where each state has
// one group it leaves nothing out.
func TestGroupsProveNothing(t *testing.T) {
	g := toys.Basket{Things: 9, Holds: 4, Seed: 2}
	best, _ := toys.Exhaust(g)
	f := begun(g, 8, 1<<20, 1)
	f.pass.order, f.pass.width = order{by: byGroups}, 1<<12
	for number := f.number; f.number == number && !f.done; {
		runFor(t, f, 1)
	}
	if f.best.Proven && f.value < best {
		t.Fatalf("%v is proven, %v is the best", f.value, best)
	}
	for seed := range uint64(50) {
		g := newWarren(30, seed, 9)
		best, _ := toys.Exhaust(g)
		f := begun(g, 8, 1<<20, 1)
		f.pass.order = order{by: byGroups}
		for number := f.number; f.number == number && !f.done; {
			runFor(t, f, 1)
		}
		if f.best.Proven && f.value != best {
			t.Fatalf("seed %d: %v is proven, %v is the best", seed, f.value, best)
		}
	}
}

// The children of a state that have no room are left out, and nothing is proven then.
func TestGroupsKeepMemory(t *testing.T) {
	const memory = 1 << 20
	g := swelling{toys.Basket{Things: 60, Holds: 4, Seed: 2}, 300}
	f := begun(g, 32, memory, 1)
	f.pass.order = order{by: byGroups}
	for number := f.number; f.number == number && !f.done; {
		runFor(t, f, 1)
		if held := 8 * cap(f.brood.states.words); held > memory/4 {
			t.Fatalf("%d bytes held for the children of a state, of %d", held, memory)
		}
	}
	if f.best.Proven {
		t.Error("something is proven")
	}
}
