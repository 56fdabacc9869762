package tree

import "math"

// Touching ahead. The processor waits for one load while it starts others, if
// none needs the result of another and no branch depends on it. So memory that
// several lanes will need is read in plain loops before any lane works on it.
// The sums only keep the loads from being left out.

// TouchTries reads the first chunks of a node's tries.
func (s *Tree) TouchTries(n uint32) (sum uint32) {
	for _, trie := range s.Tries(n) {
		if IsTrie(trie) {
			c := s.Edges.chunks.At(trie)
			sum += c.count + c.Edges[0].Visits + c.Edges[4].Visits + math.Float32bits(c.value[0])
		}
	}
	return sum
}

// TouchNext reads what comes after them.
func (s *Tree) TouchNext(n uint32) (sum uint32) {
	for _, trie := range s.Tries(n) {
		if !IsTrie(trie) {
			continue
		}
		c := s.Edges.chunks.At(trie)
		if c.left > 0 {
			sum += s.Edges.cells.At(c.untried).next
		}
		if c.Next != 0 {
			next := s.Edges.chunks.At(c.Next)
			sum += next.Next + next.Edges[0].Visits + next.Edges[4].Visits + math.Float32bits(next.value[0])
		}
	}
	return sum
}

// TouchState reads the first cell of a node's state.
func (s *Tree) TouchState(n uint32) uint32 {
	if c := s.nodes.At(n).state; c != 0 {
		return s.Edges.cells.At(c).next
	}
	return 0
}
