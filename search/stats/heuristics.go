package stats

// Kind says of what statistics are kept: how semimoves are told apart.
// (Split Moves for Monte-Carlo Tree Search, Action-based heuristics.)
type Kind uint8

// The kinds.
const (
	None    Kind = iota
	Split        // each semimove by itself, whatever was chosen before it
	Join         // whole moves
	Context      // semimoves after what was chosen before them in the same move
	Mix          // Context, but Split as long as Context has few samples
)

// Decay says when the statistics of MAST lose weight (Tak, Winands and
// Björnsson, Decaying Simulation Strategies).
type Decay string

// The times of decay.
const (
	DecayNever      Decay = "none"
	DecayMove       Decay = "move"       // when a move is played in the match
	DecaySimulation Decay = "simulation" // after each iteration, of what was played in it
)

// wholeSamples says whether a sample is no more than added to a sum: that is what the short
// way to the sums does (learn_split.go). A decay that is not named here goes the long way.
func (d Decay) wholeSamples() bool { return d == "" || d == DecayNever || d == DecayMove }

// Mast are the parameters of the Move-Average Sampling Technique: playouts (and
// the order in which the tree tries semimoves) prefer what has gone with high
// goals in all iterations. What was never met counts as if it had the highest.
type Mast struct {
	Kind    Kind
	Epsilon float64 // probability of a uniform choice

	Decay       Decay
	DecayFactor float64 // weights are multiplied by it
	// PlainTree leaves the order in which the tree tries semimoves to chance.
	PlainTree bool
	// MixThreshold is the weight of samples from which on Mix believes the
	// context.
	MixThreshold float64

	Beside
}

// Rave are the parameters of Rapid Action Value Estimation: an edge is valued by
// the iterations through its node in which its semimove was played there or
// later, as long as it has few visits itself. The weight of that is
// sqrt(K / (3N + K)) with K = Equivalence after N visits of the node.
type Rave struct {
	Kind         Kind
	Equivalence  float64
	MixThreshold float64 // as Mast.MixThreshold
}

// DefaultMast are the usual parameters, for no statistics yet.
func DefaultMast() Mast {
	return Mast{Epsilon: 0.4, Decay: DecayNever, DecayFactor: 0.2, MixThreshold: 7, Beside: usualBeside}
}

// DefaultRave are the usual parameters, for no statistics yet.
func DefaultRave() Rave { return Rave{Equivalence: 250, MixThreshold: 7} }

// Bounded has no value beyond its range, and a kind for sequences.
func (m Mast) Bounded() Mast {
	m.NGram = min(m.NGram, 3)
	if m.NGram > 1 && m.Kind == None {
		m.Kind = Split
	}
	return m
}

// Average is a sum of goals over samples, in [0, 1] each.
type Average struct{ Sum, N float64 }

// Add adds a sample.
func (s *Average) Add(v float64) { s.Sum, s.N = s.Sum+v, s.N+1 }

func (s *Average) decay(factor float64) { s.Sum, s.N = s.Sum*factor, s.N*factor }

// score is the mean, 1 without samples.
func (s *Average) score() float64 {
	if s.N <= 0 {
		return 1
	}
	return s.Sum / s.N
}
