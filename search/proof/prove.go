package proof

import (
	"math/bits"

	"semisplit/search/internal/roles"
	"semisplit/search/tree"
)

// Prove brings what is known of the nodes on a path up to date, from its last
// node up, as long as anything changes; edges are the joint moves between them. The
// edges of who moves mirror what is known of their children, so a pass reads edges only,
// as selection does. True: something may be new in the root.
func (t *Prover) Prove(nodes, edges []uint32) bool {
	last := len(nodes) - 1
	told := proofDelta{bounds: t.Tree.Node(nodes[last]).Flags&(tree.FlagTerminal|tree.FlagSolved) != 0}
	if told.proof = told.bounds; !told.bounds {
		if t.Ranks.Layers == 0 {
			return false
		}
		if told = t.recount(nodes[last]); !told.numbers {
			return false
		}
	}
	for i := last - 1; i >= 0; i-- {
		n, child := nodes[i], nodes[i+1]
		if !t.ChildSet.gatherMoves(n) || !t.isWorthwhile(n, child, told, i == last-1) {
			return false
		}
		t.mirror(n, child, edges[i*t.width:(i+1)*t.width])
		bounds := false
		if t.Bounds.On && t.isNews(n, child) {
			bounds = told.bounds && !t.Bounds.IsSolved(n) && t.Bounds.update(n)
			if t.Bounds.IsSolved(n) {
				t.Bounds.measureDistance(n)
			}
		}
		if told = (proofDelta{}); t.Ranks.Layers > 0 {
			told = t.recount(n)
		}
		// What is solved may have come to a place that does not know it yet.
		if told.bounds = bounds || t.Bounds.IsSolved(n); !told.bounds && !told.numbers {
			return false
		}
	}
	return true
}

// proofDelta is what a pass has found of a node.
type proofDelta struct {
	bounds  bool // its bounds changed, or it is solved
	numbers bool // its numbers changed
	proof   bool // one of them fell to 0
}

// isWorthwhile says whether a node, whose moves were met, is to learn the news
// of a child. Where one role moves it always is. Where roles choose together no
// child ever leaves the selection, and all children must be looked at: there
// what is no proof, and a proof that was told before, is told now and then.
func (t *Prover) isWorthwhile(n, child uint32, told proofDelta, last bool) bool {
	switch _, sole := t.ChildSet.Sole(); {
	case sole:
		return true
	case last && t.Tree.Node(child).Flags&(tree.FlagTerminal|tree.FlagSolved) != 0:
		return isDue(t.Tree.Node(child).Visits) && t.isRound(n, child)
	}
	return told.bounds || told.proof || isDue(t.Tree.Node(n).Visits)
}

// isRound tells whether a node in which roles choose together is to look at all of its
// children for one that is proven: of many, sixteen times or more while they double, and
// when the last one has come. In the last round of Blotto, of 27,225 joint moves that end the
// game, to look at all for each left one iteration of forty (BenchmarkManyTogether in
// package mcts).
func (t *Prover) isRound(n, child uint32) bool {
	count := t.Tree.Node(n).Children
	if count <= few {
		return true
	}
	if x := t.Tree.Node(child); x.Flags&tree.FlagTerminal != 0 && x.Visits > 1 {
		return false // it was known before
	}
	return isTurn(count, count) || t.ChildSet.knowsAll(int(count))
}

// few children are looked at each time.
const few = 64

// isTurn is true for one value in so many that a node with many children looks at some
// dozens of them for each.
func isTurn(value, children uint32) bool { return value%(1<<(bits.Len32(children)-5)) == 0 }

// isNews tells whether a node, whose moves were met, is to look at all of its children for
// what is known of one. As long as moves are missing, only one where the mover is sure of
// more than before can tell anything, or one where it wins and another role gets less. When
// all have a child, any may: of many that is seen some visits late, as is a last child that
// was visited before it came here.
func (t *Prover) isNews(n, child uint32) bool {
	mover, sole := t.ChildSet.Sole()
	count := t.Tree.Node(n).Children
	if !sole || count <= few {
		return true
	}
	low := t.Bounds.Lows(child)[mover]
	switch other := roles.Rival(mover, t.chance); {
	case t.Bounds.IsSolved(n):
	case low > t.Bounds.Lows(n)[mover]:
		return true
	case low == Certain && (other < 0 || t.Bounds.Highs(child)[other] < t.Bounds.Highs(n)[other]):
		return true
	}
	if t.Tree.Node(child).Visits <= 1 {
		return isTurn(count, count) || t.ChildSet.knowsAll(int(count))
	}
	return isTurn(t.Tree.Node(n).Visits, count)
}

// isDue is true for the first few visits, then less and less often.
func isDue(visits uint32) bool { return visits <= tree.ProvenVisits || visits&(visits-1) == 0 }

// lastOf is the last edge of a role in a joint move.
func (t *Prover) lastOf(joint []uint32, role int) uint32 {
	last := -1
	for _, levels := range t.Tree.Levels[:role+1] {
		last += levels
	}
	return joint[last]
}

