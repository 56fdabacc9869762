package heuristic

import (
	"fmt"

	"semisplit/search/tree"
)

// Check holds what a node in the tree and its edges are worth against the definition.
func (s *Values) Check(n uint32) error {
	if !s.On {
		return nil
	}
	if s.tree.Node(n).Flags&tree.FlagTerminal != 0 {
		for r, goal := range s.tree.Goals(n, nil) {
			if float32(goal) != s.Of(n)[r] {
				return fmt.Errorf("node %d is terminal and worth %v", n, s.Of(n))
			}
		}
		return nil
	}
	if s.FirstOf(n)[0] == Unvalued {
		return fmt.Errorf("node %d was never evaluated", n)
	}
	mover := s.mover(n)
	if mover < 0 || !s.knowledge.backsUp() {
		return nil
	}
	best, err := s.checkEdges(s.tree.Tries(n)[mover], s.tree.Levels[mover])
	if err != nil {
		return err
	}
	if first := s.FirstOf(n)[mover]; first > best && !s.allValued(n, mover) {
		best = first
	}
	last, child := s.bestChild(n, mover)
	if child != 0 && s.tree.Node(child).Flags&tree.FlagShared != 0 && s.Of(child)[mover] != *s.EdgeOf(last) {
		return nil // it was reached by another line since
	}
	if best != Unvalued && child != 0 && s.Of(n)[mover] != best {
		return fmt.Errorf("node %d is worth %v, and its best edge %v", n, s.Of(n), best)
	}
	return nil
}

// checkEdges is that of a trie node with so many levels, and tells the best of its edges.
func (s *Values) checkEdges(trie uint32, levels int) (best float32, err error) {
	best = Unvalued
	s.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
		worth := *s.EdgeOf(id)
		if levels > 1 && tree.IsTrie(e.Child) {
			below, fault := s.checkEdges(e.Child, levels-1)
			if err = fault; err == nil && below != worth {
				err = fmt.Errorf("edge %d is worth %v, and the best that follows %v", id, worth, below)
			}
		}
		best = max(best, worth)
		return err == nil
	})
	if err != nil || !tree.IsTrie(trie) {
		return best, err
	}
	if id := s.edgeValues.At(trie).best; id == 0 && best != Unvalued || id != 0 && *s.EdgeOf(id) != best {
		err = fmt.Errorf("the best edge of trie %d is %d, and there is one worth %v", trie, id, best)
	}
	return best, err
}
