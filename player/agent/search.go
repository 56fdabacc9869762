package agent

import (
	"fmt"
	"reflect"
	"strings"

	"semisplit/player/evaluation"
	"semisplit/reasoner"
	"semisplit/reasoner/split"
	"semisplit/search/heuristic"
	"semisplit/search/mcts"
)

// Variant is the machine that an agent's playouts run on. Where playouts take
// moves whole, so does the machine; the tree divides them, if it is to.
func (a Agent) Variant() reasoner.Variant {
	v := reasoner.Variant{Lanes: a.General.Lanes, Plan: a.Algorithm.SplitStrategy}
	if a.General.Engine != EngineAuto {
		v.Engine = a.General.Engine
	}
	if a.Combinatorial() && v.Plan == reasoner.Auto {
		v.Plan = split.Coarsest
	}
	if a.Algorithm.SimulationStrategy == Orthodox || a.Minimax() && v.Plan == reasoner.Auto {
		v.Plan = string(Orthodox)
	}
	return v
}

// Minimax tells whether the search goes by the values of states.
func (a Agent) Minimax() bool {
	return a.Algorithm.Name == NameAlphaBeta || a.Algorithm.Name == NameBestFirst
}

// LearnsOn tells whether the search learns while a match is played: alpha-beta, whose
// last thread of several is for that.
func (a Agent) LearnsOn() bool {
	return a.Algorithm.Name == NameAlphaBeta && a.Algorithm.Parameters.LearnOn
}

// Searching is how many of the threads of a player search.
func (a Agent) Searching(threads int) int {
	switch {
	case a.Algorithm.Name == NameBestFirst || a.Combinatorial():
		return 1
	case a.LearnsOn():
		return max(1, threads-1)
	}
	return threads
}

// Combinatorial tells whether the search goes by the dimensions of moves.
func (a Agent) Combinatorial() bool {
	switch a.Algorithm.Name {
	case NameHierarchical, NameDimensional, NameNaive, NameLinear:
		return true
	}
	return false
}

// Divides says whether the tree splits moves that the machine takes whole.
func (a Agent) Divides() bool {
	return a.Algorithm.SimulationStrategy == Orthodox && a.Algorithm.TreeStrategy != Orthodox
}

// DividingPlan is the plan by which such a tree splits moves: the agent's, mod
// where it leaves the choice.
func (a Agent) DividingPlan() string {
	if plan := a.Algorithm.SplitStrategy; plan != "" && plan != reasoner.Auto {
		return plan
	}
	return "mod"
}

// SearchOptions are the parameters of a tree. What goes by the machine is added
// to them: Seed, Chance, Divide, Knowledge.
func (a Agent) SearchOptions() mcts.Options {
	o := mcts.DefaultOptions()
	for _, section := range []any{a.General, a.Algorithm, a.Algorithm.Parameters} {
		set(&o, section)
	}
	o.Knowledge = heuristic.Knowledge{MaxBackup: o.Knowledge.MaxBackup} // which needs no evaluation
	if mast, ok := a.Mast(); ok {
		o.Mast = mast
	}
	if rave, ok := a.Rave(); ok {
		o.Rave = rave
	}
	if grave, ok := a.Grave(); ok {
		o.Grave = grave
	}
	return o
}

// set sets the options that the tags of a section name.
func set(o *mcts.Options, section any) {
	for field, value := range reflect.ValueOf(section).Fields() {
		assign(o, field.Tag.Get("search"), value.Interface())
	}
}

// assign sets the fields of a struct that a tag names by a value, of another type of
// number or text maybe.
func assign(into any, tag string, value any) {
	for path := range strings.SplitSeq(tag, ",") {
		if path == "" {
			continue
		}
		path, word, asks := strings.Cut(path, "=")
		field, value := reflect.ValueOf(into).Elem(), value
		for name := range strings.SplitSeq(path, ".") {
			field = field.FieldByName(name)
		}
		if asks {
			value = strings.Contains(fmt.Sprint(value), word)
		}
		field.Set(reflect.ValueOf(value).Convert(field.Type()))
	}
}

// Sees is what the circuit is to see of moves that win at once. Alpha-beta always sees
// wins: of a state in which there is one it needs to know no more.
func (a Agent) Sees() Vision {
	v := a.Algorithm.Parameters.TerminalVision
	switch {
	case a.Algorithm.Name == NameAlphaBeta:
		return VisionTake
	case v == "":
		return VisionOff
	}
	return v
}

// Evaluates tells whether the search uses an evaluation.
func (a Agent) Evaluates() bool {
	p := &a.Algorithm.Parameters
	return a.Minimax() || p.ImplicitMinimax != 0 || p.ConstantBias > 0 || p.ProgressiveBias > 0 || p.NodePriors > 0 || p.FixedTermination > 0 || p.DynamicTermination > 0 || p.EvaluationGreedy > 0
}

// AutomaticAlpha as implicit_minimax stands for what the evaluation's quality is
// good for.
const AutomaticAlpha = -1

// Knowledge is what the search does with an evaluation.
func (a Agent) Knowledge(e *evaluation.Evaluation) heuristic.Knowledge {
	p, o := &a.Algorithm.Parameters, mcts.Options{}
	set(&o, *p)
	k := o.Knowledge
	k.Evaluate, k.Alpha = e, p.ImplicitMinimax
	switch {
	case p.ImplicitMinimax == AutomaticAlpha:
		k.Alpha = e.Alpha()
	case p.ConstantBias > 0:
		k.Alpha, k.Bias = p.ConstantBias, heuristic.ConstantBias
	case p.ProgressiveBias > 0:
		k.Alpha, k.Bias = p.ProgressiveBias, heuristic.ProgressiveBias
	}
	return k
}

// IsSource tells whether the key evaluation names what to learn from, not a file.
func IsSource(name string) bool {
	return name == "" || name == string(evaluation.FromMatches) || name == string(evaluation.FromTrees)
}

// EvaluationSource is what the agent's evaluation is learned from.
func (a Agent) EvaluationSource() evaluation.Source {
	if name := a.Algorithm.Parameters.Evaluation; name != "" {
		return evaluation.Source(name)
	}
	return evaluation.FromMatches
}

// Learns tells whether there may be an evaluation.
func (k Candidates) Learns() bool { return k == AllCandidates || k == CandidatesMinimax }

// See tells whether playouts see moves that win at once: all but those that are meant
// to be uniform.
func (k Candidates) See() bool { return k == AllCandidates || k == CandidatesNoKnowledge }
