package arena

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/player/agent"
)

// TestElect: an automatic agent chooses once, plays every play with its choice,
// and with the same one when the run goes on.
func TestElect(t *testing.T) {
	read := func(plays int) *Plan {
		spec, err := ReadSpec(strings.NewReader(fmt.Sprintf(`{"name": "elect", "games": ["tictactoe"], "plays": %d, "seed": 1,
			"agents": ["auto"], "baselines": ["orthodox"], "settings": [{"kind": "iterations", "iterations": 50, "choose": 1}]}`, plays)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Read(spec, ".", games.Load)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	mustRun(t, read(2), store, Options{})
	first, err := store.elections()
	if err != nil || len(first) != 1 || first[0].Agent.Automatic() || first[0].Why == "" {
		t.Fatalf("%+v, %v", first, err)
	}
	mustRun(t, read(4), store, Options{})
	second, err := store.elections()
	if err != nil || fmt.Sprint(first) != fmt.Sprint(second) {
		t.Errorf("first %+v, then %+v, %v", first, second, err)
	}
	plays, err := store.Plays()
	if err != nil || len(plays) != 4 {
		t.Fatalf("%d plays, %v", len(plays), err)
	}
	for _, play := range plays {
		if play.Error != "" || play.AgentEffort.Iterations == 0 {
			t.Errorf("%+v", play)
		}
	}
	sum, err := Summarize(store)
	if err != nil {
		t.Fatal(err)
	}
	var report strings.Builder
	if err := sum.Markdown(&report, nil); err != nil {
		t.Fatal(err)
	}
	if text := report.String(); !strings.Contains(text, "## Automatic choices") || !strings.Contains(text, first[0].Agent.Description) {
		t.Errorf("the report does not tell what was chosen:\n%s", text)
	}
}

// TestChoiceOptions: a choice is measured on the threads of all matches at once, for moves
// of those that the agent has in one.
func TestChoiceOptions(t *testing.T) {
	r := &runner{plan: &Plan{}, parallel: 2}
	for own, want := range map[int]int{0: 1, 1: 1, 2: 2} {
		a := agent.Automatic()
		a.General.Threads = own
		if o := r.choiceOptions(&series{setting: Setting{Seconds: 1}}, &Contender{Agent: a}); o.Threads != 2 || o.Moves != want {
			t.Errorf("an agent with %d threads has %d to measure and %d for moves, want 2 and %d", own, o.Threads, o.Moves, want)
		}
	}
}
