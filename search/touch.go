package search

import "math/bits"

// Touching ahead. The processor waits for one load while it starts others, if
// none needs the result of another and no branch depends on it. So memory that
// several lanes will need is read in plain loops before any lane works on it.
// The sums only keep the loads from being left out.

// touchNext touches what the going lanes need for the next joint move: the
// nodes, and the first chunks of the tries. Further chunks mostly lie in a row
// with the first, and the processor fetches them on its own.
func (w *worker) touchNext() {
	t := w.t
	if len(w.going) < 2 {
		return
	}
	sum := uint32(0)
	for _, number := range w.going {
		l := &w.lanes[number]
		sum += t.nodes.at(l.nodes[len(l.nodes)-1]).visits
	}
	for _, number := range w.going {
		l := &w.lanes[number]
		n := l.nodes[len(l.nodes)-1]
		for _, trie := range t.tries(n) {
			if trie != 0 && trie&forced == 0 {
				sum += t.chunks.at(trie).count
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
			if c := t.nodes.at(l.nodes[len(l.nodes)-1]).state; c != 0 {
				sum += t.cells.at(c).next
			}
		}
	}
	w.touched += sum
}
