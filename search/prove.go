package search

// prove brings what is known of the nodes on a lane's path up to date, from its
// last node up, as long as anything changes. The edges of who moves mirror what
// is known of their children, so a pass reads edges only, as selection does.
func (w *worker) prove(l *lane) {
	t := w.t
	last := len(l.nodes) - 1
	told := news{bounds: t.nodes.At(l.nodes[last]).flags&(flagTerminal|flagSolved) != 0}
	if told.proof = told.bounds; !told.bounds {
		if t.layers == 0 {
			return
		}
		if told = t.recount(l.nodes[last]); !told.numbers {
			return
		}
	}
	width := len(w.roleOf)
	for i := last - 1; i >= 0; i-- {
		n, child := l.nodes[i], l.nodes[i+1]
		if !t.meetMoves(n) || !t.isWorthwhile(n, child, told, i == last-1) {
			return
		}
		t.mirror(n, child, w.leavesOf(l.edges[i*width:(i+1)*width]))
		bounds := t.bounded && told.bounds && !t.isSolved(n) && t.bound(n)
		if told = (news{}); t.layers > 0 {
			told = t.recount(n)
		}
		// What is solved may have come to a place that does not know it yet.
		if told.bounds = bounds || t.isSolved(n); !told.bounds && !told.numbers {
			return
		}
	}
	if t.decided(t.root) {
		t.halt.Store(true)
	}
}

// news is what a pass has found of a node.
type news struct {
	bounds  bool // its bounds changed, or it is solved
	numbers bool // its numbers changed
	proof   bool // one of them fell to 0
}

// isWorthwhile says whether a node, whose moves were met, is to learn the news
// of a child. Where one role moves it always is. Where roles choose together no
// child ever leaves the selection, and all children must be looked at: there
// what is no proof, and a proof that was told before, is told now and then.
func (t *Tree) isWorthwhile(n, child uint32, told news, last bool) bool {
	switch _, sole := t.sole(); {
	case sole:
		return true
	case last && t.nodes.At(child).flags&(flagTerminal|flagSolved) != 0:
		return isDue(t.nodes.At(child).visits)
	}
	return told.bounds || told.proof || isDue(t.nodes.At(n).visits)
}

// isDue is true for the first few visits, then less and less often.
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
		of, at := t.numbersOf(child, layer), t.ledgers[layer].At(id>>placeBits)
		if t.ranked && t.levels[mover] == 1 && at.own[id&placeMask].proof != of[mover].proof {
			t.ruffle(trie) // with more levels recount does
		}
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

// recount computes the numbers of a node.
func (t *Tree) recount(n uint32) (told news) {
	if !t.meetMoves(n) {
		return news{}
	}
	mover, sole := t.sole()
	trie := t.tries(n)[mover]
	quick := sole && t.roles <= 2 && trie&forced == 0
	if !quick {
		t.meetFamily(n)
	}
	for layer := range t.layers {
		of := t.numbersOf(n, layer)
		if !quick {
			t.count(of, layer, &told)
			continue
		}
		sum := t.addUp(trie, t.levels[mover], layer)
		told.set(&of[mover], sum.own)
		if t.roles == 2 && !t.options.Chance[1-mover] {
			told.set(&of[1-mover], sum.other)
		}
	}
	if t.ranked && sole && trie&forced == 0 && t.levels[mover] > 1 {
		t.ruffleAll(trie, t.levels[mover])
	}
	return told
}

// set changes numbers to x.
func (told *news) set(of *number, x number) {
	if *of != x {
		told.numbers = true
		told.proof = told.proof || x.proof == 0 && of.proof != 0 || x.disproof == 0 && of.disproof != 0
		*of = x
	}
}

// reckoning is what the edges of a trie node come to: one proof is enough for its
// role, and one disproof against it for the other.
type reckoning struct{ own, other number }

// adder adds up edges. Sums are wide, so that a chunk is added without a branch:
// what is never reached is a bit of its own in what it is made of.
type adder struct {
	ownLeast, otherLeast uint32
	ownSum, otherSum     uint64
	ownBits, otherBits   uint32
}

func (x *adder) add(own, other number) {
	x.ownLeast, x.otherLeast = min(x.ownLeast, own.proof), min(x.otherLeast, other.disproof)
	x.ownSum, x.otherSum = x.ownSum+uint64(own.disproof), x.otherSum+uint64(other.proof)
	x.ownBits, x.otherBits = x.ownBits|own.disproof, x.otherBits|other.proof
}

func (x *adder) total() reckoning {
	return reckoning{number{x.ownLeast, capped(x.ownSum, x.ownBits)}, number{capped(x.otherSum, x.otherBits), x.otherLeast}}
}

// capped is a sum as plus makes it.
func capped(sum uint64, bits uint32) uint32 {
	if bits&never != 0 {
		return never
	}
	return uint32(min(sum, never-1))
}

// addUp adds up the numbers of a layer on the edges of a trie node, bringing
// those of prefixes up to date.
func (t *Tree) addUp(trie uint32, levels, layer int) reckoning {
	sum := adder{ownLeast: never, otherLeast: never}
	if left := uint64(t.chunks.At(trie).left); left > 0 {
		sum.ownLeast, sum.otherLeast, sum.ownSum, sum.otherSum = 1, 1, left, left
	}
	left := t.chunks.At(trie).count
	for c := trie; left > 0; {
		at, known := t.chunks.At(c), t.ledgers[layer].At(c)
		m := held(c == trie, left)
		if levels > 1 {
			for i := range m {
				switch child := at.edges[i].child; child {
				case dead:
					continue
				case 0:
				default:
					below := t.addUp(child, levels-1, layer)
					known.own[i], known.other[i] = below.own, below.other
				}
				sum.add(known.own[i], known.other[i])
			}
		} else {
			for i := range m {
				sum.add(known.own[i], known.other[i])
			}
		}
		left -= m
		c = at.next
	}
	return sum.total()
}
