package agent

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"semisplit/internal/testenv"
	"semisplit/search/final"
	"semisplit/search/stats"
)

// paperTable are the entries of table 3 of the paper, columns MAST and RAVE
// of standard, split, join, context: + exists, J or S is equivalent to join or
// split, ~ is useless, * has no use in expansion, - does not exist.
const paperTable = `
orthodox  orthodox   +J +J  +  -  +   +  ~J ~J
orthodox  semisplit  -  -   +  -  -   +  +  ~J
semisplit orthodox   -  -   +  +  +*  -  +  +
semisplit semisplit  +S +S  +  +  -   -  +  +
rollup    orthodox   -  -   +  -  +*  -  +  +
rollup    semisplit  -  -   +  -  -   -  +  +
`

var signs = map[availability]string{absent: "-", works: "+", likeJoin: "+J", likeSplit: "+S", uselessJoin: "~J", noExpansion: "+*"}

// tableText writes the table of the code like paperTable.
func tableText() string {
	var b strings.Builder
	for _, c := range combinations {
		fields := []string{string(c.tree), string(c.simulation)}
		for i := range c.mast {
			fields = append(fields, signs[c.mast[i]], signs[c.rave[i]])
		}
		b.WriteString(strings.Join(fields, " ") + "\n")
	}
	return b.String()
}

func TestCombinationsOfPaper(t *testing.T) {
	var want strings.Builder
	for line := range strings.Lines(strings.TrimSpace(paperTable)) {
		want.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
	}
	if got := tableText(); got != want.String() {
		t.Errorf("got\n%swant\n%s", got, want.String())
	}
}

// TestCombinationsOfText reads the table out of the paper's text itself.
func TestCombinationsOfText(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(testenv.Corpus(t, "papers"), "000*.txt")) // the pattern is well-formed
	if len(files) == 0 {
		t.Skip("skipped: the paper is missing")
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	tick := strings.NewReplacer("<del>✓", "~", "</del>", "", "<sup>", "", "</sup>", "", "✓", "+", "–", "-", "roll-up", "rollup", " ", "")
	var got strings.Builder
	for _, row := range regexp.MustCompile(`(?m)^\| (orthodox|semisplit|roll-up) +\|.*$`).FindAllString(string(text), -1) {
		cells := strings.Split(tick.Replace(strings.Trim(row, "|")), "|")
		got.WriteString(strings.Join(cells, " ") + "\n")
	}
	if got.String() != tableText() {
		t.Errorf("the paper has\n%sthe code\n%s", got.String(), tableText())
	}
}

// TestCombinations: for every design and name, Check, the typed parts and the
// documented mark agree, and a refusal gives a reason and another choice that
// is accepted.
func TestCombinations(t *testing.T) {
	offered := regexp.MustCompile(`.* choose (.*)$`)
	for _, c := range combinations {
		for _, name := range heuristicNames {
			a := Default()
			a.Algorithm.TreeStrategy, a.Algorithm.SimulationStrategy = c.tree, c.simulation
			a.Heuristics = []Heuristic{{Name: name}}
			if name == "grave" { // which has no variants
				a.Algorithm.Parameters.FinalSelection = final.Visits
				if err := check(a); (err == nil) != (c.tree == c.simulation) {
					t.Errorf("%s/%s %s: %v", c.tree, c.simulation, name, err)
				}
				continue
			}
			err := check(a)
			_, mast := a.Mast()
			_, rave := a.Rave()
			if (err == nil) != (mast || rave) {
				t.Errorf("%s/%s %s: %v, but typed %v %v", c.tree, c.simulation, name, err, mast, rave)
			}
			if err == nil {
				continue
			}
			match := offered.FindStringSubmatch(err.Error())
			if match == nil || !strings.Contains(err.Error(), name+" needs") {
				t.Errorf("%s/%s %s: no reason or no advice: %v", c.tree, c.simulation, name, err)
				continue
			}
			for other := range strings.SplitSeq(strings.ReplaceAll(match[1], " or ", ", "), ", ") {
				a.Heuristics[0].Name = other
				if err := check(a); err != nil {
					t.Errorf("%s/%s %s: advised, and %v", c.tree, c.simulation, other, err)
				}
			}
		}
	}
}

