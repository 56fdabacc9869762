package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"semisplit/internal/spelling"
	"semisplit/internal/strictjson"
	"semisplit/internal/words"
	"semisplit/search/final"
)

// checkKeys holds a file against options, each value by itself. It
// returns the paths that are given.
func checkKeys(root strictjson.Value) (given map[string]bool, err error) {
	if root.Kind != strictjson.Object {
		return nil, root.Faultf("an agent file is a JSON object, {...}")
	}
	c := keyChecker{given: map[string]bool{}}
	return c.given, c.object(root, topSection, "")
}

// retired are the keys of parameters that files and databases of earlier programs have, and that say
// nothing any more.
var retired = []string{"tactics"}

type keyChecker struct {
	given map[string]bool
}

// object checks what stands in a section. In heuristicSection, of says whose
// parameters these are.
func (c *keyChecker) object(v strictjson.Value, section, heuristic string) error {
	seen := map[string]bool{}
	for i, key := range v.Keys {
		p := findOption(section, key.Text)
		switch {
		case p == nil && section == searchSection && slices.Contains(retired, key.Text):
			continue
		case p == nil:
			return key.Faultf("%s", unknownKey(section, key.Text))
		case seen[key.Text]:
			return key.Faultf("%s stands here twice", p.Path())
		case len(p.Heuristics) > 0 && !slices.Contains(p.Heuristics, heuristic):
			return key.Faultf("%s is for %s; %s takes %s", p.Path(), words.Or(p.Heuristics), heuristic, words.Or(keysOf(heuristic)))
		}
		seen[key.Text] = true
		c.given[p.Path()] = true
		if err := c.value(p, v.Items[i], heuristic); err != nil {
			return err
		}
	}
	return nil
}

func keysOf(heuristic string) []string {
	var keys []string
	for _, p := range optionsOf(heuristic) {
		keys = append(keys, p.Key)
	}
	return keys
}

func (c *keyChecker) value(p *Option, v strictjson.Value, heuristic string) error {
	switch p.Kind {
	case ObjectKind:
		return c.section(p, v, heuristic)
	case ListKind:
		return c.heuristics(p, v)
	case TextKind:
		return checkText(p, v)
	case BoolKind:
		if v.Kind != strictjson.Bool {
			return v.Faultf("%s: %s is neither true nor false", p.Path(), v.Show())
		}
		return nil
	}
	return checkNumber(p, v)
}

// section checks an object; null is one without keys.
func (c *keyChecker) section(p *Option, v strictjson.Value, heuristic string) error {
	switch v.Kind {
	case strictjson.Null:
		return nil
	case strictjson.Object:
		return c.object(v, p.Path(), heuristic)
	}
	return v.Faultf("%s: %s is no object, {...}", p.Path(), v.Show())
}

func (c *keyChecker) heuristics(p *Option, v strictjson.Value) error {
	if v.Kind != strictjson.List && v.Kind != strictjson.Null {
		return v.Faultf("%s: %s is no list, [...]", p.Path(), v.Show())
	}
	for _, item := range v.Items {
		if item.Kind != strictjson.Object {
			return item.Faultf(`%s: %s is no object: write {"name": ..., "parameters": {...}}`, p.Path(), item.Show())
		}
		// The name decides which parameters there are, wherever it stands.
		index := slices.IndexFunc(item.Keys, func(key strictjson.Value) bool { return key.Text == "name" })
		if index < 0 {
			return item.Faultf("%s: a heuristic needs a name: %s", p.Path(), words.Or(quoted(heuristicNames)))
		}
		name := item.Items[index]
		if err := checkText(findOption(heuristicsSection, "name"), name); err != nil {
			return err
		}
		if err := c.object(item, heuristicsSection, name.Text); err != nil {
			return err
		}
	}
	return nil
}

func checkText(p *Option, v strictjson.Value) error {
	switch {
	case v.Kind != strictjson.Text:
		return v.Faultf("%s: %s is no text: put it in quotes", p.Path(), v.Show())
	case len(p.Choices) > 0 && !slices.Contains(p.Choices, v.Text):
		meant := "."
		if near := spelling.Near(v.Text, p.Choices, 1); len(near) > 0 {
			meant = fmt.Sprintf(", did you mean %q?", near[0])
		}
		return v.Faultf("%s: %q is unknown%s There are %s", p.Path(), strictjson.Clip(v.Text), meant, p.Values())
	case p.Path() == "name" && !isAgentName(v.Text):
		return v.Faultf("name: %q is not a name: it needs letters, and no blanks or parentheses", strictjson.Clip(v.Text))
	}
	return nil
}

func isAgentName(name string) bool { return name != "" && !strings.ContainsAny(name, " \t\r\n();") }

