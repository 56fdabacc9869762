package perfect

// points finds by how many points a match ends, by alpha-beta search to its end.
type points[P comparable] struct {
	rules rules[P]
	table table[P]
}

// newPoints is a Game with a table of 2^bits slots.
func newPoints[P comparable](r rules[P], bits int) *match[P] {
	s := &points[P]{r, newTable[P](bits)}
	return newMatch(r, s.solve)
}

// most is more than any margin.
const most = 100

func (s *points[P]) solve(p P, steps []step[P], lead, nodes int) []Outcome {
	outcomes := make([]Outcome, len(steps))
	s.table.nodes, s.table.limit = 0, nodes
	for i, m := range steps {
		margin := lead + s.after(&m, -most, most)
		if s.table.spent() {
			break
		}
		outcomes[i] = Outcome{Known: true, Value: signum(margin), Distance: s.rules.left(p)}
	}
	return outcomes
}

// after is what a move brings its mover from there on.
func (s *points[P]) after(m *step[P], alpha, beta int) int {
	gain := int(m.gain)
	if m.again {
		return gain + s.search(m.to, alpha-gain, beta-gain)
	}
	return gain - s.search(m.to, gain-beta, gain-alpha)
}

// search is the margin of the mover from a position on if it is within alpha and
// beta, or a bound of it.
func (s *points[P]) search(p P, alpha, beta int) int {
	if worth, ended := s.rules.over(p); ended {
		return worth
	}
	if s.table.nodes++; s.table.spent() {
		return 0
	}
	e := s.table.slot(s.rules.hash(p))
	first := 0
	if e.kind != nothing && e.p == p {
		if e.cuts(alpha, beta) {
			return int(e.value)
		}
		first = int(e.best)
	}
	begin := len(s.table.stack)
	s.table.stack = s.rules.next(p, s.table.stack)
	end := len(s.table.stack)
	best, at := -most, 0
	for n := range end - begin {
		i := n // first, and then the others in their order
		if n == 0 {
			i = first
		} else if n <= first {
			i = n - 1
		}
		m := s.table.stack[begin+i]
		if v := s.after(&m, max(alpha, best), beta); v > best {
			best, at = v, i
		}
		if best >= beta || s.table.spent() {
			break
		}
	}
	s.table.stack = s.table.stack[:begin]
	if s.table.spent() {
		return 0
	}
	*e = entry[P]{p: p, value: int16(best), kind: kindOf(best, alpha, beta), best: uint8(at)}
	return best
}
