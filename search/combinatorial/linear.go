package combinatorial

import (
	"math"
	"math/bits"
	"slices"
	"sort"
)

// linear is how far linear side information (section 3.4) has come in a choice. It
// measures values one after the other in one part of the budget, draws candidates by what
// they seem to be worth, and halves these (section 3.1.3) in the rest. The parts are told
// by how much of the budget is used, so it serves for iterations and for time (section
// 3.4.1).
type linear struct {
	weights    []tally  // of values, by number, when they were measured
	measured   uint32   // samples of that in this cycle
	candidates []uint32 // in the album, those that are left
	rounds     int      // of halving, in all
	round      int
	next       int // candidate
	passes     int // of all candidates in this round

	winner uint32 // of the cycles that came to their last round; 0: none has
}

// weightMark as the highest bit of a mark: it is the number of a value.
const weightMark = 1 << 31

// chooseLinear draws the next sample.
func (s *Search) chooseLinear(number uint32, c *choice, f *flight) {
	l := &c.linear
	if l.weights == nil {
		l.weights = make([]tally, len(c.values))
	}
	if l.candidates == nil {
		if s.progress() < s.options.Generate || l.measured < uint32(s.engine.Lanes()) {
			l.measure(s, c, f)
			return
		}
		l.draw(s, number, c)
	}
	l.halve(s)
	if len(l.candidates) == 0 {
		s.partial.fillRandom(s.rng)
		return
	}
	s.take(l.candidates[l.next], c, f)
	if l.next++; l.next == len(l.candidates) {
		l.next = 0
		l.passes++
	}
}

// measure samples the next value: with null values beside it, or with random ones. Values
// are taken by turns, dimension by dimension.
func (l *linear) measure(s *Search, c *choice, f *flight) {
	number := int32(l.measured % uint32(len(l.weights)))
	l.measured++
	d := sort.Search(c.space.dims(), func(d int) bool { return c.space.first[d+1] > number })
	v := number - c.space.first[d]
	if s.partial.move[d] == open {
		s.partial.take(d, v)
	}
	if s.options.Side == SideVertices {
		for d := range s.partial.move {
			if s.partial.move[d] == open && s.partial.can(d, c.space.null[d]) {
				s.partial.take(d, c.space.null[d])
			}
		}
	}
	s.partial.fillRandom(s.rng)
	l.weights[number].visits++
	f.marks = append(f.marks, uint32(number)|weightMark)
}

// draw makes the candidates, as many as can be halved in what is left of the budget, each
// value with a probability that is proportional to what it seems to be worth.
func (l *linear) draw(s *Search, number uint32, c *choice) {
	left := int(s.samples() * (1 - s.progress()))
	wanted := 1
	for k := 2; k*bits.Len(uint(k-1)) <= left; k *= 2 {
		wanted = k
	}
	l.candidates = []uint32{}
	drawn := map[uint32]bool{}
	if l.winner != 0 { // it has to show again that it is the best
		l.candidates, drawn[l.winner] = append(l.candidates, l.winner), true
	}
	for range 2 * wanted {
		if len(l.candidates) == wanted || !s.hasRoom() {
			break
		}
		s.partial.begin(c.space)
		for _, d := range s.partial.shuffled(s.rng) {
			s.partial.take(int(d), l.drawn(s, c, int(d)))
		}
		n := s.album.find(number, s.partial.move) // of an earlier cycle, or of this one
		if n == 0 {
			n = s.album.add(number, c, s.partial.move)
		}
		if !drawn[n] {
			drawn[n] = true
			l.candidates = append(l.candidates, n)
		}
	}
	s.partial.begin(c.space)
	l.rounds, l.round, l.next, l.passes = bits.Len(uint(max(len(l.candidates)-1, 0))), 0, 0, 0
}

// drawn is a value of an open dimension.
func (l *linear) drawn(s *Search, c *choice, d int) int32 {
	first, total := c.space.first[d], 0.0
	for v := range int32(len(c.space.values[d])) {
		if s.partial.can(d, v) {
			total += l.weights[first+v].mean()
		}
	}
	target := float64(s.rng.Uint64()>>11) * 0x1p-53 * total
	last, count := int32(0), uint32(0)
	for v := range int32(len(c.space.values[d])) {
		if !s.partial.can(d, v) {
			continue
		}
		if total == 0 { // nothing is known: each alike
			if count++; s.rng.Below(count) == 0 {
				last = v
			}
			continue
		}
		last = v
		if target -= l.weights[first+v].mean(); target < 0 {
			break
		}
	}
	return last
}

// halve leaves the better half of the candidates when the part of the budget for this
// round is used up and each was sampled.
func (l *linear) halve(s *Search) {
	for l.passes > 0 && len(l.candidates) > 1 {
		end := s.options.Generate + (1-s.options.Generate)*float64(l.round+1)/float64(l.rounds)
		pass := float64(len(l.candidates)) / s.samples()
		if l.next > 0 || s.progress()+pass <= end { // another pass fits into the round
			return
		}
		slices.SortStableFunc(l.candidates, func(a, b uint32) int {
			switch x, y := s.album.mean(a), s.album.mean(b); {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		l.candidates = l.candidates[:(len(l.candidates)+1)/2]
		l.round++
		l.next, l.passes = 0, 0
	}
}

// learn takes a result to a mark.
func (l *linear) learn(s *Search, mark uint32, goal float64) {
	if mark&weightMark != 0 {
		l.weights[mark&^weightMark].sum += goal
		return
	}
	s.album.combinations.At(mark).sum += goal
}

// forget takes a mark back.
func (l *linear) forget(s *Search, mark uint32) {
	if mark&weightMark != 0 {
		l.weights[mark&^weightMark].visits--
		return
	}
	s.album.combinations.At(mark).visits--
}

// best is the candidate with the best mean; 0: there is none that was sampled. As long as many
// are left a mean is luck, so the winner of the cycles before stands.
func (l *linear) best(s *Search) (best uint32) {
	if l.winner != 0 && !l.decided() {
		return l.winner
	}
	most := math.Inf(-1)
	for _, n := range l.candidates {
		if x := s.album.combinations.At(n); x.visits > 0 && x.mean() > most {
			best, most = n, x.mean()
		}
	}
	return best
}

// decided tells whether a cycle has come to its last round.
func (l *linear) decided() bool { return len(l.candidates) == 1 || len(l.candidates) == 2 }

// begin starts a new cycle, with what is known of values and of the moves that won.
func (l *linear) begin(s *Search) {
	if l.decided() {
		l.winner = l.best(s)
	}
	l.candidates, l.measured = nil, 0
}
