package canonical

import (
	"context"
	"slices"
)

// mostWork bounds the edges that are looked at in all, for about a second.
const mostWork = 1 << 28

// coloring gives the nodes of a graph colours that depend on its shape alone.
type coloring struct {
	graph *graph
	ctx   context.Context
	work  int // edges that may still be looked at

	next, sorted []uint64
}

// discrete refines colours until no two symbols or variables are alike. Where they are, it takes
// the smallest class and gives one of its members a colour of its own: the one that
// leads to the least colouring. Members that lead to the same can change places.
func (c *coloring) discrete(colors []uint64) ([]uint64, error) {
	colors, err := c.refine(slices.Clone(colors))
	for err == nil {
		class := c.smallestClass(colors)
		if class == nil {
			return colors, nil
		}
		var best []uint64
		var least uint64
		for _, node := range class {
			single := slices.Clone(colors)
			single[node] = mix(single[node] + 1)
			if single, err = c.refine(single); err != nil {
				return nil, err
			}
			if sum := total(single); best == nil || sum < least {
				best, least = single, sum
			}
		}
		colors = best
	}
	return nil, err
}

// refine gives each node a colour made of its own and those of its neighbours, until
// that tells no more nodes apart. It takes over the slice.
func (c *coloring) refine(colors []uint64) ([]uint64, error) {
	count := c.distinct(colors)
	for {
		if c.work -= len(c.graph.edges); c.work < 0 {
			return nil, ErrSymmetric
		}
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		c.next = append(c.next[:0], colors...)
		for _, e := range c.graph.edges {
			c.next[e.from] += mix(colors[e.to] + e.label*2)
			c.next[e.to] += mix(mix(colors[e.from]) + e.label*2 + 1)
		}
		for i, color := range c.next {
			colors[i] = mix(color)
		}
		more := c.distinct(colors)
		if more <= count {
			return colors, nil
		}
		count = more
	}
}

// distinct is how many colours there are.
func (c *coloring) distinct(colors []uint64) int {
	c.sorted = append(c.sorted[:0], colors...)
	slices.Sort(c.sorted)
	return len(slices.Compact(c.sorted))
}

// smallestClass is the smallest class of at least two symbols or variables that share a
// colour, of several the one with the least colour; nil: all differ.
func (c *coloring) smallestClass(colors []uint64) []int {
	classes := map[uint64][]int{}
	for node, kind := range c.graph.initial {
		if node < len(c.graph.symbols) || kind == colorVariable {
			classes[colors[node]] = append(classes[colors[node]], node)
		}
	}
	var best []int
	for color, class := range classes {
		if len(class) > 1 && (best == nil || len(class) < len(best) || len(class) == len(best) && color < colors[best[0]]) {
			best = class
		}
	}
	return best
}

// total is a hash of all colours, whatever their order.
func total(colors []uint64) (sum uint64) {
	for _, color := range colors {
		sum += mix(color)
	}
	return sum
}

// mix is the finalizer of SplitMix64 (Steele et al. 2014), which is a bijection.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
