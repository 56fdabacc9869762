package player

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"semisplit/player/board"
	"semisplit/player/evaluation"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/search"
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

// divides says whether the tree splits moves that the machine takes whole.
func (a Agent) divides() bool {
	return a.Algorithm.SimulationStrategy == Orthodox && a.Algorithm.TreeStrategy != Orthodox
}

// dividingPlan is the plan by which such a tree splits moves: the agent's, mod
// where it leaves the choice.
func (a Agent) dividingPlan() string {
	if plan := a.Algorithm.SplitStrategy; plan != "" && plan != reasoner.Auto {
		return plan
	}
	return "mod"
}

// searchOptions are the parameters of a tree on a machine.
func (a Agent) searchOptions(m reasoner.Machine, seed uint64) search.Options {
	p := a.Algorithm.Parameters
	o := search.Options{
		Exploration: orNone(p.ExplorationConstant), Seed: seed, Memory: a.General.Memory, PlayoutLimit: p.PlayoutLimit,
		LanesInFlight: p.LanesInFlight, Transpositions: p.Transpositions, LengthBonus: p.LengthBonus, Eager: p.EagerNodes,
		Raw: !p.IsNodal, MinSimulations: p.MinSimulationsFactor, FinalFactor: p.FinalRollupFactor,
	}
	o.Solver, o.PN = p.Solver, search.PN{
		Final: p.PN.uses(proofFinal), Solve: p.PN.uses(proofSolve), Select: p.PN.uses(proofSelect),
		Draws: p.PNDrawLayer, Contempt: p.Contempt, Constant: orNone(p.PNConstant),
	}
	o.Chance = board.Chance(m)
	switch p.FinalSelection {
	case SelectGreedy:
		o.Final = search.FinalMean
	case SelectRollup:
		o.Final = search.FinalRollUp
	}
	switch a.Algorithm.TreeStrategy {
	case Orthodox:
		o.Whole = true
	case Rollup:
		o.RollUp = true
	}
	if m, ok := m.(equipped); ok && m.divider != nil && a.divides() {
		o.Divide = m.divider.division(m)
	}
	if m, ok := m.(equipped); ok && m.evaluation != nil && a.evaluates() {
		o.Knowledge = p.knowledge(m.evaluation)
	}
	if mast, ok := a.Mast(); ok {
		o.Mast = mast.PlayoutPolicy.options()
		o.Mast.Kind, o.Mast.MixThreshold, o.Mast.PlainTree = mast.Variant.kind(), mast.MixThreshold, !mast.Expansion
	}
	if nst, ok := a.Nst(); ok {
		o.Mast = nst.PlayoutPolicy.options()
		o.Mast.Kind, o.Mast.NGram, o.Mast.NGramThreshold = search.Split, nst.Length, nst.Threshold
	}
	if rave, ok := a.Rave(); ok {
		o.Rave = search.Rave{Kind: rave.Variant.kind(), Equivalence: rave.EquivalenceParameter, MixThreshold: rave.MixThreshold}
	}
	return o
}

// orNone turns 0 into what stands for 0 in search.Options, where 0 itself is
// the default.
func orNone(v float64) float64 {
	if v == 0 {
		return -1
	}
	return v
}

func (p PlayoutPolicy) options() search.Mast {
	m := search.Mast{
		Epsilon: orNone(p.Epsilon), DecayFactor: p.DecayFactor, DecayBatch: int(p.DecayBatch), TreeOnly: p.TreeOnly,
	}
	switch p.Decay {
	case DecayMove:
		m.Decay = search.DecayMove
	case DecayBatch:
		m.Decay = search.DecayBatch
	case DecaySimulation:
		m.Decay = search.DecaySimulation
	}
	return m
}

func (v HeuristicVariant) kind() search.Kind {
	switch v {
	case SplitVariant:
		return search.Split
	case JoinVariant:
		return search.Join
	case ContextVariant:
		return search.Context
	case MixVariant:
		return search.Mix
	}
	return search.None
}

// Compile starts making the machines that an agent thinks on, as
// reasoner.CompileVariant does: the prover at once, better ones on the way.
func (a Agent) Compile(ctx context.Context, p *gdl.Program, l reasoner.Limits) (*reasoner.Compilation, error) {
	return reasoner.CompileVariant(ctx, p, a.Variant(), l)
}

// Adapt returns the machine as the agent needs it: one that takes moves whole,
// for a tree of semimoves, comes with the way in which the tree divides them; a
// game whose moves cannot be divided is played with whole moves. For implicit
// minimax backups it comes with an evaluation, which takes a few seconds to be
// learned; the prover is too slow for that.
func (a Agent) Adapt(ctx context.Context, m reasoner.Machine, p *gdl.Program, l reasoner.Limits) (reasoner.Machine, error) {
	return a.adapt(ctx, m, p, l, nil)
}

