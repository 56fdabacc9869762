// Package heuristic keeps what the nodes and edges of a tree are worth by an evaluation of
// states, beside the means of playouts.
package heuristic

import (
	"semisplit/search/engine"
)

// Knowledge is an evaluation of states, and what a search does with it: it can
// weigh what moves are worth against the means of their playouts, and end
// playouts before the game does. The names are those of M. Lanctot et al., Monte
// Carlo Tree Search with Heuristic Evaluations using Implicit Minimax Backups,
// 2014, which compares these uses. The zero value uses nothing.
type Knowledge struct {
	Evaluate engine.Evaluator // nil: nothing is used

	Alpha float64 // weight of what a move is worth, in [0, 1]; 0: none
	Bias  Bias    // how Alpha weighs it

	// Lookahead are engines that look ahead for those of the tree, one for each, of the
	// same machine: where one role alone chooses, a new node is worth at first what
	// Evaluate says of the best state that a move leads to, not of its own. That
	// costs a Step of a lane for each move. nil: nobody looks.
	Lookahead []engine.Engine

	// Priors is a number of visits: each move starts with the mean that it is worth,
	// as if it had been visited so often. 0: none.
	Priors float64

	// MaxBackup is the number of visits of a node from which on it passes upwards
	// not the result of a playout but the mean of its best move. 0: never.
	MaxBackup int

	// Fixed is the number of joint moves below the tree after which a playout ends
	// with the evaluation of the state that it has reached. 0: at the game's end.
	Fixed int

	// Dynamic ends a playout, as won and lost, when the evaluation says of a state that
	// a role has at least this advantage, in (0, 1], where 0 is even and 1 is won.
	// Every dynamicEvery joint moves states are looked at. 0: never.
	Dynamic float64
}

// Bias says what becomes of the mean of a move's playouts.
type Bias uint8

// The biases.
const (
	ImplicitMinimax Bias = iota // (1-Alpha) mean + Alpha worth, with worth by minimax from what is below
	ConstantBias                // the same with the evaluation of the state that the move leads to
	ProgressiveBias             // (1-Alpha) mean + Alpha worth / (visits + 1), with worth by minimax
)

// KeepsValues tells whether nodes and edges keep what they are worth.
func (k *Knowledge) KeepsValues() bool { return k.Evaluate != nil && (k.Alpha > 0 || k.Priors > 0) }

// Guesses tells whether playouts end by the evaluation after a fixed length.
func (k *Knowledge) Guesses() bool { return k.Evaluate != nil && k.Fixed > 0 }

// EndsSure tells whether they end where the evaluation is sure.
func (k *Knowledge) EndsSure() bool { return k.Evaluate != nil && k.Dynamic > 0 }

// backsUp tells whether what nodes are worth comes from below.
func (k *Knowledge) backsUp() bool { return k.Bias != ConstantBias }

// mixture is how an edge's mean and what it is worth make its value.
type mixture struct {
	alpha, priors float64
	progressive   bool
}

func (k *Knowledge) mixture() mixture { return mixture{k.Alpha, k.Priors, k.Bias == ProgressiveBias} }

// Mixed is the value of an edge for selection, by the mean of its playouts, which
// were so many, and by what it is worth.
func (s *Values) Mixed(id uint32, mean float64, visits uint32) float64 {
	edgeValue := *s.EdgeOf(id)
	if edgeValue == Unvalued {
		return mean
	}
	m, known, n := &s.mixture, float64(edgeValue), float64(visits)
	if m.priors > 0 {
		mean = (mean*n + known*m.priors) / (n + m.priors)
	}
	if m.progressive {
		known /= n + 1
	}
	return (1-m.alpha)*mean + m.alpha*known
}
