package mcts

import (
	"semisplit/search/line"
	"semisplit/search/stats"
)

// noteLine keeps the choices of a Step, where the learner does not.
func (f *flight) noteLine() {
	if f.trace != nil && f.trace != &f.learner.Trace {
		f.trace.Note(f.steps, f.moved)
	}
}

// keepLine makes the line of a lane that has come to an end the one to play, if there
// is none as good. It begins with what led out of the tree, which a follower does not have.
func (f *flight) keepLine(l *lane, goals []float64) {
	if !f.keepsLine() || goals[0] <= f.line.Value {
		return
	}
	var moves [][]uint32
	edges := f.lanes[l.group.leader].edges
	for first, width := 0, len(f.tree.RoleOf); first < len(edges); first += width {
		moves = append(moves, f.jointOf(edges[first:first+width], nil))
	}
	if l.mode == rollout {
		if f.trace == nil || f.steps-l.left > stats.TraceSteps {
			return
		}
		for step := l.left + 1; step <= f.steps; step++ {
			if joint, moved := f.trace.Played(step, int(l.number), nil); moved {
				moves = append(moves, joint)
			}
		}
	}
	if len(moves) == 0 {
		return
	}
	f.line = line.Best{Value: goals[0], Moves: moves}
	if f.decided(f.tree.Root) {
		f.halt.Store(true)
	}
}
