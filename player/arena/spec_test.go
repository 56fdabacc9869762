package arena

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"semisplit/games"
	"semisplit/internal/strictjson"
	"semisplit/player/agent"
)

const smallSpec = `{"name": "small", "games": ["nim"], "agents": ["semisplit"], "baselines": ["orthodox"],
	"settings": [{"kind": "timed", "seconds": 0.1}], "plays": 4}`

func TestReadSpec(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{`"plays"`, `"Pleys"`, `unknown key "Pleys": did you mean "plays"`},
		{`"seconds"`, `"second"`, `unknown key "second": did you mean "seconds"`},
		{`"seconds": 0.1`, `"plays": 3`, `key "plays" belongs to another object`},
		{`"nim"`, `{"game": "nim", "lable": "x"}`, `unknown key "lable": did you mean "label"`},
		{`"semisplit"`, `{"agent": "x", "vary": {"key": "a", "valeus": []}}`, `did you mean "values"`},
		{`"semisplit"`, `{"agent": "x", "vary": {"key": "a", "values": []}}`, "vary needs"},
		{`"semisplit"`, `7`, "a JSON number does not belong there"},
		{`["nim"]`, `[]`, "games: there are 0"},
		{`"plays": 4`, `"plays": 0`, "plays: 0 is not between"},
		{`"plays": 4`, `"plays": 4.5`, "line 2"},
		{`"plays": 4`, `"plays": 4, "seed": -1`, "line 2: seed: a JSON number -1 does not belong there"},
		{`"plays": 4`, `"plays": 4, "opening": -1`, "opening: -1"},
		{`"plays": 4}`, `"plays": 4} 5`, "text after the end"},
		{`"small"`, `"../../etc/passwd"`, "no name for the files"},
		{`"timed"`, `"hurried"`, `"hurried" is unknown`},
		{`0.1`, `0`, "above 0"},
		{`0.1`, `-1`, "not between"},
		{`0.1`, `1e300`, "not between"},
		{`0.1`, `0.1, "states": 5`, "a timed setting has"},
		{`"timed"`, `"fixed"`, ""},
		{`"timed", "seconds": 0.1`, `"fixed", "states": 500`, ""},
		{`"timed", "seconds": 0.1`, `"fixed", "states": 500, "seconds": 1`, "either"},
		{`"timed", "seconds": 0.1`, `"iterations", "iterations": 500`, ""},
		{`"timed", "seconds": 0.1`, `"iterations"`, "iterations"},
		{`"plays": 4`, `"plays": 4, "sprt": {"elo0": 0}`, "both elo0 and elo1"},
		{`"plays": 4`, `"plays": 4, "sprt": {"elo0": 0, "elo1": 20, "gamma": 1}`, `unknown key "gamma"`},
		{`"plays": 4`, `"plays": 4, "sprt": {"rate0": 0.5, "rate1": 0.55, "beta": 0.1}`, ""},
		{`0.1}], "plays": 4`, `0.1, "start": 1}], "plays": 4, "cores": 2`, ""},
		{`"plays": 4`, `"plays": 4, "cores": 1`, `matches over HTTP have clocks: kind "timed"`},
		{`0.1}], "plays": 4`, `0.1, "start": 1}], "plays": 4, "cores": 1, "opening": 2`, "opening: a match over HTTP begins"},
		{`0.1}], "plays": 4`, `0.1, "start": 1}], "plays": 4, "cores": 5000`, "cores: 5000 is not between"},
		{`"plays": 4`, `"plays": 4, "peer_faults": 1`, "peer_faults: no player of others"},
	} {
		_, err := ReadSpec(strings.NewReader(strings.Replace(smallSpec, c.old, c.new, 1)))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s for %s: %v, want %q", c.new, c.old, err, c.want)
		}
	}
	over := strings.Replace(smallSpec, "0.1}", `1, "start": 2}`, 1)
	for _, c := range []struct{ old, new, want string }{
		{`"semisplit"`, `{"name": "x"}`, ""},
		{`"semisplit"`, `{"name": "x", "url": "host"}`, ""},
		{`"semisplit"`, `{"name": "x", "command": ["run", "{port}"]}`, ""},
		{`"semisplit"`, `{"name": "x", "comand": ["run", "{port}"]}`, `did you mean "command"`},
		{`"semisplit"`, `{"name": "x", "agent": "auto"}`, `either "agent", or the "name"`},
		{`"semisplit"`, `{"agent": "auto", "url": "host"}`, `"url" and "command" are for players of others`},
		{`"semisplit"`, `{"name": "x", "set": {"a": 1}}`, "are for agents"},
		{`"semisplit"`, `{"name": "x", "url": "host", "command": ["run"]}`, "has both"},
		{`"semisplit"], "baselines": ["orthodox"], "settings": [{"kind": "timed", "seconds": 1`, `{"name": "x"}], "baselines": ["orthodox"], "settings": [{"kind": "timed", "seconds": 1.5`, "whole seconds"},
		{`"plays": 4`, `"plays": 4, "peer_faults": 1`, "peer_faults: no player of others"},
	} {
		over := strings.Replace(strings.Replace(over, "\n\t", " ", 1), c.old, c.new, 1)
		_, err := ReadSpec(strings.NewReader(over))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s for %s: %v, want %q", c.new, c.old, err, c.want)
		}
	}
	if _, err := ReadSpec(strings.NewReader(strings.Repeat(" ", maxSpecBytes+1))); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Error(err)
	}
}

