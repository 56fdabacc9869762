package lanes

import (
	"math/bits"
	"slices"
)

// offerReader reads what roles may choose in the states that the last Step
// reached.
type offerReader struct {
	*circuit
	status *status

	single [1]query // scratch of offers
	roles  []int    // scratch: of queries
	mask   []uint64 // scratch: lanes
	asked  []int    // scratch: the words of mask that have any
	by     []*query // scratch: by lane of mask
}

func newOfferReader(c *circuit, s *status) *offerReader {
	r := &offerReader{circuit: c, status: s, mask: c.empty(), by: make([]*query, 64*c.words)}
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
	r.roles = r.roles[:0]
	for i := range queries {
		q := &queries[i]
		if !r.asks(q) {
			continue
		}
		if !slices.Contains(r.roles, q.role) {
			r.roles = append(r.roles, q.role)
		}
		depth = max(depth, len(q.prefix))
		q.saved = q.saved[:0]
	}
	r.answer(queries, 0)
	if depth == 0 {
		return
	}
	r.stale = true
	for level := range depth {
		for _, role := range r.roles {
			if r.mark(queries, role, level+1, len(r.plan.deeper)); len(r.asked) > 0 {
				r.takeSelections(role, level)
			}
		}
		r.run(r.code.deeper[level])
		r.answer(queries, level+1)
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

// answer appends the offers to the queries that are about this level. Like all that goes by
// r.mask it goes semimove by semimove, as there may be many: each is looked at once for all
// lanes.
func (r *offerReader) answer(queries []query, level int) {
	for _, role := range r.roles {
		if r.mark(queries, role, level, level); len(r.asked) == 0 {
			continue
		}
		for k, slot := range r.plan.roles[role].levels[level].offers {
			column := r.slot(slot)
			for _, w := range r.asked {
				for x := column[w] & r.mask[w]; x != 0; x &= x - 1 {
					q := r.by[64*w+bits.TrailingZeros64(x)]
					q.offers = append(q.offers, uint32(k))
				}
			}
		}
	}
}

// mark puts the lanes of the queries of a role whose prefixes are so long into r.mask.
func (r *offerReader) mark(queries []query, role, least, most int) {
	clear(r.mask)
	for i := range queries {
		if q := &queries[i]; q.role == role && least <= len(q.prefix) && len(q.prefix) <= most && r.asks(q) {
			r.mask[q.lane/64] |= 1 << (q.lane % 64)
			r.by[q.lane] = q
		}
	}
	r.asked = r.asked[:0]
	for w, x := range r.mask {
		if x != 0 {
			r.asked = append(r.asked, w)
		}
	}
}

// takeSelections has the lanes of r.mask select what comes in the prefix of their query at
// a level, and saves what they had selected; -1 is nothing.
func (r *offerReader) takeSelections(role, level int) {
	lv := &r.plan.roles[role].levels[level]
	for _, w := range r.asked {
		for x := r.mask[w]; x != 0; x &= x - 1 {
			q := r.by[64*w+bits.TrailingZeros64(x)]
			q.saved = append(q.saved, -1)
		}
	}
	for k := range lv.count {
		column := r.slot(lv.sel + int32(k))
		for _, w := range r.asked {
			had := column[w] & r.mask[w]
			if had == 0 {
				continue // and a line of the cache is not written to
			}
			column[w] &^= had
			for ; had != 0; had &= had - 1 {
				r.by[64*w+bits.TrailingZeros64(had)].saved[level] = k
			}
		}
	}
	for _, w := range r.asked {
		for x := r.mask[w]; x != 0; x &= x - 1 {
			q := r.by[64*w+bits.TrailingZeros64(x)]
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
