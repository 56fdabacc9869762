package perfect

import (
	"math"
	"math/rand/v2"
)

// A plain tree search (UCT: Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning, 2006)
// plays the matches that lead to early positions. It shares nothing with the searches that
// are measured with them.

// node is a position in the tree of such a search; its children are in a row.
type node[P comparable] struct {
	step[P]
	first, count int32
	visits, won  float64 // for who moved here, a draw counts a half
}

// explore is the constant of UCB1.
const explore = 1

// Choose is the move that a search of so many playouts visits most.
func (m *match[P]) Choose(playouts int, random *rand.Rand) int {
	tree := []node[P]{{step: step[P]{to: m.at}}}
	var path []int32
	for range playouts {
		path = append(path[:0], 0)
		at := &tree[0]
		for at.count > 0 {
			next := at.best(tree, random)
			path = append(path, next)
			at = &tree[next]
		}
		if _, ended := m.over(at.to); !ended && (at.visits > 0 || len(path) == 1) {
			at.first = int32(len(tree))
			steps := m.next(at.to, nil)
			at.count = int32(len(steps))
			next := at.first + random.Int32N(at.count)
			for _, s := range steps {
				tree = append(tree, node[P]{step: s})
			}
			path = append(path, next)
			at = &tree[next]
		}
		worth := 1 - m.playOut(at.to, random)
		for i := len(path) - 1; i >= 0; i-- {
			tree[path[i]].visits++
			tree[path[i]].won += worth
			worth = 1 - worth
		}
	}
	root, best := tree[0], 0
	for i := range int(root.count) {
		if tree[int(root.first)+i].visits > tree[int(root.first)+best].visits {
			best = i
		}
	}
	return best
}

// best is the child to go on with: one that was not visited, or by UCB1.
func (n *node[P]) best(tree []node[P], random *rand.Rand) int32 {
	top, best := -1.0, n.first
	log := math.Log(n.visits + 1)
	for i := n.first; i < n.first+n.count; i++ {
		c := &tree[i]
		score := 1e3 + random.Float64()
		if c.visits > 0 {
			score = c.won/c.visits + explore*math.Sqrt(log/c.visits)
		}
		if score > top {
			top, best = score, i
		}
	}
	return best
}

// playOut is what a playout at random is worth to who moves first: 1, 0.5, 0.
func (m *match[P]) playOut(p P, random *rand.Rand) float64 {
	mover := true
	for {
		if worth, ended := m.over(p); ended {
			won := 0.5 + 0.5*float64(signum(worth))
			if mover {
				return won
			}
			return 1 - won
		}
		m.played = m.next(p, m.played[:0])
		p, mover = m.played[random.IntN(len(m.played))].to, !mover
	}
}
