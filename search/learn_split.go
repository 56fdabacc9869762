package search

// Statistics of single semimoves are most of what playouts learn: each joint
// move of each playout adds to a few sums. So where nothing else is learned,
// the semimoves go from the trace straight to the sums, without joint moves in
// between.

// tally is the statistics of the semimoves in a field of the trace.
type tally struct {
	field
	role  int
	stats []stat // by label; all that the field can hold
}

// tallyBits bounds the fields that have a tally: 64 kB of statistics each.
const tallyBits = 12

// newTallies prepares the short way, if the options allow it: split statistics
// of all iterations, of moves that are split no finer than the engine's, in
// fields that are not too large.
func (w *worker) newTallies() {
	n, m := &w.learner, w.learner.mast
	if n.rave != nil || m == nil || m.Kind != Split || m.NGram > 1 || m.TreeOnly || m.Decay == DecaySimulation ||
		n.trace.tracer == nil {
		return
	}
	var tallies []tally
	fields := n.trace.fields
	for r := range w.t.shapes {
		s := &w.t.shapes[r]
		if s.divided != nil {
			return
		}
		for level := range s.engine {
			f := fields[0]
			fields = fields[1:]
			if f.mask >= 1<<tallyBits {
				return
			}
			of := make([]stat, f.mask+1)
			m.split[r][level] = of
			tallies = append(tallies, tally{field: f, role: r, stats: of})
		}
	}
	n.tallies = tallies
}

// learnTallies is learn, the short way.
func (w *worker) learnTallies(l *lane, goals []float64) {
	n := &w.learner
	w.tallyPath(l, goals)
	if l.mode == play {
		w.tallyPlayout(l, goals)
	}
	n.mast.recorded()
}

// tallyPath adds what was chosen in the tree.
func (w *worker) tallyPath(l *lane, goals []float64) {
	n := &w.learner
	if len(w.roleOf) == len(n.tallies) { // the tree's semimoves are the engine's
		k := 0
		for _, id := range l.edges {
			of := &n.tallies[k]
			if label := w.t.semimove(id); int(label) < len(of.stats) {
				of.stats[label].add(goals[of.role])
			}
			if k++; k == len(n.tallies) {
				k = 0
			}
		}
		return
	}
	for at := 0; at < len(l.edges); at += len(w.roleOf) {
		n.engine = w.jointOf(l.edges[at:at+len(w.roleOf)], n.engine[:0])
		for i, label := range n.engine {
			of := &n.tallies[i]
			if int(label) < len(of.stats) {
				of.stats[label].add(goals[of.role])
			}
		}
	}
}

// tallyPlayout adds what was played below the tree. A role that has one
// semimove at a level has played that so many times.
func (w *worker) tallyPlayout(l *lane, goals []float64) {
	n := &w.learner
	tr, lane := &n.trace, int(l.number)
	moves := 0
	for step := max(l.left+1, w.steps-traceRows+1); step <= w.steps; step++ {
		if !tr.hasMoved(step, lane) {
			continue
		}
		moves++
		row := tr.row(step, lane)
		for i := range n.tallies {
			of := &n.tallies[i]
			if label := row[of.word*blockSteps] >> of.shift & of.mask; of.mask != 0 && label < uint64(len(of.stats)) {
				of.stats[label].add(goals[of.role])
			}
		}
	}
	for i := range n.tallies {
		if of := &n.tallies[i]; of.mask == 0 {
			s := &of.stats[0]
			s.sum, s.n = s.sum+goals[of.role]*float64(moves), s.n+float64(moves)
		}
	}
}
