package mcts

import (
	"slices"

	"semisplit/search/encoding"
	"semisplit/search/proof"
	"semisplit/search/stats"
)

// bestLine is the best line from the root to an end that an iteration of a game for
// one has found. Nobody else moves, so it can be played as it is, whatever the
// means say: a playout that reaches the highest goal solves the game.
type bestLine struct {
	value   float64    // the goal at its end
	moves   [][]uint32 // of the engine, from the root on; empty: there is none
	pending bool       // Tree.Advance has lost the tree, and the line goes on
	given   bool       // it was found by another algorithm; see Forest.TakeLine
	proven  bool       // nothing is better
}

// plans says whether the tree keeps a plan: with a solver, and one role that is a
// player.
func (t *searcher) plans() bool { return t.proofs.Bounded && t.tree.Roles == 1 && !t.options.Chance[0] }

// newLine prepares a worker to keep what its playouts play, if its engine tells.
func (w *worker) newLine() {
	if !w.selector.t.plans() {
		return
	}
	w.line = &w.selector.learner.Trace
	if !w.line.Keeps() {
		own := stats.NewTrace(w.selector.engine, encoding.EngineLevels(w.selector.t.encodings))
		w.line = &own
	}
	if !w.line.Keeps() {
		w.line = nil
	}
}

// noteLine keeps the choices of a Step for newLine.
func (w *worker) noteLine() {
	if w.line != nil && w.line != &w.selector.learner.Trace {
		w.line.Note(w.steps, w.moved)
	}
}

// keepLine makes the line of a lane that has come to an end the plan, if there
// is none as good.
func (w *worker) keepLine(l *lane, goals []float64) {
	t := w.selector.t
	if !t.plans() || goals[0] <= t.plan.value {
		return
	}
	var moves [][]uint32
	for at := 0; at < len(l.edges); at += len(w.selector.roleOf) {
		moves = append(moves, w.selector.jointOf(l.edges[at:at+len(w.selector.roleOf)], nil))
	}
	if l.mode == rollout {
		if w.line == nil || w.steps-l.left > stats.TraceSteps {
			return
		}
		for step := l.left + 1; step <= w.steps; step++ {
			if joint, moved := w.line.Played(step, int(l.number), nil); moved {
				moves = append(moves, joint)
			}
		}
	}
	if len(moves) == 0 {
		return
	}
	t.plan = bestLine{value: goals[0], moves: moves}
	if t.decided(t.tree.Root) {
		t.halt.Store(true)
	}
}

// hasPlan says whether there is a plan.
func (t *searcher) hasPlan() bool { return len(t.plan.moves) > 0 }

// followsPlan says whether to play it: nothing better is proven.
func (t *searcher) followsPlan() bool {
	low, _ := proof.Percents(t.plan.value)
	return t.hasPlan() && low >= t.proofs.Lows(t.tree.Root)[0] && !t.Terminal()
}

// isPlanBest says whether nothing is better than the plan.
func (t *searcher) isPlanBest() bool {
	_, high := proof.Percents(t.plan.value)
	return t.hasPlan() && (t.plan.proven || high >= t.proofs.Highs(t.tree.Root)[0])
}

// followPlan goes on in the plan after a joint move, if that is its first.
func (t *searcher) followPlan(joint []uint32, kept bool) {
	if !t.hasPlan() || !slices.Equal(t.plan.moves[0], joint) {
		t.plan = bestLine{}
		return
	}
	t.plan.moves, t.plan.pending = t.plan.moves[1:], !kept
	if !t.hasPlan() {
		t.plan = bestLine{}
	}
}

// newPlan begins a tree at a state: without a plan, unless the one there was goes
// on there.
func (t *searcher) newPlan() {
	if !t.plan.pending {
		t.plan = bestLine{}
	}
	t.plan.pending = false
}
