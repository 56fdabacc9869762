package ahead

// pick chooses a move of the mover: one that wins, the best by its value, or a
// random one. Struck ones count where there are no others.
func (e *playouts) pick(o *onePly) int {
	switch {
	case o.win >= 0:
		return o.win
	case o.left == 0:
		clear(o.struck)
		o.left = len(o.struck)
	}
	if o.greedy {
		return e.pickBest(o)
	}
	return e.pickAny(o)
}

func (e *playouts) pickBest(o *onePly) int {
	best, ties := -1, 0
	for i, v := range o.values {
		switch {
		case o.struck[i] || best >= 0 && v < o.values[best]:
		case best < 0 || v > o.values[best]:
			best, ties = i, 1
		default:
			if ties++; e.rng.IntN(ties) == 0 {
				best = i
			}
		}
	}
	return best
}

// pickAny is uniform among the semimoves that have a future, at each level.
func (e *playouts) pickAny(o *onePly) int {
	from, to := 0, len(o.struck)
	if o.levels == 1 && o.left == to {
		return e.rng.IntN(to)
	}
	for level := range o.levels {
		// A choice among as many as have been seen so far, each as likely.
		seen, low, high := 0, from, from
		for i := from; i < to; {
			end, open := i, false
			for ; end < to && o.path(end)[level] == o.path(i)[level]; end++ {
				open = open || !o.struck[end]
			}
			if open {
				if seen++; e.rng.IntN(seen) == 0 {
					low, high = i, end
				}
			}
			i = end
		}
		from, to = low, high
	}
	return from
}
