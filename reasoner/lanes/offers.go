package lanes

// offerReader reads what roles may choose in the states that the last Step
// reached.
type offerReader struct {
	*circuit
	status *status

	single [1]query // scratch of offers
}

func newOfferReader(c *circuit, s *status) *offerReader {
	r := &offerReader{circuit: c, status: s}
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
		for i := range queries {
			if q := &queries[i]; level < len(q.prefix) && r.asks(q) {
				q.saved = append(q.saved[:level], r.swapSelection(q, level, int(q.prefix[level])))
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
			for level := range q.prefix {
				r.swapSelection(q, level, q.saved[level])
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

// swapSelection replaces what a lane has selected at a level, and returns
// that; -1 is nothing.
func (r *offerReader) swapSelection(q *query, level, k int) (saved int) {
	lv := &r.plan.roles[q.role].levels[level]
	w, bit := q.lane/64, uint64(1)<<(q.lane%64)
	saved = -1
	for i := range lv.count {
		column := r.slot(lv.sel + int32(i))
		if column[w]&bit != 0 {
			saved = i
			column[w] &^= bit
		}
	}
	if k >= 0 && k < lv.count {
		r.slot(lv.sel + int32(k))[w] |= bit
	}
	return saved
}
