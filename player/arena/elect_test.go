package arena

import (
	"fmt"
	"path/filepath"
	"semisplit/games"
	"strings"
	"testing"
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
