package agent

import (
	"reflect"
	"strings"

	"semisplit/player/evaluation"
	"semisplit/reasoner"
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
	if a.Algorithm.SimulationStrategy == Orthodox {
		v.Plan = string(Orthodox)
	}
	return v
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
	set(&o, a.General)
	set(&o, a.Algorithm.Parameters)
	o.Knowledge = heuristic.Knowledge{}
	p := &a.Algorithm.Parameters
	o.Raw, o.Whole, o.RollUp = !p.IsNodal, a.Algorithm.TreeStrategy == Orthodox, a.Algorithm.TreeStrategy == Rollup
	o.PN.Final, o.PN.Solve, o.PN.Select = p.PN.uses(proofFinal), p.PN.uses(proofSolve), p.PN.uses(proofSelect)
	if mast, ok := a.Mast(); ok {
		o.Mast = mast
	}
	if nst, ok := a.Nst(); ok {
		o.Mast = nst
	}
	if rave, ok := a.Rave(); ok {
		o.Rave = rave
	}
	return o
}

// set sets the options that the tags of a section name.
func set(o *mcts.Options, section any) {
	for field, value := range reflect.ValueOf(section).Fields() {
		if path := field.Tag.Get("search"); path != "" {
			at := reflect.ValueOf(o).Elem()
			for name := range strings.SplitSeq(path, ".") {
				at = at.FieldByName(name)
			}
			assign(at, value.Interface())
		}
	}
}

// assign sets a field to a value, of another type of number or text maybe.
func assign(field reflect.Value, value any) {
	field.Set(reflect.ValueOf(value).Convert(field.Type()))
}

// Evaluates tells whether the search uses an evaluation.
func (a Agent) Evaluates() bool {
	p := &a.Algorithm.Parameters
	return p.ImplicitMinimax != 0 || p.ConstantBias > 0 || p.ProgressiveBias > 0 || p.NodePriors > 0 || p.FixedTermination > 0 || p.DynamicTermination > 0 || p.EvaluationGreedy > 0
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

// IsTeacher tells whether the key evaluation names what to learn from, not a file.
func IsTeacher(name string) bool {
	return name == "" || name == string(evaluation.FromMatches) || name == string(evaluation.FromTrees)
}

// Teacher is what the agent's evaluation is learned from.
func (a Agent) Teacher() evaluation.Teacher {
	if name := a.Algorithm.Parameters.Evaluation; name != "" {
		return evaluation.Teacher(name)
	}
	return evaluation.FromMatches
}

// Learns tells whether there may be an evaluation.
func (k Candidates) Learns() bool { return k == AllCandidates || k == CandidatesMinimax }
