package mcts

import (
	"math"
	"slices"

	"semisplit/search/tree"
)

// arrivals makes nodes of the states that lanes reach by leaving the tree.
type arrivals struct {
	*flight
	scratch []float64
}

// arrive puts the node of the state that a lane has reached with its given
// joint move on its path, and makes it unless another lane has. False: there
// is none, for memory is out.
//
// A joint move gets its node when it is played for the second time: most are
// played once, and their states need not be read, kept and touched again. A
// state that ends the game is kept at once, as nothing is to be played there.
func (a *arrivals) arrive(l *lane, ended bool) bool {
	parent := l.nodes[len(l.nodes)-1]
	leaves := a.leavesOf(a.lastJoint(l))
	if slices.ContainsFunc(leaves, tree.IsUnstored) {
		return false // the tree has not come so far
	}
	if a.tree.Index.Transposes() && !ended {
		return a.transpose(l, parent, leaves)
	}
	n := a.tree.Child(parent, leaves)
	if n == 0 {
		if n = a.newNode(l, ended); n == 0 {
			return false
		}
		a.adopt(l, parent, n, leaves)
	}
	a.enter(l, n)
	return true
}

// adopt puts a new node below its parent. The visits that its joint move had before, where
// they are known, are its own.
func (a *arrivals) adopt(l *lane, parent, n uint32, leaves []uint32) {
	if l.singleMover && a.member == nil { // joined trees count the visits of others on edges too
		a.tree.Node(n).Visits = a.tree.Edges.VisitsOf(leaves)
	}
	a.tree.Adopt(parent, n, leaves)
}

// newNode makes a node of the state that a lane has reached; 0: memory is out.
func (a *arrivals) newNode(l *lane, ended bool) uint32 {
	flags := uint16(0)
	if ended {
		flags = tree.FlagTerminal
		l.state = l.state[:0]
		for _, v := range l.goals {
			l.state = append(l.state, math.Float64bits(v))
		}
	}
	n := a.tree.NewNode(l.state, flags, false)
	switch {
	case n == 0 || !a.values.On:
	case ended:
		a.values.Set(n, l.goals)
	default:
		a.evaluate(n, l)
	}
	return n
}

// evaluate sets what the new node of the state that a lane has reached is worth.
func (a *arrivals) evaluate(n uint32, l *lane) {
	values := l.ahead
	if len(values) == 0 {
		values = a.scratch
		a.options.Knowledge.Evaluate.Values(l.state, values)
	}
	a.values.Set(n, values)
}
