package search

import (
	"math"
	"math/bits"
)

// Touching ahead. The processor waits for one load while it starts others, if
// none needs the result of another and no branch depends on it. So memory that
// several lanes will need is read in plain loops before any lane works on it.
// The sums only keep the loads from being left out.

// enterNext gives the nodes that the going lanes have come to their virtual
// visits, and touches what the lanes need for the next joint move: the first
// chunks of the tries, and what comes after these.
//
// Entering a node only now means that no lane waits for the node that it has
// chosen. Until then the edge that leads there, which has a virtual visit,
// keeps the node from the sweep.
func (w *worker) enterNext() {
	t := w.t
	for _, number := range w.going {
		l := &w.lanes[number]
		if nd := t.nodes.At(l.nodes[len(l.nodes)-1]); l.entering {
			nd.virtual++
			l.entering = false
		}
	}
	if len(w.going) < 2 {
		return
	}
	sum := uint32(0)
	for _, number := range w.going {
		l := &w.lanes[number]
		for _, trie := range t.tries(l.nodes[len(l.nodes)-1]) {
			if trie != 0 && trie&forced == 0 {
				h := t.chunks.At(trie)
				sum += h.count + h.edges[0].visits + h.edges[4].visits + math.Float32bits(h.value[0])
			}
		}
	}
	for _, number := range w.going {
		l := &w.lanes[number]
		for _, trie := range t.tries(l.nodes[len(l.nodes)-1]) {
			if trie != 0 && trie&forced == 0 {
				h := t.chunks.At(trie)
				if h.left > 0 {
					sum += t.cells.At(h.untried).next
				}
				if h.next != 0 {
					at := t.chunks.At(h.next)
					sum += at.next + at.edges[0].visits + at.edges[4].visits + math.Float32bits(at.value[0])
				}
			}
		}
	}
	w.touched += sum
}

// touchStates touches the states that the engine will be given.
func (w *worker) touchStates() {
	t := w.t
	sum := uint32(0)
	for i := range w.brief {
		for word := w.brief[i]; word != 0; word &= word - 1 {
			l := &w.lanes[i*64+bits.TrailingZeros64(word)]
			if c := t.nodes.At(l.nodes[len(l.nodes)-1]).state; c != 0 {
				sum += t.cells.At(c).next
			}
		}
	}
	w.touched += sum
}
