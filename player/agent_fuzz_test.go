package player

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzReadAgent wants an accepted agent file to survive being written and read.
func FuzzReadAgent(f *testing.F) {
	f.Add(`{}`)
	f.Add(`{"name":"a","general":{"threads":2,"memory":1000},"algorithm":{"name":"MCTS","parameters":{"exploration_constant":0.5}},"heuristics":[]}`)
	f.Add(`{"nmae":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		agent, err := ReadAgent(strings.NewReader(text))
		if err != nil {
			return
		}
		written, err := json.Marshal(agent)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadAgent(strings.NewReader(string(written)))
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if again.General != agent.General || again.Algorithm != agent.Algorithm || again.Name != agent.Name {
			t.Errorf("%+v became %+v", agent, again)
		}
	})
}
