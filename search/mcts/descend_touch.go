package mcts

import "math/bits"

// enterNext gives the nodes that the going lanes have come to their virtual
// visits, and touches what the lanes need for the next joint move: the first
// chunks of the tries, and what comes after these.
//
// Entering a node only now means that no lane waits for the node that it has
// chosen. Until then the edge that leads there, which has a virtual visit,
// keeps the node from the sweep.
func (w *worker) enterNext() {
	t := w.selector.t
	for _, number := range w.descending {
		l := &w.selector.lanes[number]
		if nd := t.tree.Node(l.nodes[len(l.nodes)-1]); l.entering {
			nd.Virtual++
			l.entering = false
		}
	}
	if len(w.descending) < 2 {
		return
	}
	for _, number := range w.descending {
		l := &w.selector.lanes[number]
		w.touched += t.tree.TouchTries(l.nodes[len(l.nodes)-1])
	}
	for _, number := range w.descending {
		l := &w.selector.lanes[number]
		w.touched += t.tree.TouchNext(l.nodes[len(l.nodes)-1])
	}
}

// touchStates touches the states that the engine will be given.
func (w *worker) touchStates() {
	t := w.selector.t
	for i := range w.singleStep {
		for word := w.singleStep[i]; word != 0; word &= word - 1 {
			l := &w.selector.lanes[i*64+bits.TrailingZeros64(word)]
			w.touched += t.tree.TouchState(l.nodes[len(l.nodes)-1])
		}
	}
}
