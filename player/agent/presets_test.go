package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"semisplit/search/final"
	"semisplit/search/stats"
)

// paperAgents are the agents of table 2 of the paper and its two baselines,
// written as tree, playouts, plan, heuristics.
var paperAgents = map[string]string{
	"orthodox":               "orthodox orthodox orthodox",
	"orthodox-mast-rave":     "orthodox orthodox orthodox mast-join rave-join",
	"sraw-s-mod":             "semisplit-raw semisplit mod",
	"snodal-s-mod":           "semisplit-nodal semisplit mod",
	"snodal-o-mod":           "semisplit-nodal orthodox mod",
	"o-s-mod":                "orthodox semisplit mod",
	"rnodal-s-mod":           "rollup-nodal semisplit mod",
	"rnodal-o-mod":           "rollup-nodal orthodox mod",
	"snodal-s-modplus":       "semisplit-nodal semisplit modplus",
	"sraw-s-modplus":         "semisplit-raw semisplit modplus",
	"snodal-s-modshift":      "semisplit-nodal semisplit modshift",
	"snodal-s-modplusshift":  "semisplit-nodal semisplit modplusshift",
	"o-s-modplus":            "orthodox semisplit modplus",
	"snodal-s-mod-mast-rave": "semisplit-nodal semisplit mod mast-split rave-split",
	"snodal-s-mod-mast":      "semisplit-nodal semisplit mod mast-split",
	"snodal-s-mod-mast-mix":  "semisplit-nodal semisplit mod mast-mix",
	"o-s-mod-mast-rave":      "orthodox semisplit mod mast-split rave-join",
	"rnodal-s-mod-mast":      "rollup-nodal semisplit mod mast-split",
}

// TestPaperPresets: each agent of the paper is there, with the parameters of
// its appendix 4.1.
func TestPaperPresets(t *testing.T) {
	for name, want := range paperAgents {
		agent, err := Find(name)
		if err != nil {
			t.Error(err)
			continue
		}
		p := agent.Algorithm.Parameters
		tree := string(agent.Algorithm.TreeStrategy)
		if tree != "orthodox" {
			tree += map[bool]string{true: "-nodal", false: "-raw"}[p.IsNodal]
		}
		got := []string{tree, string(agent.Algorithm.SimulationStrategy), agent.Algorithm.SplitStrategy}
		for _, h := range agent.Heuristics {
			got = append(got, h.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is %s, want %s", name, strings.Join(got, " "), want)
		}
		exploration := 0.4
		if rave, ok := agent.Rave(); ok {
			exploration = 0.2
			if rave.Equivalence != 250 {
				t.Errorf("%s: %+v", name, rave)
			}
		}
		if mast, ok := agent.Mast(); ok && (mast.Epsilon != 0.4 || mast.DecayFactor != 0.2 || mast.Decay != stats.DecayMove) {
			t.Errorf("%s: %+v", name, mast)
		}
		if p.ExplorationConstant != exploration || p.FinalSelection != final.Mean || p.MinSimulationsFactor != 1 || agent.General.SimulateDuringOppTurn {
			t.Errorf("%s: %+v", name, agent)
		}
	}
}

// TestPresets: names are those of the files, every preset says what it is, has
// nothing to be noted, and survives being written and read.
func TestPresets(t *testing.T) {
	presets := Presets()
	if len(presets) != len(paperAgents)+11 {
		t.Errorf("%d presets: those of the papers, the default, the house, the automatic and the random player, GRAVE, two by minimax and four by dimensions are %d", len(presets), len(paperAgents)+11)
	}
	automatic, err := Find("auto")
	if automatic.Name = Default().Name; err != nil || !reflect.DeepEqual(automatic, Automatic()) {
		t.Errorf("the preset auto is %+v (%v)", automatic, err)
	}
	for _, preset := range presets {
		found, err := Find(preset.Name)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(preset, found); diff != "" {
			t.Errorf("%s under its name:\n%s", preset.Name, diff)
		}
		if preset.Description == "" || strings.ContainsAny(preset.Description, "|\n") {
			t.Errorf("%s: description %q", preset.Name, preset.Description)
		}
		if notes := preset.Notes(); len(notes) > 0 {
			t.Errorf("%s: %q", preset.Name, notes)
		}
		written, err := json.Marshal(preset)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(preset, mustRead(t, string(written))); diff != "" {
			t.Errorf("%s, written and read:\n%s", preset.Name, diff)
		}
	}
	byName, err := Find(Default().Name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Default(), byName); diff != "" {
		t.Errorf("the default player and its preset:\n%s", diff)
	}
	house, err := Find("house")
	if err != nil {
		t.Fatal(err)
	}
	if mast, ok := house.Mast(); !ok || mast.Kind != stats.Context || house.Algorithm.TreeStrategy != Semisplit || !house.Algorithm.Parameters.IsNodal {
		t.Errorf("the reference agent: %+v", house)
	}
}

func TestFindAgent(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{"fox.json": `{"name": "fox"}`, "orthodox": `{"name": "mine"}`, "bad.json": `{"nmae": 1}`} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for query, want := range map[string]string{
		"fox.json": "fox", filepath.Join(dir, "fox.json"): "fox", "./orthodox": "mine", "orthodox": "orthodox",
	} {
		if agent, err := Find(query); err != nil || agent.Name != want {
			t.Errorf("%s: %s, %v", query, agent.Name, err)
		}
	}
	for query, want := range map[string]string{
		"ortodox":                    `did you mean orthodox?`,
		"elsewhere/snodal-s-md.json": `did you mean snodal-s-mod?`,
		"":                           "no such preset",
		"nosuch":                     "no such preset (ggp agents lists them)",
		"{}":                         "no such preset (ggp agents lists them)",
		"bad.json":                   `bad.json: line 1: unknown key "nmae"`,
		"../presets/orthodox":        "no such file",
		dir:                          "agent file",
	} {
		if _, err := Find(query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want something about %s", query, err, want)
		}
	}
}
