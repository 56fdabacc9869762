package lanes

import "math/bits"

// pathLister lists the whole moves of roles in the states that the last Step
// reached, in many lanes together.
type pathLister struct {
	offers  *offerReader
	lanes   []listing  // by lane
	queries []query    // scratch
	path    []uint32   // scratch
	found   [][]uint32 // scratch: by lane
	factors []factors  // by lane
	cut     []uint64   // lanes in which moves were left out, or may have been
}

// listing is how far a lane has come.
type listing struct {
	open []uint32 // prefixes that are yet to be asked, the next one last, each with its length behind it
	left int      // moves that may still be visited
	dead int      // prefixes that may still be asked in vain
}

// maxDead is how many prefixes of a move are asked in a lane for nothing before
// the lane is given up: there may be any number of them.
const maxDead = 1 << 16

// paths visits moves: see Engine.Paths. The programs of a prefix run once for all
// lanes.
func (l *pathLister) paths(mask []uint64, role, most int, visit func(lane int, path []uint32)) (cut []uint64) {
	levels := len(l.offers.plan.roles[role].levels)
	if l.lanes == nil {
		l.lanes, l.cut = make([]listing, 64*l.offers.words), l.offers.empty()
	}
	clear(l.cut)
	if levels == 1 {
		l.whole(mask, role, most, visit)
		return l.cut
	}
	l.queries = l.queries[:0]
	for w, x := range mask {
		for ; x != 0; x &= x - 1 {
			lane := 64*w + bits.TrailingZeros64(x)
			l.lanes[lane] = listing{l.lanes[lane].open[:0], most, maxDead}
			l.ask(lane, role, nil)
		}
	}
	for len(l.queries) > 0 {
		l.offers.offersMany(l.queries)
		asked := l.queries
		l.queries = l.queries[:0]
		for i := range asked {
			q := asked[i]
			in := &l.lanes[q.lane]
			if len(q.offers) == 0 {
				in.dead--
			}
			if len(q.prefix) == levels-1 {
				some := q.offers[:min(len(q.offers), in.left)]
				for _, k := range some {
					in.left--
					l.path = append(append(l.path[:0], q.prefix...), k)
					visit(q.lane, l.path)
				}
				if len(some) < len(q.offers) {
					l.leaveOut(q.lane)
				}
			} else {
				for i := len(q.offers) - 1; i >= 0; i-- {
					in.open = append(append(in.open, q.prefix...), q.offers[i], uint32(len(q.prefix)+1))
				}
			}
			switch n := len(in.open); {
			case n == 0:
			case in.left > 0 && in.dead > 0:
				from := n - 1 - int(in.open[n-1])
				l.ask(q.lane, role, in.open[from:n-1]) // behind what was read of asked
				in.open = in.open[:from]
			default:
				l.leaveOut(q.lane)
			}
		}
	}
	return l.cut
}

// leaveOut notes a lane in which there may be more moves than are visited.
func (l *pathLister) leaveOut(lane int) { l.cut[lane/64] |= 1 << (lane % 64) }

// whole visits moves of one semimove.
func (l *pathLister) whole(mask []uint64, role, most int, visit func(lane int, path []uint32)) {
	if l.found == nil {
		l.found = make([][]uint32, len(l.lanes))
	}
	for w, x := range mask {
		for ; x != 0; x &= x - 1 {
			lane := 64*w + bits.TrailingZeros64(x)
			l.found[lane] = l.found[lane][:0]
		}
	}
	l.firsts(mask, role, l.found)
	for w, x := range mask {
		for ; x != 0; x &= x - 1 {
			lane := 64*w + bits.TrailingZeros64(x)
			for _, k := range l.found[lane][:min(len(l.found[lane]), most)] {
				l.path = append(l.path[:0], k)
				visit(lane, l.path)
			}
			if len(l.found[lane]) > most {
				l.leaveOut(lane)
			}
		}
	}
}

// firsts lists semimoves that begin a move: see Engine.Firsts. It goes semimove by
// semimove: a word of the circuit is looked at once for 64 lanes.
func (l *pathLister) firsts(mask []uint64, role int, into [][]uint32) {
	columns, words := l.offers.slots, l.offers.words
	for w := range mask {
		asked := mask[w] &^ l.offers.status.ended[w]
		if asked == 0 {
			continue
		}
		for k, slot := range l.offers.plan.roles[role].levels[0].offers {
			for x := columns[int(slot)*words+w] & asked; x != 0; x &= x - 1 {
				lane := 64*w + bits.TrailingZeros64(x)
				into[lane] = append(into[lane], uint32(k))
			}
		}
	}
}

// ask adds a query, in memory that was used before.
func (l *pathLister) ask(lane, role int, prefix []uint32) {
	n := len(l.queries)
	if n < cap(l.queries) {
		l.queries = l.queries[:n+1]
	} else {
		l.queries = append(l.queries, query{})
	}
	q := &l.queries[n]
	q.lane, q.role, q.prefix, q.offers = lane, role, append(q.prefix[:0], prefix...), q.offers[:0]
}
