package player

import (
	"strings"

	"semisplit/internal/printable"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/reasoner"
	"semisplit/search"
	"semisplit/search/ahead"
	"semisplit/search/engine"
	"semisplit/search/portfolio"
)

// newTree plants a search on a machine: one engine for each thread.
func newTree(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm {
	if a.Algorithm.Name == agent.NameRandom {
		return newRandomMoves(m, seed)
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

// spellLine writes joint moves for people: the moves of a turn with a slash
// between the roles, the turns with a comma between them.
func spellLine(m reasoner.Machine, line [][]uint32) string {
	const most = 6
	var text strings.Builder
	for i, joint := range line {
		if i == most || text.Len() > printable.LogLimit {
			text.WriteString(", ...")
			break
		}
		if i > 0 {
			text.WriteString(", ")
		}
		for role := range m.Roles() {
			levels := m.Levels(role)
			if len(joint) < levels {
				break
			}
			if role > 0 {
				text.WriteString(" / ")
			}
			text.WriteString(short(m.Move(role, joint[:levels])))
			joint = joint[levels:]
		}
	}
	return text.String()
}
