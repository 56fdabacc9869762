package stats

import (
	"math"
	"math/bits"
	"slices"

	"semisplit/search/engine"
)

// recordsPerOrder is how many iterations an order of semimoves stands. Sorting
// 300 takes about as long as ten iterations.
const recordsPerOrder = 128

// steering makes the playouts of a worker follow its statistics.
type steering struct {
	steerer   engine.Steerer
	ordered   []orderedLevel // by a common order of semimoves
	orderedAt int            // iterations recorded when the orders were made
	keys      []uint64
	order     []int32
	path      []uint32
	firstOf   []int // by role: its first field in the trace
}

type orderedLevel struct {
	role, level, count int
	rank               []int32 // by semimove: its place in the order; nil as long as there is none
}

// newSteering decides, level by level, how the lanes choose. Where the score of
// a semimove is the same in all lanes there is an order, which lanes follow
// together; else each lane is looked at.
func (n *Learner) newSteering() {
	s, m := &n.order, n.Mast
	steerer, ok := n.engine.(engine.Steerer)
	if !ok {
		return
	}
	s.steerer = steerer
	_, traced := n.engine.(engine.Tracer)
	first := 0
	for r := range n.encodings {
		s.firstOf = append(s.firstOf, first)
		first += n.encodings[r].EngineLevels
		if n.chance[r] {
			continue
		}
		for level := range n.encodings[r].EngineLevels {
			count := steerer.Semimoves(r, level)
			switch common := level == 0 || m.Kind == Split; {
			case count == 1:
			case count > 1 && common && !m.beside.any():
				s.ordered = append(s.ordered, orderedLevel{role: r, level: level, count: count})
			case level == 0 || traced:
				steerer.SetChooser(r, level, n.chooser(r, level))
			}
		}
	}
	s.orderedAt = -recordsPerOrder
}

// Steer brings the orders up to date. Between two Steps of the engine.
func (n *Learner) Steer() {
	s, m := &n.order, n.Mast
	if m == nil || len(s.ordered) == 0 || m.records-s.orderedAt < recordsPerOrder {
		return
	}
	s.orderedAt = m.records
	for i := range s.ordered {
		of := &s.ordered[i]
		s.keys, s.order = s.keys[:0], s.order[:0]
		for label := range uint32(of.count) {
			tie := n.rng.Uint64() >> 48 << 32
			s.keys = append(s.keys, uint64((1-n.playScore(of.role, of.level, uint32(of.role)+1, label))*math.MaxUint16)<<48|tie|uint64(label))
		}
		slices.Sort(s.keys)
		for _, key := range s.keys {
			s.order = append(s.order, int32(uint32(key)))
		}
		s.steerer.SetPolicy(of.role, of.level, s.order, m.Epsilon)
		of.rank = slices.Grow(of.rank[:0], of.count)[:of.count]
		for place, label := range s.order {
			of.rank[label] = int32(place)
		}
	}
}

// recordsForRanks are the iterations after which the order of semimoves has
// settled enough for the tree to go by it. Before, one that is up to date
// counts.
const recordsForRanks = 16 * recordsPerOrder

// rankOf has the places of the semimoves of a role at a level in the order that
// the lanes follow; nil: there is no such order, or the tree takes moves in
// another way.
func (n *Learner) rankOf(role, level int) []int32 {
	s := &n.encodings[role]
	if s.Whole != nil || s.Divided != nil || n.Mast.records < recordsForRanks {
		return nil
	}
	for i := range n.order.ordered {
		if of := &n.order.ordered[i]; of.role == role && of.level == level {
			return of.rank
		}
	}
	return nil
}

// PreferUntried makes the semimove with the best statistics the next that is
// tried at a trie node of a role, which a prefix leads to; but with probability
// epsilon it is left to chance.
func (n *Learner) PreferUntried(trie uint32, role int, prefix []uint32) {
	m := n.Mast
	if m == nil || m.PlainTree {
		return
	}
	if n.tree.Edges.Left(trie) < 2 || n.rng.Passes(m.Epsilon) {
		return
	}
	s, level := &n.encodings[role], len(prefix)
	if rank := n.rankOf(role, level); rank != nil {
		n.tree.Edges.PreferRank(trie, rank)
		return
	}
	position := m.position(role, prefix)
	n.tree.Edges.Prefer(trie, func(label uint32) float64 {
		switch {
		case s.Whole != nil:
			return m.pathScore(role, 0, position, s.Whole.Path(label))
		case s.Divided != nil && level == s.Levels-1:
			label = s.Divided(label)[level]
		}
		return m.score(role, level, position, label)
	})
}

// playScore values a semimove of the engine, after a prefix with a position.
func (n *Learner) playScore(role, level int, position, semimove uint32) float64 {
	m := n.Mast
	if s := &n.encodings[role]; s.Divided != nil {
		return m.pathScore(role, 0, position, s.Divided(semimove))
	}
	return m.score(role, level, position, semimove)
}

// chooser chooses for each lane by itself: epsilon-greedily by score.
func (n *Learner) chooser(role, level int) func(lanes, offers []uint64, words int, prefix []uint64, into []int32) {
	return func(lanes, offers []uint64, words int, prefix []uint64, into []int32) {
		bitsOf(lanes, func(lane uint32) {
			into[lane] = n.chooseFor(role, level, int(lane), offers[int(lane)*words:][:words], prefix)
		})
	}
}

func (n *Learner) chooseFor(role, level, lane int, offers, prefix []uint64) int32 {
	s, m := &n.order, n.Mast
	if n.rng.Passes(m.Epsilon) {
		return n.anyOf(offers)
	}
	position := uint32(role) + 1
	s.path = s.path[:0]
	if level > 0 {
		tr := &n.Trace
		for _, f := range tr.fields[s.firstOf[role]:][:level] {
			s.path = append(s.path, uint32(prefix[lane*tr.words+f.word]>>f.shift&f.mask))
		}
		position = m.position(role, s.path)
	}
	m.beside.choose(lane, role, s.path)
	best, top, ties := int32(0), -1.0, uint32(0)
	for i, word := range offers {
		for ; word != 0; word &= word - 1 {
			x := uint32(i*64 + bits.TrailingZeros64(word))
			score := m.beside.score(n.playScore(role, level, position, x), role, level, x)
			if score > top {
				top, ties = score, 0
			}
			if score == top {
				if ties++; n.rng.Below(ties) == 0 {
					best = int32(x)
				}
			}
		}
	}
	return best
}

// anyOf draws one of the bits of a set.
func (n *Learner) anyOf(set []uint64) int32 {
	count := 0
	for _, word := range set {
		count += bits.OnesCount64(word)
	}
	k := n.rng.Below(uint32(max(count, 1)))
	for i, word := range set {
		if c := uint32(bits.OnesCount64(word)); k >= c {
			k -= c
			continue
		}
		for ; k > 0; k-- {
			word &= word - 1
		}
		return int32(i*64 + bits.TrailingZeros64(word))
	}
	return 0
}