func TestFullRun(t *testing.T) {
	spec, err := ReadSpec(strings.NewReader(strings.Replace(smallSpec, `"plays": 4`, `"plays": 4, "full": {"plays": 300, "games": ["nim", "trio"]}`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	full, err := spec.FullRun()
	if err != nil || full.Plays != 300 || len(full.Games) != 2 || len(full.Agents) != 1 || spec.Plays != 4 {
		t.Errorf("%+v, %v", full, err)
	}
	if _, err := full.FullRun(); err == nil {
		t.Error("a full run of a full run")
	}
}

// TestRead: labels, paths, variants, variables.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	rules, err := os.ReadFile("testdata/three.kif")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"nim.kif": rules, "mine.json": []byte(`{"name": "mine"}`)} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("ARENA_TEST", dir)
	read := func(entries, agents string) (*Plan, error) {
		text := strings.Replace(strings.Replace(smallSpec, `"nim"`, entries, 1), `"semisplit"`, agents, 1)
		spec, err := ReadSpec(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return Read(spec, dir, games.Load)
	}
	p, err := read(`"nim", {"game": "nim.kif", "label": "mine"}, {"game": "$ARENA_TEST/nim.kif", "label": "again"}`,
		`"mine.json", {"agent": "mine.json", "label": "x", "set": {"general.threads": 2}, "vary": {"key": "algorithm.parameters.iterations", "values": [10, 20]}}`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range p.Games {
		got = append(got, g.Label)
	}
	for _, c := range p.Agents {
		got = append(got, c.Label)
	}
	want := []string{"nim", "mine", "again", "mine", "x iterations=10", "x iterations=20"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if p.Games[1].Sum != p.Games[2].Sum || p.Games[0].Sum == p.Games[1].Sum {
		t.Error("the sums do not tell the rules")
	}
	if a := p.Agents[2].Agent; a.General.Threads != 2 || a.Algorithm.Parameters.Iterations != 20 || a.Name != "mine" {
		t.Errorf("%+v", a)
	}
	if p.Spec.Parallel = 0; p.Parallel() < 1 {
		t.Error("no matches at once")
	}
	for _, c := range []struct{ games, agents, want string }{
		{`"nim", "nim"`, `"mine.json"`, "label of another"},
		{`"nim"`, `"mine.json", "mine.json"`, "label of another"},
		{`"nim"`, `{"agent": "mine.json", "label": "a|b"}`, "does not fit"},
		{`"nim"`, `"orthodox"`, "nothing to play"},
		{`"nim"`, `"nobody.json"`, "nobody.json"},
		{`"nimm"`, `"mine.json"`, "did you mean nim"},
		{`"$NO_SUCH_VARIABLE/x.kif"`, `"mine.json"`, "NO_SUCH_VARIABLE"},
		{`"mine.json"`, `"mine.json"`, "mine.json"},
		{`"nim"`, `{"agent": "mine.json", "set": {"general.thread": 2}}`, "threads"},
		{`"nim"`, `{"agent": "mine.json", "set": {"general.threads.x": 2}}`, "nothing below"},
		{`"nim"`, `{"agent": "mine.json", "set": {"heuristics.0.name": "mast"}}`, "heuristics"},
	} {
		if _, err := read(c.games, c.agents); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %q", c.games, c.agents, err, c.want)
		}
	}
}

// TestLabelsOfBothLists: a label may stand in both lists, but not for two players.
func TestLabelsOfBothLists(t *testing.T) {
	auto := func(candidates string) string {
		return fmt.Sprintf(`{"agent": "auto", "set": {"algorithm.candidates": %q}}`, candidates)
	}
	const here, there = `{"name": "x", "url": "http://127.0.0.1:1"}`, `{"name": "x", "url": "http://127.0.0.1:2"}`
	for _, c := range []struct {
		agent, baseline string
		ok              bool
	}{
		{auto("uniform"), auto("uniform"), true},
		{auto("uniform"), auto("no-knowledge"), false},
		{auto("uniform"), `{"agent": "auto", "label": "y"}`, true},
		{here, here, true},
		{here, there, false},
	} {
		spec, err := ReadSpec(strings.NewReader(fmt.Sprintf(`{"name": "both", "games": ["nim"], "agents": [%s, "semisplit"], "baselines": [%s, "orthodox"],
			"settings": [{"kind": "timed", "seconds": 1, "start": 1}], "plays": 2}`, c.agent, c.baseline)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(spec, ".", games.Load); (err == nil) != c.ok || !c.ok && !strings.Contains(err.Error(), `give one a "label"`) {
			t.Errorf("%s against %s: %v", c.agent, c.baseline, err)
		}
	}
}

func TestForecast(t *testing.T) {
	text := strings.Replace(smallSpec, `"nim"`, `"tictactoe", "testdata/puzzle.kif"`, 1)
	spec, err := ReadSpec(strings.NewReader(strings.Replace(text, `"seconds": 0.1`, `"seconds": 0.1, "start": 1`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Read(spec, ".", games.Load)
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.Forecast(t.Context(), time.Minute)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	// The last move of tictactoe is no choice; a puzzle of three moves has three.
	if c := list[0].Choices; c < 5 || c > 8 {
		t.Errorf("%v choices in tictactoe", c)
	}
	if f := list[1]; f.Choices != 3 || f.Plays != 4 || f.Time != duration(4*2*1.3) {
		t.Errorf("%+v; four plays of two matches of 1 s and three moves of 0.1 s", f)
	}
}

// TestForecastCounts: budgets by iterations and states are timed, an automatic
// agent is not, and the reason is told.
func TestForecastCounts(t *testing.T) {
	p := planOf(t, `"nim"`, `{"kind": "iterations", "iterations": 1000000000}, {"kind": "fixed", "states": 1000000000}, `+hundred, `"plays": 2,`)
	for i := range p.Agents {
		p.Agents[i].Agent.Algorithm.Parameters.Iterations = 0
		p.Agents[i].Agent.Algorithm.Parameters.ExplorationConstant = 0.3 + float64(i)
	}
	list, err := p.Forecast(t.Context(), time.Minute)
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	for _, f := range list {
		if f.Unknown != "" || f.Time <= 0 {
			t.Errorf("%+v", f)
		}
	}
	if list[0].Time < 100*list[2].Time {
		t.Errorf("a billion iterations take %v, a hundred %v", list[0].Time, list[2].Time)
	}
	auto, err := agent.Find("auto")
	if err != nil {
		t.Fatal(err)
	}
	p.Agents[0].Agent = auto
	if list, err = p.Forecast(t.Context(), time.Minute); err != nil || list[0].Time != 0 || !strings.Contains(list[0].Unknown, "many: it is chosen when it plays") {
		t.Errorf("%+v, %v", list[0], err)
	}
}

func FuzzSpec(f *testing.F) {
	f.Add([]byte(smallSpec))
	f.Add([]byte(`{"name": "x", "games": [{"game": "a", "label": "b"}], "agents": [{"agent": "c", "set": {"d": 1}, "vary": {"key": "e", "values": [1, "f", null]}}],
		"baselines": ["g"], "settings": [{"kind": "fixed", "seconds": 0.5, "measure": 2}, {"kind": "iterations", "iterations": 7}], "plays": 2, "seed": 1,
		"opening": 3, "sprt": {"elo0": 0, "elo1": 5}, "turns": 9, "parallel": 2, "full": {"plays": 4, "games": ["h"]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		spec, err := ReadSpec(bytes.NewReader(text))
		if err != nil {
			return
		}
		again, err := json.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := ReadSpec(bytes.NewReader(again))
		if err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		// Empty and missing are the same.
		if once, _ := json.Marshal(twice); !bytes.Equal(once, again) {
			t.Errorf("%s became %s", again, once)
		}
		_, _ = spec.FullRun() // must not panic
	})
}

// TestDocumentation reads the spec that the documentation shows, and looks for
// every key there.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/experiments/spec.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```json\n")
	example, _, found := strings.Cut(rest, "```")
	if _, err := ReadSpec(strings.NewReader(example)); !found || err != nil {
		t.Errorf("the example: %v", err)
	}
	for _, key := range strictjson.Keys(reflect.TypeFor[Spec]()) {
		if !strings.Contains(string(text), "`"+key+"`") && !strings.Contains(string(text), `"`+key+`"`) {
			t.Errorf("the key %q is not described", key)
		}
	}
}
