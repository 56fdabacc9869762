package local

import (
	"cmp"
	"slices"

	"semisplit/kif"
	"semisplit/reasoner"
	"semisplit/search"
)

// MoveStats is what a search knows of a legal move in the current state.
type MoveStats struct {
	Move   kif.Term
	Visits int
	Value  float64 // mean goal of the role, in [0, 1]
}

// Moves is what the search knows of the moves of a role, the most visited first;
// empty before it has thought, and where its algorithm keeps no such statistics.
func (p *Player) Moves(role int) (list []MoveStats) {
	if !p.rooted {
		return nil
	}
	return movesOf(p.board.Machine(), p.tree, role)
}

func movesOf(m reasoner.Machine, tree search.Algorithm, role int) (list []MoveStats) {
	for _, e := range tree.RootEdges(role) {
		if len(e.Path) == m.Levels(role) { // no prefix of a move
			list = append(list, MoveStats{m.Move(role, e.Path), e.Visits, e.Value})
		}
	}
	slices.SortStableFunc(list, func(a, b MoveStats) int {
		return cmp.Or(cmp.Compare(b.Visits, a.Visits), cmp.Compare(b.Value, a.Value))
	})
	return list
}

// Best is the move that the search recommends to a role; false: it has none.
func (p *Player) Best(role int) (kif.Term, bool) {
	if !p.rooted || p.board.Terminal() {
		return kif.Term{}, false
	}
	path, ok := p.tree.Best(role)
	if !ok {
		return kif.Term{}, false
	}
	return p.board.Machine().Move(role, path), true
}

// Line spells a line of a report as joint moves, in role order.
func (p *Player) Line(r search.Report) [][]kif.Term { return lineOf(p.board.Machine(), r) }

func lineOf(m reasoner.Machine, r search.Report) (line [][]kif.Term) {
	for _, joint := range r.Line {
		var moves []kif.Term
		for role := range m.Roles() {
			levels := m.Levels(role)
			if len(joint) < levels {
				return line
			}
			moves = append(moves, m.Move(role, joint[:levels]))
			joint = joint[levels:]
		}
		line = append(line, moves)
	}
	return line
}

// Terminal tells whether the match is over.
func (p *Player) Terminal() bool { return p.board.Terminal() }

// Roles is the number of roles.
func (p *Player) Roles() int { return p.board.Roles() }

// Legal are the legal moves of a role, at most board.Most of them.
func (p *Player) Legal(role int) []kif.Term { return p.board.Moves(role) }

// HasChoice tells whether a role has more than one legal move.
func (p *Player) HasChoice(role int) bool { return p.board.HasChoice(role) }

// Fluents are those of the current state.
func (p *Player) Fluents() []kif.Term { return p.board.Fluents() }
