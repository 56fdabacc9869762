package search

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
	steerer engine.Steerer
	ordered []steered // by a common order of semimoves
	at      int       // iterations recorded when the orders were made
	keys    []uint64
	order   []int32
	path    []uint32
	firstOf []int // by role: its first field in the trace

	before [][2]uint64 // by lane: keys of the joint moves played last; of N-grams only
	joint  []uint32
	grams  []uint64
}

type steered struct {
	role, level, count int
	rank               []int32 // by semimove: its place in the order; nil as long as there is none
}

// newSteering decides, level by level, how the lanes choose. Where the score of
// a semimove is the same in all lanes there is an order, which lanes follow
// together; else each lane is looked at.
func (w *worker) newSteering() {
	s, m := &w.learner.order, w.learner.mast
	steerer, ok := w.engine.(engine.Steerer)
	if !ok {
		return
	}
	s.steerer = steerer
	tracer, traced := w.engine.(engine.Tracer)
	first := 0
	for r := range w.t.shapes {
		s.firstOf = append(s.firstOf, first)
		first += w.t.shapes[r].engine
		if w.t.options.Chance[r] {
			continue
		}
		for level := range w.t.shapes[r].engine {
			n := steerer.Semimoves(r, level)
			switch common := level == 0 || m.Kind == Split; {
			case n == 1:
			case n > 1 && common && m.NGram <= 1:
				s.ordered = append(s.ordered, steered{role: r, level: level, count: n})
			case level == 0 || traced:
				steerer.SetChooser(r, level, w.chooser(r, level))
			}
		}
	}
	if m.NGram > 1 && traced {
		s.before = make([][2]uint64, w.engine.Lanes())
		if w.learner.trace.tracer == nil {
			w.learner.trace = newTrace(w.engine, w.t.engineLevels())
		}
	} else if traced && w.learner.trace.tracer == nil {
		w.learner.trace.fields = traceFields(tracer, w.t.engineLevels())
		w.learner.trace.words = tracer.TraceWords()
	}
	s.at = -recordsPerOrder
}

