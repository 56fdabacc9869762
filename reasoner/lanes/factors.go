package lanes

import (
	"math/bits"
	"slices"
)

// factors is how far a lane has come whose moves may be every combination of offers.
type factors struct {
	values [][]uint32 // offers by level, after the first value of the first level
	first  int        // place of the value of the first level that is tried
	prefix []uint32   // that is asked about
}

// factor visits lanes in which every combination of what the levels of a role offer is a
// legal move, and takes them out of the mask. A role whose levels do not bind each other
// has such moves in all states, and is asked once for each level. One whose first level
// alone binds the others is asked for each value of that, and has such moves where the
// answers are the same. Others are left in the mask.
func (l *pathLister) factor(mask []uint64, role int, visit func(lane int, values [][]uint32)) {
	rp := &l.offers.plan.roles[role]
	if len(rp.levels) == 1 || rp.binding > 1 {
		return
	}
	if l.factors == nil {
		l.factors = make([]factors, 64*l.offers.words)
	}
	l.queries = l.queries[:0]
	for w, x := range mask {
		for x &^= l.offers.status.ended[w]; x != 0; x &= x - 1 {
			lane := 64*w + bits.TrailingZeros64(x)
			f := &l.factors[lane]
			for len(f.values) < len(rp.levels) {
				f.values = append(f.values, nil)
			}
			f.first, f.prefix = 0, f.prefix[:0]
			l.ask(lane, role, f.prefix)
		}
	}
	for len(l.queries) > 0 {
		l.offers.offersMany(l.queries)
		asked := l.queries
		l.queries = l.queries[:0]
		for i := range asked {
			q := &asked[i]
			f := &l.factors[q.lane]
			switch f.take(q.offers, len(rp.levels), rp.binding > 0) {
			case goOn:
				l.ask(q.lane, role, f.prefix)
			case factored:
				mask[q.lane/64] &^= 1 << (q.lane % 64)
				visit(q.lane, f.values[:len(rp.levels)])
			}
		}
	}
}

// What take has found.
const (
	goOn = iota
	factored
	bound // offers differ
)

// take notes what is offered after the prefix, and goes on to the next.
func (f *factors) take(offers []uint32, levels int, binds bool) int {
	level := len(f.prefix)
	switch {
	case f.first == 0:
		f.values[level] = append(f.values[level][:0], offers...)
	case !slices.Equal(f.values[level], offers):
		return bound
	}
	switch {
	case len(offers) == 0 && binds && level > 0:
		return bound // the prefix is dead, others may not be
	case len(offers) == 0: // there is no move
		for i := range levels {
			f.values[i] = f.values[i][:0]
		}
		return factored
	case level+1 < levels:
		f.prefix = append(f.prefix, offers[0])
	case binds && f.first+1 < len(f.values[0]):
		f.first++
		f.prefix = append(f.prefix[:0], f.values[0][f.first])
	default:
		return factored
	}
	return goOn
}
