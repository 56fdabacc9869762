package mcts

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"semisplit/search"
	"semisplit/search/encoding"
	"semisplit/search/engine"
	"semisplit/search/proof"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// searcher is a tree of nodal states with the engine that makes it grow. In each state
// every role has a trie of its semimoves; its edges carry the visits and the goals of
// that role. During a search it belongs to a goroutine of its own.
type searcher struct {
	tree.Tree
	proof.Prover
	heuristicValues
	finalChoice
	rave      stats.EdgeRave
	options   Options
	encodings []encoding.Moves // by role
	worker    *worker

	err    error
	begun  int // iterations begun in this search
	done   int // iterations backed up in this search
	budget int // iterations to begin; 0: no bound
	states int // joint moves for the engine; 0: no bound

	hurried int // lanes in flight that want of time calls for
	clock

	plan bestLine // of a game for one

	resisting bool // the root is decided, and the search goes on; see resists

	member *member // of a forest; nil: the tree stands alone
}

// newSearcher makes a tree without a root; number is that of the engine among several.
func newSearcher(e engine.Engine, levels []int, o Options, number int) *searcher {
	t := &searcher{options: o.bounded(len(levels))}
	t.halt = new(atomic.Bool)
	t.encodings = encoding.New(levels, o.Whole, o.Divide)
	t.Tree.Init(encoding.Levels(t.encodings), t.options.Memory)
	if t.options.Transpositions {
		t.Index.KeepIndex(&t.Tree)
	}
	t.rave.Keep(&t.Tree, t.options.Rave)
	t.Prover.Keep(&t.Tree, o.Solver, t.options.PN, t.options.Chance)
	t.heuristicValues.keep(&t.Tree, t.options.Knowledge, t.options.Chance)
	t.finalChoice = finalChoice{
		Prover: &t.Prover, worths: &t.heuristicValues, final: t.options.Final, pn: t.options.PN,
	}
	t.worker = newWorker(t, e, number)
	return t
}

// SetRoot starts a new tree at a state. After an error (the engine cannot
// follow the rules there) there is no root.
func (t *searcher) SetRoot(state []uint64) error {
	t.worker.reset()
	t.Clear()
	t.newPlan()
	if t.Roles == 0 {
		return errors.New("search: a game needs a role")
	}
	w := t.worker
	for i := range w.lanes {
		w.engine.Unload(i)
	}
	w.engine.Load(0, state, nil)
	var never atomic.Bool
	ended, err := w.engine.Step(&never)
	if err != nil {
		return fmt.Errorf("search: root: %w", err)
	}
	words, flags := state, uint16(0)
	if ended[0]&1 != 0 {
		w.engine.Goals(0, w.goals)
		w.state = w.state[:0]
		for _, v := range w.goals {
			w.state = append(w.state, math.Float64bits(v))
		}
		words, flags = w.state, tree.FlagTerminal
	}
	w.engine.Unload(0)
	t.NewRoot(words, flags)
	return nil
}

// Advance makes the state after a joint move (as in Engine.Load) the root,
// with its visits and all that is below it. If the tree does not hold that
// state it returns false: the tree is empty then, and SetRoot must follow before
// the next search. Until then each further joint move must be told as well, for
// the line that a game for one is played by goes on without the tree.
func (t *searcher) Advance(joint []uint32) (kept bool) {
	old := t.Root
	if old == 0 {
		t.followPlan(joint, false)
		return false
	}
	t.worker.reset()
	t.Reroot(t.Resolve(t.follow(old, joint)))
	t.worker.learner.Moved()
	t.followPlan(joint, t.Root != 0)
	return t.Root != 0
}

// follow finds the child of n by a joint move; 0: none.
func (t *searcher) follow(n uint32, joint []uint32) uint32 {
	edges := t.edgesOf(n, joint)
	if edges == nil {
		return 0
	}
	leaves, i := make([]uint32, 0, t.Roles), 0
	for _, levels := range t.Levels {
		i += levels
		leaves = append(leaves, edges[i-1])
	}
	return t.Child(n, leaves)
}

