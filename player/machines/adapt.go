package machines

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/learning"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
	"semisplit/search/encoding"
	"semisplit/search/mcts"
)

// searchOptions are the parameters of a tree on a machine.
func searchOptions(a agent.Agent, m reasoner.Machine, seed uint64) mcts.Options {
	o := a.SearchOptions()
	o.Seed, o.Chance = seed, board.Chance(m)
	if m, ok := m.(equipped); ok && m.divider != nil && a.Divides() {
		o.Divide = m.divider.division(m)
	}
	if m, ok := m.(equipped); ok && m.evaluation != nil && a.Evaluates() {
		o.Knowledge = a.Knowledge(m.evaluation)
	}
	return o
}

// Adapt returns the machine as the agent needs it: one that takes moves whole,
// for a tree of semimoves, comes with the way in which the tree divides them; a
// game whose moves cannot be divided is played with whole moves. For all that goes by
// an evaluation it comes with one, which takes a few seconds to be learned where none is
// given; the prover is too slow for that. Where the agent sees wins, its circuit does.
func Adapt(ctx context.Context, a agent.Agent, m reasoner.Machine, p *gdl.Program, l reasoner.Limits, learned *evaluation.Evaluation) (reasoner.Machine, error) {
	fitted := equipped{Machine: m}
	if a.Divides() {
		var err error
		if fitted.divider, err = newDivider(p, a.DividingPlan(), l); err != nil {
			return m, err
		}
	}
	if a.Evaluates() && m.Kind() == agent.EngineLanes {
		var err error
		if fitted.evaluation, err = evaluationOf(ctx, a, m, p, learned); err != nil {
			return m, err
		}
	}
	if a.Sees() != agent.VisionOff && m.Kind() == agent.EngineLanes {
		var err error
		// One that takes wins alone is no substitute for one that avoids losses as well: it
		// loses to blind playouts (docs/performance.md).
		if fitted.Machine, err = reasoner.Sighted(ctx, m, a.Sees() == agent.VisionAvoid); err != nil {
			return m, err
		}
	}
	if a.Minimax() && m.Kind() == agent.EngineLanes {
		fitted.counted = counted(m)
	}
	if fitted.divider == nil && fitted.evaluation == nil && fitted.counted == nil {
		return fitted.Machine, nil
	}
	return fitted, nil
}

// learningTime is how long an evaluation is learned for an agent outside of the
// automatic choice.
const learningTime = 3 * time.Second

// evaluationOf is the one of the agent's file, or one that is learned.
func evaluationOf(ctx context.Context, a agent.Agent, m reasoner.Machine, p *gdl.Program, learned *evaluation.Evaluation) (*evaluation.Evaluation, error) {
	name := a.Algorithm.Parameters.Evaluation
	if !agent.IsSource(name) {
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
	e, err := learning.Learn(ctx, m, p, a.EvaluationSource(), 1, learningTime, 1)
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
	counted    []uint64               // fluents whose number falls when something is taken; nil: all
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
	analysis := reasoner.NewAnalysis(program)
	for ; plan != ""; plan = split.Coarser(plan) {
		if named, ok := analysis.Named(plan); ok && named != string(agent.Orthodox) {
			m, err := analysis.Prover(named, limits)
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
func (d *divider) division(m reasoner.Machine) *encoding.Division {
	roles := m.Roles()
	division := &encoding.Division{}
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
