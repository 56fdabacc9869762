package reasoner

import (
	"slices"
	"testing"

	"semisplit/games"
	"semisplit/reasoner/lanes"
)

// TestContestLeavesGoOut: where some widths have kernels in vector instructions, those in Go
// do not compete, and none of them is the first machine. Who asks for one gets it.
func TestContestLeavesGoOut(t *testing.T) {
	t.Setenv("GGP_KERNEL", "avx2")
	quick := lanes.QuickWidths()
	if slices.Equal(quick, Widths()) {
		t.Skip("all widths have kernels of one kind here")
	}
	game, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	program, _ := Read(game.Rules)
	circuit, err := NewAnalysis(program).Circuit(t.Context(), "orthodox", DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	var all contest
	if err := all.enter(circuit, &Trial{}, func(m Machine) {
		if !slices.Contains(quick, m.Lanes()) {
			t.Errorf("%d lanes, of %v", m.Lanes(), quick)
		}
	}); err != nil {
		t.Fatal(err)
	}
	for _, width := range Widths() {
		asked := contest{width: width}
		if err := asked.enter(circuit, &Trial{}, func(Machine) {}); err != nil || asked.best.machine.Lanes() != width {
			t.Errorf("%d lanes: %v", width, err)
		}
	}
}