func checkNumber(p *Option, v strictjson.Value) error {
	if v.Kind != strictjson.Number {
		return v.Faultf("%s: %s is no number; it takes %s", p.Path(), v.Show(), p.Values())
	}
	if p.Kind == IntegerKind {
		if _, err := strconv.ParseInt(v.Text, 10, 64); err != nil {
			return v.Faultf("%s: %s is no %s", p.Path(), strictjson.Clip(v.Text), p.Values())
		}
	}
	if len(p.Choices) > 0 {
		if slices.Contains(p.Choices, v.Text) {
			return nil
		}
		if p.Refusal != "" {
			return v.Faultf("%s: it is always %s: %s", p.Path(), p.Values(), p.Refusal)
		}
		return v.Faultf("%s: it is %s, not %s", p.Path(), p.Values(), strictjson.Clip(v.Text))
	}
	n, err := strconv.ParseFloat(v.Text, 64)
	if err != nil || n < p.Min || n > p.Max {
		return v.Faultf("%s: %s is not in range: it takes %s", p.Path(), strictjson.Clip(v.Text), p.Values())
	}
	return nil
}

// checkTogether says which parts of an agent do not go together.
func (a Agent) checkTogether() error {
	if a.General.Engine == EngineProver && a.General.Lanes != 0 {
		return fmt.Errorf("general.lanes: the prover looks at one position at a time: leave lanes at 0, or choose the engine %q", EngineLanes)
	}
	switch a.Algorithm.Name {
	case NameAuto:
		return a.checkAutomatic()
	case NameRandom:
		return a.checkRandom()
	case NameAlphaBeta, NameBestFirst:
		return a.checkMinimax()
	case NameHierarchical, NameDimensional, NameNaive, NameLinear:
		return a.checkCombinatorial()
	}
	if a.Algorithm.Combinatorial != Default().Algorithm.Combinatorial {
		return fmt.Errorf("algorithm.combinatorial: %s does not search by dimensions: leave it out, or name the algorithm %s", a.Algorithm.Name, words.Or([]string{NameHierarchical, NameDimensional, NameNaive, NameLinear}))
	}
	if a.Algorithm.Candidates != AllCandidates {
		return fmt.Errorf("algorithm.candidates: only the automatic choice has any: leave it at %q, or name the algorithm %s", AllCandidates, NameAuto)
	}
	if err := a.Algorithm.Parameters.checkBiases(); err != nil {
		return err
	}
	taken := map[string]string{}
	for i := range a.Heuristics {
		h := &a.Heuristics[i]
		family, variant := h.parts()
		phase := "playouts"
		if family == "rave" || family == "grave" {
			phase = "selection"
		}
		if other := taken[phase]; other != "" {
			return fmt.Errorf("heuristics: %s and %s both guide the %s: choose one of them", other, h.Name, phase)
		}
		taken[phase] = h.Name
		if key := a.Algorithm.Parameters.looksAhead(); key != "" && phase == "playouts" {
			return fmt.Errorf("heuristics: %s and %s both choose the moves of playouts, by statistics and by the states that moves lead to: choose one of them", h.Name, key)
		}
		switch family {
		case "nst":
			continue
		case "grave":
			if err := a.checkGrave(); err != nil {
				return err
			}
			continue
		}
		if _, err := a.combination().resolve(family, variant); err != nil {
			return err
		}
	}
	return nil
}

// checkGrave: what GRAVE works with.
func (a Agent) checkGrave() error {
	p := &a.Algorithm.Parameters
	switch {
	case a.Algorithm.TreeStrategy != a.Algorithm.SimulationStrategy:
		return fmt.Errorf("heuristics: grave needs the same design of tree and playouts, orthodox or semisplit: playouts say what the moves of the tree are worth")
	case p.FinalSelection != final.Visits:
		return fmt.Errorf("algorithm.parameters.final_selection: grave needs %q: what it hardly tries has the mean of a playout or two", final.Visits)
	case strings.Contains(p.PN, "U"):
		return fmt.Errorf("algorithm.parameters.pn: grave and UCT-PN (U) both say what selection adds to the value of a move: choose one of them")
	}
	return nil
}

// looksAhead is the key by which playouts look at the states after their moves,
// "" if they do not.
func (p *Parameters) looksAhead() string {
	switch {
	case p.DecisiveMoves:
		return "decisive_moves"
	case p.EvaluationGreedy > 0:
		return "evaluation_greedy"
	}
	return ""
}

// checkBiases: moves have one value for selection.
func (p *Parameters) checkBiases() error {
	var given []string
	for _, b := range []struct {
		key   string
		alpha float64
	}{{"implicit_minimax", p.ImplicitMinimax}, {"constant_bias", p.ConstantBias}, {"progressive_bias", p.ProgressiveBias}} {
		if b.alpha != 0 {
			given = append(given, b.key)
		}
	}
	if p.ImplicitMinimax < 0 && p.ImplicitMinimax != AutomaticAlpha {
		return fmt.Errorf("algorithm.parameters.implicit_minimax: %v is neither %d nor a number from 0 to 1", p.ImplicitMinimax, AutomaticAlpha)
	}
	if p.ImplicitMinimax < 0 && !IsSource(p.Evaluation) {
		return fmt.Errorf("algorithm.parameters.implicit_minimax: the quality of an evaluation from a file is not known: give a number from 0 to 1")
	}
	if len(given) > 1 {
		return fmt.Errorf("%s and %s both say how an evaluation weighs: choose one of them", given[0], given[1])
	}
	return nil
}

