package agent

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"semisplit/games"
	"semisplit/reasoner"
	"semisplit/search/stats"
)

func mustRead(t *testing.T, text string) Agent {
	t.Helper()
	agent, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return agent
}

func TestRead(t *testing.T) {
	agent := mustRead(t, `{"name": "fox", "general": {"buffer_time": 150, "threads": 1},
		"algorithm": {"name": "MCTS", "parameters": {"iterations": 500}}, "heuristics": []}`)
	want := Default()
	want.Name, want.Description = "fox", ""
	want.General.BufferTime, want.General.Threads = 150, 1
	want.Algorithm.Parameters.Iterations = 500
	if diff := cmp.Diff(want, agent); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	if agent.General.Buffer() != 150*time.Millisecond {
		t.Errorf("buffer %v", agent.General.Buffer())
	}
	// Keys of earlier programs say nothing.
	for _, text := range []string{`{}`, `{"algorithm": {"parameters": {"tactics": 10}}}`, `{"general": null, "heuristics": null}`, `{"algorithm": {"parameters": null}}`} {
		want := Default()
		want.Description = ""
		if diff := cmp.Diff(want, mustRead(t, text)); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", text, diff)
		}
	}
}

// TestReadErrors: each fault is found where it is, with advice.
func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		``:                                   "line 1: the file ends",
		`{`:                                  "line 1: the file ends",
		"{\n\"name\": \"a\",\n}":             "line 3: this is no JSON",
		"{\n\"name\": 7}":                    "line 2: name: 7 is no text",
		`[]`:                                 "is a JSON object",
		`{"name": "x"} {}`:                   "after the end",
		`{"name": "a", "name": "b"}`:         "name stands here twice",
		`{"name": "a b"}`:                    "is not a name",
		`{"name": ""}`:                       "is not a name",
		`{"Name": "a"}`:                      `unknown key "Name" at the top level: did you mean "name"?`,
		`{"nmae": "x"}`:                      `did you mean "name"?`,
		`{"{}": "x"}`:                        `unknown key "{}" at the top level (ggp agents --parameters lists what there is)`,
		"{\"general\":\n{\"bufer_time\":1}}": `line 2: unknown key "bufer_time" in general: did you mean "buffer_time"?`,
		`{"treads": 1}`:                      `did you mean "threads", which belongs in general?`,
		`{"threads": 1}`:                     `key "threads" stands in another section: it belongs in general, not at the top level`,
		`{"algorithm": {"iterations": 1}}`:   `belongs in algorithm.parameters, not in algorithm`,
		`{"general": 1}`:                     "general: 1 is no object",
		`{"general": []}`:                    "general: a list is no object",
		`{"general": {"threads": -1}}`:       "general.threads: -1 is not in range: it takes integer from 0 to 1024",
		`{"general": {"threads": "two"}}`:    `general.threads: "two" is no number`,
		`{"general": {"threads": 1.5}}`:      "general.threads: 1.5 is no integer",
		`{"general": {"threads": 1e2}}`:      "general.threads: 1e2 is no integer",
		`{"general": {"threads": null}}`:     "general.threads: null is no number",
		`{"general": {"memory": 99999999999999999999}}`:                                                   "general.memory",
		`{"general": {"memory": -1}}`:                                                                     "general.memory",
		`{"general": {"buffer_time": -1}}`:                                                                "general.buffer_time",
		`{"general": {"simulate_during_opp_turn": 1}}`:                                                    "neither true nor false",
		`{"general": {"reasoning_overhead": 5}}`:                                                          "general.reasoning_overhead: it is always 1: this reasoner cannot be slowed down",
		`{"general": {"engine": "lane"}}`:                                                                 `did you mean "lanes"? There are "auto", "prover" or "lanes"`,
		`{"general": {"engine": "nosuch"}}`:                                                               `"nosuch" is unknown. There are "auto", "prover" or "lanes"`,
		`{"general": {"lanes": 128}}`:                                                                     "general.lanes: it is 0, 64, 256 or 512, not 128",
		`{"general": {"engine": "prover", "lanes": 64}}`:                                                  "the prover looks at one position",
		`{"algorithm": {"name": "alpha-beta", "tree_strategy": "orthodox"}}`:                              "with the name alpha-beta only split_strategy, iterations, evaluation and learn_on can be given",
		`{"algorithm": {"name": "best-first", "parameters": {"solver": true}}}`:                           "with the name best-first only",
		`{"general": {"threads": 2}, "algorithm": {"name": "best-first"}}`:                                "general.threads: best-first has one thread",
		`{"algorithm": {"name": "best-first"}, "heuristics": [{"name": "mast"}]}`:                         "heuristics: they guide playouts",
		`{"algorithm": {"name": "minimax"}}`:                                                              "algorithm.name",
		`{"algorithm": {"tree_strategy": "roll-up"}}`:                                                     `did you mean "rollup"?`,
		`{"algorithm": {"simulation_strategy": "rollup"}}`:                                                `There are "orthodox" or "semisplit"`,
		`{"algorithm": {"split_strategy": "ModPlus"}}`:                                                    `did you mean "modplus"?`,
		`{"algorithm": {"parameters": {"exploration_constant": -1}}}`:                                     "exploration_constant: -1 is not in range",
		`{"algorithm": {"parameters": {"exploration_constant": 1e999}}}`:                                  "exploration_constant: 1e999 is not in range",
		`{"algorithm": {"parameters": {"iterations": -5}}}`:                                               "iterations",
		`{"algorithm": {"parameters": {"final_selection": "best"}}}`:                                      "final_selection",
		`{"heuristics": {}}`:                                                                              "heuristics: an object is no list",
		`{"heuristics": ["mast"]}`:                                                                        `heuristics: "mast" is no object`,
		`{"heuristics": [{}]}`:                                                                            "a heuristic needs a name",
		`{"heuristics": [{"name": "MAST"}]}`:                                                              `heuristics.name: "MAST" is unknown, did you mean "mast"?`,
		`{"heuristics": [{"name": "nst", "parameter": {}}]}`:                                              `did you mean "parameters"?`,
		`{"heuristics": [{"parameters": {"epsilon": 2}, "name": "nst"}]}`:                                 "heuristics.parameters.epsilon: 2 is not in range",
		`{"heuristics": [{"name": "nst", "parameters": {"ngram_length": 4}}]}`:                            "it is 2 or 3, not 4",
		`{"heuristics": [{"name": "nst", "parameters": {"ngram_lenght": 2}}]}`:                            `did you mean "ngram_length"?`,
		`{"heuristics": [{"name": "rave", "parameters": {"epsilon": 0.1}}]}`:                              "rave takes equivalence_parameter or ref",
		`{"heuristics": [{"name": "mast-split", "parameters": {"mix_threshold": 7}}]}`:                    "is for mast-mix or rave-mix",
		`{"heuristics": [{"name": "rave", "parameters": {"ref": 10}}]}`:                                   "TGRAVE",
		`{"heuristics": [{"name": "mast"}, {"name": "mast-mix"}]}`:                                        "mast and mast-mix both guide the playouts",
		`{"heuristics": [{"name": "nst"}, {"name": "mast"}]}`:                                             "nst and mast both guide the playouts",
		`{"heuristics": [{"name": "rave"}, {"name": "grave"}]}`:                                           "rave and grave both guide the selection",
		`{"algorithm": {"tree_strategy": "rollup"}, "heuristics": [{"name": "grave"}]}`:                   "grave needs the same design of tree and playouts",
		`{"algorithm": {"parameters": {"final_selection": "greedy"}}, "heuristics": [{"name": "grave"}]}`: `final_selection: grave needs "visits"`,
		`{"algorithm": {"parameters": {"pn": "FU"}}, "heuristics": [{"name": "grave"}]}`:                  "grave and UCT-PN (U) both say",
		`{"heuristics": [{"name": "grave", "parameters": {"epsilon": 0.5}}]}`:                             "grave takes reference_visits or bias",
		`{"heuristics": [{"name": "rave"}, {"name": "rave"}]}`:                                            "both guide the selection",
		strings.Repeat("[", 100):                                                                          "nested",
		strings.Repeat(" ", maxAgentFile) + "{}":                                                          "at most",
		`{"` + strings.Repeat("x", 1000) + `": 1}`:                                                        `xxx..."`,
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.200s\n got %v\nwant something about %s", text, err, want)
		}
	}
}

