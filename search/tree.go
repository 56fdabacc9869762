package search

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
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
// Steps the difference goes away.
type Tree struct {
	mu sync.Mutex // guards everything below while a search runs, and workers' paths
	store
	options Options
	workers []*worker

	err    error
	begun  int // iterations begun in this search
	done   int // iterations backed up in this search
	budget int // iterations to begin; 0: no bound
	clock
}

// New makes a tree without a root for a game whose roles move in so many
// levels each (all at least 1). The engines must be of one machine; each
// stands for a thread.
func New(engines []Engine, levels []int, o Options) *Tree {
	t := &Tree{options: o.withDefaults(len(levels))}
	t.store = store{
		roles: len(levels), levels: append([]int(nil), levels...),
		memory: min(t.options.Memory, maxMemory), threshold: 1,
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
	words, flags := state, uint8(0)
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
	return nil
}

// Advance makes the state after a joint move (as in Engine.Load) the root,
// with its visits and all that is below it. If the tree does not hold that
// state it returns false: the tree is empty then, and SetRoot must follow.
func (t *Tree) Advance(joint []uint32) (kept bool) {
	old := t.root
	if old == 0 {
		return false
	}
	t.root = t.follow(old, joint)
	if t.root != 0 {
		t.orphan(t.root)
	}
	t.throwAway(old)
	return t.root != 0
}

// follow finds the child of n by a joint move; 0: none.
func (t *Tree) follow(n uint32, joint []uint32) uint32 {
	var leaves []uint32
	for r, levels := range t.levels {
		if len(joint) < levels {
			return 0
		}
		trie, leaf := t.tries(n)[r], uint32(0)
		if trie&forced != 0 {
			if joint[0] != trie&^forced {
				return 0
			}
			leaves, joint = append(leaves, trie), joint[1:]
			continue
		}
		for _, x := range joint[:levels] {
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
		joint = joint[levels:]
	}
	if len(joint) > 0 {
		return 0
	}
	return t.child(n, leaves)
}

// Terminal says whether the root is a terminal state.
func (t *Tree) Terminal() bool {
	return t.root != 0 && t.nodes.at(t.root).flags&flagTerminal != 0
}

// RootVisits are the visits of the root, those of earlier searches included.
func (t *Tree) RootVisits() int {
	if t.root == 0 {
		return 0
	}
	return int(t.nodes.at(t.root).visits)
}

// Best is the move that the search recommends to a role: level by level the
// most visited semimove, ties by value, then by the lower number. It is false
// as long as nothing was searched, and in a terminal state.
func (t *Tree) Best(role int) (path []uint32, ok bool) {
	if t.root == 0 || role < 0 || role >= t.roles {
		return nil, false
	}
	edges := t.best(t.root, role, nil)
	if edges == nil {
		return nil, false
	}
	return t.semimoves(edges), true
}

// best appends the best edges of a role; nil without visits.
func (t *Tree) best(n uint32, role int, dst []uint32) []uint32 {
	trie := t.tries(n)[role]
	if trie&forced != 0 {
		if t.forcedEdge(n, role).visits == 0 {
			return nil
		}
		return append(dst, trie)
	}
	for range t.levels[role] {
		var top *edge
		var topID uint32
		t.edgesOf(trie, func(id uint32, e *edge) bool {
			if e.visits > 0 && (top == nil || better(e, top)) {
				top, topID = e, id
			}
			return true
		})
		if top == nil {
			return nil
		}
		dst = append(dst, topID)
		trie = top.child
	}
	return dst
}

func better(a, b *edge) bool {
	if a.visits != b.visits {
		return a.visits > b.visits
	}
	if a.sum != b.sum {
		return a.sum > b.sum
	}
	return a.semimove < b.semimove
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
	for n := t.root; n != 0 && len(line) < lineLength; {
		var edges, leaves []uint32
		for r := range t.levels {
			edges = t.best(n, r, edges)
			if edges == nil {
				return line
			}
			leaves = append(leaves, edges[len(edges)-1])
		}
		line = append(line, t.semimoves(edges))
		n = t.child(n, leaves)
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
		if t.best(t.root, r, nil) == nil {
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
		return []EdgeStats{statsOf(&e, nil)}
	}
	return t.stats(trie, t.levels[role], nil, nil)
}
