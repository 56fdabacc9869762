package combinatorial

import (
	"math"

	"semisplit/search/internal/random"
)

// choice is what a role can do in a state of the tree, and what was learned of it.
type choice struct {
	space  *space
	role   int
	node   uint32
	shared bool // another role chooses at the same time
	visits uint32
	values []tally  // of all iterations from that state on, by the number of the value
	root   uint32   // of the partial moves in the graph; 0: none yet
	tried  []uint32 // combinations in the album; in Naive a heap, the best first
	walk   walk     // in Whole
	linear linear   // in Linear
}

// choose draws a move of a choice, which is put into s.partial, and notes in the flight
// what is to be told of its result. It tells whether the move is one of which the search
// has statistics as a whole, so that a state below may follow.
func (s *Search) choose(number uint32, f *flight) (whole bool) {
	c := &s.choices[number]
	s.partial.begin(c.space)
	first := len(f.marks)
	switch {
	case s.partial.left == 0:
		whole = true
	case s.options.isChance(c.role):
		s.partial.fillRandom(s.rng)
		whole = true
	default:
		c.visits++
		switch s.options.Method {
		case Whole:
			whole = s.chooseWhole(number, c, f)
		case Naive:
			whole = s.chooseNaive(number, c, f)
		case Linear:
			s.chooseLinear(number, c, f)
		default:
			whole = s.descend(number, c, f)
			s.fill(c)
		}
	}
	f.visits = append(f.visits, visit{choice: number, move: len(f.moves), marks: first, last: len(f.marks)})
	f.moves = append(f.moves, s.partial.move...)
	return whole
}

// strayEvery: where several roles choose at once, one draw in so many is uniform. With
// upper confidence bounds alone they go in step, and each sees a value of its own beside one
// of the other only: a prisoner's dilemma of two dimensions came out as cooperation.
// Package selection has measurements.
const strayEvery = 16

// strays tells that a draw is to be uniform.
func (c *choice) strays(rng *random.Source) bool { return c.shared && rng.Below(strayEvery) == 0 }

// exploration is the constant in an upper confidence bound: where several roles choose at
// once anything from none to twice the usual, which keeps them from going in step too.
func (c *choice) exploration(usual float64, rng *random.Source) float64 {
	if !c.shared {
		return usual
	}
	return usual * float64(rng.Below(1<<16)) / (1 << 15)
}

// fill completes a partial move for a playout: at random, or now and then by the best
// values.
func (s *Search) fill(c *choice) {
	if s.partial.left > 0 && s.options.Guided > 0 && s.rng.Passes(s.options.Guided) {
		s.partial.fillBest(s.rng, func(_ int, v int32) float64 { return c.values[v].mean() })
	}
	s.partial.fillRandom(s.rng)
}

// rank is what a dimension matters in a choice.
func (s *Search) rank(c *choice, d int) float64 {
	if s.options.Rank != nil {
		if s.ranked != c {
			s.ranks = append(s.ranks[:0], make([]float64, c.space.dims())...)
			s.options.Rank(s.state(c.node), c.role, s.ranks)
			s.ranked = c
		}
		return s.ranks[d]
	}
	return influence(c.values[c.space.first[d]:c.space.first[d+1]])
}

// learn takes the result of an iteration, a goal in [0, 1], to what it went through in a
// choice.
func (s *Search) learn(v visit, f *flight, goal float64) {
	c := &s.choices[v.choice]
	if c.space.size == 1 || s.options.isChance(c.role) {
		return
	}
	for d, place := range f.moves[v.move : v.move+c.space.dims()] {
		t := &c.values[c.space.first[d]+place]
		t.visits++
		t.sum += goal
		if s.mast != nil {
			s.mast.learn(c.role, d, c.space.values[d][place], goal)
		}
	}
	for _, n := range f.marks[v.marks:v.last] {
		switch s.options.Method {
		case Whole, Naive:
			s.album.combinations.At(n).sum += goal
			if s.options.Method == Naive {
				s.album.rise(c, n)
			}
		case Linear:
			c.linear.learn(s, n, goal)
		default:
			s.graph.parts.At(n).sum += goal
		}
	}
}

// forget takes back an iteration that has no result.
func (s *Search) forget(v visit, f *flight) {
	c := &s.choices[v.choice]
	if c.space.size == 1 || s.options.isChance(c.role) {
		return
	}
	c.visits--
	for _, n := range f.marks[v.marks:v.last] {
		switch s.options.Method {
		case Whole, Naive:
			s.album.combinations.At(n).visits--
			if s.options.Method == Naive {
				s.album.rise(c, n)
			}
		case Linear:
			c.linear.forget(s, n)
		default:
			s.graph.parts.At(n).visits--
		}
	}
}

// recommend puts the best move of a choice into s.partial.
func (s *Search) recommend(number uint32) {
	c := &s.choices[number]
	s.partial.begin(c.space)
	best := uint32(0)
	switch s.options.Method {
	case Whole, Naive:
		best = s.album.mostVisited(c)
	case Linear:
		best = c.linear.best(s)
	default:
		s.likely(c)
	}
	if best != 0 {
		copy(s.partial.move, s.album.move(best, c.space.dims()))
		s.partial.left = 0
		return
	}
	s.complete(c)
}

// complete fills the open dimensions of a move that is recommended, section 4.4.
func (s *Search) complete(c *choice) {
	if s.partial.left == 0 {
		return
	}
	switch how := s.options.Completion; {
	case how == CompleteRAVE || s.options.Method == Linear:
		s.partial.fillBest(s.rng, func(_ int, v int32) float64 { return seen(c.values[v]) })
	case how == CompleteMAST && s.mast != nil:
		s.partial.fillBest(s.rng, func(d int, v int32) float64 {
			return seen(s.mast.of(c.role, d, c.space.values[d][v-c.space.first[d]]))
		})
	case how == CompleteAdvice && s.options.Advise != nil:
		s.advise(c)
	}
	s.partial.fillRandom(s.rng)
}

// seen is a mean for which nothing is worse than what was never tried.
func seen(t tally) float64 {
	if t.visits == 0 {
		return math.Inf(-1)
	}
	return t.mean()
}

// advise fills the open dimensions with the values of the advice that are possible.
func (s *Search) advise(c *choice) {
	advice := make([]uint32, c.space.dims())
	s.options.Advise(s.state(c.node), c.role, advice)
	for d, v := range s.partial.move {
		if v != open {
			continue
		}
		for place, semimove := range c.space.values[d] {
			if semimove == advice[d] && s.partial.can(d, int32(place)) {
				s.partial.take(d, int32(place))
			}
		}
	}
}

// mast is the means of values over all states of a tree, by role, dimension and semimove
// (move average sampling, H. Finnsson and Y. Björnsson, Simulation-Based Approach to
// General Game Playing, 2008).
type mast [][][]tally

// most is the number of semimoves of which means are kept.
const most = 1 << 16

func newMAST(levels []int) mast {
	m := make(mast, len(levels))
	for r, n := range levels {
		m[r] = make([][]tally, n)
	}
	return m
}

func (m mast) learn(role, d int, semimove uint32, goal float64) {
	if semimove >= most {
		return
	}
	if n := int(semimove) + 1; n > len(m[role][d]) {
		m[role][d] = append(m[role][d], make([]tally, n-len(m[role][d]))...)
	}
	t := &m[role][d][semimove]
	t.visits++
	t.sum += goal
}

func (m mast) of(role, d int, semimove uint32) tally {
	if int(semimove) >= len(m[role][d]) {
		return tally{}
	}
	return m[role][d][semimove]
}
