package tree

// Weights are those of UCB1's exploration, and of ranks, in a score.
type Weights struct{ Exploration, Bonus float32 }

// score is what an edge is chosen by: UCB1, or UCT-PN where there are ranks. Products
// are rounded before they are added, so that all processors choose alike.
func (s *Edges) score(at *Chunk, id uint32, by Weights) float32 {
	i := id & PlaceMask
	score := at.value[i] + float32(by.Exploration*at.invSqrtVisits[i])
	if s.HasBonuses {
		score += float32(by.Bonus * s.bonuses.At(id >> PlaceBits)[i])
	}
	return score
}

// scanPlain is scan, an edge at a time.
func (s *Edges) scanPlain(trie uint32, by Weights) (best, ties uint32) {
	high := excludedScore
	for c := trie; c != 0; {
		at := s.chunks.At(c)
		for i := range uint32(ChunkEdges) {
			switch score := s.score(at, EdgeID(c, i), by); {
			case score > high:
				best, high, ties = EdgeID(c, i), score, 1
			case score == high && ties > 0:
				ties++
			}
		}
		c = at.Next
	}
	return best, ties
}

// NthBest is, of the edges with the score of the best one, the one after skip others.
func (s *Edges) NthBest(trie uint32, by Weights, best, skip uint32) uint32 {
	high := s.score(s.chunks.At(best>>PlaceBits), best, by)
	for c := trie; c != 0; {
		at := s.chunks.At(c)
		for i := range uint32(ChunkEdges) {
			if s.score(at, EdgeID(c, i), by) != high {
				continue
			}
			if skip == 0 {
				return EdgeID(c, i)
			}
			skip--
		}
		c = at.Next
	}
	return best
}
