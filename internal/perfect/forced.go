package perfect

// racing are rules of a game that is won at once, not by points.
type racing[P comparable] interface {
	rules[P]
	// reach tells in how many moves at the earliest the mover can win, and the
	// opponent, counting the moves of both. settled is 1 if the mover can win at
	// once for sure, and -1 if the opponent will then, whatever the mover does.
	reach(p P) (own, other, settled int)
	// replies are next without moves that lose at once.
	replies(p P, into []step[P]) []step[P]
}

// sure is the value of a match that is won; a win after n moves is sure - n.
const sure = 1000

// forced finds wins by alpha-beta search to a depth that grows, where all that
// lies deeper counts 0. A value that is not 0 holds at every greater depth too,
// and its distance is exact.
type forced[P comparable] struct {
	rules racing[P]
	table table[P]
}

// newForced is a Game with a table of 2^bits slots.
func newForced[P comparable](r racing[P], bits int) *match[P] {
	f := &forced[P]{r, newTable[P](bits)}
	return newMatch[P](r, f.solve)
}

func (f *forced[P]) solve(p P, steps []step[P], _, nodes int) []Outcome {
	outcomes := make([]Outcome, len(steps))
	f.table.nodes, f.table.limit = 0, nodes
	left := f.rules.left(p)
	for depth, open := 1, len(steps); open > 0 && depth <= left; depth++ {
		for i, s := range steps {
			if outcomes[i].Known {
				continue
			}
			// All that is nearer was found before.
			v := nearer(-f.search(s.to, depth-1, -(sure - depth + 1), sure-depth+1))
			if f.table.spent() {
				return outcomes
			}
			if v != 0 {
				outcomes[i] = Outcome{Known: true, Value: signum(v), Distance: sure - max(v, -v)}
				open--
			} else if depth == left {
				outcomes[i] = Outcome{Known: true, Distance: left}
			}
		}
	}
	return outcomes
}

// nearer is a value seen a move earlier; further undoes that.
func nearer(v int) int  { return v - signum(v) }
func further(v int) int { return v + signum(v) }

// search is the value of a position if it is within alpha and beta, or a bound of
// it.
func (f *forced[P]) search(p P, depth, alpha, beta int) int {
	if worth, ended := f.rules.over(p); ended {
		return worth * sure
	}
	low, high := 0, 0
	own, other, settled := f.rules.reach(p)
	if settled > 0 && depth >= 1 {
		return sure - 1
	}
	if settled < 0 && depth >= 2 {
		return 2 - sure
	}
	if f.table.nodes++; f.table.spent() {
		return 0
	}
	if own <= depth {
		high = sure - own
	}
	if other <= depth {
		low = other - sure
	}
	if high <= alpha || low == high {
		return high
	}
	if low >= beta {
		return low
	}
	alpha, beta = max(alpha, low-1), min(beta, high+1) // so that low and high are within
	e := f.table.slot(f.rules.hash(p))
	first := 0
	if e.kind != nothing && e.p == p {
		if known := *e; known.value != 0 || int(known.depth) >= depth {
			if v := int(known.value); sure-max(v, -v) > depth {
				known.value = 0
			}
			if known.cuts(alpha, beta) {
				return int(known.value)
			}
		}
		first = int(e.best)
	}
	best, at := f.best(p, depth, alpha, beta, low, high, first)
	if f.table.spent() {
		return 0
	}
	*e = entry[P]{p, int16(best), int16(depth), kindOf(best, alpha, beta), uint8(at)}
	return best
}

// best is the value of the best move, and its index. first is tried first; the
// position is worth low at least, and high at most.
func (f *forced[P]) best(p P, depth, alpha, beta, low, high, first int) (best, at int) {
	begin := len(f.table.stack)
	f.table.stack = f.rules.replies(p, f.table.stack)
	end := len(f.table.stack)
	best = low
	for n := range end - begin {
		i := n // first, and then the others in their order
		if n == 0 {
			i = first
		} else if n <= first {
			i = n - 1
		}
		to := f.table.stack[begin+i].to
		v := nearer(-f.search(to, depth-1, -further(beta), -further(max(alpha, best))))
		if v > best {
			best, at = v, i
		}
		if best >= beta || best >= high || f.table.spent() {
			break
		}
	}
	f.table.stack = f.table.stack[:begin]
	return best, at
}
