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
	"semisplit/search/final"
	"semisplit/search/proof"
	"semisplit/search/tree"
)

// searcher is a tree of nodal states with the engine that makes it grow. In each state
// every role has a trie of its semimoves; its edges carry the visits and the goals of
// that role. During a search it belongs to a goroutine of its own.
type searcher struct {
	parts
	allowance
	final  final.Choice
	worker *worker
}

// newSearcher makes a tree without a root; number is that of the engine among several.
func newSearcher(e engine.Engine, levels []int, o Options, number int) *searcher {
	t := new(searcher)
	t.options = o.bounded(len(levels))
	t.halt = new(atomic.Bool)
	t.encodings = encoding.New(levels, o.Whole, o.Divide)
	t.tree.Init(encoding.Levels(t.encodings), t.options.Memory)
	for r := range t.encodings {
		if whole := t.encodings[r].Whole; whole != nil {
			whole.CountTo(func(bytes int64) { t.tree.Edges.Memory.Bytes += bytes })
		}
	}
	if t.options.Transpositions {
		t.tree.Index.KeepIndex(&t.tree)
	}
	t.rave.Keep(&t.tree, t.options.Rave)
	t.grave.Keep(&t.tree, t.options.Grave)
	t.proofs.Keep(&t.tree, o.Solver, t.options.PN, t.options.Chance)
	t.values.Keep(&t.tree, t.options.Knowledge, t.options.Chance)
	t.final = final.New(&t.tree, &t.proofs, &t.values, t.options.Final, t.options.PN)
	t.worker = newWorker(&t.parts, &t.allowance, e, number)
	return t
}

// SetRoot starts a new tree at a state. After an error (the engine cannot
// follow the rules there) there is no root.
func (t *searcher) SetRoot(state []uint64) error {
	t.tree.Clear()
	t.line.Begin()
	if t.tree.Roles == 0 {
		return errors.New("search: a game needs a role")
	}
	w := t.worker
	w.unload()
	w.engine.Load(0, state, nil)
	var never atomic.Bool
	ended, err := w.engine.Step(&never)
	if err != nil {
		return fmt.Errorf("search: root: %w", err)
	}
	words, flags := w.engine.State(0, nil), uint16(0) // which may leave out what does not count
	if ended[0]&1 != 0 {
		goals := make([]float64, t.tree.Roles)
		w.engine.Goals(0, goals)
		words, flags = nil, tree.FlagTerminal
		for _, v := range goals {
			words = append(words, math.Float64bits(v))
		}
	}
	w.engine.Unload(0)
	t.newRoot(words, flags)
	return nil
}

// newRoot begins with a state, or with the goals of one that ends the game.
func (t *searcher) newRoot(words []uint64, flags uint16) {
	t.tree.NewRoot(words, flags)
	if !t.values.On {
		return
	}
	values := make([]float64, t.tree.Roles)
	if flags&tree.FlagTerminal != 0 {
		values = t.tree.Goals(t.tree.Root, values)
	} else {
		t.options.Knowledge.Evaluate.Values(words, values)
	}
	t.values.Set(t.tree.Root, values)
}

// Advance makes the state after a joint move (as in Engine.Load) the root,
// with its visits and all that is below it. If the tree does not hold that
// state it returns false: the tree is empty then, and SetRoot must follow before
// the next search. Until then each further joint move must be told as well, for
// the line that a game for one is played by goes on without the tree.
func (t *searcher) Advance(joint []uint32) (kept bool) {
	old := t.tree.Root
	if old == 0 {
		t.line.Advance(joint, false)
		return false
	}
	t.tree.Reroot(t.tree.Resolve(t.follow(old, joint)))
	t.worker.flight.learner.Moved()
	t.line.Advance(joint, t.tree.Root != 0)
	return t.tree.Root != 0
}

// follow finds the child of n by a joint move; 0: none.
func (t *searcher) follow(n uint32, joint []uint32) uint32 {
	edges := t.edgesOf(n, joint)
	if edges == nil {
		return 0
	}
	return t.tree.Child(n, tree.AppendLeaves(nil, t.tree.Levels, edges))
}

