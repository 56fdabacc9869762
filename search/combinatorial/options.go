// Package combinatorial searches games whose moves are made of a value in each of several
// dimensions, so many that the product of them cannot be tried. A move is built dimension
// by dimension in a graph of partial moves, or sampled from what each value alone seems to
// be worth.
//
// Most of it follows a thesis, named below by its sections: hierarchical and dimensional
// expansion for Monte Carlo tree search, beside naive Monte Carlo (S. Ontañón, The
// Combinatorial Multi-Armed Bandit Problem and its Application to Real-Time Strategy
// Games, 2013) and linear side information (A. Shleyfman, A. Komenda, C. Domshlak, On
// Combinatorial Actions and CMABs with Linear Side Information, 2014).
//
// Roles that choose at once choose for themselves, each in a graph of its own.
package combinatorial

import (
	"math"
	"slices"

	"semisplit/search"
)

// ErrDimensions is why a game is refused.
const ErrDimensions = search.Refusal("combinatorial: no role has moves of two or more dimensions: Monte Carlo tree search is for such games")

// Check tells whether a game with so many levels by role can be searched: nil, or
// ErrDimensions.
func Check(levels []int) error {
	if !slices.ContainsFunc(levels, func(n int) bool { return n > 1 }) {
		return ErrDimensions
	}
	return nil
}

// Method is how the moves of a state are searched.
type Method uint8

const (
	// Hierarchical takes one dimension after the other, each as a ply of its own: HE,
	// section 4.2.
	Hierarchical Method = iota
	// Dimensional has plies between them that choose the next dimension: DE, section 4.3.
	Dimensional
	// Naive samples by bandits for each dimension, and keeps the best combinations: NMC,
	// section 3.3.
	Naive
	// Linear measures values one by one, draws moves from that and halves them until one
	// is left: LSI, section 3.4. It is for the root; what comes below is played out.
	Linear
	// Whole takes moves as they are: the search that the others are compared with.
	Whole
)

// Order is the order of dimensions in Hierarchical.
type Order uint8

const (
	OrderFixed     Order = iota // of the levels: HE, section 4.2
	OrderRandom                 // drawn when a partial move is expanded: HE,R, section 5.3.1
	OrderKnowledge              // of Options.Rank, or of what dimensions seem to matter: HE,K, section 5.3.1
)

// Completion is how a recommended move goes on where the search knows too little.
type Completion uint8

const (
	CompleteRandom Completion = iota // uniform: e_r, section 4.4
	CompleteRAVE                     // by the means of values in all iterations from the root: e_RAVE, section 4.4
	CompleteMAST                     // by the means of values in all states of the tree
	CompleteAdvice                   // by Options.Advise: e_k, section 4.4
)

// Side is how Linear measures a value of a dimension, section 3.4.
type Side uint8

const (
	SideFacets   Side = iota // with other values drawn at random, anew each time
	SideVertices             // with values without effect, see engine.Space; the lowest ones where there are none
)

// Options are the parameters of a search. The zero value is a search by hierarchical
// expansion with the defaults.
type Options struct {
	Method     Method
	Order      Order
	Completion Completion
	Side       Side

	// Apart keeps partial moves apart that were reached in different orders, as Dimensional
	// has it in the thesis, which loses what they have in common (section 4.3).
	Apart bool

	// Guided is the probability with which a dimension beyond the graph takes the best
	// value known in that state, in [0, 1], rather than a random one. The thesis has 0.
	Guided float64

	// Exploration is the constant before the root in UCB, for goals in [0, 1]. 0: Plain,
	// section 5.1; below 0: none.
	Exploration float64

	// Explore is the probability with which Naive draws by dimension rather than take the
	// best combination (epsilon_0), and ExploreLocal that of a random value in a dimension
	// that is drawn; section 3.3. 0: a quarter.
	Explore, ExploreLocal float64

	// Generate is the part of the budget in which Linear measures values (T_g), section
	// 5.1. 0: a quarter.
	Generate float64

	// RootOnly makes a search without a tree: moves after the first are played out.
	RootOnly bool

	// Rank puts what dimensions matter in a state into dst, by dimension: the higher, the
	// earlier in OrderKnowledge. nil: what their values change in the results so far.
	Rank func(state []uint64, role int, dst []float64)

	// Advise puts a move of a role into dst, by dimension, for CompleteAdvice.
	Advise func(state []uint64, role int, dst []uint32)

	// Memory bounds what is kept, in bytes; beyond it nothing is added. 0: DefaultMemory.
	Memory int64

	// Seed is that of all draws which are not the engine's.
	Seed uint64

	// Chance marks, by role, those that move at random. Shorter than the number of roles:
	// the rest are players.
	Chance []bool
}

// What is meant where Options give nothing.
const (
	Plain         = 1 / math.Sqrt2
	quarter       = 0.25
	DefaultMemory = 256 << 20 // bytes
)

// isChance tells whether a role moves at random.
func (o *Options) isChance(role int) bool { return role < len(o.Chance) && o.Chance[role] }

// filled has the defaults.
func (o Options) filled() Options {
	if o.Exploration == 0 {
		o.Exploration = Plain
	}
	o.Exploration = max(o.Exploration, 0)
	for _, p := range []*float64{&o.Explore, &o.ExploreLocal, &o.Generate} {
		if *p <= 0 || *p >= 1 {
			*p = quarter
		}
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.Method == Linear {
		o.RootOnly = true
	}
	return o
}
