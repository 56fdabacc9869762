package search

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"semisplit/search/engine"
)

// ErrNoRoot: the tree has no root state.
var ErrNoRoot = errors.New("search: no root state")

// Tree is a tree of nodal states. In each, every role has a trie of its
// semimoves; its edges carry the visits and the goals of that role. Each
// engine is driven by a goroutine of its own during a Search; otherwise a
// Tree belongs to one goroutine.
//
// The engines share one tree behind one mutex, which is held between two
// Steps of an engine, to back up and select for all lanes that ended. One tree
// learns from all playouts and is kept whole between moves. At Steps of 10 us
// (64 lanes of a small circuit) two threads make 1.7 times the iterations of
// one; two separate trees would make 2.0 times, each half as deep. With longer
// Steps the difference goes away, with larger lanes and quicker games it grows:
// a Forest joins separate trees.
type Tree struct {
	mu sync.Mutex // guards everything below while a search runs, and workers' paths
	store
	options Options
	shapes  []shape // by role
	workers []*worker

	err    error
	begun  int // iterations begun in this search
	done   int // iterations backed up in this search
	budget int // iterations to begin; 0: no bound
	states int // joint moves for the engine of each worker; 0: no bound

	hurried int // lanes in flight that want of time calls for
	clock

	family family   // scratch of proofs
	plan   plan     // of a game for one
	barred []uint32 // leaves that the final choice leaves out

	averages bool // some worth is a mean over visits; see raise

	member *member // of a forest; nil: the tree stands alone
}

// New makes a tree without a root for a game whose roles move in so many
// levels each (all at least 1). The engines must be of one machine; each
// stands for a thread.
func New(engines []engine.Engine, levels []int, o Options) *Tree {
	t := &Tree{options: o.withDefaults(len(levels))}
	t.halt = new(atomic.Bool)
	t.shapes = newShapes(levels, t.options)
	t.store = store{
		roles: len(levels), levels: levelsOf(t.shapes),
		memory: min(t.options.Memory, maxMemory), threshold: 1, rave: t.options.Rave.Kind != None,
		valued: t.options.Knowledge.values(), mixture: t.options.Knowledge.mixture(), proving: newProving(t.options),
	}
	if t.options.Transpositions {
		t.index = newIndex(t.memory)
		t.bytes = int64(len(t.buckets)) * int64(unsafe.Sizeof(t.buckets[0]))
	}
	for i, e := range engines {
		t.workers = append(t.workers, newWorker(t, e, i))
	}
	return t
}

// SetRoot starts a new tree at a state. After an error (the engine cannot
// follow the rules there) there is no root.
func (t *Tree) SetRoot(state []uint64) error {
	if t.root != 0 {
		t.throwAway(t.root)
		t.root = 0
	}
	t.forget()
	t.newPlan()
	if len(t.workers) == 0 || t.roles == 0 {
		return errors.New("search: a tree needs an engine and a role")
	}
	w := t.workers[0]
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
		words, flags = w.state, flagTerminal
	}
	w.engine.Unload(0)
	t.root = t.newNode(words, flags, true)
	if t.transposes() && flags&flagTerminal == 0 {
		t.enroll(t.root, hashState(words))
	}
	return nil
}

// Advance makes the state after a joint move (as in Engine.Load) the root,
// with its visits and all that is below it. If the tree does not hold that
// state it returns false: the tree is empty then, and SetRoot must follow before
// the next search. Until then each further joint move must be told as well, for
// the line that a game for one is played by goes on without the tree.
func (t *Tree) Advance(joint []uint32) (kept bool) {
	old := t.root
	if old == 0 {
		t.followPlan(joint, false)
		return false
	}
	t.root = t.resolve(t.follow(old, joint))
	t.epoch++
	if t.root != old { // which a state that repeats can come back to
		t.detach(t.root)
		t.throwAway(old)
	}
	for _, w := range t.workers {
		if m := w.learner.mast; m != nil {
			m.moved()
		}
	}
	t.followPlan(joint, t.root != 0)
	return t.root != 0
}

