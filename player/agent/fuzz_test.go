package agent

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzRead wants an accepted agent file to pass its own check, to have
// the heuristics that it lists, and to survive being written and read.
func FuzzRead(f *testing.F) {
	f.Add(`{}`)
	f.Add(`{"name":"a","general":{"threads":2,"memory":1000},"algorithm":{"name":"MCTS","parameters":{"exploration_constant":0.5}},"heuristics":[]}`)
	f.Add(`{"nmae":1}`)
	f.Add(`{"heuristics":[{"parameters":{"epsilon":0.1,"decay":"none"},"name":"mast-mix"},{"name":"rave","parameters":null}]}`)
	for _, preset := range Presets() {
		text, err := json.Marshal(preset)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		agent, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if err := check(agent); err != nil {
			t.Fatalf("read, but %v", err)
		}
		guides := 0
		if _, ok := agent.Mast(); ok {
			guides++
		}
		if _, ok := agent.Rave(); ok {
			guides++
		}
		if _, ok := agent.Grave(); ok {
			guides++
		}
		if guides != len(agent.Heuristics) {
			t.Errorf("%d of the heuristics %v", guides, agent.Heuristics)
		}
		agent.Notes()
		written, err := json.Marshal(agent)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(strings.NewReader(string(written)))
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if diff := cmp.Diff(agent, again); diff != "" {
			t.Errorf("written and read:\n%s", diff)
		}
	})
}
