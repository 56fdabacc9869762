package combinatorial

// chooseNaive is naive sampling, section 3.3: with some probability each dimension is
// drawn from a bandit of its own, else the best combination so far is taken.
func (s *Search) chooseNaive(number uint32, c *choice, f *flight) bool {
	if len(c.tried) > 0 && !s.rng.Passes(s.options.Explore) {
		n := c.tried[0]
		s.take(n, c, f)
		s.album.rise(c, n)
		return true
	}
	for _, d := range s.partial.shuffled(s.rng) {
		if s.rng.Passes(s.options.ExploreLocal) {
			s.partial.takeRandom(s.rng, int(d))
		} else {
			s.partial.takeBest(s.rng, int(d), func(_ int, v int32) float64 { return c.values[v].mean() })
		}
	}
	n := s.album.find(number, s.partial.move)
	known := n != 0
	if !known {
		if !s.hasRoom() {
			return false
		}
		n = s.album.add(number, c, s.partial.move)
	}
	s.take(n, c, f)
	s.album.rise(c, n)
	return known
}