// adapt is Adapt with an evaluation that was learned before; nil: there is none.
func (a Agent) adapt(ctx context.Context, m reasoner.Machine, p *gdl.Program, l reasoner.Limits, learned *evaluation.Evaluation) (reasoner.Machine, error) {
	to := equipped{Machine: m}
	if a.divides() {
		var err error
		if to.divider, err = newDivider(p, a.dividingPlan(), l); err != nil {
			return m, err
		}
	}
	if a.evaluates() && m.Kind() == EngineLanes {
		var err error
		if to.evaluation, err = a.evaluation(ctx, m, p, learned); err != nil {
			return m, err
		}
	}
	if to.divider == nil && to.evaluation == nil {
		return m, nil
	}
	return to, nil
}

// evaluates tells whether the search uses an evaluation.
func (a Agent) evaluates() bool {
	p := &a.Algorithm.Parameters
	return p.ImplicitMinimax != 0 || p.ConstantBias > 0 || p.ProgressiveBias > 0 || p.NodePriors > 0 || p.FixedTermination > 0 || p.DynamicTermination > 0 || p.EvaluationGreedy > 0
}

// automaticAlpha as implicit_minimax stands for what the evaluation's quality is
// good for.
const automaticAlpha = -1

// knowledge is what the search does with an evaluation.
func (p *Parameters) knowledge(e *evaluation.Evaluation) search.Knowledge {
	k := search.Knowledge{
		Evaluate: e, Alpha: p.ImplicitMinimax, Priors: p.NodePriors, MaxBackup: p.MaxBackup,
		Fixed: p.FixedTermination, Dynamic: p.DynamicTermination,
	}
	switch {
	case p.ImplicitMinimax == automaticAlpha:
		k.Alpha = e.Alpha()
	case p.ConstantBias > 0:
		k.Alpha, k.Bias = p.ConstantBias, search.ConstantBias
	case p.ProgressiveBias > 0:
		k.Alpha, k.Bias = p.ProgressiveBias, search.ProgressiveBias
	}
	return k
}

// isTeacher tells whether the key evaluation names what to learn from, not a file.
func isTeacher(name string) bool {
	return name == "" || name == string(evaluation.FromMatches) || name == string(evaluation.FromTrees)
}

// learningTime is how long an evaluation is learned for an agent outside of the
// automatic choice.
const learningTime = 3 * time.Second

// teacher is what the agent's evaluation is learned from.
func (a Agent) teacher() evaluation.Teacher {
	if name := a.Algorithm.Parameters.Evaluation; name != "" {
		return evaluation.Teacher(name)
	}
	return evaluation.FromMatches
}

// evaluation is the one of the agent's file, or one that is learned.
func (a Agent) evaluation(ctx context.Context, m reasoner.Machine, p *gdl.Program, learned *evaluation.Evaluation) (*evaluation.Evaluation, error) {
	name := a.Algorithm.Parameters.Evaluation
	if !isTeacher(name) {
		file, err := evaluation.Read(name)
		if err != nil {
			return nil, err
		}
		e, err := file.Evaluation(m, p)
		if err != nil {
			return nil, fmt.Errorf("evaluation %s: %w", name, err)
		}
		return e, nil
	}
	if learned != nil {
		return learned.On(m), nil
	}
	e, err := evaluation.Learn(ctx, m, p, a.teacher(), 1, learningTime, 1)
	if err != nil {
		return nil, fmt.Errorf("learning an evaluation: %w", err)
	}
	return e, nil
}

// equipped is a machine with what an agent needs beside it.
type equipped struct {
	reasoner.Machine
	divider    *divider               // of moves that the machine takes whole; nil: the tree takes them as they are
	evaluation *evaluation.Evaluation // nil: none
}

// divider splits moves by a plan, for trees on machines that take them whole.
// It plays no game: a machine that was made for the plan spells each move as
// semimoves, once.
type divider struct {
	split reasoner.Machine
	mu    sync.Mutex // its numbers grow
}

// newDivider makes one for a plan, or for the one that takes its place. nil: the
// game's moves cannot be split at all.
func newDivider(program *gdl.Program, plan string, limits reasoner.Limits) (*divider, error) {
	outline := reasoner.NewOutline(program)
	for ; plan != ""; plan = reasoner.Coarser(plan) {
		if named, ok := outline.Named(plan); ok && named != string(Orthodox) {
			m, err := outline.Prover(named, limits)
			if err != nil {
				return nil, fmt.Errorf("dividing moves: %w", err)
			}
			return &divider{split: m}, nil
		}
	}
	return nil, nil
}

// division is how the moves of a machine are divided; nil if it splits them
// itself.
func (d *divider) division(m reasoner.Machine) *search.Division {
	roles := m.Roles()
	division := &search.Division{}
	for role := range roles {
		if m.Levels(role) != 1 {
			return nil
		}
		division.Levels = append(division.Levels, d.split.Levels(role))
	}
	paths := make([]sync.Map, len(roles)) // of []uint32 by the number of the move
	division.Path = func(role int, move uint32) []uint32 {
		if path, ok := paths[role].Load(move); ok {
			return path.([]uint32)
		}
		d.mu.Lock()
		path, ok := d.split.Path(role, m.Move(role, []uint32{move}))
		d.mu.Unlock()
		if !ok {
			// A move that the plan does not know: its number, at every level.
			path = slices.Repeat([]uint32{move | 1<<24}, division.Levels[role])
		}
		paths[role].Store(move, path)
		return path
	}
	return division
}
