package machines

import (
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/reasoner"
	"semisplit/search"
	"semisplit/search/ahead"
	"semisplit/search/engine"
	"semisplit/search/minimax"
	"semisplit/search/portfolio"
)

// NewTree makes the search of an agent on a machine: one engine for each thread.
func NewTree(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm {
	if a.Algorithm.Name == agent.NameRandom {
		return newRandomMoves(m, seed)
	}
	if a.Minimax() {
		return newMinimax(m, a, seed)
	}
	engines := make([]engine.Engine, max(1, a.General.Threads))
	for i := range engines {
		engines[i] = newEngine(a, m, seed+uint64(i))
	}
	o := searchOptions(a, m, seed)
	if a.Algorithm.Parameters.LookAhead && o.Knowledge.Evaluate != nil {
		for i := range engines {
			o.Knowledge.Scouts = append(o.Knowledge.Scouts, m.NewEngine(seed+uint64(i)))
		}
	}
	p := portfolio.New(engines, board.Levels(m), o)
	if o.Solver && m.Kind() == agent.EngineLanes {
		p.UseTactics(m.NewEngine(seed), board.Levels(m), o.Chance, a.Algorithm.Parameters.Tactics)
	}
	return p
}

// leastDoubt is the doubt about an evaluation from which on playouts have a say in what
// states are worth, as much as the doubt is: they take a hundred times as long.
const leastDoubt = 0.25

// newMinimax plants a search by what states are worth.
func newMinimax(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm {
	o := minimax.Options{Memory: a.General.Memory, Chance: board.Chance(m)}
	if m, ok := m.(equipped); ok && m.evaluation != nil {
		o.Evaluate = m.evaluation
		if doubt := 1 - m.evaluation.Trust(); doubt > leastDoubt {
			o.Playouts, o.Mix = minimax.DefaultPlayouts, doubt
		}
	}
	if a.Algorithm.Name == agent.NameAlphaBeta {
		return minimax.NewAlphaBeta(m.NewEngine(seed), board.Levels(m), o)
	}
	return minimax.NewBestFirst(m.NewEngine(seed), board.Levels(m), o)
}

// newEngine makes an engine of a machine whose playouts are the agent's.
func newEngine(a agent.Agent, m reasoner.Machine, seed uint64) engine.Engine {
	p := &a.Algorithm.Parameters
	how := ahead.Options{Decisive: p.DecisiveMoves, Chance: board.Chance(m), Seed: seed}
	if m, ok := m.(equipped); ok && m.evaluation != nil && p.EvaluationGreedy > 0 {
		how.Evaluate, how.Greedy = m.evaluation, p.EvaluationGreedy
	}
	if !how.Decisive && how.Evaluate == nil {
		return m.NewEngine(seed)
	}
	return ahead.New(m.NewSingle(seed), m.NewEngine(seed), board.Levels(m), how)
}
