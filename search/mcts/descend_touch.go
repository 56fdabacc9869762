package mcts

import "math/bits"

// enterNext gives the nodes that the going lanes have come to their virtual
// visits, and touches what the lanes need for the next joint move: the first
// chunks of the tries, and what comes after these.
//
// Entering a node only now means that no lane waits for the node that it has
// chosen. Until then the edge that leads there, which has a virtual visit,
// keeps the node from the sweep.
func (d *descent) enterNext() {
	for _, number := range d.descending {
		l := &d.lanes[number]
		if n := l.nodes[len(l.nodes)-1]; l.entering {
			d.tree.Node(n).Virtual++
			l.entering = false
			l.refer(&d.grave)
		}
	}
	if len(d.descending) < 2 {
		return
	}
	for _, number := range d.descending {
		l := &d.lanes[number]
		d.touched += d.tree.TouchTries(l.nodes[len(l.nodes)-1])
	}
	for _, number := range d.descending {
		l := &d.lanes[number]
		d.touched += d.tree.TouchNext(l.nodes[len(l.nodes)-1])
	}
}

// touchStates touches the states that the engine will be given.
func (d *descent) touchStates() {
	for i := range d.singleStep {
		for word := d.singleStep[i]; word != 0; word &= word - 1 {
			l := &d.lanes[i*64+bits.TrailingZeros64(word)]
			if l.mode == joining {
				continue
			}
			d.touched += d.tree.TouchState(l.nodes[len(l.nodes)-1])
		}
	}
}
