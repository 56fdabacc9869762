package mcts

import (
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/joint"
	"semisplit/search/proof"
	"semisplit/search/tree"
)

// Forest is Monte Carlo tree search with a tree for each engine, and joint statistics
// near the root. All that it answers is of the statistics of all
// engines. A single engine has a tree alone.
//
// One tree for all engines was no better, not even with the slow Steps of the prover
// (docs/experiments/results/trees.md, "Threads"), and needs a lock.
type Forest struct {
	trees  []*searcher
	joint  *joint.Statistics // nil: there is one tree
	memory int64
}

var _ search.Algorithm = (*Forest)(nil)

// NewForest makes one without a root for a game whose roles move in so many levels each
// (all at least 1). The engines must be of one machine; each stands for a thread.
func NewForest(engines []engine.Engine, levels []int, o Options) *Forest {
	o = o.bounded(len(levels))
	f := &Forest{memory: min(o.Memory, tree.MaxMemory)}
	halt := new(atomic.Bool)
	statistics, each := joint.Memory(f.memory, len(engines))
	if len(engines) > 1 {
		o.Memory = each
	}
	for i, e := range engines {
		t := newSearcher(e, levels, o, i)
		t.halt = halt
		f.trees = append(f.trees, t)
	}
	if len(engines) > 1 {
		f.joint = joint.New(len(engines), f.trees[0].encodings, statistics, o.Transpositions)
		for i, t := range f.trees {
			t.worker.offers.Joined = true
			t.member = joint.NewMember(f.joint, i, &t.tree, t.encodings, o.Chance, t.worker.rng)
		}
	}
	return f
}

// SetRoot is search.Algorithm.SetRoot.
func (f *Forest) SetRoot(state []uint64) error {
	if err := f.trees[0].SetRoot(state); err != nil {
		return err
	}
	if f.joint != nil {
		f.joint.Clear()
	}
	for _, t := range f.trees[1:] {
		t.copyRoot(f.trees[0])
	}
	return nil
}

// Advance is search.Algorithm.Advance. One tree that holds the state is enough; the others
// learn from it what they do not know.
func (f *Forest) Advance(joint []uint32) (kept bool) {
	var holder *searcher
	for _, t := range f.trees {
		if t.Advance(joint) && holder == nil {
			holder = t
		}
	}
	if f.joint != nil {
		f.joint.Advance(joint, f.trees[0].encodings)
	}
	if holder == nil {
		return false
	}
	for _, t := range f.trees {
		if t.tree.Root == 0 {
			t.copyRoot(holder)
		}
	}
	f.exchange()
	return true
}

// copyRoot begins a new tree at the root of another.
func (t *searcher) copyRoot(source *searcher) {
	t.tree.Clear()
	t.line.Begin()
	t.newRoot(source.tree.Words(source.tree.Root, nil), source.tree.Node(source.tree.Root).Flags&tree.FlagTerminal)
}

// exchange lets every tree push what it knows, and then every tree pull. No search runs.
func (f *Forest) exchange() {
	if f.joint == nil {
		return
	}
	for range 2 {
		for _, t := range f.trees {
			t.member.Exchange(t.done)
		}
	}
}

// Search is search.Algorithm.Search. Budgets that are counted are dealt out evenly.
func (f *Forest) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	return f.searchTrees(f.trees, stop, b, nil)
}

// SearchBeside is Search of all engines but the last, while beside runs with that one.
// halted is set when the search is over before its budget is used up, and whoever sets it
// ends the search. then is called when both have ended. With one engine only beside runs.
func (f *Forest) SearchBeside(stop *atomic.Bool, b search.Budget, beside func(halted *atomic.Bool), then func()) (search.Report, error) {
	if stop == nil {
		stop = new(atomic.Bool)
	}
	last, halted := len(f.trees)-1, f.trees[0].halt
	return f.searchTrees(f.trees[:last], stop, b, func(run func()) {
		defer then()
		var wait sync.WaitGroup
		defer wait.Wait()
		wait.Go(func() { beside(halted) })
		run()
		if stop.Load() {
			halted.Store(true)
		}
	})
}

// searchTrees is Search by some of the trees; around is called with what runs them.
func (f *Forest) searchTrees(trees []*searcher, stop *atomic.Bool, b search.Budget, around func(run func())) (search.Report, error) {
	if f.trees[0].tree.Root == 0 {
		return search.Report{}, search.ErrNoRoot
	}
	if stop == nil {
		stop = new(atomic.Bool)
	}
	start := time.Now()
	f.exchange()
	reports := make([]search.Report, len(f.trees))
	workers := make([]*worker, 0, len(trees))
	for i, t := range f.trees {
		part := b
		if i < len(trees) {
			part.Iterations, part.States = partOf(b.Iterations, i, len(trees)), partOf(b.States, i, len(trees))
		}
		reports[i] = t.prepare(start, part)
		if t.member != nil {
			t.member.Due = 0
		}
		if i < len(trees) && (part.Iterations > 0 || b.Iterations <= 0) && (part.States > 0 || b.States <= 0) {
			workers = append(workers, t.worker)
		}
	}
	if !f.trees[0].terminal() && !slices.ContainsFunc(f.trees, (*searcher).finished) {
		f.run(workers, stop, around)
	}
	f.shareLosses()
	var err error
	for i, t := range f.trees {
		t.conclude(start, &reports[i])
		err = errors.Join(err, t.err)
	}
	sum := total(reports)
	if f.joint != nil {
		sum.Bytes += f.joint.Bytes()
	}
	if i := f.answered(); i > 0 {
		sum.Low, sum.High, sum.Line, sum.LineLayered = reports[i].Low, reports[i].High, reports[i].Line, reports[i].LineLayered
	}
	return sum, err
}

