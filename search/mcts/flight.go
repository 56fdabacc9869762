package mcts

import (
	"math"

	"semisplit/search/backup"
	"semisplit/search/encoding"
	"semisplit/search/engine"
	"semisplit/search/internal/random"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// flight is the lanes of an engine between their beginning at the root and their backup.
type flight struct {
	*parts
	*allowance
	masks
	lanes   []lane
	steps   int64 // of the engine
	nextCut int64 // no playout is to be cut before this Step
	longest int64 // joint moves of a playout, with the one that left the tree
	fault   error // the lanes are to be given up

	learner   stats.Learner
	backup    backup.Backup
	iteration backup.Iteration // that is being backed up
	trace     *stats.Trace     // of lines; nil: none are kept of playouts

	following int // lanes that follow another

	labels, leaves []uint32 // scratch
	mean           []float64
}

func newFlight(p *parts, a *allowance, e engine.Engine, rng *random.Source) flight {
	f := flight{
		parts: p, allowance: a, masks: newMasks(e.Lanes()), lanes: make([]lane, e.Lanes()),
		nextCut: math.MaxInt64, longest: p.options.longestPlayout(), mean: make([]float64, p.tree.Roles),
		learner: stats.New(stats.Setup{
			Tree: &p.tree, Engine: e, Rng: rng, Encodings: p.encodings, Chance: p.options.Chance, Mast: p.options.Mast, ByEdges: &p.rave, ByNodes: &p.grave,
		}),
	}
	for i := range f.lanes {
		f.lanes[i].number = int32(i)
		f.lanes[i].goals = make([]float64, p.tree.Roles)
		f.lanes[i].group = group{leader: int32(i), sums: make([]float64, p.tree.Roles)}
		f.turnTo(&f.lanes[i], idle)
	}
	return f
}

// follow makes playouts follow what is learned, and prepares for backups. The flight stays
// where it is from now on.
func (f *flight) follow(e engine.Engine) {
	f.learner.Start()
	f.backup = backup.New(backup.Setup{
		Options: f.options.Backup, Tree: &f.tree, Values: &f.values, Proofs: &f.proofs, Learner: &f.learner, RootChanged: f.rootChanged,
	})
	if !f.keepsLine() {
		return
	}
	if f.trace = &f.learner.Trace; !f.trace.Keeps() {
		own := stats.NewTrace(e, encoding.EngineLevels(f.encodings))
		f.trace = &own
	}
	if !f.trace.Keeps() {
		f.trace = nil
	}
}

// turnTo changes what a lane does in the next Step, and the masks with it.
func (f *flight) turnTo(l *lane, m mode) {
	l.mode = m
	f.masks.turnTo(l.number, m)
	switch m {
	case idle:
		l.winner, l.tookFrom = noWinner, 0
		l.nodes, l.edges, l.crossed = l.nodes[:0], l.edges[:0], l.crossed[:0]
	case leaf, joining:
		l.begun, l.stalls = f.steps, 0
		f.learner.Left(int(l.number))
	case rollout:
		f.nextCut = min(f.nextCut, l.begun+f.longest)
	}
}

// enter adds a node to the lane's path, with a virtual visit.
func (f *flight) enter(l *lane, n uint32) {
	l.nodes = append(l.nodes, n)
	f.tree.Node(n).Virtual++
	l.refer(&f.grave)
}

// giveUp takes a lane's virtual visits back.
func (f *flight) giveUp(l *lane) {
	for i, n := range l.nodes {
		if i < len(l.nodes)-1 || !l.entering {
			f.tree.Node(n).Virtual--
		}
	}
	l.entering = false
	for _, a := range l.crossed {
		f.tree.Node(a).Virtual--
	}
	for _, id := range l.edges {
		if !tree.IsForced(id) {
			f.tree.Edges.LeaveEdge(id)
		}
	}
	if l.follows() {
		f.following--
	}
	l.group.leader, l.group.followers, l.group.ended = l.number, l.group.followers[:0], 0
	f.turnTo(l, idle)
}

// finish backs a result up from a lane, which is idle then. ended: it is that of a state
// that ends the game. True: the last joint move is taken back instead, and the lane goes on
// from the node before it.
func (f *flight) finish(l *lane, values []float64, ended bool) (again bool) {
	if ended {
		f.keepLine(l, values)
	}
	it := &f.iteration
	path := &f.lanes[l.group.leader]
	it.Lane, it.Nodes, it.Edges, it.Crossed = int(l.number), path.nodes, path.edges, path.crossed
	it.Played, it.Left, it.Now = l.mode == rollout, l.left, f.steps
	it.SingleMover, it.Values = path.singleMover, values
	mean, held := f.hold(l, values)
	it.TakenBack = !held && f.takeBack(l)
	f.backup.Playout(it)
	if held || it.TakenBack {
		return it.TakenBack
	}
	it.Values = mean
	f.backup.Path(it)
	f.turnTo(l, idle)
	f.done++
	return false
}

// rootChanged ends the search when the root is decided, unless there is something to
// resist.
func (f *flight) rootChanged() {
	if !f.proofs.Resisting && f.decided(f.tree.Root) {
		f.proofs.Resisting = f.proofs.Resists()
		f.halt.Store(!f.proofs.Resisting)
	}
}

// leavesOf gives the last edge of each role in a joint move of edges.
func (f *flight) leavesOf(edges []uint32) []uint32 {
	f.leaves = tree.AppendLeaves(f.leaves[:0], f.tree.Levels, edges)
	return f.leaves
}

// lastJoint is the joint move that a lane's path ends with, as edges.
func (f *flight) lastJoint(l *lane) []uint32 { return l.edges[len(l.edges)-len(f.tree.RoleOf):] }

// jointOf appends the engine's joint move for a joint move of edges.
func (f *flight) jointOf(edges, dst []uint32) []uint32 {
	f.labels = f.tree.Semimoves(edges, f.labels[:0])
	return encoding.AppendJoint(f.encodings, dst, f.labels)
}
