package games_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/reasoner"
)

var table = flag.Duration("table", 0, "print states/s of the direct games beside the engines, each playing for so long")

// TestDirectTable prints what hand-written code reaches beside our engines:
// states/s of random play on one thread, for the direct game, the prover, and
// the machine that a match would end up with; the ratio is the last over the
// first. Direct games list all moves of a state and choose one.
func TestDirectTable(t *testing.T) {
	if *table <= 0 {
		t.Skip("no -table (make bench-direct)")
	}
	fmt.Println("| game | direct | prover | best machine | | ratio |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, name := range slices.Sorted(maps.Keys(boards)) {
		t.Run(name, func(t *testing.T) { fmt.Println(directRow(t, name)) })
	}
}

func directRow(t *testing.T, name string) string {
	direct := directSpeed(boards[name](), *table)
	prover := machineSpeed(t, proverOf(t, name), *table)
	g, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	compilation, err := reasoner.Compile(t.Context(), clean(t, g), reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	<-compilation.Done()
	best := compilation.Best()
	speed := machineSpeed(t, best, *table)
	return fmt.Sprintf("| %s | %.0f | %.0f | %.0f | %s, %d lanes | %.3g |", name, direct, prover, speed, best.Plan(), best.Lanes(), speed/direct)
}

// directSpeed is the number of states/s in random play.
func directSpeed(g board, each time.Duration) float64 {
	random := newWalk(1)
	var steps []step
	states := 0
	g.start()
	begin := time.Now()
	for time.Since(begin) < each {
		for range 64 { // the clock is not to be read at every state
			if g.over() {
				g.start()
			}
			steps = g.moves(steps[:0])
			g.play(steps[random.IntN(len(steps))])
			states++
		}
	}
	return float64(states) / time.Since(begin).Seconds()
}

func machineSpeed(t *testing.T, m reasoner.Machine, each time.Duration) float64 {
	tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: 1, Time: each})
	if err != nil {
		t.Fatal(err)
	}
	return float64(tally.States) / tally.Elapsed.Seconds()
}
