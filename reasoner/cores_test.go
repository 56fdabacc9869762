package reasoner

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/internal/cores"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/invariant"
)

func bundledProgram(t *testing.T, name string) *gdl.Program {
	t.Helper()
	game, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	program, diagnostics := Read(game.Rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	return program
}

// On one core nothing is compiled or measured while another job has the core,
// and who waits for it gets it before a long compilation has ended.
func TestCompilationTakesTurns(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	small, large := bundledProgram(t, "tictactoe"), bundledProgram(t, "chess")

	leave, err := cores.Wait(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compile(t.Context(), small, DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	if trials := c.Trials(); len(trials) > 0 || cores.Used() != 1 {
		t.Errorf("compiled beside another job: %+v", trials)
	}
	leave()
	<-c.Done()
	if len(c.Trials()) == 0 {
		t.Error("nothing was compiled")
	}

	c, err = Compile(t.Context(), large, DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	for cores.Used() == 0 {
		time.Sleep(time.Millisecond)
	}
	if leave, err = cores.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	defer leave()
	select {
	case <-c.Done():
		t.Error("the compilation did not give way")
	default:
	}
}

// A width without a plan is compiled, whatever the number of cores.
func TestCompileVariantOfAWidth(t *testing.T) {
	c, err := CompileVariant(t.Context(), bundledProgram(t, "tictactoe"), Variant{Plan: Auto, Lanes: 64}, DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-c.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("it never ends")
	}
	if m := c.Best(); m.Lanes() != 64 {
		t.Errorf("%s with %d lanes, %v", m.Kind(), m.Lanes(), c.Err())
	}
}

// A width that there is not here (GGP_LANES leaves out the others) is refused, and
// the prover plays.
func TestWidthThatIsNotHere(t *testing.T) {
	t.Setenv("GGP_LANES", "64")
	wide, program := Variant{Lanes: 512}, bundledProgram(t, "tictactoe")
	if m, err := Build(t.Context(), program, wide, DefaultLimits); err == nil {
		t.Errorf("built %v, though there is no such width", m)
	}
	c, err := CompileVariant(t.Context(), program, wide, DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	<-c.Done()
	if m := c.Best(); m == nil || m.Kind() != "prover" || c.Err() == nil {
		t.Errorf("it ended with %v and %v", m, c.Err())
	}
}

// A panic while it is proved what holds in every state ends no process, and the plans
// are compiled without that.
func TestPanicInProof(t *testing.T) {
	a := NewAnalysis(bundledProgram(t, "tictactoe"))
	var once sync.Once
	a.invariants = func(context.Context) []invariant.Invariant {
		once.Do(func() { panic("in a proof") })
		return nil
	}
	made := 0
	err := a.explore(t.Context(), DefaultLimits, func(_ Trial, c *Circuit) {
		if c != nil {
			made++
		}
	})
	if made == 0 || err == nil {
		t.Errorf("%d circuits, %v", made, err)
	}
}
