package greedy

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/player/board"
	"semisplit/player/evaluation"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
)

// From a state in which a role can win at once matches teach that it is ahead. The
// matches of a state go on until another one is told.
func TestOnward(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	nothing := evaluation.New(make([]float64, 2), make([]float32, 2*f.Bits), f.Names[:f.Bits])
	white, black := lastMove(t, m, 0), lastMove(t, m, 1)
	var stop atomic.Bool
	for role, state := range [][]uint64{white, black} {
		o := NewOnward(m, nothing, 1)
		for o.lessons < 6 {
			playing, lessons := o.values, o.lessons
			learned, err := o.Learn(state, &stop, time.Now().Add(10*time.Millisecond))
			if err != nil || learned != (o.lessons > lessons) || learned == (o.values == playing) {
				t.Fatalf("learned %v, %d lessons after %d, plays on by the same: %v, %v", learned, o.lessons, lessons, o.values == playing, err)
			}
			if o.waiting >= fewestTogether {
				t.Fatalf("%d matches wait", o.waiting)
			}
		}
		values := make([]float64, 2)
		if o.Evaluation().Values(state, values); values[role] < 0.7 {
			t.Errorf("role %d is ahead, and the state is worth %v", role, values)
		}
	}
	o := NewOnward(m, nothing, 1)
	if _, err := o.Learn(white, &stop, time.Now().Add(time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	begun := slices.Clone(o.matches)
	stop.Store(true)
	same := func() (n int) {
		for k := range begun {
			if len(o.matches[k].past) > 0 && len(begun[k].past) > 0 && slices.Equal(o.matches[k].past[0], begun[k].past[0]) {
				n++
			}
		}
		return n
	}
	if _, err := o.Learn(white, &stop, time.Now().Add(time.Second)); err != nil || same() == 0 {
		t.Errorf("the matches of a state did not go on: %v", err)
	}
	if _, err := o.Learn(black, &stop, time.Now().Add(time.Second)); err != nil || same() != 0 {
		t.Errorf("the matches of the state before went on: %v", err)
	}
}

// lastMove is the state before a role wins a random match.
func lastMove(t *testing.T, m reasoner.Machine, role int) []uint64 {
	t.Helper()
	random := rand.New(rand.NewPCG(7, uint64(role)))
	b, err := board.New(m, 1, new(atomic.Bool))
	if err != nil {
		t.Fatal(err)
	}
	for {
		var before []uint64
		if err := b.Set(m.Initial()); err != nil {
			t.Fatal(err)
		}
		for !b.Terminal() {
			before = slices.Clone(b.State())
			var joint []uint32
			for r := range m.Roles() {
				path, _ := b.Random(r, random)
				joint = append(joint, path...)
			}
			if err := b.Moved(joint); err != nil {
				t.Fatal(err)
			}
		}
		if b.Goals()[role] == 100 {
			return before
		}
	}
}
