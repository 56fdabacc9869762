// Package graph walks directed graphs whose nodes are numbers.
package graph

// Components finds strongly connected components (Tarjan 1972). It keeps its
// own stack: a chain of rules can be as long as their text.
type Components[N ~int32] struct {
	next  func(N) []N
	found func([]N)

	index []int32 // by node: order of discovery, from 1; 0: not seen
	low   []int32 // lowest index that is reachable; -1: the component is complete
	count int32
	open  []N // nodes that were left, whose component is not complete
	path  []step[N]
}

// step is a node on the path of the walk and the nodes still to be seen from it.
type step[N ~int32] struct {
	node N
	next []N
}

// NewComponents returns a walk of the nodes below n. It asks for the nodes that
// a node leads to once, and tells of each component after all those that it
// leads to. The slice with its nodes is valid until found returns. They come in the
// order in which the walk left them: a node after what it leads to, except where that
// closes a cycle.
func NewComponents[N ~int32](n int, next func(N) []N, found func([]N)) *Components[N] {
	return &Components[N]{next: next, found: found, index: make([]int32, n), low: make([]int32, n)}
}

// Visit walks what a root leads to and has not been seen.
func (c *Components[N]) Visit(root N) {
	if c.index[root] != 0 {
		return
	}
	c.enter(root)
	for len(c.path) > 0 {
		top := &c.path[len(c.path)-1]
		n := top.node
		if len(top.next) > 0 {
			to := top.next[0]
			top.next = top.next[1:]
			switch {
			case c.index[to] == 0:
				c.enter(to)
			case c.low[to] >= 0:
				c.low[n] = min(c.low[n], c.index[to])
			}
			continue
		}
		c.path, c.open = c.path[:len(c.path)-1], append(c.open, n)
		if c.low[n] == c.index[n] {
			c.complete(n)
		} else {
			parent := c.path[len(c.path)-1].node
			c.low[parent] = min(c.low[parent], c.low[n])
		}
	}
}

func (c *Components[N]) enter(n N) {
	c.count++
	c.index[n], c.low[n] = c.count, c.count
	c.path = append(c.path, step[N]{n, c.next(n)})
}

// complete takes the component of n, which was discovered first of it and left last, off
// the open nodes.
func (c *Components[N]) complete(n N) {
	first := len(c.open) - 1
	for first > 0 && c.index[c.open[first-1]] > c.index[n] {
		first--
	}
	group := c.open[first:]
	for _, m := range group {
		c.low[m] = -1
	}
	c.found(group)
	c.open = c.open[:first]
}
