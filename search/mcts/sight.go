package mcts

import "semisplit/search/engine"

// sight is what a worker knows of immediate wins, where its engine sees them and
// something is proven: the playout from such a state takes the win in its first Step.
// So the state gets its node at once, and when the goals are known the node is solved.
type winSight struct {
	seer engine.Seer // the engine; nil: it does not see, or noWinner asks
	wins []uint64    // by role, a mask of lanes: their state is won at once
}

// noWinner is the winner of a state of which no win is seen.
const noWinner = -1

// newWinSight sees nothing in a game for one, where the line that wins is kept instead.
func newWinSight(p *parts, e engine.Engine) winSight {
	if seer, ok := e.(engine.Seer); ok && seer.Sees() && p.proofs.Proves() && p.tree.Roles > 1 {
		return winSight{seer: seer}
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
