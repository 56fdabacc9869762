package mcts

import (
	"slices"

	"semisplit/search/engine"
)

// sight is what a worker knows of immediate wins, where its engine sees them and
// something is proven: the playout from such a state takes the win in its first Step.
// So the state gets its node at once, and when the goals are known the node is solved.
type winSight struct {
	seer engine.Seer // the engine; nil: it does not see, or noWinner asks
	wins []uint64    // by role, a mask of lanes: their state is won at once

	rivals int // wins met that left the others nothing, while all did; below 0: one did not
}

// enoughRivals are the wins after which each is taken for the others' loss.
const enoughRivals = 64

// losesAll tells whether who lets another role win at once gets nothing, so that such moves need
// no node where there are others: without them a node is worth the same.
func (s *winSight) losesAll() bool { return s.rivals >= enoughRivals }

// noWinner is the winner of a state of which no win is seen.
const noWinner = -1

// newWinSight sees nothing in a game for one, where the line that wins is kept instead.
func newWinSight(p *parts, e engine.Engine) winSight {
	if seer, ok := e.(engine.Seer); ok && seer.Sees() && p.proofs.Proves() && p.tree.Roles > 1 {
		s := winSight{seer: seer}
		if p.tree.Roles > 2 || slices.Contains(p.options.Chance, true) {
			s.rivals = -1
		}
		return s
	}
	return winSight{}
}

// spot finds the lanes with a win after a Step.
func (s *winSight) spot(roles int) {
	if s.seer == nil {
		return
	}
	s.wins = s.wins[:0]
	for r := range roles {
		s.wins = s.seer.Winners(r, s.wins)
	}
}

// settle notes that a role, whose turn it is in a node, has a move that wins with these
// goals.
func (s *winSight) settle(p *parts, n uint32, winner int, goals []float64) {
	if s.rivals >= 0 {
		s.rivals++
	}
	for r, goal := range goals {
		if r != winner && goal > 0 {
			s.rivals = -1
		}
	}
	p.proofs.Settle(n, winner, goals)
	if p.values.On {
		p.values.Set(n, goals)
	}
}

// winnerOf is the role that wins at once in a lane, where it is no chance; or noWinner.
func (s *winSight) winnerOf(lane int, chance []bool) int {
	if s.seer == nil {
		return noWinner
	}
	words := len(s.wins) / len(chance)
	for r, random := range chance {
		if !random && s.wins[r*words+lane/64]>>(lane%64)&1 != 0 {
			return r
		}
	}
	return noWinner
}
