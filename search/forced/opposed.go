package forced

import "math"

// opposition remembers the goals of all ends that were seen in a game for two, and
// tells whether what is better for one was never better for the other. Then it is
// rational for each to force the other down.
type opposition struct {
	seen   [][2]float64 // goals of us, and of the other
	last   [2]float64
	broken bool
}

// mostSeen bounds the pairs of goals.
const mostSeen = 256

// note notes the goals of an end.
func (o *opposition) note(us, them float64) {
	if o.broken {
		return
	}
	pair := [2]float64{us, them}
	if pair == o.last && len(o.seen) > 0 {
		return
	}
	o.last = pair
	for _, p := range o.seen {
		if p == pair {
			return
		}
		if (p[0]-pair[0])*(p[1]-pair[1]) > 0 {
			o.broken = true
			return
		}
	}
	if o.seen = append(o.seen, pair); len(o.seen) > mostSeen {
		o.broken = true
	}
}

// constant is the sum of both goals, if all ends that were seen have the same.
func (o *opposition) constant() (sum float64, ok bool) {
	if len(o.seen) == 0 {
		return 0, false
	}
	sum = o.seen[0][0] + o.seen[0][1]
	for _, p := range o.seen {
		if math.Abs(p[0]+p[1]-sum) > 1e-9 {
			return 0, false
		}
	}
	return sum, true
}
