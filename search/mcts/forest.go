package mcts

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/tree"
)

// ThreadMode says how several engines work together.
type ThreadMode string

const (
	// ThreadsAuto begins as ThreadsJoined. After each search it looks at the
	// part of their time that the engines' threads have spent on their trees,
	// as soon as that is measured well enough (trialTime), and becomes
	// ThreadsShared for good where these parts come to less than sharedShare
	// for all threads together: there a common tree costs next to no time, and
	// every iteration is chosen with the results of all.
	ThreadsAuto ThreadMode = "auto"
	// ThreadsShared is one tree behind one mutex; see Tree.
	ThreadsShared ThreadMode = "shared"
	// ThreadsJoined is a tree for each engine, with joint statistics near the
	// root; see member.exchange.
	ThreadsJoined ThreadMode = "joined"
)

const (
	// sharedShare bounds the sum of the shares of tree work of all threads. A
	// thread finds the common tree taken with about the sum of the others'
	// shares; and no number of threads makes more than 1/s times the iterations
	// of one with share s. Circuits measure s = 0.4 to 0.8 (one thread: Skirmish
	// 0.42, Chess 0.52, Breakthrough 0.71, Connect Four 0.81), the prover much less.
	sharedShare = 0.2
	// trialTime is the time of all threads that must have been looked at.
	trialTime = 2 * time.Millisecond
	// jointPart is the part of the memory for the joint statistics.
	jointPart = 16
)

// Forest is a Tree for several engines, in one of the thread modes. All that
// it answers is of the statistics of all engines.
type Forest struct {
	trees   []*searcher // one in ThreadsShared
	joint   *joint      // nil in ThreadsShared
	workers []*worker
	memory  int64
	auto    bool // not decided yet
}

var _ search.Algorithm = (*Forest)(nil)

// NewForest makes one without a root; the arguments are those of New. A single
// engine has a tree of its own in any mode, and engines whose tree has
// transpositions share it.
func NewForest(engines []engine.Engine, levels []int, o Options, mode ThreadMode) *Forest {
	if len(engines) < 2 || mode == ThreadsShared || o.Transpositions {
		t := newSearcher(engines, levels, o)
		return &Forest{trees: []*searcher{t}, workers: t.workers, memory: t.Limit}
	}
	o = o.bounded(len(levels))
	f := &Forest{memory: min(o.Memory, tree.MaxMemory), auto: mode == ThreadsAuto}
	n := int64(len(engines))
	o.Memory = f.memory * (jointPart - 1) / jointPart * excessShare / (excessShare + 1) / n
	halt := new(atomic.Bool)
	for i, e := range engines {
		t := newSearcher(nil, levels, o)
		if i == 0 {
			f.joint = newJoint(len(engines), t.encodings, f.memory/jointPart)
		}
		t.halt = halt
		t.member = &member{t: t, joint: f.joint, index: i}
		t.workers = []*worker{newWorker(t, e, i)}
		f.trees, f.workers = append(f.trees, t), append(f.workers, t.workers[0])
	}
	return f
}

// SetRoot is Tree.SetRoot.
func (f *Forest) SetRoot(state []uint64) error {
	if err := f.trees[0].SetRoot(state); err != nil {
		return err
	}
	if f.joint != nil {
		f.joint.clear()
	}
	for _, t := range f.trees[1:] {
		t.copyRoot(f.trees[0])
	}
	return nil
}

// Advance is Tree.Advance. One tree that holds the state is enough; the others
// learn from it what they do not know.
func (f *Forest) Advance(joint []uint32) (kept bool) {
	var holder *searcher
	for _, t := range f.trees {
		if t.Advance(joint) && holder == nil {
			holder = t
		}
	}
	if f.joint != nil {
		f.joint.advance(joint, f.trees[0].encodings)
	}
	if holder == nil {
		return false
	}
	for _, t := range f.trees {
		if t.Root == 0 {
			t.copyRoot(holder)
		}
	}
	f.meet()
	return true
}

// copyRoot begins a new tree at the root of another.
func (t *searcher) copyRoot(from *searcher) {
	t.dropLanes()
	t.Clear()
	t.newPlan()
	t.NewRoot(from.Words(from.Root, nil), from.Node(from.Root).Flags&tree.FlagTerminal)
}

// meet lets every tree give, and then every tree take. No search runs.
func (f *Forest) meet() {
	if f.joint == nil {
		return
	}
	for range 2 {
		for _, t := range f.trees {
			t.member.exchange()
		}
	}
}

// Search is Tree.Search. Budgets that are counted are dealt out evenly.
func (f *Forest) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	f.decide()
	if stop == nil {
		stop = new(atomic.Bool)
	}
	return f.searchTrees(stop, b, nil, nil)
}

