package search

// Kind says of what statistics are kept: how semimoves are told apart.
// (Split Moves for Monte-Carlo Tree Search, Action-based heuristics.)
type Kind uint8

const (
	None    Kind = iota
	Split        // each semimove by itself, whatever was chosen before it
	Join         // whole moves
	Context      // semimoves after what was chosen before them in the same move
	Mix          // Context, but Split as long as Context has few samples
)

// Decay says when the statistics of MAST lose weight (Tak, Winands and
// Björnsson, Decaying Simulation Strategies).
type Decay uint8

const (
	DecayNever      Decay = iota
	DecayMove             // when a move is played in the match
	DecayBatch            // after every DecayBatch iterations
	DecaySimulation       // after each iteration, of what was played in it
)

// Mast are the parameters of the Move-Average Sampling Technique: playouts (and
// the order in which the tree tries semimoves) prefer what has gone with high
// goals in all iterations. What was never met counts as if it had the highest.
type Mast struct {
	Kind    Kind
	Epsilon float64 // probability of a uniform choice; default 0.4, negative: 0

	Decay       Decay
	DecayFactor float64 // weights are multiplied by it; default 0.2
	DecayBatch  int     // default 1000

	// TreeOnly gathers statistics of what was chosen in the tree only.
	TreeOnly bool
	// PlainTree leaves the order in which the tree tries semimoves to chance.
	PlainTree bool
	// MixThreshold is the weight of samples from which on Mix believes the
	// context; default 7.
	MixThreshold float64

	// NGram is the length up to which sequences of joint moves are told apart
	// (N-gram Average Sampling Technique): the score of a semimove is the mean
	// over the lengths, those above 1 from NGramThreshold samples on (default
	// 7). 0 or 1 is MAST, up to 3.
	NGram          int
	NGramThreshold float64
}

// Rave are the parameters of Rapid Action Value Estimation: an edge is valued by
// the iterations through its node in which its semimove was played there or
// later, as long as it has few visits itself. The weight of that is
// sqrt(K / (3N + K)) with K = Equivalence after N visits of the node.
type Rave struct {
	Kind         Kind
	Equivalence  float64 // default 250
	MixThreshold float64 // as Mast.MixThreshold; default 7
}

func (m Mast) withDefaults() Mast {
	if m.Epsilon == 0 {
		m.Epsilon = 0.4
	}
	m.Epsilon = max(m.Epsilon, 0)
	setDefault(&m.DecayFactor, 0.2)
	setDefault(&m.MixThreshold, 7)
	setDefault(&m.NGramThreshold, 7)
	if m.DecayBatch <= 0 {
		m.DecayBatch = 1000
	}
	m.NGram = min(m.NGram, 3)
	if m.NGram > 1 && m.Kind == None {
		m.Kind = Split
	}
	return m
}

func (r Rave) withDefaults() Rave {
	setDefault(&r.Equivalence, 250)
	setDefault(&r.MixThreshold, 7)
	return r
}

func setDefault(v *float64, to float64) {
	if *v <= 0 {
		*v = to
	}
}

// stat is a sum of goals over samples, in [0, 1] each.
type stat struct{ sum, n float64 }

func (s *stat) add(v float64) { s.sum, s.n = s.sum+v, s.n+1 }

func (s *stat) decay(factor float64) { s.sum, s.n = s.sum*factor, s.n*factor }

// score is the mean, 1 without samples.
func (s *stat) score() float64 {
	if s.n <= 0 {
		return 1
	}
	return s.sum / s.n
}
