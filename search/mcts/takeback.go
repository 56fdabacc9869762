package mcts

import "semisplit/search/tree"

// takeBack closes the last joint move of a lane's path if who made it loses by it, and it was
// never counted; then it puts the lane before it, to choose again. Such a move is no result of
// those before it: who must answer a threat loses with all moves but one, and by a visit for
// each the threat would look like a win for hundreds of visits. The moves of the root are all
// counted, for they are shown. MAST learns from the playout, where there was one; RAVE and GRAVE
// do not, for they value the moves before it as well; of a group of playouts that holds for the last.
func (f *flight) takeBack(l *lane) bool {
	last, width := len(l.nodes)-1, len(f.tree.RoleOf)
	if last < 2 || len(l.edges) != last*width {
		return false
	}
	parent, child, joint := l.nodes[last-1], l.nodes[last], l.edges[(last-1)*width:]
	id, of := f.proofs.Refutes(parent, child, joint)
	if l.tookFrom != parent {
		l.tookFrom, l.took = parent, 0
	}
	if l.took++; l.took > of { // it is none, or memory is too short to keep those that were taken back
		return false
	}
	if f.values.On {
		f.values.BackUp(l.nodes, l.edges)
	}
	if f.proofs.Prove(l.nodes, l.edges) {
		f.rootChanged()
	}
	if !f.tree.Edges.IsProven(id) {
		return false
	}
	f.tree.Node(child).Virtual--
	if i := len(l.crossed) - 1; i >= 0 && f.tree.Child(parent, f.leavesOf(joint)) == l.crossed[i] {
		f.tree.Node(l.crossed[i]).Virtual--
		l.crossed = l.crossed[:i]
	}
	for _, id := range joint {
		if !tree.IsForced(id) {
			f.tree.Edges.LeaveEdge(id)
		}
	}
	l.nodes, l.edges = l.nodes[:last], l.edges[:(last-1)*width]
	l.referBack(&f.grave)
	l.winner, l.atNode, l.left = noWinner, false, f.steps // nothing of the playout is left to learn
	return true
}
