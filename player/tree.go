package player

import (
	"fmt"
	"strings"
	"sync/atomic"

	"semisplit/player/board"
	"semisplit/reasoner"
	"semisplit/search"
	"semisplit/search/ahead"
	"semisplit/search/engine"
)

// tree is what a worker needs of a search; tests have their own.
type tree interface {
	SetRoot(state []uint64) error
	Advance(joint []uint32) (kept bool)
	Search(stop *atomic.Bool, b search.Budget) (search.Report, error)
	Best(role int) (path []uint32, ok bool)
}

// newTree plants a search on a machine: one engine for each thread.
func newTree(m reasoner.Machine, a Agent, seed uint64) tree {
	engines := make([]engine.Engine, max(1, a.General.Threads))
	for i := range engines {
		engines[i] = a.newEngine(m, seed+uint64(i))
	}
	o := a.searchOptions(m, seed)
	if a.Algorithm.Parameters.LookAhead && o.Knowledge.Evaluate != nil {
		for i := range engines {
			o.Knowledge.Scouts = append(o.Knowledge.Scouts, m.NewEngine(seed+uint64(i)))
		}
	}
	return search.NewForest(engines, board.Levels(m), o, a.General.ThreadsMode.mode())
}

// newEngine makes an engine of a machine whose playouts are the agent's.
func (a Agent) newEngine(m reasoner.Machine, seed uint64) engine.Engine {
	p := &a.Algorithm.Parameters
	how := ahead.Options{Decisive: p.DecisiveMoves, Chance: board.Chance(m), Seed: seed}
	if m, ok := m.(equipped); ok && m.evaluation != nil && p.EvaluationGreedy > 0 {
		how.Evaluate, how.Greedy = m.evaluation, p.EvaluationGreedy
	}
	if !how.Decisive && how.Evaluate == nil {
		return m.NewEngine(seed)
	}
	return ahead.New(m.NewNarrow(seed), m.NewEngine(seed), board.Levels(m), how)
}

func (m ThreadsMode) mode() search.ThreadMode {
	switch m {
	case ThreadsShared:
		return search.ThreadsShared
	case ThreadsJoined:
		return search.ThreadsJoined
	}
	return search.ThreadsAuto
}

// spellLine writes joint moves for people: the moves of a turn with a slash
// between the roles, the turns with a comma between them.
func spellLine(m reasoner.Machine, line [][]uint32) string {
	const most = 6
	var text strings.Builder
	for i, joint := range line {
		if i == most {
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
			fmt.Fprint(&text, m.Move(role, joint[:levels]))
			joint = joint[levels:]
		}
	}
	return text.String()
}