// edgesOf are the edges of a node that a joint move takes; nil: it does not hold them.
func (t *searcher) edgesOf(n uint32, joint []uint32) (edges []uint32) {
	for r := range t.tree.Levels {
		s := &t.encodings[r]
		if len(joint) < s.EngineLevels {
			return nil
		}
		labels, known := s.Labels(joint[:s.EngineLevels])
		if !known {
			return nil
		}
		joint = joint[s.EngineLevels:]
		trie := t.tree.Tries(n)[r]
		if tree.IsForced(trie) {
			if labels[0] != trie&^tree.Forced {
				return nil
			}
			edges = append(edges, trie)
			continue
		}
		for _, x := range labels {
			found := false
			t.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
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

// RootVisits are the visits of the root, those of earlier searches included.
func (t *searcher) RootVisits() int {
	if t.tree.Root == 0 {
		return 0
	}
	return int(t.tree.Node(t.tree.Root).Visits)
}

// Best is the move that the search recommends to a role, as the engine's
// semimoves; see Final. What the tree does not know of it (in the raw variant)
// is drawn at random. It is false as long as nothing was searched, and in a
// terminal state.
func (t *searcher) Best(role int) (path []uint32, ok bool) {
	if t.tree.Root == 0 || role < 0 || role >= t.tree.Roles {
		return nil, false
	}
	if t.followsLine() {
		return slices.Clone(t.line.Moves[0]), true
	}
	edges := t.final.Best(t.tree.Root, role, nil)
	if len(edges) == 0 {
		return nil, false
	}
	labels := t.tree.Semimoves(edges, nil)
	if len(labels) < t.tree.Levels[role] {
		if labels = t.worker.complete(role, labels); labels == nil {
			return nil, false
		}
	}
	return t.encodings[role].AppendPath(nil, labels), true
}

// lineLength bounds the principal line, in joint moves.
const lineLength = 40

// principal is the principal line: the best move of every role, as far as the tree
// goes.
func (t *searcher) principal() (line [][]uint32) {
	if t.tree.Root != 0 && t.followsLine() {
		return slices.Clone(t.line.Moves[:min(len(t.line.Moves), lineLength)])
	}
	for n := t.tree.Root; n != 0 && len(line) < lineLength; {
		var joint, leaves []uint32
		for r, levels := range t.tree.Levels {
			edges := t.final.Best(n, r, nil)
			if len(edges) < levels {
				return line
			}
			joint = t.encodings[r].AppendPath(joint, t.tree.Semimoves(edges, nil))
			leaves = append(leaves, edges[levels-1])
		}
		line = append(line, joint)
		n = t.tree.Resolve(t.tree.Child(n, leaves))
	}
	return line
}

// value is the mean goal of each role at the root; nil without visits.
func (t *searcher) value() []float64 {
	if t.tree.Root == 0 {
		return nil
	}
	if t.terminal() {
		return t.tree.Goals(t.tree.Root, nil)
	}
	values := make([]float64, t.tree.Roles)
	for r := range values {
		if len(t.final.Best(t.tree.Root, r, nil)) == 0 {
			return nil
		}
		values[r] = t.tree.Mean(t.tree.Root, r)
	}
	return values
}

// RootEdges lists the semimoves of a role in the root, prefixes before what
// follows them, in the order of their numbers; what is known to lead nowhere
// is left out.
func (t *searcher) RootEdges(role int) []search.EdgeStats {
	if t.tree.Root == 0 || role < 0 || role >= t.tree.Roles {
		return nil
	}
	trie := t.tree.Tries(t.tree.Root)[role]
	if tree.IsForced(trie) {
		e := t.tree.ForcedEdge(t.tree.Root, role)
		return []search.EdgeStats{t.statsOf(role, &e, nil)}
	}
	return t.stats(role, trie, nil, nil)
}

// rootBounds are the bounds of the root, by role; nil if there are none.
func (t *searcher) rootBounds() (low, high []float64) {
	if !t.proofs.Bounds.On || t.tree.Root == 0 {
		return nil, nil
	}
	for r := range t.tree.Levels {
		low = append(low, float64(t.proofs.Bounds.Lows(t.tree.Root)[r])/proof.Certain)
		high = append(high, float64(t.proofs.Bounds.Highs(t.tree.Root)[r])/proof.Certain)
	}
	if t.line.Known() {
		low[0] = max(low[0], t.line.Value)
	}
	return low, high
}
