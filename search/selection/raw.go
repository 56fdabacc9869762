package selection

import "semisplit/search/tree"

// Complete draws what follows after labels of a role in the state of a lane, which was
// read, uniformly at each level; nil if they lead nowhere, as far as was looked. The result is
// valid until the next choice.
func (s *Selector) Complete(lane, role int, labels []uint32) []uint32 {
	s.prefix = append(s.prefix[:0], labels...)
	s.Edges, s.tries, s.vain = s.Edges[:0], s.tries[:0], 0
	if !s.drawRest(lane, role) {
		return nil
	}
	return s.prefix
}

// drawRest draws the semimoves of a role after the prefix, uniformly at each level, and
// picks them as ones that the tree does not store. False: the prefix is dead, or mostVain
// others were.
func (s *Selector) drawRest(lane, role int) bool {
	level := len(s.prefix)
	if level == s.Tree.Levels[role] {
		return true
	}
	first := len(s.drawn)
	s.drawn = s.Offers.After(lane, role, s.prefix, s.drawn)
	defer func() { s.drawn = s.drawn[:first] }()
	for n := len(s.drawn) - first; n > 0 && s.vain <= mostVain; n-- {
		i := first + int(s.Rng.Below(uint32(n)))
		x := s.drawn[i]
		s.drawn[i] = s.drawn[first+n-1]
		s.prefix = s.prefix[:level]
		s.take(tree.Unstored|x, tree.Unstored|x, x)
		if s.drawRest(lane, role) {
			return true
		}
		s.Edges, s.tries = s.Edges[:len(s.Edges)-1], s.tries[:len(s.tries)-1]
	}
	s.prefix = s.prefix[:level]
	s.vain++
	return false
}
