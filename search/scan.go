package search

// scanPlain is scan, an edge at a time. Products are rounded before they are
// added, so that all processors choose alike.
func (s *store) scanPlain(trie uint32, bonus float32) (best, ties uint32) {
	high := last
	for c := trie; c != 0; {
		at := s.chunks.at(c)
		for i := range at.value {
			switch score := at.value[i] + float32(bonus*at.root[i]); {
			case score > high:
				best, high, ties = edgeID(c, uint32(i)), score, 1
			case score == high && ties > 0:
				ties++
			}
		}
		c = at.next
	}
	return best, ties
}

// nthBest is, of the edges with the score of the best one, the one after skip others.
func (s *store) nthBest(trie uint32, bonus float32, best, skip uint32) uint32 {
	at := s.chunks.at(best >> placeBits)
	high := at.value[best&placeMask] + float32(bonus*at.root[best&placeMask])
	for c := trie; c != 0; {
		at := s.chunks.at(c)
		for i := range at.value {
			if at.value[i]+float32(bonus*at.root[i]) != high {
				continue
			}
			if skip == 0 {
				return edgeID(c, uint32(i))
			}
			skip--
		}
		c = at.next
	}
	return best
}
