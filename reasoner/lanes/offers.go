package lanes

// Offers appends the semimoves that a role may choose next, in rising order;
// some of a level before the last may be dead. In a terminal state there are
// none, whatever the rules say of it.
//
// After a prefix it runs the programs of the prefix's levels for all lanes:
// who asks for several lanes asks OffersMany.
func (e *Engine) Offers(lane, role int, prefix []uint32, dst []uint32) []uint32 {
	q := &e.query[0]
	q.Lane, q.Role, q.Prefix, q.Offers = lane, role, prefix, dst
	e.OffersMany(e.query[:])
	return q.Offers
}

// Query asks for the offers of a role in a lane after a prefix.
type Query struct {
	Lane, Role int
	Prefix     []uint32
	Offers     []uint32 // the answer is appended

	saved []int // by level of the prefix: what the lane had selected
}

// OffersMany answers queries as Offers would, running each program once. No
// two of them may have the same lane and role.
func (e *Engine) OffersMany(queries []Query) {
	depth := 0
	for i := range queries {
		q := &queries[i]
		if e.asks(q) {
			depth = max(depth, len(q.Prefix))
			e.answer(q, 0)
		}
	}
	if depth == 0 {
		return
	}
	e.undecided.dirty = true
	for level := range depth {
		for i := range queries {
			if q := &queries[i]; level < len(q.Prefix) && e.asks(q) {
				q.saved = append(q.saved[:level], e.swapSelection(q, level, int(q.Prefix[level])))
			}
		}
		e.exec(e.code.deeper[level], e.slots)
		for i := range queries {
			if q := &queries[i]; e.asks(q) {
				e.answer(q, level+1)
			}
		}
	}
	// A choice that was made already for the next joint move survives.
	for i := range queries {
		if q := &queries[i]; e.asks(q) {
			for level := range q.Prefix {
				e.swapSelection(q, level, q.saved[level])
			}
		}
	}
}

// asks tells whether a query can have an answer.
func (e *Engine) asks(q *Query) bool {
	return len(q.Prefix) < len(e.p.roles[q.Role].levels) && e.ended[q.Lane/64]>>(q.Lane%64)&1 == 0
}

// answer appends the offers, if the query is about this level.
func (e *Engine) answer(q *Query, level int) {
	if len(q.Prefix) != level {
		return
	}
	for k, slot := range e.p.roles[q.Role].levels[level].offers {
		if e.bit(slot, q.Lane) {
			q.Offers = append(q.Offers, uint32(k))
		}
	}
}

// swapSelection replaces what a lane has selected at a level, and returns
// that; -1 is nothing.
func (e *Engine) swapSelection(q *Query, level, k int) (saved int) {
	lv := &e.p.roles[q.Role].levels[level]
	w, bit := q.Lane/64, uint64(1)<<(q.Lane%64)
	saved = -1
	for i := range lv.count {
		column := e.slot(lv.sel + int32(i))
		if column[w]&bit != 0 {
			saved = i
			column[w] &^= bit
		}
	}
	if k >= 0 && k < lv.count {
		e.slot(lv.sel + int32(k))[w] |= bit
	}
	return saved
}