// TestRefusal is what a person reads.
func TestRefusal(t *testing.T) {
	_, err := Read(strings.NewReader(`{"algorithm": {"tree_strategy": "rollup"}, "heuristics": [{"name": "rave-split"}]}`))
	want := `heuristics: rave-split needs a semisplit tree: it has statistics of semimoves, and other trees choose longer parts of moves; ` +
		`with tree_strategy "rollup" and simulation_strategy "semisplit" choose rave-context`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// TestTypedHeuristics: the defaults are the papers', what is given wins, and
// equivalent variants are resolved.
func TestTypedHeuristics(t *testing.T) {
	read := func(tree, simulation, heuristics string) Agent {
		return mustRead(t, `{"algorithm": {"tree_strategy": "`+tree+`", "simulation_strategy": "`+simulation+`"}, "heuristics": [`+heuristics+`]}`)
	}
	mast := func(kind stats.Kind, plain bool) stats.Mast {
		return stats.Mast{Kind: kind, PlainTree: plain, Epsilon: 0.4, Decay: stats.DecayMove, DecayFactor: 0.2, MixThreshold: 7, Beside: stats.Beside{NGramThreshold: 7}}
	}
	given := mast(stats.Mix, false)
	given.Epsilon, given.Decay, given.DecayFactor, given.MixThreshold = 0.1, stats.DecaySimulation, 1, 15
	for _, c := range []struct {
		agent Agent
		want  stats.Mast
	}{
		{read("semisplit", "semisplit", `{"name": "mast"}`), mast(stats.Split, false)},
		{read("orthodox", "orthodox", `{"name": "mast"}`), mast(stats.Join, false)},
		{read("orthodox", "orthodox", `{"name": "mast-context"}`), mast(stats.Join, false)},
		{read("rollup", "orthodox", `{"name": "mast-join"}`), mast(stats.Join, true)},
		{read("orthodox", "orthodox", `{"name": "mast-mix"}`), mast(stats.Mix, false)},
		{read("rollup", "semisplit", `{"name": "mast-mix", "parameters": {"mix_threshold": 15, "epsilon": 0.1, "decay": "simulation", "decay_factor": 1}}`), given},
	} {
		if got, ok := c.agent.Mast(); !ok || got != c.want {
			t.Errorf("%v\n got %+v, %v\nwant %+v", c.agent.Heuristics, got, ok, c.want)
		}
	}
	for _, c := range []struct {
		agent Agent
		want  stats.Rave
	}{
		{read("semisplit", "semisplit", `{"name": "rave"}`), stats.Rave{Kind: stats.Split, Equivalence: 250, MixThreshold: 7}},
		{read("orthodox", "semisplit", `{"name": "rave-context", "parameters": {"equivalence_parameter": 9}}`), stats.Rave{Kind: stats.Join, Equivalence: 9, MixThreshold: 7}},
		{read("semisplit", "orthodox", `{"name": "rave-mix", "parameters": {"mix_threshold": 3}}`), stats.Rave{Kind: stats.Mix, Equivalence: 250, MixThreshold: 3}},
	} {
		if got, ok := c.agent.Rave(); !ok || got != c.want {
			t.Errorf("%v\n got %+v, %v\nwant %+v", c.agent.Heuristics, got, ok, c.want)
		}
	}
	grams := mast(stats.Split, false)
	grams.NGram = 2
	if got, ok := read("orthodox", "semisplit", `{"name": "nst", "parameters": {"ngram_length": 2}}`).Mast(); !ok || got != grams {
		t.Errorf("got %+v, %v", got, ok)
	}
	grave := read("orthodox", "orthodox", `{"name": "grave", "parameters": {"bias": 0.5}}`)
	if got, ok := grave.Grave(); !ok || got != (stats.Grave{Reference: stats.DefaultGrave().Reference, Bias: 0.5}) {
		t.Errorf("got %+v, %v", got, ok)
	}
	if p := grave.Algorithm.Parameters; p.FinalSelection != final.Visits || p.ExplorationConstant != explorationWithGrave {
		t.Errorf("with GRAVE the final selection is %s, C is %v", p.FinalSelection, p.ExplorationConstant)
	}
	if _, ok := Default().Mast(); ok {
		t.Error("the default agent has MAST")
	}
}
