package lanes

import "math/bits"

// offerReader reads what roles may choose in the states that the last Step
// reached.
type offerReader struct {
	*circuit
	status *status

	single   [1]query // scratch of offers
	mask     []uint64 // scratch: lanes
	asked    []int    // scratch: the words of mask that have any
	selected []int    // scratch: by lane
}

func newOfferReader(c *circuit, s *status) *offerReader {
	r := &offerReader{circuit: c, status: s, mask: c.empty(), selected: make([]int, 64*c.words)}
	r.single[0].saved = make([]int, 0, len(c.plan.deeper))
	return r
}

// query asks for the offers of a role in a lane after a prefix.
type query struct {
	lane, role int
	prefix     []uint32
	offers     []uint32 // the answer is appended
	saved      []int    // by level of the prefix: what the lane had selected
}

// offers appends the semimoves that a role may choose next. After a prefix it
// runs the programs of the prefix's levels for all lanes: who asks for several
// lanes asks offersMany.
func (r *offerReader) offers(lane, role int, prefix, dst []uint32) []uint32 {
	q := &r.single[0]
	q.lane, q.role, q.prefix, q.offers = lane, role, prefix, dst
	r.offersMany(r.single[:])
	return q.offers
}

// offersMany answers queries as offers would, running each program once. No
// two of them may have the same lane and role.
func (r *offerReader) offersMany(queries []query) {
	depth := 0
	for i := range queries {
		q := &queries[i]
		if r.asks(q) {
			depth = max(depth, len(q.prefix))
			r.answer(q, 0)
		}
	}
	if depth == 0 {
		return
	}
	r.stale = true
	for level := range depth {
		for role := range r.plan.roles {
			if r.marked(queries, role, level); len(r.asked) > 0 {
				r.takeSelections(queries, role, level)
			}
		}
		r.run(r.code.deeper[level])
		for i := range queries {
			if q := &queries[i]; r.asks(q) {
				r.answer(q, level+1)
			}
		}
	}
	// A choice that was made already for the next joint move survives.
	for i := range queries {
		if q := &queries[i]; r.asks(q) {
			for level, k := range q.prefix {
				r.selects(q, level, int(k), false)
				r.selects(q, level, q.saved[level], true)
			}
		}
	}
}

// asks tells whether a query can have an answer.
func (r *offerReader) asks(q *query) bool {
	return len(q.prefix) < len(r.plan.roles[q.role].levels) && r.status.ended[q.lane/64]>>(q.lane%64)&1 == 0
}

// answer appends the offers, if the query is about this level.
func (r *offerReader) answer(q *query, level int) {
	if len(q.prefix) != level {
		return
	}
	for k, slot := range r.plan.roles[q.role].levels[level].offers {
		if r.bit(slot, q.lane) {
			q.offers = append(q.offers, uint32(k))
		}
	}
}

// marked puts the lanes of the queries that have a prefix of a role beyond a level into
// r.mask.
func (r *offerReader) marked(queries []query, role, level int) {
	clear(r.mask)
	for i := range queries {
		if q := &queries[i]; q.role == role && level < len(q.prefix) && r.asks(q) {
			r.mask[q.lane/64] |= 1 << (q.lane % 64)
		}
	}
	r.asked = r.asked[:0]
	for w, x := range r.mask {
		if x != 0 {
			r.asked = append(r.asked, w)
		}
	}
}

// takeSelections has the lanes of r.mask, which are those of some queries, select what
// comes in the prefix at a level, and saves what they had selected; -1 is nothing. It goes
// semimove by semimove, as there may be many: each is looked at once for all lanes.
func (r *offerReader) takeSelections(queries []query, role, level int) {
	for _, w := range r.asked {
		for x := r.mask[w]; x != 0; x &= x - 1 {
			r.selected[64*w+bits.TrailingZeros64(x)] = -1
		}
	}
	lv := &r.plan.roles[role].levels[level]
	for k := range lv.count {
		column := r.slot(lv.sel + int32(k))
		for _, w := range r.asked {
			had := column[w] & r.mask[w]
			if had == 0 {
				continue
			}
			column[w] &^= had
			for ; had != 0; had &= had - 1 {
				r.selected[64*w+bits.TrailingZeros64(had)] = k
			}
		}
	}
	for i := range queries {
		if q := &queries[i]; q.role == role && level < len(q.prefix) && r.asks(q) {
			q.saved = append(q.saved[:level], r.selected[q.lane])
			r.selects(q, level, int(q.prefix[level]), true)
		}
	}
}

// selects has a query's lane select a semimove at a level, or not; what is none is left
// alone.
func (r *offerReader) selects(q *query, level, k int, on bool) {
	lv := &r.plan.roles[q.role].levels[level]
	if k < 0 || k >= lv.count {
		return
	}
	word, bit := &r.slot(lv.sel + int32(k))[q.lane/64], uint64(1)<<(q.lane%64)
	if *word &^= bit; on {
		*word |= bit
	}
}
