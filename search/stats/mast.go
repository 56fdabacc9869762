package stats

// mast holds the statistics of MAST and of N-grams, which one worker gathers.
// Moves come as labels in the finest way in which they are split, by level.
type mast struct {
	Mast
	Split     [][][]Average // by role, level and label
	positions *positions
	Context   []Average // by position
	grams     grams
	records   int  // iterations recorded
	fresh     int  // of these, since a move was played
	fading    bool // DecaySimulation
}

func newMast(m Mast, spaces []int) *mast {
	s := &mast{Mast: m, fading: m.Decay == DecaySimulation, positions: newPositions(len(spaces))}
	for _, levels := range spaces {
		s.Split = append(s.Split, make([][]Average, levels))
	}
	return s
}

// splitStat is the statistic of a label at a level of a role.
func (m *mast) splitStat(role, level int, label uint32) *Average {
	of := &m.Split[role][level]
	for int(label) >= len(*of) {
		*of = append(*of, Average{})
	}
	return &(*of)[label]
}

// contextStat is the statistic of a position.
func (m *mast) contextStat(position uint32) *Average {
	for int(position) >= len(m.Context) {
		m.Context = append(m.Context, Average{})
	}
	return &m.Context[position]
}

// record adds the move of a role in an iteration that ended with a goal.
func (m *mast) record(role int, labels []uint32, goal float64) {
	if m.Kind == Split || m.Kind == Mix {
		for level, label := range labels {
			m.sample(m.splitStat(role, level, label), goal)
		}
	}
	if m.Kind == Split {
		return
	}
	position := uint32(role) + 1
	for _, label := range labels {
		if position = m.positions.add(position, label); position == 0 {
			return
		}
		m.sample(m.contextStat(position), goal)
	}
}

func (m *mast) sample(s *Average, goal float64) {
	if m.fading {
		s.decay(m.DecayFactor)
	}
	s.Add(goal)
}

// position is that of labels; 0 if it was never met.
func (m *mast) position(role int, labels []uint32) uint32 {
	position := uint32(role) + 1
	for _, label := range labels {
		position = m.positions.find(position, label)
	}
	return position
}

// score values a label at a level, after a prefix with that position.
func (m *mast) score(role, level int, position, label uint32) float64 {
	if m.Kind == Split || m.Kind == Mix && position == 0 {
		return m.splitScore(role, level, label)
	}
	after := m.positions.find(position, label)
	if after == 0 || int(after) >= len(m.Context) {
		if m.Kind == Mix {
			return m.splitScore(role, level, label)
		}
		return 1
	}
	s := &m.Context[after]
	if m.Kind == Mix && s.N < m.MixThreshold {
		return m.splitScore(role, level, label)
	}
	return s.score()
}

func (m *mast) splitScore(role, level int, label uint32) float64 {
	of := m.Split[role][level]
	if int(label) >= len(of) {
		return 1
	}
	return of[label].score()
}

// pathScore values labels that are chosen at once, from a level on, after a
// prefix with that position. The score of a submove is the mean of those of its
// semimoves, but 1 if one of them was never met; by context it is that of the
// submove itself.
func (m *mast) pathScore(role, level int, position uint32, labels []uint32) float64 {
	if m.Kind != Split {
		at := position
		for _, label := range labels {
			at = m.positions.find(at, label)
		}
		if at != 0 && int(at) < len(m.Context) {
			if s := &m.Context[at]; m.Kind != Mix || s.N >= m.MixThreshold {
				return s.score()
			}
		}
		if m.Kind != Mix {
			return 1
		}
	}
	sum := 0.0
	for i, label := range labels {
		of := m.Split[role][level+i]
		if int(label) >= len(of) || of[label].N <= 0 {
			return 1
		}
		sum += of[label].score()
	}
	return sum / float64(len(labels))
}

// All of the first learnAll iterations of a move are learned from, then one in
// learnEvery: hundreds of thousands a second tell no more of a few hundred moves
// than a quarter of them, and reading what a playout chose takes a seventh of the
// time of an iteration.
const (
	learnAll   = 1 << 15
	learnEvery = 4
)

// passesOver tells whether nothing is learned from the iteration at hand.
func (m *mast) passesOver() bool { return m.fresh >= learnAll && m.fresh%learnEvery != 0 }

// recorded ends an iteration.
func (m *mast) recorded() {
	m.records++
	m.fresh++
}

// moved says that a move was played in the match.
func (m *mast) moved() {
	m.fresh = 0
	if m.Decay == DecayMove {
		m.decayAll()
	}
}

// decayAll takes weight from all samples.
func (m *mast) decayAll() {
	for _, levels := range m.Split {
		for _, of := range levels {
			for i := range of {
				of[i].decay(m.DecayFactor)
			}
		}
	}
	for i := range m.Context {
		m.Context[i].decay(m.DecayFactor)
	}
	m.grams.decay(m.DecayFactor)
}
