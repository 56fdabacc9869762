package player

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
	root := os.Getenv("GGP_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	files, _ := filepath.Glob(filepath.Join(root, "papers", "000*.txt")) // the pattern is well-formed
	if len(files) == 0 {
		t.Skip("the papers are missing: set GGP_CORPUS to the folder that holds papers/")
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
			a := DefaultAgent()
			a.Algorithm.TreeStrategy, a.Algorithm.SimulationStrategy = c.tree, c.simulation
			a.Heuristics = []Heuristic{{Name: name}}
			err := a.Check()
			_, mast := a.Mast()
			_, rave := a.Rave()
			_, nst := a.Nst()
			if (err == nil) != (mast || rave || nst) {
				t.Errorf("%s/%s %s: %v, but typed %v %v %v", c.tree, c.simulation, name, err, mast, rave, nst)
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
				if err := a.Check(); err != nil {
					t.Errorf("%s/%s %s: advised, and %v", c.tree, c.simulation, other, err)
				}
			}
		}
	}
}

// TestRefusal is what a person reads.
func TestRefusal(t *testing.T) {
	_, err := ReadAgent(strings.NewReader(`{"algorithm": {"tree_strategy": "rollup"}, "heuristics": [{"name": "rave-split"}]}`))
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
	usual := PlayoutPolicy{Epsilon: 0.4, Decay: DecayMove, DecayFactor: 0.2, DecayBatch: 1000}
	for _, c := range []struct {
		agent Agent
		want  Mast
	}{
		{read("semisplit", "semisplit", `{"name": "mast"}`), Mast{PlayoutPolicy: usual, Variant: SplitVariant, Expansion: true}},
		{read("orthodox", "orthodox", `{"name": "mast"}`), Mast{PlayoutPolicy: usual, Variant: JoinVariant, Expansion: true}},
		{read("orthodox", "orthodox", `{"name": "mast-context"}`), Mast{PlayoutPolicy: usual, Variant: JoinVariant, Expansion: true}},
		{read("rollup", "orthodox", `{"name": "mast-join"}`), Mast{PlayoutPolicy: usual, Variant: JoinVariant}},
		{read("orthodox", "orthodox", `{"name": "mast-mix"}`), Mast{PlayoutPolicy: usual, Variant: MixVariant, Long: JoinVariant, MixThreshold: 7, Expansion: true}},
		{read("rollup", "semisplit", `{"name": "mast-mix", "parameters": {"mix_threshold": 15, "epsilon": 0.1, "decay": "batch", "decay_factor": 1, "decay_batch": 9, "tree_only": true}}`),
			Mast{PlayoutPolicy: PlayoutPolicy{0.1, DecayBatch, 1, 9, true}, Variant: MixVariant, Long: ContextVariant, MixThreshold: 15, Expansion: true}},
	} {
		if got, ok := c.agent.Mast(); !ok || got != c.want {
			t.Errorf("%v\n got %+v, %v\nwant %+v", c.agent.Heuristics, got, ok, c.want)
		}
	}
	for _, c := range []struct {
		agent Agent
		want  Rave
	}{
		{read("semisplit", "semisplit", `{"name": "rave"}`), Rave{Variant: SplitVariant, EquivalenceParameter: 250}},
		{read("orthodox", "semisplit", `{"name": "rave-context", "parameters": {"equivalence_parameter": 9}}`), Rave{Variant: JoinVariant, EquivalenceParameter: 9}},
		{read("semisplit", "orthodox", `{"name": "rave-mix"}`), Rave{Variant: MixVariant, Long: ContextVariant, MixThreshold: 7, EquivalenceParameter: 250}},
	} {
		if got, ok := c.agent.Rave(); !ok || got != c.want {
			t.Errorf("%v\n got %+v, %v\nwant %+v", c.agent.Heuristics, got, ok, c.want)
		}
	}
	if got, ok := read("orthodox", "semisplit", `{"name": "nst", "parameters": {"ngram_length": 2}}`).Nst(); !ok || got != (Nst{usual, 2, 7}) {
		t.Errorf("got %+v, %v", got, ok)
	}
	if _, ok := DefaultAgent().Mast(); ok {
		t.Error("the default agent has MAST")
	}
}
