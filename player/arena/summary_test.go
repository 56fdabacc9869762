package arena

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"semisplit/player/local"
	"semisplit/reasoner"
)

// TestTables holds whole reports over plays that nobody has played.
func TestTables(t *testing.T) {
	datadriven.RunTest(t, "testdata/report.txt", func(t *testing.T, d *datadriven.TestData) string {
		rest := strings.TrimSpace(d.Input)
		p := planOf(t, `"tictactoe", "nim", "testdata/three.kif"`, hundred+`, {"kind": "timed", "seconds": 0.1}`, rest)
		store := create(t, filepath.Join(t.TempDir(), "run.db"))
		if err := store.begin(p, Run{Started: time.Unix(0, 0), Revision: "none", Machine: "paper", Parallel: 2}); err != nil {
			t.Fatal(err)
		}
		if err := store.addChosen(chosen{"nim", p.Agents[0].Agent.Variant(), reasoner.Variant{Engine: "lanes", Plan: "mod", Lanes: 256}}); err != nil {
			t.Fatal(err)
		}
		if err := store.addBudget(budget{"nim", "states of 0.1 s", "few", 1234, 123400, 10}); err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for i, key := range p.series() {
			for number := range min(p.Spec.Plays, 4*i) {
				play := Play{Game: key.Game, Setting: key.Setting, Baseline: key.Baseline, Agent: key.Agent, Number: number, Score: 1, Turns: 9}
				if random.IntN(12) > i+3 {
					play.Score = float64(random.IntN(2)) / 2
				}
				play.AgentEffort = local.Effort{Moves: 5, Iterations: 500, Playouts: 400, States: 3000, Time: time.Millisecond, Longest: 300 * time.Microsecond}
				play.BaseEffort = local.Effort{Moves: 4, Iterations: 400, Playouts: 400, States: 1000, Time: time.Millisecond, Longest: 300 * time.Microsecond}
				if number == 7 && i == 7 {
					play = Play{Game: key.Game, Setting: key.Setting, Baseline: key.Baseline, Agent: key.Agent, Number: number, Error: "panic: on paper\nstack"}
				}
				if err := store.Add(play); err != nil {
					t.Fatal(err)
				}
			}
		}
		sum, err := Summarize(store)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := sum.Markdown(&text, []string{"chart.svg"}); err != nil {
			t.Fatal(err)
		}
		return text.String()
	})
}
