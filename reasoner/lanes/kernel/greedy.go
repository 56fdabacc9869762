package kernel

// Greedy gives each lane in want the first of its offers in the given order
// of semimoves (numbers below their count, which is not checked), and adds that to
// the selections of the level; semimoves that are not in order are not chosen.
// The lanes in want without any of these offers are put into missing. want
// and missing are slots, and may be the same.
func (l *Level) Greedy(order []int32, slots, want, missing []uint64) {
	l.greedy(slots, slots, l.scaled, order, want, missing)
}

// GreedyFrom is Greedy with the offers in the slots from base on.
func (l *Level) GreedyFrom(base int32, order []int32, slots, want, missing []uint64) {
	l.greedy(slots, slots[int(base)*l.set.words:], l.row, order, want, missing)
}

func (l *Level) greedy(slots, source []uint64, offers []uint32, order []int32, want, missing []uint64) {
	s := l.set
	sel := slots[int(l.sel)*s.words : (int(l.sel)+len(offers))*s.words]
	want, missing = want[:s.words], missing[:s.words]
	if len(order) == 0 {
		copy(missing, want)
		return
	}
	if s.isa != isaGo {
		l.greedyVector(source, sel, offers, order, want, missing)
		return
	}
	var rest [MaxWords]uint64
	left := rest[:s.words]
	copy(left, want)
	for _, k := range order {
		offer := source[offers[k]/8:][:s.words]
		out := sel[int(k)*s.words:][:s.words]
		any := uint64(0)
		for w, x := range left {
			out[w] |= x & offer[w]
			left[w] = x &^ offer[w]
			any |= left[w]
		}
		if any == 0 {
			break
		}
	}
	copy(missing, left)
}
