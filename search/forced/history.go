package forced

// history counts, by the name of a move, how often it answered the question of a node,
// and how often it was tried there in vain.
type history [1 << 12]struct{ answered, tried uint32 }

// What a move counts for by the numbers of which it is picked: they are divided by this.
const (
	lastKiller  = 8.0 // of the move that answered the question of a sibling last
	otherKiller = 4.5 // of the one before
	mostHistory = 4.0 // 1 and this, of one that always answered
	doubt       = 8   // trials that every move is supposed to have had
)

func (h *history) factor(name uint32) float64 {
	at := &h[name%uint32(len(h))]
	return 1 + mostHistory*float64(at.answered)/float64(at.answered+at.tried+doubt)
}

// nameOf names a joint move.
func nameOf(joint []uint32) uint32 {
	h := uint32(len(joint))
	for _, x := range joint {
		h = (h ^ x) * 0x9e3779b1
		h ^= h >> 15
	}
	return h
}

// learn notes the move that answered the question of a node, if its bounds did not
// before: it is likely to answer those of the other nodes below its parent.
func (g *graph) learn(n *node, before bounds, parent *node) {
	for layer := range n.counts {
		if before.answered(layer) || !n.answered(layer) || n.yes(layer) != (n.kind == ours) {
			continue
		}
		for i, child := range g.edgesOf(n) {
			c := g.at(child)
			name := nameOf(g.jointAt(n.first + uint32(i)))
			at := &g.history[name%uint32(len(g.history))]
			switch {
			case c.answered(layer) && c.yes(layer) == n.yes(layer):
				at.answered++
				if name != parent.killers[0] {
					parent.killers = [2]uint32{name, parent.killers[0]}
				}
			case c.work > 0 || c.answered(layer):
				at.tried++
			}
		}
		return
	}
}
