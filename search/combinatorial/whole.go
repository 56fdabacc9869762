package combinatorial

import "math"

// walk goes through all moves of a space once, in an order that looks random: from one to
// another by steps of a length that has no factor in common with their number.
type walk struct {
	at, step uint64
	done     uint64 // moves that it came to
}

// chooseWhole takes a move that was not tried, as long as there is one, and then that with
// the highest upper confidence bound.
func (s *Search) chooseWhole(number uint32, c *choice, f *flight) bool {
	if c.walk.done < c.space.size && s.hasRoom() {
		s.walkOn(c)
		n := s.album.find(number, s.partial.move) // random ones may come again
		if n == 0 {
			n = s.album.add(number, c, s.partial.move)
		}
		s.album.combinations.At(n).visits++
		f.marks = append(f.marks, n)
		return false
	}
	if len(c.tried) == 0 {
		s.partial.fillRandom(s.rng)
		return false
	}
	if c.strays(s.rng) {
		s.take(c.tried[s.rng.Below(uint32(len(c.tried)))], c, f)
		return true
	}
	exploration := c.exploration(s.options.Exploration, s.rng)
	log, most, best := math.Log(float64(c.visits)), math.Inf(-1), uint32(0)
	for _, n := range c.tried {
		if u := s.album.combinations.At(n).upper(exploration, log); u > most {
			most, best = u, n
		}
	}
	s.take(best, c, f)
	return true
}

// take makes a combination the move, and marks it.
func (s *Search) take(n uint32, c *choice, f *flight) {
	s.album.combinations.At(n).visits++
	f.marks = append(f.marks, n)
	copy(s.partial.move, s.album.move(n, c.space.dims()))
	s.partial.left = 0
}

// walkOn puts the next move of the walk into s.partial. Of a space that cannot be counted
// it is a random one.
func (s *Search) walkOn(c *choice) {
	w := &c.walk
	if c.space.size == math.MaxUint64 {
		w.done++
		s.partial.fillRandom(s.rng)
		return
	}
	if w.step == 0 {
		w.at, w.step = s.rng.Uint64()%c.space.size, s.rng.Uint64()%c.space.size|1
		for factor(w.step, c.space.size) != 1 {
			w.step++
		}
	}
	if w.at >= c.space.size-w.step%c.space.size { // without an overflow
		w.at -= c.space.size - w.step%c.space.size
	} else {
		w.at += w.step % c.space.size
	}
	w.done++
	if c.space.rows != nil {
		copy(s.partial.move, c.space.rows[w.at*uint64(c.space.dims()):])
	} else {
		at := w.at
		for d, values := range c.space.values {
			s.partial.move[d] = int32(at % uint64(len(values)))
			at /= uint64(len(values))
		}
	}
	s.partial.left = 0
}

// factor is the greatest common one.
func factor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
