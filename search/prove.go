package search

// prove brings what is known of the nodes on a lane's path up to date, from its
// last node up, as long as anything changes. The edges of who moves mirror what
// is known of their children, so a pass reads edges only, as selection does.
func (w *worker) prove(l *lane) {
	t := w.t
	last := len(l.nodes) - 1
	news := t.nodes.at(l.nodes[last]).flags&(flagTerminal|flagSolved) != 0 // of bounds
	if !news && (t.layers == 0 || !t.recount(l.nodes[last])) {
		return
	}
	width := len(w.roleOf)
	for i := last - 1; i >= 0; i-- {
		n := l.nodes[i]
		if !t.meetMoves(n) {
			return
		}
		if _, sole := t.sole(); !sole && news && !isDue(t.nodes.at(l.nodes[i+1]).visits) {
			return
		}
		t.mirror(n, l.nodes[i+1], w.leavesOf(l.edges[i*width:(i+1)*width]))
		bounds := t.bounded && news && !t.isSolved(n) && t.bound(n)
		if numbers := t.layers > 0 && t.recount(n); !bounds && !numbers && !t.isSolved(n) {
			return
		}
		// What is solved may have come to a place that does not know it yet.
		news = bounds || t.isSolved(n)
	}
	if t.decided(t.root) {
		t.halt.Store(true)
	}
}

// isDue says whether a node that is solved is to be told of to a parent in which
// roles choose together, after so many visits: there it never leaves the selection,
// and looking at all children each time would take longer than all else.
func isDue(visits uint32) bool { return visits <= settleVisits || visits&(visits-1) == 0 }

// mirror notes on the last edge of who moves in a node, whose moves were met,
// what is known of the child there.
func (t *Tree) mirror(n, child uint32, leaves []uint32) {
	mover, ok := t.sole()
	trie := t.tries(n)[mover]
	if !ok || trie&forced != 0 {
		return
	}
	id := leaves[mover]
	for layer := range t.layers {
		of, at := t.numbersOf(child, layer), t.ledgers[layer].at(id>>placeBits)
		at.own[id&placeMask] = of[mover]
		if t.roles == 2 {
			at.other[id&placeMask] = of[1-mover]
		}
	}
	if t.family.moves[mover]+t.family.open[mover] < 2 {
		return // nothing leaves the selection
	}
	t.setSettled(id, t.settles(child, mover))
	if t.levels[mover] > 1 {
		t.seal(trie, t.levels[mover])
	}
}

// recount computes the numbers of a node, and says whether any has changed.
func (t *Tree) recount(n uint32) (changed bool) {
	if !t.meetMoves(n) {
		return false
	}
	mover, sole := t.sole()
	trie := t.tries(n)[mover]
	quick := sole && t.roles <= 2 && trie&forced == 0
	if !quick {
		t.meetFamily(n)
	}
	for layer := range t.layers {
		if !quick {
			changed = t.count(n, layer) || changed
			continue
		}
		sum := t.addUp(trie, t.levels[mover], layer)
		of := t.numbersOf(n, layer)
		changed = changed || of[mover] != sum.own
		of[mover] = sum.own
		if t.roles == 2 && !t.options.Chance[1-mover] {
			changed = changed || of[1-mover] != sum.other
			of[1-mover] = sum.other
		}
	}
	if t.ranked && sole && trie&forced == 0 {
		t.ruffle(trie, t.levels[mover])
	}
	return changed
}

// reckoning is what the edges of a trie node come to: one proof is enough for its
// role, and one disproof against it for the other.
type reckoning struct{ own, other number }

func (x *reckoning) add(own, other number, times int) {
	x.own.proof, x.other.disproof = min(x.own.proof, own.proof), min(x.other.disproof, other.disproof)
	if times > 1 {
		x.own.disproof, x.other.proof = plusUnknown(x.own.disproof, times), plusUnknown(x.other.proof, times)
		return
	}
	x.own.disproof, x.other.proof = plus(x.own.disproof, own.disproof), plus(x.other.proof, other.proof)
}

// addUp adds up the numbers of a layer on the edges of a trie node, bringing
// those of prefixes up to date.
func (t *Tree) addUp(trie uint32, levels, layer int) reckoning {
	sum := reckoning{number{never, 0}, number{0, never}}
	if left := int(t.chunks.at(trie).left); left > 0 {
		sum.add(unknown, unknown, left)
	}
	left := t.chunks.at(trie).count
	for c := trie; left > 0; {
		at, known := t.chunks.at(c), t.ledgers[layer].at(c)
		m := held(c == trie, left)
		for i := range m {
			if levels > 1 {
				switch child := at.edges[i].child; child {
				case dead:
					continue
				case 0:
				default:
					below := t.addUp(child, levels-1, layer)
					known.own[i], known.other[i] = below.own, below.other
				}
			}
			sum.add(known.own[i], known.other[i], 1)
		}
		left -= m
		c = at.next
	}
	return sum
}
