package stats

import (
	"semisplit/search/internal/hashing"
	"semisplit/search/internal/table"
)

// grams are statistics of sequences of joint moves (N-gram Average Sampling
// Technique), by a hash of the sequence. Two sequences with the same 64 bits are
// taken for one.
type grams struct{ table.Of[Average] }

// gramLimit bounds the sequences, 32 bytes each with their places. What comes later has no
// statistics.
const gramLimit = 1 << 20

// find is the statistic of a sequence; nil if it was never met.
func (g *grams) find(key uint64) *Average {
	if n := g.Find(key); n != 0 {
		return g.At(n)
	}
	return nil
}

// add is find, but makes the statistic; nil if there are too many.
func (g *grams) add(key uint64) *Average {
	n := g.Find(key)
	if n == 0 {
		if g.Len() >= gramLimit {
			return nil
		}
		n = g.Add(key)
	}
	return g.At(n)
}

func (g *grams) decay(factor float64) {
	for n := range g.Len() {
		g.At(uint32(n + 1)).decay(factor)
	}
}

// then is the key of a label of a role at a level, after what has that key.
func then(key uint64, role, level int, label uint32) uint64 {
	return hashing.Of(key ^ uint64(role)<<48 ^ uint64(level)<<40 ^ uint64(label))
}

// recordGrams adds the move of a role that came after the last joint move, and
// after the last two, with these keys (0: there were none).
func (m *mast) recordGrams(role int, labels []uint32, before [2]uint64, goal float64) {
	for _, key := range before[:m.NGram-1] {
		if key == 0 {
			return
		}
		for level, label := range labels {
			key = then(key, role, level, label)
			if s := m.grams.add(key); s != nil {
				m.sample(s, goal)
			}
		}
	}
}

// gramScore is the mean of a score with those of the sequences that end with a
// label. keys are those of the sequences up to the label, by length.
func (m *mast) gramScore(score float64, role, level int, keys []uint64, label uint32) float64 {
	n := 1.0
	for _, key := range keys {
		if key == 0 {
			break
		}
		if s := m.grams.find(then(key, role, level, label)); s != nil && s.N >= m.NGramThreshold {
			score += s.score()
			n++
		}
	}
	return score / n
}
