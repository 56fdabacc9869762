package search

// learner is what a worker learns of moves. Each worker has its own
// statistics: they are read during the Steps of its engine, when another worker
// may hold the tree.
type learner struct {
	mast  *mast // nil: none
	rave  *rave // nil: none
	trace trace

	// The joint moves of the iteration that has ended, those in the tree first:
	// labels in the finest way in which moves are split, by role and level.
	joints []uint32
	inTree int // joint moves in the tree
	stride int // labels of a joint move
	spaces []int

	tallies []tally // by role and level of the engine; nil: the long way, by joints

	engine []uint32 // scratch
	order  steering
}

// newLearner prepares a worker for the heuristics that the options ask for.
func (w *worker) newLearner() {
	t := w.t
	l := &w.learner
	for r := range t.shapes {
		l.spaces = append(l.spaces, t.shapes[r].space())
		l.stride += t.shapes[r].space()
	}
	if t.options.Mast.Kind != None {
		l.mast = newMast(t.options.Mast, l.spaces)
	}
	if t.options.Rave.Kind != None {
		l.rave = newRave(t.options.Rave, l.spaces)
	}
	if l.rave != nil || l.mast != nil && !l.mast.TreeOnly {
		l.trace = newTrace(w.engine, t.engineLevels())
	}
	w.newTallies()
	if l.mast != nil {
		w.newSteering()
	}
}

// space is the number of levels in the finest way in which moves are split.
func (s *shape) space() int { return max(s.levels, s.engine) }

// appendSpace appends the labels of an engine's path in the finest split.
func (s *shape) appendSpace(dst, path []uint32) []uint32 {
	if s.divided != nil {
		return append(dst, s.divided(path[0])...)
	}
	return append(dst, path...)
}

func (t *Tree) engineLevels() []int {
	levels := make([]int, len(t.shapes))
	for r := range t.shapes {
		levels[r] = t.shapes[r].engine
	}
	return levels
}

// collect gathers the joint moves of a lane's iteration.
func (w *worker) collect(l *lane) {
	n := &w.learner
	n.joints, n.inTree = n.joints[:0], 0
	for at := 0; at < len(l.edges); at += len(w.roleOf) {
		n.engine = w.jointOf(l.edges[at:at+len(w.roleOf)], n.engine[:0])
		w.appendJoint(n.engine)
		n.inTree++
	}
	if l.mode != play || n.trace.tracer == nil {
		return
	}
	for step := max(l.left+1, w.steps-traceRows+1); step <= w.steps; step++ {
		joint, moved := n.trace.played(step, int(l.number), n.engine[:0])
		if n.engine = joint; moved {
			w.appendJoint(joint)
		}
	}
}

// appendJoint adds an engine's joint move to those of the iteration.
func (w *worker) appendJoint(joint []uint32) {
	for r := range w.t.shapes {
		s := &w.t.shapes[r]
		w.learner.joints = s.appendSpace(w.learner.joints, joint[:s.engine])
		joint = joint[s.engine:]
	}
}

// learn updates the statistics at the end of an iteration.
func (w *worker) learn(l *lane, goals []float64) {
	n := &w.learner
	if n.mast == nil && n.rave == nil {
		return
	}
	if n.rave == nil && n.mast.passesOver() {
		n.mast.recorded()
		return
	}
	if n.tallies != nil {
		w.learnTallies(l, goals)
		return
	}
	w.collect(l)
	if n.mast != nil {
		w.learnMast(goals)
	}
	if n.rave != nil {
		w.learnRave(l, goals)
	}
}

func (w *worker) learnMast(goals []float64) {
	n, m := &w.learner, w.learner.mast
	joints := n.joints
	if m.TreeOnly {
		joints = joints[:n.inTree*n.stride]
	}
	var before [2]uint64
	for ; len(joints) > 0; joints = joints[n.stride:] {
		joint := joints[:n.stride]
		for r, levels := range n.spaces {
			m.record(r, joint[:levels], goals[r])
			if m.NGram > 1 {
				m.recordGrams(r, joint[:levels], before, goals[r])
			}
			joint = joint[levels:]
		}
		if m.NGram > 1 {
			before = after(before, joints[:n.stride])
		}
	}
	m.recorded()
}

// after are the keys of the last joint move and of the last two, once another
// one is played.
func after(before [2]uint64, joint []uint32) [2]uint64 {
	key := uint64(1)
	for _, x := range joint {
		key = hash(key ^ uint64(x))
	}
	if before[0] == 0 {
		return [2]uint64{key, 0}
	}
	return [2]uint64{key, hash(before[0]*3 ^ key)}
}