// steer brings the orders up to date. Between two Steps of the engine.
func (w *worker) steer() {
	s, m := &w.learner.order, w.learner.mast
	if m == nil || len(s.ordered) == 0 || m.records-s.at < recordsPerOrder {
		return
	}
	s.at = m.records
	for i := range s.ordered {
		of := &s.ordered[i]
		s.keys, s.order = s.keys[:0], s.order[:0]
		for label := range uint32(of.count) {
			tie := w.rng.Uint64() >> 48 << 32
			s.keys = append(s.keys, uint64((1-w.playScore(of.role, of.level, uint32(of.role)+1, label))*math.MaxUint16)<<48|tie|uint64(label))
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
func (w *worker) rankOf(role, level int) []int32 {
	s := &w.t.shapes[role]
	if s.whole != nil || s.divided != nil || w.learner.mast.records < recordsForRanks {
		return nil
	}
	for i := range w.learner.order.ordered {
		if of := &w.learner.order.ordered[i]; of.role == role && of.level == level {
			return of.rank
		}
	}
	return nil
}

// preferUntried makes the semimove with the best statistics the next that is
// tried at a trie node of a role, which w.prefix leads to; but with probability
// epsilon it is left to chance.
func (w *worker) preferUntried(trie uint32, role int) {
	m := w.learner.mast
	if w.t.chunks.At(trie).left < 2 || float64(w.rng.Uint64()>>11)*0x1p-53 < m.Epsilon {
		return
	}
	s, level := &w.t.shapes[role], len(w.prefix)
	if rank := w.rankOf(role, level); rank != nil {
		w.t.preferRank(trie, rank)
		return
	}
	position := m.position(role, w.prefix)
	w.t.prefer(trie, func(label uint32) float64 {
		switch {
		case s.whole != nil:
			return m.pathScore(role, 0, position, s.whole.path(label))
		case s.divided != nil && level == s.levels-1:
			label = s.divided(label)[level]
		}
		return m.score(role, level, position, label)
	})
}

// playScore values a semimove of the engine, after a prefix with a position.
func (w *worker) playScore(role, level int, position, semimove uint32) float64 {
	m := w.learner.mast
	if s := &w.t.shapes[role]; s.divided != nil {
		return m.pathScore(role, 0, position, s.divided(semimove))
	}
	return m.score(role, level, position, semimove)
}

// chooser chooses for each lane by itself: epsilon-greedily by score.
func (w *worker) chooser(role, level int) func(lanes, offers []uint64, words int, prefix []uint64, into []int32) {
	return func(lanes, offers []uint64, words int, prefix []uint64, into []int32) {
		bitsOf(lanes, func(lane uint32) {
			into[lane] = w.chooseFor(role, level, int(lane), offers[int(lane)*words:][:words], prefix)
		})
	}
}

func (w *worker) chooseFor(role, level, lane int, offers, prefix []uint64) int32 {
	s, m := &w.learner.order, w.learner.mast
	if float64(w.rng.Uint64()>>11)*0x1p-53 < m.Epsilon {
		return w.anyOf(offers)
	}
	position := uint32(role) + 1
	s.path = s.path[:0]
	if level > 0 {
		tr := &w.learner.trace
		for _, f := range tr.fields[s.firstOf[role]:][:level] {
			s.path = append(s.path, uint32(prefix[lane*tr.words+f.word]>>f.shift&f.mask))
		}
		position = m.position(role, s.path)
	}
	if m.NGram > 1 {
		w.gramsBefore(lane)
		for i, key := range s.grams {
			for at, label := range s.path {
				if key != 0 {
					key = then(key, role, at, label)
				}
			}
			s.grams[i] = key
		}
	}
	best, top, ties := int32(0), -1.0, uint32(0)
	for i, word := range offers {
		for ; word != 0; word &= word - 1 {
			x := uint32(i*64 + bits.TrailingZeros64(word))
			score := w.playScore(role, level, position, x)
			if m.NGram > 1 {
				score = w.gramScore(score, role, level, x)
			}
			if score > top {
				top, ties = score, 0
			}
			if score == top {
				if ties++; w.random(ties) == 0 {
					best = int32(x)
				}
			}
		}
	}
	return best
}

// gramScore is mast.gramScore of a semimove of the engine.
func (w *worker) gramScore(score float64, role, level int, semimove uint32) float64 {
	s, m := &w.learner.order, w.learner.mast
	if divided := w.t.shapes[role].divided; divided != nil {
		labels := divided(semimove)
		last := len(labels) - 1
		keys := [2]uint64{}
		for i, key := range s.grams {
			for at, label := range labels[:last] {
				if key != 0 {
					key = then(key, role, at, label)
				}
			}
			keys[i] = key
		}
		return m.gramScore(score, role, last, keys[:len(s.grams)], labels[last])
	}
	return m.gramScore(score, role, level, s.grams, semimove)
}

// anyOf draws one of the bits of a set.
func (w *worker) anyOf(set []uint64) int32 {
	n := 0
	for _, word := range set {
		n += bits.OnesCount64(word)
	}
	k := w.random(uint32(max(n, 1)))
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

// gramsBefore finds the keys of the joint moves that led to the state in which
// a lane chooses. An engine may choose at the end of a Step, before it was
// noted, or at the beginning of the next.
func (w *worker) gramsBefore(lane int) {
	s := &w.learner.order
	s.grams = s.grams[:0]
	if s.before == nil {
		return
	}
	tr := &w.learner.trace
	row := tr.tracer.Choices()[lane*tr.words:][:tr.words]
	before := w.keysAfter(s.before[lane], row)
	if before[0] == s.before[lane][0] {
		before = s.before[lane]
	}
	s.grams = append(s.grams, before[:w.learner.mast.NGram-1]...)
}

// keysAfter is after, for a joint move in a trace.
func (w *worker) keysAfter(before [2]uint64, row []uint64) [2]uint64 {
	s, tr := &w.learner.order, &w.learner.trace
	n := &w.learner
	n.engine = n.engine[:0]
	for _, f := range tr.fields {
		n.engine = append(n.engine, uint32(row[f.word]>>f.shift&f.mask))
	}
	s.joint = s.joint[:0]
	rest := n.engine
	for r := range w.t.shapes {
		of := &w.t.shapes[r]
		s.joint = of.appendSpace(s.joint, rest[:of.engine])
		rest = rest[of.engine:]
	}
	return after(before, s.joint)
}

// noteGrams brings the keys of the lanes that moved up to date.
func (w *worker) noteGrams(moved []uint64) {
	s, tr := &w.learner.order, &w.learner.trace
	if s.before == nil {
		return
	}
	choices := tr.tracer.Choices()
	bitsOf(moved, func(lane uint32) {
		s.before[lane] = w.keysAfter(s.before[lane], choices[int(lane)*tr.words:][:tr.words])
	})
}