// searchTrees is Search. What is given as beside runs meanwhile, with the last engine;
// then runs when all have come to rest.
func (f *Forest) searchTrees(stop *atomic.Bool, b search.Budget, beside, then func()) (search.Report, error) {
	if len(f.trees) == 1 && beside == nil {
		return f.trees[0].Search(stop, b)
	}
	if f.trees[0].Root == 0 {
		return search.Report{}, search.ErrNoRoot
	}
	start := time.Now()
	f.meet()
	reports := make([]search.Report, len(f.trees))
	workers := make([]*worker, 0, len(f.workers))
	for i, t := range f.trees {
		part := b
		part.Iterations, part.States = f.part(b.Iterations, i), f.part(b.States, i)
		reports[i] = t.prepare(start, part)
		if t.member != nil {
			t.member.due = 0
		}
		if (part.Iterations > 0 || b.Iterations <= 0) && (part.States > 0 || b.States <= 0) {
			workers = append(workers, t.workers...)
		}
	}
	var err error
	if !f.Terminal() && !slices.ContainsFunc(f.trees, (*searcher).finished) {
		if beside != nil {
			last := len(workers) - 1
			workers[last].reset()
			workers = workers[:last]
		}
		f.run(workers, stop, beside, then)
	}
	for i, t := range f.trees {
		t.conclude(start, &reports[i])
		err = errors.Join(err, t.err)
	}
	sum := total(reports)
	if i := f.answered(); i > 0 {
		sum.Low, sum.High, sum.Line, sum.LineLayered = reports[i].Low, reports[i].High, reports[i].Line, reports[i].LineLayered
	}
	return sum, err
}

// run is runAll. What is known is exchanged even if an engine panics.
func (f *Forest) run(workers []*worker, stop *atomic.Bool, beside, then func()) {
	defer f.meet()
	if beside != nil {
		var wait sync.WaitGroup
		defer then()
		defer wait.Wait()
		wait.Go(beside)
	}
	runAll(workers, stop)
}

// part is the part of a counted budget that falls to the tree with this index.
func (f *Forest) part(budget, index int) int {
	n := len(f.trees)
	return max(budget, 0)*(index+1)/n - max(budget, 0)*index/n
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

// decide ends ThreadsAuto if enough has been measured.
func (f *Forest) decide() {
	if !f.auto {
		return
	}
	share, rounds := f.TreeShare()
	if rounds < trialTime {
		return
	}
	f.auto = false
	if share*float64(len(f.workers)) < sharedShare {
		f.unite()
	}
}

// TreeShare is the part of their time that the threads work on the tree, and
// the time of all threads that this was measured in.
func (f *Forest) TreeShare() (share float64, measured time.Duration) {
	var held time.Duration
	for _, w := range f.workers {
		held += w.share.held
		measured += w.share.rounds
	}
	if measured == 0 {
		return 0, 0
	}
	return float64(held) / float64(measured), measured
}

// unite puts all engines on the first tree. What the others hold beyond the
// joint statistics is given up.
func (f *Forest) unite() {
	f.meet()
	t := f.trees[0]
	t.member, t.workers, t.Limit = nil, slices.Clone(f.workers), f.memory
	for _, w := range f.workers {
		w.t = t
		w.learner.Join(&t.Tree, &t.rave)
	}
	f.trees, f.joint = f.trees[:1:1], nil
}

// Shared says whether the engines work on one tree now.
func (f *Forest) Shared() bool { return f.joint == nil }

// Terminal is Tree.Terminal.
func (f *Forest) Terminal() bool { return f.trees[0].Terminal() }

// RootVisits is Tree.RootVisits.
func (f *Forest) RootVisits() int { return f.trees[0].RootVisits() }

// Best is Tree.Best. A tree that has proven what to play goes before the others.
func (f *Forest) Best(role int) (path []uint32, ok bool) {
	if i := f.answered(); i > 0 {
		return f.trees[i].Best(role)
	}
	best := f.trees[0]
	for _, t := range f.trees[1:] {
		if t.plan.value > best.plan.value {
			best = t
		}
	}
	return best.Best(role)
}

// answered is the index of a tree that has proven what to play; -1: none.
func (f *Forest) answered() int { return slices.IndexFunc(f.trees, (*searcher).answered) }

// RootEdges is Tree.RootEdges.
func (f *Forest) RootEdges(role int) []search.EdgeStats { return f.trees[0].RootEdges(role) }

// Known calls visit for the states in the first tree that have at least so many
// visits and do not end the game, with the mean goal of each role there, in
// [0, 1]. The slices are valid during the call only. No search may be under way.
func (f *Forest) Known(least int, visit func(state []uint64, means []float64)) {
	f.trees[0].known(least, visit)
}