// TestCheck: an agent that was made in Go is held to the same bounds.
func TestCheck(t *testing.T) {
	agent := Default()
	if err := check(agent); err != nil {
		t.Fatal(err)
	}
	agent.Heuristics = []Heuristic{{Name: "mast-split", Parameters: map[string]any{"epsilon": 1, "decay": stats.DecaySimulation, "decay_factor": 1}}}
	if err := check(agent); err != nil {
		t.Fatal(err)
	}
	if m, ok := agent.Mast(); !ok || m.Epsilon != 1 || m.Decay != stats.DecaySimulation || m.DecayFactor != 1 {
		t.Errorf("got %+v, %v", m, ok)
	}
	agent.Algorithm.Parameters.ExplorationConstant = -1
	if err := check(agent); err == nil || !strings.Contains(err.Error(), "algorithm.parameters.exploration_constant: -1") {
		t.Errorf("got %v", err)
	}
	if err := check(Agent{Name: "x"}); err == nil {
		t.Error("an agent without strategies passed")
	}
}

// TestMinimax: what can be said of searches by minimax.
func TestMinimax(t *testing.T) {
	for text, plan := range map[string]string{
		`{"algorithm": {"name": "alpha-beta"}}`: "orthodox",
		`{"general": {"threads": 2}, "algorithm": {"name": "alpha-beta", "parameters": {"learn_on": false}}}`:                    "orthodox",
		`{"algorithm": {"name": "best-first", "split_strategy": "mod", "parameters": {"iterations": 9, "evaluation": "trees"}}}`: "mod",
		`{"general": {"threads": 1, "memory": 1000000, "lanes": 64}, "algorithm": {"name": "best-first"}}`:                       "orthodox",
	} {
		a := mustRead(t, text)
		if !a.Minimax() || !a.Evaluates() || a.Divides() || a.Variant().Plan != plan {
			t.Errorf("%s: %+v", text, a.Variant())
		}
	}
}