// edgesOf are the edges of a node that a joint move takes; nil: it does not hold them.
func (t *searcher) edgesOf(n uint32, joint []uint32) (edges []uint32) {
	for r := range t.Levels {
		s := &t.encodings[r]
		if len(joint) < s.EngineLevels {
			return nil
		}
		labels, known := s.Labels(joint[:s.EngineLevels])
		if !known {
			return nil
		}
		joint = joint[s.EngineLevels:]
		trie := t.Tries(n)[r]
		if tree.IsForced(trie) {
			if labels[0] != trie&^tree.Forced {
				return nil
			}
			edges = append(edges, trie)
			continue
		}
		for _, x := range labels {
			found := false
			t.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
				if found = e.Semimove == x; found {
					edges, trie = append(edges, id), e.Child
				}
				return !found
			})
			if !found {
				return nil
			}
		}
	}
	if len(joint) > 0 {
		return nil
	}
	return edges
}

// Terminal says whether the root is a terminal state.
func (t *searcher) Terminal() bool {
	return t.Root != 0 && t.Node(t.Root).Flags&tree.FlagTerminal != 0
}

// RootVisits are the visits of the root, those of earlier searches included.
func (t *searcher) RootVisits() int {
	if t.Root == 0 {
		return 0
	}
	return int(t.Node(t.Root).Visits)
}

// Best is the move that the search recommends to a role, as the engine's
// semimoves; see Final. What the tree does not know of it (in the raw variant)
// is drawn at random. It is false as long as nothing was searched, and in a
// terminal state.
func (t *searcher) Best(role int) (path []uint32, ok bool) {
	if t.Root == 0 || role < 0 || role >= t.Roles {
		return nil, false
	}
	if t.followsPlan() {
		return slices.Clone(t.plan.moves[0]), true
	}
	edges := t.best(t.Root, role, nil)
	if len(edges) == 0 {
		return nil, false
	}
	labels := t.Semimoves(edges, nil)
	if len(labels) < t.Levels[role] {
		if labels = t.completed(role, labels); labels == nil {
			return nil, false
		}
	}
	return t.encodings[role].AppendPath(nil, labels), true
}

// completed draws what follows after labels of a role in the root; nil if the
// engine does not know.
func (t *searcher) completed(role int, labels []uint32) []uint32 {
	w := t.worker
	w.reset()
	for i := range w.lanes {
		w.engine.Unload(i)
	}
	w.engine.Load(0, t.Words(t.Root, nil), nil)
	var never atomic.Bool
	if _, err := w.engine.Step(&never); err != nil {
		return nil
	}
	l := &w.lanes[0]
	l.offers[role] = w.look(0, role, l.offers[role][:0])
	w.prefix = append(w.prefix[:0], labels...)
	w.picked, w.pickedTries = w.picked[:0], w.pickedTries[:0]
	found := w.completeLoose(0, role)
	w.engine.Unload(0)
	if !found {
		return nil
	}
	return append([]uint32(nil), w.prefix...)
}

// lineLength bounds the principal line, in joint moves.
const lineLength = 40

// line is the principal line: the best move of every role, as far as the tree
// goes.
func (t *searcher) line() (line [][]uint32) {
	if t.Root != 0 && t.followsPlan() {
		return slices.Clone(t.plan.moves[:min(len(t.plan.moves), lineLength)])
	}
	for n := t.Root; n != 0 && len(line) < lineLength; {
		var joint, leaves []uint32
		for r, levels := range t.Levels {
			edges := t.best(n, r, nil)
			if len(edges) < levels {
				return line
			}
			joint = t.encodings[r].AppendPath(joint, t.Semimoves(edges, nil))
			leaves = append(leaves, edges[levels-1])
		}
		line = append(line, joint)
		n = t.Resolve(t.Child(n, leaves))
	}
	return line
}

// value is the mean goal of each role at the root; nil without visits.
func (t *searcher) value() []float64 {
	if t.Root == 0 {
		return nil
	}
	if t.Terminal() {
		return t.Goals(t.Root, nil)
	}
	values := make([]float64, t.Roles)
	for r := range values {
		if len(t.best(t.Root, r, nil)) == 0 {
			return nil
		}
		values[r] = t.Mean(t.Root, r)
	}
	return values
}

// RootEdges lists the semimoves of a role in the root, prefixes before what
// follows them, in the order of their numbers; what is known to lead nowhere
// is left out.
func (t *searcher) RootEdges(role int) []search.EdgeStats {
	if t.Root == 0 || role < 0 || role >= t.Roles {
		return nil
	}
	trie := t.Tries(t.Root)[role]
	if tree.IsForced(trie) {
		e := t.ForcedEdge(t.Root, role)
		return []search.EdgeStats{t.statsOf(role, &e, nil)}
	}
	return t.stats(role, trie, nil, nil)
}
