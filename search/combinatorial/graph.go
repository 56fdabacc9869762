package combinatorial

import (
	"math"

	"semisplit/search/internal/hashing"
	"semisplit/search/internal/random"
	"semisplit/search/internal/table"
)

// graph has the partial moves of all choices. A partial move is one element of it in
// whatever order its dimensions were given their values, so what is learned in one order
// serves the others; unless they are to be kept apart.
type graph struct {
	parts table.Of[part]
	edges []edge
	apart bool // parts are told apart by the order of their values as well
}

// part is a partial move, or (in Dimensional) one together with the dimension that comes
// next.
type part struct {
	tally
	key   uint64
	first uint32 // of its edges
	count uint32 // of them; 0: it was not expanded
	dim   int32  // whose values the edges are; dimensions: they are the open dimensions
}

// dimensions as part.dim.
const dimensions = -1

// edge leads to the partial move with one dimension more, or to the same one with a
// dimension that comes next.
type edge struct {
	part  uint32 // 0: it was not taken yet
	which int32  // place of the value, or dimension
}

// base is the key of a choice without any value. No value has the same: the keys of a choice
// and of a value would stand for another choice with another value.
func base(choice uint32) uint64 { return hashing.Of(hashing.Of(1<<63 | uint64(choice))) }

// bytes is what a graph takes, about.
func (g *graph) bytes() int64 {
	return int64(g.parts.Len())*56 + int64(cap(g.edges))*8
}

// target is the part of a partial move with the dimension that comes next.
func (g *graph) target(p *part, d int) uint64 {
	return hashing.Of(p.key + 0x9e3779b97f4a7c15*uint64(d+1))
}

// child is the key of a partial move with a value more. Those of values are put together
// in a way that does not know their order.
func (g *graph) child(p *part, from uint64, d, v int32) uint64 {
	if g.apart {
		return hashing.Of(p.key ^ valueKey(d, v))
	}
	return from ^ valueKey(d, v)
}

// valueKey is what a value of a dimension adds to the key of a partial move. It is spread
// twice: once keeps differences, and these could cancel each other.
func valueKey(d, v int32) uint64 { return hashing.Of(hashing.Of(uint64(d)<<32 | uint64(uint32(v)))) }

// part is the number of the part with a key, which is made if there is none.
func (g *graph) part(key uint64) uint32 {
	n := g.parts.Find(key)
	if n == 0 {
		n = g.parts.Add(key)
		g.parts.At(n).key = key
	}
	return n
}

// expand gives a part its edges: the values of the dimension that comes next, or the open
// dimensions.
func (g *graph) expand(p *part, move *partial, next int) {
	p.first, p.dim = uint32(len(g.edges)), int32(next)
	if next == dimensions {
		for d, v := range move.move {
			if v == open {
				g.edges = append(g.edges, edge{which: int32(d)})
			}
		}
	} else {
		for v := range int32(len(move.space.values[next])) {
			if move.can(next, v) {
				g.edges = append(g.edges, edge{which: v})
			}
		}
	}
	p.count = uint32(len(g.edges)) - p.first
}

// descend goes down the graph of a choice until the partial move is whole, or it meets a
// part that is new, and marks the parts that it passes. It tells whether the move is whole.
func (s *Search) descend(number uint32, c *choice, f *flight) bool {
	if c.root == 0 {
		c.root = s.graph.part(base(number))
	}
	n, from := c.root, base(number)
	next := dimensions // Dimensional: the dimension that was chosen last
	for {
		p := s.graph.parts.At(n)
		p.visits++
		f.marks = append(f.marks, n)
		if s.partial.left == 0 {
			return true
		}
		if p.count == 0 {
			if p.visits == 1 && n != c.root || !s.hasRoom() || n == c.root && s.ignorant(c) {
				return false
			}
			s.graph.expand(p, &s.partial, s.nextDimension(c, next))
		}
		e := s.graph.pick(p, c, s.options.Exploration, s.rng)
		if p.dim == dimensions {
			next = int(e.which)
			if e.part == 0 {
				e.part = s.graph.part(s.graph.target(p, next))
			}
		} else {
			s.partial.take(int(p.dim), e.which)
			if e.part == 0 {
				e.part = s.graph.part(s.graph.child(p, from, p.dim, e.which))
			}
			from ^= valueKey(p.dim, e.which)
			next = dimensions
		}
		n = e.part
	}
}

// nextDimension is the dimension that a part is expanded by, or dimensions if they are its
// edges. chosen is the one that was chosen before, if one was.
func (s *Search) nextDimension(c *choice, chosen int) int {
	if chosen != dimensions {
		return chosen
	}
	if s.options.Method == Dimensional && s.partial.left > 1 {
		return dimensions
	}
	switch s.options.Order {
	case OrderRandom:
		return int(s.partial.shuffled(s.rng)[0])
	case OrderKnowledge:
		best, most := dimensions, math.Inf(-1)
		for d, v := range s.partial.move {
			if v != open {
				continue
			}
			if w := s.rank(c, d); w > most {
				best, most = d, w
			}
		}
		return best
	}
	for d, v := range s.partial.move {
		if v == open {
			return d
		}
	}
	return dimensions
}

// enough is the number of samples for each value from which on their means tell what
// matters.
const enough = 4

// ignorant tells that the order of dimensions is to be learned first.
func (s *Search) ignorant(c *choice) bool {
	return s.options.Method == Hierarchical && s.options.Order == OrderKnowledge && s.options.Rank == nil &&
		int(c.visits) <= enough*int(c.space.first[c.space.dims()])
}

// pick is the edge to take: one that was not taken, at random, or else by its upper
// confidence bound.
func (g *graph) pick(p *part, c *choice, exploration float64, rng *random.Source) *edge {
	edges := g.edges[p.first : p.first+p.count]
	best, ties := 0, uint32(0)
	for i := range edges {
		if edges[i].part == 0 {
			if ties++; rng.Below(ties) == 0 {
				best = i
			}
		}
	}
	if ties > 0 {
		return &edges[best]
	}
	if c.strays(rng) {
		return &edges[rng.Below(p.count)]
	}
	exploration = c.exploration(exploration, rng)
	log, most := math.Log(float64(p.visits)), math.Inf(-1)
	for i := range edges {
		// What was reached in another order may have more visits than this part.
		if u := g.parts.At(edges[i].part).upper(exploration, log); u > most {
			best, most = i, u
		}
	}
	return &edges[best]
}

// likely takes the most visited values from the root of a choice on, as far as there are
// any.
func (s *Search) likely(c *choice) {
	for n := c.root; n != 0 && s.partial.left > 0; {
		p := s.graph.parts.At(n)
		var best edge
		visits := uint32(0)
		for _, e := range s.graph.edges[p.first : p.first+p.count] {
			if e.part == 0 {
				continue
			}
			if v := s.graph.parts.At(e.part).visits; v > visits {
				best, visits = e, v
			}
		}
		if best.part == 0 {
			return
		}
		if p.dim != dimensions {
			s.partial.take(int(p.dim), best.which)
		}
		n = best.part
	}
}