// TestMaxBackup: maximum backpropagation is there with an evaluation and without.
func TestMaxBackup(t *testing.T) {
	a := mustRead(t, `{"algorithm": {"parameters": {"max_backup": 50}}}`)
	if got := a.SearchOptions().Knowledge.MaxBackup; got != 50 || a.Evaluates() {
		t.Errorf("from %d visits on, evaluates: %v", got, a.Evaluates())
	}
	if got := a.Knowledge(nil).MaxBackup; got != 50 {
		t.Errorf("with an evaluation from %d visits on", got)
	}
}

// TestUsualExploration: C where a file does not give it.
func TestUsualExploration(t *testing.T) {
	for text, want := range map[string]float64{
		`{}`:                                0.7,
		`{"heuristics": []}`:                0.7,
		`{"heuristics": [{"name":"nst"}]}`:  0.4,
		`{"heuristics": [{"name":"mast"}]}`: 0.4,
		`{"heuristics": [{"name":"mast"}, {"name":"rave"}]}`:                                             0.2,
		`{"algorithm": {"parameters": {"exploration_constant": 0.7}}, "heuristics": [{"name": "rave"}]}`: 0.7,
		`{"algorithm": {"parameters": {"exploration_constant": 0}}}`:                                     0,
	} {
		if got := mustRead(t, text).Algorithm.Parameters.ExplorationConstant; got != want {
			t.Errorf("%s: C = %v, want %v", text, got, want)
		}
	}
}

