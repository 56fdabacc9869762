package reasoner

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/reasoner/ground"
)

// Who has had a turn lets those go first who wait, and is not charged for their time. The
// second turn is twice as long.
func TestTurnsInASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := make(slots, 1)
		settled := false
		whole, ok := takeTurn(t.Context(), one, wholeTurn, func() bool { return settled })
		if !ok {
			t.Fatal("the slot was free")
		}
		var order []string
		go func() {
			for range 2 {
				leave, _ := one.enter(t.Context())
				time.Sleep(3 * time.Second)
				order = append(order, "split")
				leave()
			}
		}()
		synctest.Wait()
		whole.begin()
		for range 5 {
			time.Sleep(wholeTurn - time.Millisecond)
			if whole.Err() != nil {
				t.Error(whole.Err())
			}
			order = append(order, "whole")
			settled = len(order) > 1 // too late
		}
		if want := []string{"whole", "split", "whole", "whole", "whole", "split", "whole"}; !slices.Equal(order, want) {
			t.Errorf("%v, not %v", order, want)
		}
		if took := whole.took(); took != 5*(wholeTurn-time.Millisecond) {
			t.Errorf("it took %v", took)
		}
		if whole.end(); len(one) != 0 {
			t.Error("the slot is not free")
		}
	})
}

// What is settled at the end of the first turn goes on, however long it takes.
func TestTurnOfWhatIsSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := make(slots, 1)
		whole, _ := takeTurn(t.Context(), one, wholeTurn, func() bool { return true })
		split := false
		go func() {
			leave, _ := one.enter(t.Context())
			split = true
			leave()
		}()
		for range 5 {
			time.Sleep(wholeTurn)
			if whole.Err() != nil || split {
				t.Fatal("the split plan did not wait")
			}
		}
		whole.end()
		if synctest.Wait(); !split {
			t.Error("the split plan has no turn")
		}
	})
}

// If the time is over before it has a slot again, it ends without one.
func TestTurnThatDoesNotComeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := make(slots, 1)
		ctx, cancel := context.WithTimeout(t.Context(), 2*wholeTurn)
		defer cancel()
		whole, _ := takeTurn(ctx, one, wholeTurn, func() bool { return false })
		hold := make(chan struct{})
		defer close(hold)
		go func() {
			leave, _ := one.enter(t.Context())
			<-hold
			leave()
		}()
		synctest.Wait()
		time.Sleep(wholeTurn + time.Millisecond)
		for range 2 {
			if whole.Err() == nil {
				t.Error("it goes on")
			}
		}
		if whole.end(); len(one) != 1 {
			t.Error("it left a slot that was another's")
		}
		if took := whole.took(); took != wholeTurn+time.Millisecond {
			t.Errorf("it took %v", took)
		}
	})
}

// Whole moves that pause at every checkpoint come out as they do in one go, and what
// waited for the slot was made before.
func TestCircuitInTurns(t *testing.T) {
	a := NewAnalysis(bundledProgram(t, "breakthrough"))
	a.Prepare(t.Context())
	want, err := a.Circuit(t.Context(), "orthodox", DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	one := make(slots, 1)
	whole, _ := takeTurn(t.Context(), one, time.Nanosecond, func() bool { return false })
	defer whole.end()
	split, began := make(chan error, 1), make(chan struct{})
	go func() {
		close(began)
		split <- one.do(t.Context(), func() error { _, err := a.Circuit(t.Context(), "mod", DefaultLimits); return err })
	}()
	<-began
	got, err := a.Circuit(whole, "orthodox", DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-split:
		if err != nil {
			t.Error(err)
		}
	default:
		t.Error("whole moves were made before the split plan")
	}
	if !slices.Equal(got.Net().Ops, want.Net().Ops) || !slices.Equal(got.Net().Args, want.Net().Args) {
		t.Errorf("%d nodes, which are not the %d in one go", len(got.Net().Ops), len(want.Net().Ops))
	}
}

// Whole moves have the first turn: where there is one slot and they are few, their circuit
// is the first.
func TestWholeMovesComeFirst(t *testing.T) {
	all := compileSlots
	defer func() { compileSlots = all }()
	compileSlots = make(slots, 1)
	a := NewAnalysis(bundledProgram(t, "breakthrough"))
	for range 2 {
		var order []string
		if err := a.explore(t.Context(), DefaultLimits, func(made Trial, circuit *Circuit) {
			if circuit != nil {
				order = append(order, made.Plan)
			}
		}); err != nil {
			t.Fatal(err)
		}
		if len(order) < 2 || order[0] != "orthodox" {
			t.Errorf("made in the order %v", order)
		}
	}
}

// asked is a context that tells when it is asked whether to go on.
type asked struct {
	context.Context
	tell func()
}

func (c asked) Err() error {
	c.tell()
	return c.Context.Err()
}

// A grounding tells when the circuit is there, before its passes.
func TestGroundedBeforeThePasses(t *testing.T) {
	a := NewAnalysis(bundledProgram(t, "skirmish"))
	a.Prepare(t.Context())
	limits, progress, times := DefaultLimits, new(ground.Progress), map[bool]int{}
	limits.Ground.Progress = progress
	note := func() {
		if progress.Instances.Load() > 0 || progress.Grounded.Load() {
			times[progress.Grounded.Load()]++
		}
	}
	if _, err := a.Circuit(asked{t.Context(), note}, "orthodox", limits); err != nil {
		t.Fatal(err)
	}
	if times[false] == 0 || times[true] == 0 {
		t.Errorf("asked %d times while it was grounded, %d times in the passes", times[false], times[true])
	}
}
