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

// TestNoWholeSet: where sets count, plays of which none is whole say nothing. They are no
// score of one half, neither of their game nor in the mean.
func TestNoWholeSet(t *testing.T) {
	p := planOf(t, `"tictactoe", "nim"`, hundred, `"plays": 4, "opening": 1,`)
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	if err := store.begin(p, Run{Started: time.Unix(0, 0)}); err != nil {
		t.Fatal(err)
	}
	for i, score := range []float64{1, 1, 1, 0.5} { // the last ones of nim have failed
		for _, game := range []string{"tictactoe", "nim"} {
			play := Play{Game: game, Setting: p.Spec.Settings[0].Label(), Baseline: "few", Agent: "many", Number: i, Score: score}
			if game == "nim" && i%2 == 1 {
				play.Score, play.Error = 0, "the match has not ended"
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
	rows := sum.Rows()[:3]
	if got, nim, mean := rows[0].Rate, rows[1], rows[2].Rate; got == nil || nim.Rate != nil || nim.Plays != 2 || mean == nil || *mean != *got || *got != 0.875 {
		t.Errorf("%+v", rows)
	}
	var text strings.Builder
	if err := sum.Markdown(&text, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "\n| nim | -, 2 failed |") {
		t.Error(text.String())
	}
}