// TestSplitStrategies holds the names of plans against the reasoner's.
func TestSplitStrategies(t *testing.T) {
	known := findOption(algorithmSection, "split_strategy").Choices
	unseen := map[string]bool{}
	for _, name := range known {
		unseen[name] = true
	}
	delete(unseen, reasoner.Auto)
	for _, game := range games.List() {
		program, diagnostics := reasoner.Read(game.Rules)
		if err := diagnostics.Err(); err != nil {
			t.Fatal(err)
		}
		plans, _ := reasoner.NewAnalysis(program).Plans()
		for _, plan := range plans {
			delete(unseen, plan.Name)
			if !slices.Contains(known, plan.Name) {
				t.Errorf("%s: agents cannot choose the plan %s", game.Name, plan.Name)
			}
		}
	}
	for name := range unseen {
		t.Errorf("no bundled game has a plan %s", name)
	}
}

// TestNotes: what is accepted and comes to something else is said.
func TestNotes(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "",
		`{"heuristics": [{"name": "mast"}, {"name": "rave"}]}`:                                                                      "mast is mast-split here; rave is rave-split here",
		`{"algorithm": {"tree_strategy": "orthodox", "simulation_strategy": "orthodox"}, "heuristics": [{"name": "mast-context"}]}`: "mast-context would only do the work of mast-join here, with more statistics: mast-join is used",
		`{"algorithm": {"simulation_strategy": "orthodox"}, "heuristics": [{"name": "mast-join"}]}`:                                 "mast-join guides playouts only: expansion chooses semimoves, and it has statistics of moves",
		`{"algorithm": {"tree_strategy": "orthodox", "simulation_strategy": "orthodox"}, "heuristics": [{"name": "mast-mix"}]}`:     "mast-mix has mast-join for its longer statistics here",
		`{"algorithm": {"split_strategy": "orthodox"}}`:                                                                             "split_strategy orthodox leaves moves whole: tree and playouts are orthodox in effect",
		`{"algorithm": {"split_strategy": "orthodox", "tree_strategy": "orthodox", "simulation_strategy": "orthodox"}}`:             "",
		`{"algorithm": {"tree_strategy": "orthodox", "parameters": {"is_nodal": false, "final_selection": "rollup"}}}`:              "is_nodal has no effect in an orthodox tree; the final selection rollup is greedy in an orthodox tree",
		`{"algorithm": {"parameters": {"min_simulations_factor": 2}}}`:                                                              "min_simulations_factor has an effect in a rollup tree only",
		`{"algorithm": {"tree_strategy": "rollup", "parameters": {"min_simulations_factor": 2, "final_selection": "rollup"}}}`:      "",
	} {
		if got := strings.Join(mustRead(t, text).Notes(), "; "); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// check reads an agent that is written to a file.
func check(a Agent) error {
	text, err := json.Marshal(a)
	if err == nil {
		_, err = Read(bytes.NewReader(text))
	}
	return err
}

// The evaluation of a bundled game is no file, whatever else has its name in the folder.
func TestEvaluationFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("breakthrough", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kalah", "own.json"} {
		if err := os.WriteFile(name, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"": "", "matches": "", "breakthrough": "", "kalah": "", "own.json": "own.json", "none.json": ""} {
		a := Default()
		a.Algorithm.Parameters.Evaluation = name
		if data, err := a.EvaluationFile(); string(data) != want || err != nil {
			t.Errorf("%q: %q, %v", name, data, err)
		}
	}
}

// TestSearching: of several threads alpha-beta has one that learns, if it does, and some searches
// have one in all.
func TestSearching(t *testing.T) {
	for text, want := range map[string][3]int{ // of 1, 2 and 4 threads
		`{}`:                                    {1, 2, 4},
		`{"algorithm": {"name": "alpha-beta"}}`: {1, 1, 3},
		`{"algorithm": {"name": "alpha-beta", "parameters": {"learn_on": false}}}`: {1, 2, 4},
		`{"algorithm": {"name": "best-first"}}`:                                    {1, 1, 1},
		`{"algorithm": {"name": "naive", "split_strategy": "mod"}}`:                {1, 1, 1},
	} {
		a := mustRead(t, text)
		if got := [3]int{a.Searching(1), a.Searching(2), a.Searching(4)}; got != want {
			t.Errorf("%s: %v, not %v", text, got, want)
		}
	}
}
