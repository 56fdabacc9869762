package search

import "semisplit/search/engine"

// Knowledge is an evaluation of states, and what a search does with it: it can
// weigh what moves are worth against the means of their playouts, and end
// playouts before the game does. The names are those of M. Lanctot et al., Monte
// Carlo Tree Search with Heuristic Evaluations using Implicit Minimax Backups,
// 2014, which compares these uses. The zero value uses nothing.
type Knowledge struct {
	Evaluate engine.Evaluator // nil: nothing is used

	Alpha float64 // weight of what a move is worth, in [0, 1]; 0: none
	Bias  Bias    // how Alpha weighs it

	// Scouts are engines that look ahead for those of the tree, one for each, of the
	// same machine: where one role alone chooses, a new node is worth at first what
	// Evaluate says of the best state that a move leads to, not of its own. That
	// costs a Step of a lane for each move. nil: nobody looks.
	Scouts []engine.Engine

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

func (k Knowledge) withDefaults() Knowledge {
	k.Alpha = min(max(k.Alpha, 0), 1)
	return k
}

// values tells whether nodes and edges keep what they are worth.
func (k *Knowledge) values() bool { return k.Evaluate != nil && (k.Alpha > 0 || k.Priors > 0) }

// backsUp tells whether what nodes are worth comes from below.
func (k *Knowledge) backsUp() bool { return k.Bias != ConstantBias }

// mixture is how an edge's mean and what it is worth make its value.
type mixture struct {
	alpha, priors float64
	progressive   bool
}

func (k *Knowledge) mixture() mixture { return mixture{k.Alpha, k.Priors, k.Bias == ProgressiveBias} }

// mixed is the value of an edge for selection, by the mean of its playouts, which
// were so many, and by what it is worth.
func (s *store) mixed(id uint32, mean float64, visits uint32) float64 {
	edgeWorth := *s.edgeWorth(id)
	if edgeWorth == unvalued {
		return mean
	}
	m, worth, n := &s.mixture, float64(edgeWorth), float64(visits)
	if m.priors > 0 {
		mean = (mean*n + worth*m.priors) / (n + m.priors)
	}
	if m.progressive {
		worth /= n + 1
	}
	return (1-m.alpha)*mean + m.alpha*worth
}

// maximize replaces the values that a backup carries upwards by the mean of the
// best move of a node's mover; the other of two roles gets the rest.
func (t *Tree) maximize(n uint32, values []float64) {
	if int(t.nodes.At(n).visits) < t.options.Knowledge.MaxBackup {
		return
	}
	mover := t.mover(n)
	if mover < 0 {
		return
	}
	best, trie := -1.0, t.tries(n)[mover]
	for level := t.levels[mover]; level > 0 && trie != 0 && trie != dead; level-- {
		best = -1
		next := uint32(0)
		t.edgesOf(trie, func(_ uint32, e *edge) bool {
			if e.child == dead || e.visits == 0 {
				return true
			}
			if mean := e.sum() / float64(e.visits); mean > best {
				best, next = mean, e.child
			}
			return true
		})
		trie = next
	}
	if best < 0 {
		return
	}
	if len(values) == 2 {
		values[1-mover] = values[0] + values[1] - best
	}
	values[mover] = best
}

// backUpMaxima adds a result to the edges of a lane's path from the last one on,
// changed by each node that it comes to.
func (w *worker) backUpMaxima(l *lane, values []float64) {
	t, k := w.t, len(w.roleOf)
	of := append(w.values[:0], values...)
	for i := len(l.edges) - 1; i >= 0; i-- {
		n, r := l.nodes[i/k], w.roleOf[i%k]
		switch id := l.edges[i]; {
		case isLoose(id):
		case id&forced != 0:
			t.nodes.At(n).sums[r] += of[r]
		default:
			t.addResult(id, of[r])
		}
		if i%k == 0 {
			t.maximize(n, of)
		}
	}
}