// checkAutomatic: what is chosen for each game cannot be given.
func (a Agent) checkAutomatic() error {
	if a.General.Engine != EngineAuto {
		return fmt.Errorf("general.engine: the automatic choice decides on the machine: leave the engine at %q, or name the algorithm %s", EngineAuto, NameMCTS)
	}
	if a.General.Lanes != 0 {
		return fmt.Errorf("general.lanes: the automatic choice decides on the machine: leave lanes at 0, or name the algorithm %s", NameMCTS)
	}
	if len(a.Heuristics) > 0 {
		return fmt.Errorf("heuristics: the automatic choice decides on them: leave them out, or name the algorithm %s", NameMCTS)
	}
	rest, usual := a.Algorithm, Default().Algorithm
	rest.Name, rest.Candidates = usual.Name, usual.Candidates
	p, q := &rest.Parameters, &usual.Parameters
	p.Iterations, p.PlayoutLimit, p.LanesInFlight = q.Iterations, q.PlayoutLimit, q.LanesInFlight
	if rest != usual {
		return fmt.Errorf("algorithm: with the name %s only candidates, iterations, playout_limit and lanes_in_flight can be given: leave the rest out, or name the algorithm %s", NameAuto, NameMCTS)
	}
	return nil
}

// checkRandom: an agent that does not search has nothing to say of a search.
func (a Agent) checkRandom() error {
	rest, usual := a.Algorithm, Default().Algorithm
	rest.Name = usual.Name
	if rest != usual || len(a.Heuristics) > 0 {
		return fmt.Errorf("algorithm: with the name %s there is no search, and nothing to say of one: leave the rest and heuristics out, or name the algorithm %s", NameRandom, NameMCTS)
	}
	return nil
}

// checkMinimax: a search by the values of states has no playouts to be guided and no
// exploration, best-first one thread.
func (a Agent) checkMinimax() error {
	if a.General.Threads > 1 && a.Algorithm.Name == NameBestFirst {
		return fmt.Errorf("general.threads: %s has one thread: leave threads at 0 or 1, or name the algorithm %s", a.Algorithm.Name, NameMCTS)
	}
	if len(a.Heuristics) > 0 {
		return fmt.Errorf("heuristics: they guide playouts and the selection of %s; %s has neither: leave them out", NameMCTS, a.Algorithm.Name)
	}
	rest, usual := a.Algorithm, Default().Algorithm
	rest.Name, rest.SplitStrategy = usual.Name, usual.SplitStrategy
	rest.Parameters.Iterations, rest.Parameters.Evaluation, rest.Parameters.LearnOn = usual.Parameters.Iterations, usual.Parameters.Evaluation, usual.Parameters.LearnOn
	if rest != usual {
		return fmt.Errorf("algorithm: with the name %s only split_strategy, iterations, evaluation and learn_on can be given, since there is nothing else to be said of it: leave the rest out, or name the algorithm %s", a.Algorithm.Name, NameMCTS)
	}
	return nil
}

// checkCombinatorial: a search by dimensions has playouts that nothing guides, and one
// thread.
func (a Agent) checkCombinatorial() error {
	name := a.Algorithm.Name
	if a.General.Threads > 1 {
		return fmt.Errorf("general.threads: %s has one thread: leave threads at 0 or 1, or name the algorithm %s", name, NameMCTS)
	}
	if len(a.Heuristics) > 0 {
		return fmt.Errorf("heuristics: they guide playouts and the selection of %s; %s has its own: leave them out", NameMCTS, name)
	}
	if a.Algorithm.SplitStrategy == string(Orthodox) {
		return fmt.Errorf("algorithm.split_strategy: %s leaves moves whole, and %s needs their dimensions: name another plan, or leave the choice", Orthodox, name)
	}
	rest, usual := a.Algorithm, Default().Algorithm
	rest.Name, rest.SplitStrategy, rest.Combinatorial = usual.Name, usual.SplitStrategy, usual.Combinatorial
	rest.Parameters.Iterations, rest.Parameters.ExplorationConstant = usual.Parameters.Iterations, usual.Parameters.ExplorationConstant
	if rest != usual {
		return fmt.Errorf("algorithm: with the name %s only split_strategy, combinatorial, exploration_constant and iterations can be given: leave the rest out, or name the algorithm %s", name, NameMCTS)
	}
	return nil
}
