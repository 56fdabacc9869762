package local

import (
	"slices"
	"time"

	"semisplit/kif"
	"semisplit/reasoner"
	"semisplit/search"
)

// Mind is what a search thinks of the state at its root, for people to look at.
type Mind struct {
	Iterations int           // of the search that was reported last
	Elapsed    time.Duration // its wall time
	Nodes      int
	Roles      []RoleMind   // in role order
	Line       [][]kif.Term // joint moves from here on, as far as they are known
}

// RoleMind is what it thinks of a role. Values are goals in [0, 1].
type RoleMind struct {
	Value     float64
	Known     bool        // Value has a meaning
	Low, High float64     // proven bounds; 0 and 1 where nothing is proven
	Best      kif.Term    // the move it recommends
	HasBest   bool        // there is one
	Moves     []MoveStats // the most visited first, where there is a choice
	Count     int         // moves it knows of, of which Moves are the first
}

// MindOf reads a search after a report, with at most so many moves for each role. It
// belongs to the goroutine of the search.
func MindOf(m reasoner.Machine, tree search.Algorithm, r search.Report, most int) Mind {
	mind := Mind{Iterations: r.Iterations, Elapsed: r.Elapsed, Nodes: r.Nodes, Line: lineOf(m, r)}
	for role := range m.Roles() {
		one := RoleMind{High: 1}
		if role < len(r.Value) {
			one.Value, one.Known = r.Value[role], true
		}
		if role < len(r.Low) && role < len(r.High) {
			one.Low, one.High = r.Low[role], r.High[role]
		}
		if path, ok := tree.Best(role); ok {
			one.Best, one.HasBest = m.Move(role, path), true
		}
		if moves := movesOf(m, tree, role); len(moves) > 1 {
			one.Count = len(moves)
			one.Moves = slices.Clip(moves[:min(most, len(moves))])
		}
		mind.Roles = append(mind.Roles, one)
	}
	return mind
}

// Mind is what the player thinks after a report of Prepare.
func (p *Player) Mind(r search.Report, most int) Mind {
	return MindOf(p.board.Machine(), p.tree, r, most)
}