// run is runAll. What is known is exchanged even if an engine panics.
func (f *Forest) run(workers []*worker, stop *atomic.Bool, around func(run func())) {
	defer f.exchange()
	if around == nil {
		runAll(workers, stop)
		return
	}
	around(func() { runAll(workers, stop) })
}

// partOf is the part of a counted budget that falls to one of so many.
func partOf(budget, index, parts int) int {
	return max(budget, 0)*(index+1)/parts - max(budget, 0)*index/parts
}

// narrowed are the bounds that two trees know together. If they contradict each other,
// for a tie has several ends, the first ones stand.
func narrowed(low, high, low2, high2 []float64) (l, h []float64) {
	for r := range low {
		l, h = append(l, max(low[r], low2[r])), append(h, min(high[r], high2[r]))
		if l[r] > h[r] {
			return low, high
		}
	}
	return l, h
}

// total puts the reports of joined trees together. The first tree speaks for
// all where it is about what is known, but each may have proven something.
func total(reports []search.Report) search.Report {
	sum := reports[0]
	plies := sum.MeanLength * float64(sum.Playouts)
	for _, r := range reports[1:] {
		sum.Iterations += r.Iterations
		sum.Playouts += r.Playouts
		sum.States += r.States
		sum.Created += r.Created
		sum.Transposed += r.Transposed
		sum.Pruned += r.Pruned
		sum.Nodes += r.Nodes
		sum.Bytes += r.Bytes
		sum.Elapsed = max(sum.Elapsed, r.Elapsed)
		plies += r.MeanLength * float64(r.Playouts)
		sum.Low, sum.High = narrowed(sum.Low, sum.High, r.Low, r.High)
	}
	if sum.Playouts > 0 {
		sum.MeanLength = plies / float64(sum.Playouts)
	}
	return sum
}

// shareLosses has no tree choose a move of the root that another one has proven to be lost.
// No search may be under way.
func (f *Forest) shareLosses() {
	if len(f.trees) == 1 || !f.trees[0].proofs.Bounds.On {
		return
	}
	avoided := make([][]uint32, len(f.trees))
	for role := range f.trees[0].tree.Levels {
		lost := map[string]bool{}
		for _, t := range f.trees {
			t.lostMoves(role, lost)
		}
		if len(lost) == 0 {
			continue
		}
		for i, t := range f.trees {
			t.eachRootMove(role, func(leaf uint32, move string) {
				if lost[move] {
					avoided[i] = append(avoided[i], leaf)
				}
			})
		}
	}
	for i, t := range f.trees {
		t.final.Avoid(avoided[i])
	}
}

// lostMoves adds the moves of a role in the root that are proven to bring it nothing.
func (t *searcher) lostMoves(role int, lost map[string]bool) {
	if t.tree.Root == 0 {
		return
	}
	moves, _ := t.proofs.BoundsOfMoves(t.tree.Root, role)
	leaves := map[uint32]bool{}
	for _, o := range moves {
		if o.High == 0 {
			leaves[o.Leaf] = true
		}
	}
	if len(leaves) == 0 {
		return
	}
	t.eachRootMove(role, func(leaf uint32, move string) {
		if leaves[leaf] {
			lost[move] = true
		}
	})
}

// eachRootMove calls visit with the last edge of each move that the root holds of a role, and
// its name.
func (t *searcher) eachRootMove(role int, visit func(leaf uint32, move string)) {
	if t.tree.Root == 0 {
		return
	}
	var labels, path []uint32
	var walk func(trie uint32)
	walk = func(trie uint32) {
		if !tree.IsTrie(trie) {
			return
		}
		t.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
			if labels = append(labels, e.Semimove); len(labels) < t.tree.Levels[role] {
				if e.Child != tree.Dead {
					walk(e.Child)
				}
			} else {
				path = t.encodings[role].AppendPath(path[:0], labels)
				visit(id, nameOf(path))
			}
			labels = labels[:len(labels)-1]
			return true
		})
	}
	walk(t.tree.Tries(t.tree.Root)[role])
}

// nameOf names a move by the engine's semimoves, for its number may differ by tree.
func nameOf(path []uint32) string {
	var name []byte
	for _, x := range path {
		name = binary.LittleEndian.AppendUint32(name, x)
	}
	return string(name)
}

// Best is search.Algorithm.Best. A tree that has proven what to play goes before the others,
// and in a game for one the tree that is sure of most.
func (f *Forest) Best(role int) (path []uint32, ok bool) {
	if i := f.answered(); i >= 0 {
		return f.trees[i].Best(role)
	}
	f.shareLosses()
	best := f.trees[0]
	for _, t := range f.trees[1:] {
		if sureGoal(t) > sureGoal(best) {
			best = t
		}
	}
	return best.Best(role)
}

// sureGoal is what a game for one is sure to bring: by the line, or by what is proven. The
// latter stays where the line is lost by another move. 0: it is none.
func sureGoal(t *searcher) float64 {
	if !t.keepsLine() || t.tree.Root == 0 {
		return 0
	}
	return max(t.line.Value, float64(t.proofs.Bounds.Lows(t.tree.Root)[0])/proof.Certain)
}

// answered is the index of a tree that has proven what to play; -1: none.
func (f *Forest) answered() int { return slices.IndexFunc(f.trees, (*searcher).answered) }

// RootEdges is search.Algorithm.RootEdges, by the first tree.
func (f *Forest) RootEdges(role int) []search.EdgeStats { return f.trees[0].RootEdges(role) }

// Known calls visit for the states in the first tree that have at least so many
// visits and do not end the game, with the mean goal of each role there, in
// [0, 1]. The slices are valid during the call only. No search may be under way.
func (f *Forest) Known(least int, visit func(state []uint64, means []float64)) {
	f.trees[0].known(least, visit)
}
