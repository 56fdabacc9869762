package portfolio

import (
	"errors"
	"testing"

	"semisplit/search"
)

// told is an algorithm that refuses some states, and counts those that it begins at.
type told struct {
	search.Algorithm
	refuses func(state uint64) bool
	keeps   bool
	roots   int
}

func (a *told) SetRoot(state []uint64) error {
	if a.refuses(state[0]) {
		return search.Refusal("not this one")
	}
	a.roots++
	return nil
}

func (a *told) Advance([]uint32) bool { return a.keeps }

// What the relief knows is kept from one state that is refused to the next, if it keeps
// anything, and not beyond one that is not refused.
func TestReliefKeeps(t *testing.T) {
	for _, keeps := range []bool{true, false} {
		main := &told{refuses: func(state uint64) bool { return state != 3 }}
		relief := &told{refuses: func(uint64) bool { return false }, keeps: keeps}
		r := NewRelief(main, func() search.Algorithm { return relief }, false)
		for state := range uint64(6) {
			if state > 0 && r.Advance(nil) {
				t.Errorf("main is not asked for state %d", state)
			}
			if err := r.SetRoot([]uint64{state}); err != nil {
				t.Fatal(err)
			}
		}
		want := 2 // at first, and after state 3
		if !keeps {
			want = 5
		}
		if main.roots != 1 || relief.roots != want {
			t.Errorf("relief keeps: %v; main began %d times, the relief %d, want %d", keeps, main.roots, relief.roots, want)
		}
	}
	strict := NewRelief(&told{refuses: func(uint64) bool { return true }}, nil, true)
	if refusal := search.Refusal(""); !errors.As(strict.SetRoot([]uint64{0}), &refusal) {
		t.Error("the first root is not refused")
	}
}