// follow finds the child of n by a joint move; 0: none.
func (t *Tree) follow(n uint32, joint []uint32) uint32 {
	var leaves []uint32
	for r := range t.levels {
		s := &t.shapes[r]
		if len(joint) < s.engine {
			return 0
		}
		labels, known := s.labels(joint[:s.engine])
		if !known {
			return 0
		}
		joint = joint[s.engine:]
		trie, leaf := t.tries(n)[r], uint32(0)
		if trie&forced != 0 {
			if labels[0] != trie&^forced {
				return 0
			}
			leaves = append(leaves, trie)
			continue
		}
		for _, x := range labels {
			leaf = 0
			if trie == dead {
				return 0
			}
			t.edgesOf(trie, func(id uint32, e *edge) bool {
				if e.semimove == x {
					leaf, trie = id, e.child
				}
				return leaf == 0
			})
			if leaf == 0 {
				return 0
			}
		}
		leaves = append(leaves, leaf)
	}
	if len(joint) > 0 {
		return 0
	}
	return t.child(n, leaves)
}

// Terminal says whether the root is a terminal state.
func (t *Tree) Terminal() bool {
	return t.root != 0 && t.nodes.At(t.root).flags&flagTerminal != 0
}

// RootVisits are the visits of the root, those of earlier searches included.
func (t *Tree) RootVisits() int {
	if t.root == 0 {
		return 0
	}
	return int(t.nodes.At(t.root).visits)
}

// Best is the move that the search recommends to a role, as the engine's
// semimoves; see Final. What the tree does not know of it (in the raw variant)
// is drawn at random. It is false as long as nothing was searched, and in a
// terminal state.
func (t *Tree) Best(role int) (path []uint32, ok bool) {
	if t.root == 0 || role < 0 || role >= t.roles {
		return nil, false
	}
	if t.followsPlan() {
		return slices.Clone(t.plan.moves[0]), true
	}
	edges := t.best(t.root, role, nil)
	if len(edges) == 0 {
		return nil, false
	}
	labels := t.semimoves(edges)
	if len(labels) < t.levels[role] {
		if labels = t.completed(role, labels); labels == nil {
			return nil, false
		}
	}
	return t.shapes[role].appendPath(nil, labels), true
}

// completed draws what follows after labels of a role in the root; nil if the
// engine does not know.
func (t *Tree) completed(role int, labels []uint32) []uint32 {
	w := t.workers[0]
	for i := range w.lanes {
		w.engine.Unload(i)
	}
	w.engine.Load(0, t.words(t.root, nil), nil)
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

func (t *Tree) semimoves(edges []uint32) []uint32 {
	path := make([]uint32, len(edges))
	for i, e := range edges {
		path[i] = t.semimove(e)
	}
	return path
}

// lineLength bounds the principal line, in joint moves.
const lineLength = 40

// line is the principal line: the best move of every role, as far as the tree
// goes.
func (t *Tree) line() (line [][]uint32) {
	if t.root != 0 && t.followsPlan() {
		return slices.Clone(t.plan.moves[:min(len(t.plan.moves), lineLength)])
	}
	for n := t.root; n != 0 && len(line) < lineLength; {
		var joint, leaves []uint32
		for r, levels := range t.levels {
			edges := t.best(n, r, nil)
			if len(edges) < levels {
				return line
			}
			joint = t.shapes[r].appendPath(joint, t.semimoves(edges))
			leaves = append(leaves, edges[levels-1])
		}
		line = append(line, joint)
		n = t.resolve(t.child(n, leaves))
	}
	return line
}

// value is the mean goal of each role at the root; nil without visits.
func (t *Tree) value() []float64 {
	if t.root == 0 {
		return nil
	}
	if t.Terminal() {
		return t.goals(t.root, nil)
	}
	values := make([]float64, t.roles)
	for r := range values {
		if len(t.best(t.root, r, nil)) == 0 {
			return nil
		}
		values[r] = t.mean(t.root, r)
	}
	return values
}

// RootEdges lists the semimoves of a role in the root, prefixes before what
// follows them, in the order of their numbers; what is known to lead nowhere
// is left out.
func (t *Tree) RootEdges(role int) []EdgeStats {
	if t.root == 0 || role < 0 || role >= t.roles {
		return nil
	}
	trie := t.tries(t.root)[role]
	if trie&forced != 0 {
		e := t.forcedEdge(t.root, role)
		return []EdgeStats{t.statsOf(role, &e, nil)}
	}
	return t.stats(role, trie, nil, nil)
}
