package lanes

import "math/bits"

// lister is the scratch of Paths.
type lister struct {
	queries []Query
	open    [][][]uint32 // by lane: prefixes that are yet to be asked, the next one last
	path    []uint32
}

// Paths calls visit with each legal move of a role in each lane of a mask that
// has not ended, as the semimoves of all levels, those of one lane in rising
// order. The path is valid during the call. The programs of a prefix run once for
// all lanes, so it costs as much as the lane with the most prefixes.
func (e *Engine) Paths(mask []uint64, role int, visit func(lane int, path []uint32)) {
	l, levels := &e.lister, len(e.p.roles[role].levels)
	for len(l.open) < e.Lanes() {
		l.open = append(l.open, nil)
	}
	l.queries = l.queries[:0]
	ask := func(lane int, prefix []uint32) {
		n := len(l.queries)
		if n < cap(l.queries) {
			l.queries = l.queries[:n+1]
		} else {
			l.queries = append(l.queries, Query{})
		}
		q := &l.queries[n]
		q.Lane, q.Role, q.Prefix, q.Offers = lane, role, prefix, q.Offers[:0]
	}
	for i, word := range mask {
		for ; word != 0; word &= word - 1 {
			lane := i*64 + bits.TrailingZeros64(word)
			l.open[lane] = l.open[lane][:0]
			ask(lane, nil)
		}
	}
	for len(l.queries) > 0 {
		e.OffersMany(l.queries)
		asked := l.queries
		l.queries = l.queries[:0]
		for i := range asked {
			lane, prefix, offers := asked[i].Lane, asked[i].Prefix, asked[i].Offers
			if len(prefix) == levels-1 {
				for _, k := range offers {
					l.path = append(append(l.path[:0], prefix...), k)
					visit(lane, l.path)
				}
			} else {
				for i := len(offers) - 1; i >= 0; i-- {
					l.open[lane] = append(l.open[lane], append(prefix[:len(prefix):len(prefix)], offers[i]))
				}
			}
			if n := len(l.open[lane]); n > 0 {
				next := l.open[lane][n-1]
				l.open[lane] = l.open[lane][:n-1]
				ask(lane, next) // behind what was read of asked
			}
		}
	}
}
