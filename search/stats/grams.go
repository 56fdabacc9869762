package stats

// grams are statistics of sequences of joint moves (N-gram Average Sampling
// Technique), by a hash of the sequence. Two sequences with the same 64 bits are
// taken for one.
type grams struct {
	keys  []uint64 // hash table; 0: empty
	stats []Average
	used  int
}

// gramLimit bounds the sequences, 24 bytes each. What comes later has no
// statistics.
const gramLimit = 1 << 20

func newGrams() grams { return grams{keys: make([]uint64, 1024), stats: make([]Average, 1024)} }

func (g *grams) place(key uint64) int {
	mask := len(g.keys) - 1
	i := int(key) & mask
	for g.keys[i] != 0 && g.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// find is the statistic of a sequence; nil if it was never met.
func (g *grams) find(key uint64) *Average {
	if i := g.place(key | 1); g.keys[i] != 0 {
		return &g.stats[i]
	}
	return nil
}

// at is find, but makes the statistic; nil if there are too many.
func (g *grams) at(key uint64) *Average {
	key |= 1
	i := g.place(key)
	if g.keys[i] != 0 {
		return &g.stats[i]
	}
	if g.used == gramLimit {
		return nil
	}
	if g.used++; g.used*2 > len(g.keys) {
		keys, stats := g.keys, g.stats
		g.keys, g.stats = make([]uint64, 2*len(keys)), make([]Average, 2*len(stats))
		for k, key := range keys {
			if key != 0 {
				j := g.place(key)
				g.keys[j], g.stats[j] = key, stats[k]
			}
		}
		i = g.place(key)
	}
	g.keys[i] = key
	return &g.stats[i]
}

func (g *grams) decay(factor float64) {
	for i := range g.stats {
		g.stats[i].decay(factor)
	}
}

// then is the key of a label of a role at a level, after what has that key.
func then(key uint64, role, level int, label uint32) uint64 {
	return Hash(key ^ uint64(role)<<48 ^ uint64(level)<<40 ^ uint64(label))
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
			if s := m.grams.at(key); s != nil {
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