// mirror notes on the last edge of who moves in a node, whose moves were met,
// what is known of the child there.
func (t *Prover) mirror(n, child uint32, joint []uint32) {
	mover, ok := t.ChildSet.Sole()
	trie := t.Tree.Tries(n)[mover]
	if !ok || tree.IsForced(trie) {
		return
	}
	id := t.lastOf(joint, mover)
	for layer := range t.Ranks.Layers {
		of, at := t.NumbersOf(child, layer), t.Ranks.EdgeNumbers[layer].At(id>>tree.PlaceBits)
		if t.Tree.Edges.HasBonuses && t.Tree.Levels[mover] == 1 && at.Own[id&tree.PlaceMask].Proof != of[mover].Proof {
			t.Ranks.MarkRanksDirty(trie) // with more levels recount does
		}
		at.Own[id&tree.PlaceMask] = of[mover]
		if t.Tree.Roles == 2 {
			at.other[id&tree.PlaceMask] = of[1-mover]
		}
	}
	if t.ChildSet.moves[mover]+t.ChildSet.open[mover] < 2 {
		return // nothing leaves the selection
	}
	t.Tree.Edges.SetProven(id, t.isClosed(child, mover))
	if t.Tree.Levels[mover] > 1 {
		t.propagateSolved(trie, t.Tree.Levels[mover])
	}
}

// recount computes the numbers of a node.
func (t *Prover) recount(n uint32) (told proofDelta) {
	if !t.ChildSet.gatherMoves(n) {
		return proofDelta{}
	}
	mover, sole := t.ChildSet.Sole()
	trie := t.Tree.Tries(n)[mover]
	quick := sole && t.Tree.Roles <= 2 && !tree.IsForced(trie)
	if !quick {
		t.ChildSet.Gather(n)
	}
	for layer := range t.Ranks.Layers {
		of := t.NumbersOf(n, layer)
		if !quick {
			t.count(of, layer, &told)
			continue
		}
		sum := t.sumEdges(trie, t.Tree.Levels[mover], layer, t.Tree.Node(n).Flags&tree.FlagPartial != 0)
		told.set(&of[mover], sum.own)
		if t.Tree.Roles == 2 && !t.chance[1-mover] {
			told.set(&of[1-mover], sum.other)
		}
	}
	if t.Tree.Edges.HasBonuses && sole && !tree.IsForced(trie) && t.Tree.Levels[mover] > 1 {
		t.Ranks.markAllRanksDirty(trie, t.Tree.Levels[mover])
	}
	return told
}

// set changes numbers to x.
func (told *proofDelta) set(of *Numbers, x Numbers) {
	if *of != x {
		told.numbers = true
		told.proof = told.proof || x.Proof == 0 && of.Proof != 0 || x.Disproof == 0 && of.Disproof != 0
		*of = x
	}
}

// pnSum is what the edges of a trie node come to: one proof is enough for its
// role, and one disproof against it for the other.
type pnSum struct{ own, other Numbers }

// adder adds up edges. Sums are wide, so that a chunk is added without a branch:
// what is never reached is a bit of its own in what it is made of.
type adder struct {
	ownLeast, otherLeast uint32
	ownSum, otherSum     uint64
	ownBits, otherBits   uint32
}

func (x *adder) add(own, other Numbers) {
	x.ownLeast, x.otherLeast = min(x.ownLeast, own.Proof), min(x.otherLeast, other.Disproof)
	x.ownSum, x.otherSum = x.ownSum+uint64(own.Disproof), x.otherSum+uint64(other.Proof)
	x.ownBits, x.otherBits = x.ownBits|own.Disproof, x.otherBits|other.Proof
}

func (x *adder) total() pnSum {
	return pnSum{Numbers{x.ownLeast, capped(x.ownSum, x.ownBits)}, Numbers{capped(x.otherSum, x.otherBits), x.otherLeast}}
}

// capped is a sum as plus makes it.
func capped(sum uint64, bits uint32) uint32 {
	if bits&Infinite != 0 {
		return Infinite
	}
	return uint32(min(sum, Infinite-1))
}

// sumEdges adds up the numbers of a layer on the edges of a trie node, bringing
// those of prefixes up to date. partial: there may be more than are offered.
func (t *Prover) sumEdges(trie uint32, levels, layer int, partial bool) pnSum {
	sum := adder{ownLeast: Infinite, otherLeast: Infinite}
	left := uint64(t.Tree.Edges.Left(trie))
	if partial {
		left++
	}
	if left > 0 {
		sum.ownLeast, sum.otherLeast, sum.ownSum, sum.otherSum = 1, 1, left, left
	}
	opened := t.Tree.Edges.Opened(trie)
	for c := trie; opened > 0; {
		at, known := t.Tree.Edges.Chunk(c), t.Ranks.EdgeNumbers[layer].At(c)
		m := tree.Held(c == trie, opened)
		if levels > 1 {
			for i := range m {
				switch child := at.Edges[i].Child; child {
				case tree.Dead:
					continue
				case 0:
				default:
					below := t.sumEdges(child, levels-1, layer, false)
					known.Own[i], known.other[i] = below.own, below.other
				}
				sum.add(known.Own[i], known.other[i])
			}
		} else {
			for i := range m {
				sum.add(known.Own[i], known.other[i])
			}
		}
		opened -= m
		c = at.Next
	}
	return sum.total()
}
