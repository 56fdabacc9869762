package stats

// beside are the statistics that guide playouts beside MAST: of what a lane has played
// before, such as sequences of moves. Each is a file, a field here, which is nil where the
// parameters do not ask for it, and a line in each function below that it needs. They are
// no list of interfaces: scores are asked for thousands of times in a playout.
type beside struct {
	grams *grams
}

// Beside are the parameters of the statistics beside MAST.
type Beside struct {
	// NGram is the length up to which sequences of joint moves are told apart
	// (N-gram Average Sampling Technique): the score of a semimove is the mean
	// over the lengths, those above 1 from NGramThreshold samples on. 0 or
	// 1 is MAST, up to 3.
	NGram          int
	NGramThreshold float64
}

// usualBeside are the usual parameters, for no statistics yet.
var usualBeside = Beside{NGramThreshold: 7}

// newBeside makes the statistics that the learner's parameters ask for.
func newBeside(n *Learner) beside { return beside{grams: newGrams(n)} }

// any says whether there are statistics beside MAST: then lanes choose one by one, not by a
// common order, and what is learned is joint moves.
func (s *beside) any() bool { return *s != beside{} }

// record adds the joint moves of an iteration, in the learner's Joints, that ended with
// goals by role.
func (s *beside) record(goals []float64) {
	if s.grams != nil {
		s.grams.record(goals)
	}
}

// decay takes weight from all samples.
func (s *beside) decay(factor float64) {
	if s.grams != nil {
		s.grams.decay(factor)
	}
}

// left says that a lane plays on from a state of the tree.
func (s *beside) left(lane int) {
	if s.grams != nil {
		s.grams.left(lane)
	}
}

// played says that lanes have played a joint move, which the trace has.
func (s *beside) played(lanes []uint64) {
	if s.grams != nil {
		s.grams.played(lanes)
	}
}

// choose says that scores are asked for next of what a role may choose in a lane, after
// a path of labels in the same move.
func (s *beside) choose(lane, role int, path []uint32) {
	if s.grams != nil {
		s.grams.choose(lane, role, path)
	}
}

// score is that of a semimove of the engine, of which MAST says score.
func (s *beside) score(score float64, role, level int, semimove uint32) float64 {
	if s.grams != nil {
		score = s.grams.score(score, role, level, semimove)
	}
	return score
}
