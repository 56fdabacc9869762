package player

import (
	"strings"
	"testing"
	"time"
)

func TestReadAgent(t *testing.T) {
	agent, err := ReadAgent(strings.NewReader(`{"name": "fox", "general": {"buffer_time": 150, "threads": 1},
		"algorithm": {"name": "MCTS", "parameters": {"iterations": 500}}, "heuristics": []}`))
	if err != nil {
		t.Fatal(err)
	}
	if agent.Name != "fox" || agent.General.buffer() != 150*time.Millisecond || agent.Algorithm.Parameters.Iterations != 500 ||
		!agent.General.SimulateDuringOppTurn || agent.Algorithm.Parameters.ExplorationConstant != DefaultAgent().Algorithm.Parameters.ExplorationConstant {
		t.Errorf("got %+v", agent)
	}
	for text, want := range map[string]string{
		``:                                   "line 1",
		`{`:                                  "line 1",
		"{\n\"name\": 7}":                    "line 2",
		`{"nmae": "x"}`:                      `did you mean "name"`,
		`{"general": {"bufer_time": 1}}`:     `did you mean "buffer_time"`,
		`{"threads": 1}`:                     `another section`,
		`{"name": "a b"}`:                    "is not a name",
		`{"name": "x"} {}`:                   "after the end",
		`{"general": {"threads": -1}}`:       "general.threads",
		`{"general": {"memory": -1}}`:        "general.memory",
		`{"general": {"buffer_time": -1}}`:   "general.buffer_time",
		`{"algorithm": {"name": "minimax"}}`: "algorithm.name",
		`{"heuristics": [{"name": "MAST"}]}`: `"MAST" is unknown`,
		`{"algorithm": {"parameters": {"exploration_constant": -1}}}`: "exploration_constant",
		`{"algorithm": {"parameters": {"iterations": -5}}}`:           "iterations",
	} {
		if _, err := ReadAgent(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want something about %s", text, err, want)
		}
	}
}

func TestMargin(t *testing.T) {
	var m margin
	for clock, want := range map[time.Duration]time.Duration{
		0: 0, 50 * time.Millisecond: 25 * time.Millisecond, 200 * time.Millisecond: 40 * time.Millisecond,
		time.Second: 150 * time.Millisecond, time.Minute: 500 * time.Millisecond,
	} {
		if got := m.of(clock); got != want {
			t.Errorf("margin of %v: %v, want %v", clock, got, want)
		}
	}
	m.left(20 * time.Millisecond)
	if got := m.of(time.Second); got != 190*time.Millisecond {
		t.Errorf("after a reply that left 20 ms late: %v", got)
	}
	m.arrived(false)
	if got := m.of(time.Second); got != 340*time.Millisecond {
		t.Errorf("after a reply that got lost: %v", got)
	}
	for range 100 {
		m.left(0)
		m.arrived(true)
	}
	if got := m.of(time.Second); got > 151*time.Millisecond {
		t.Errorf("after a hundred good replies: %v", got)
	}
	for range 100 {
		m.arrived(false)
		m.left(time.Second)
	}
	if got := m.of(time.Second); got != 500*time.Millisecond {
		t.Errorf("at worst: %v", got)
	}
}
