package player

import (
	"slices"
	"strings"
)

// HeuristicVariant says what the statistics of MAST and RAVE are kept of.
type HeuristicVariant string

// The variants. The standard variant is always one of the first two.
const (
	SplitVariant   HeuristicVariant = "split"   // semimoves, wherever in a move they stand
	JoinVariant    HeuristicVariant = "join"    // whole moves
	ContextVariant HeuristicVariant = "context" // prefixes of moves
	MixVariant     HeuristicVariant = "mix"     // semimoves, until there are samples enough in context
)

// Decay is when the weights of samples are multiplied by the decay factor
// (Tak, Winands, Björnsson: Decaying simulation strategies, 2014).
type Decay string

// The kinds of decay.
const (
	DecayNone       Decay = "none"
	DecayMove       Decay = "move"       // after each move of the match
	DecayBatch      Decay = "batch"      // after each DecayBatch iterations
	DecaySimulation Decay = "simulation" // after each iteration, what it played
)

// PlayoutPolicy is the epsilon-greedy choice of MAST and NST, and the life of
// their samples.
type PlayoutPolicy struct {
	Epsilon     float64 // probability of a uniform choice
	Decay       Decay
	DecayFactor float64 // in [0.001, 1]
	DecayBatch  int64   // iterations
	TreeOnly    bool    // only moves chosen in the tree are sampled
}

// Mast is the move-average sampling technique: which statistics, and how they
// choose the moves of playouts.
type Mast struct {
	PlayoutPolicy
	Variant HeuristicVariant // what is used, after what table 3 calls equivalent has been resolved

	// Long are the longer statistics of MixVariant: ContextVariant, or
	// JoinVariant where only whole moves are chosen. MixThreshold is the
	// weight of their samples from which they are used.
	Long         HeuristicVariant
	MixThreshold float64

	// Expansion: the statistics also choose which semimove the tree tries
	// first. Not for whole-move statistics in trees of semimoves.
	Expansion bool
}

// Rave is rapid action value estimation: AMAF scores in the selection.
type Rave struct {
	Variant      HeuristicVariant // as in Mast
	Long         HeuristicVariant // of MixVariant: ContextVariant
	MixThreshold float64

	// EquivalenceParameter is the number of iterations of a node at which the
	// AMAF score weighs as much as the mean.
	EquivalenceParameter float64
}

// Nst are statistics of sequences of moves (Tak, Winands, Björnsson: N-grams
// and the last-good-reply policy applied in general game playing, 2012).
type Nst struct {
	PlayoutPolicy
	Length    int     // longest sequence: 2 or 3
	Threshold float64 // weight of samples from which a sequence counts
}

// Mast is the agent's MAST. It is false for an agent without, and for one
// that Check refuses.
func (a Agent) Mast() (Mast, bool) {
	h, variant := a.heuristic(mastNames)
	if h == nil {
		return Mast{}, false
	}
	use, err := a.combination().resolve("mast", variant)
	if err != nil {
		return Mast{}, false
	}
	m := Mast{PlayoutPolicy: h.policy(), Variant: use.variant, Long: use.long, Expansion: use.expansion}
	if use.variant == MixVariant {
		m.MixThreshold = h.number("mix_threshold")
	}
	return m, true
}

// Rave is the agent's RAVE. It is false for an agent without, and for one
// that Check refuses.
func (a Agent) Rave() (Rave, bool) {
	h, variant := a.heuristic(raveNames)
	if h == nil {
		return Rave{}, false
	}
	use, err := a.combination().resolve("rave", variant)
	if err != nil {
		return Rave{}, false
	}
	r := Rave{Variant: use.variant, Long: use.long, EquivalenceParameter: h.number("equivalence_parameter")}
	if use.variant == MixVariant {
		r.MixThreshold = h.number("mix_threshold")
	}
	return r, true
}

// Nst are the agent's N-gram statistics. It is false for an agent without.
func (a Agent) Nst() (Nst, bool) {
	h, _ := a.heuristic(nstNames)
	if h == nil {
		return Nst{}, false
	}
	return Nst{PlayoutPolicy: h.policy(), Length: int(h.number("ngram_length")), Threshold: h.number("ngram_threshold")}, true
}

// heuristic is the first entry with one of the names, and its variant, ""
// for the standard one.
func (a Agent) heuristic(names []string) (*Heuristic, HeuristicVariant) {
	for i := range a.Heuristics {
		if h := &a.Heuristics[i]; slices.Contains(names, h.Name) {
			_, variant := h.parts()
			return h, variant
		}
	}
	return nil, ""
}

// parts splits the name into family and variant.
func (h *Heuristic) parts() (family string, variant HeuristicVariant) {
	family, rest, _ := strings.Cut(h.Name, "-")
	return family, HeuristicVariant(rest)
}

func (h *Heuristic) policy() PlayoutPolicy {
	return PlayoutPolicy{
		Epsilon: h.number("epsilon"), Decay: Decay(h.text("decay")), DecayFactor: h.number("decay_factor"),
		DecayBatch: int64(h.number("decay_batch")), TreeOnly: h.value("tree_only") == true,
	}
}

// value is a parameter as given, or its default.
func (h *Heuristic) value(key string) any {
	if v, given := h.Parameters[key]; given {
		return v
	}
	return findParameter(heuristicSection, key).Default
}

func (h *Heuristic) text(key string) string {
	switch v := h.value(key).(type) {
	case string:
		return v
	case Decay:
		return string(v)
	}
	return ""
}

func (h *Heuristic) number(key string) float64 {
	switch v := h.value(key).(type) {
	case float64:
		return v
	case int:
		return float64(v)
	case int64:
		return float64(v)
	}
	return 0
}

// complete returns the heuristic with every parameter that it takes, numbers
// as float64 like those that were read.
func (h Heuristic) complete() Heuristic {
	all := map[string]any{}
	for _, p := range parametersOf(h.Name) {
		all[p.Key] = h.value(p.Key)
		if p.Kind == IntegerKind || p.Kind == NumberKind {
			all[p.Key] = h.number(p.Key)
		}
	}
	return Heuristic{Name: h.Name, Parameters: all}
}
