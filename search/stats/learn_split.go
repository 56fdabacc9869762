package stats

// Statistics of single semimoves are most of what playouts learn: each joint
// move of each playout adds to a few sums. So where nothing else is learned,
// the semimoves go from the trace straight to the sums, without joint moves in
// between.

// tally is the statistics of the semimoves in a field of the trace.
type tally struct {
	field
	role  int
	stats []Average // by label; all that the field can hold
}

// tallyBits bounds the fields that have a tally: 64 kB of statistics each.
const tallyBits = 12

// newTallies prepares the short way, if the options allow it: split statistics
// alone, of whole samples, of moves that are split no finer than the engine's, in
// fields that are not too large.
func (n *Learner) newTallies() {
	m := n.Mast
	if n.rave != nil || n.byNodes.On() || m.Kind != Split || m.beside.any() || !m.Decay.wholeSamples() || n.Trace.tracer == nil {
		return
	}
	var tallies []tally
	fields := n.Trace.fields
	for r := range n.encodings {
		s := &n.encodings[r]
		if s.Divided != nil {
			return
		}
		for level := range s.EngineLevels {
			f := fields[0]
			fields = fields[1:]
			if f.mask >= 1<<tallyBits {
				return
			}
			of := make([]Average, f.mask+1)
			m.Split[r][level] = of
			tallies = append(tallies, tally{field: f, role: r, stats: of})
		}
	}
	n.Tallies = tallies
}

// learnTallies is learn, the short way.
func (n *Learner) learnTallies(it *Iteration, goals []float64) {
	n.tallyPath(it, goals)
	if it.Played {
		n.tallyPlayout(it, goals)
	}
	n.Mast.recorded()
}

// tallyPath adds what was chosen in the tree.
func (n *Learner) tallyPath(it *Iteration, goals []float64) {
	if n.width == len(n.Tallies) { // the tree's semimoves are the engine's
		k := 0
		for _, id := range it.Edges {
			of := &n.Tallies[k]
			if label := n.tree.Semimove(id); int(label) < len(of.stats) {
				of.stats[label].Add(goals[of.role])
			}
			if k++; k == len(n.Tallies) {
				k = 0
			}
		}
		return
	}
	for at := 0; at < len(it.Edges); at += n.width {
		n.joint = n.jointOf(it.Edges[at:at+n.width], n.joint[:0])
		for i, label := range n.joint {
			of := &n.Tallies[i]
			if int(label) < len(of.stats) {
				of.stats[label].Add(goals[of.role])
			}
		}
	}
}

// tallyPlayout adds what was played below the tree. A role that has one
// semimove at a level has played that so many times.
func (n *Learner) tallyPlayout(it *Iteration, goals []float64) {
	tr, lane := &n.Trace, it.Lane
	moves := 0
	for step := it.firstStep(); step <= it.Now; step++ {
		if !tr.hasMoved(step, lane) {
			continue
		}
		moves++
		row := tr.row(step, lane)
		for i := range n.Tallies {
			of := &n.Tallies[i]
			if label := row[of.word*blockSteps] >> of.shift & of.mask; of.mask != 0 && label < uint64(len(of.stats)) {
				of.stats[label].Add(goals[of.role])
			}
		}
	}
	for i := range n.Tallies {
		if of := &n.Tallies[i]; of.mask == 0 {
			s := &of.stats[0]
			s.Sum, s.N = s.Sum+goals[of.role]*float64(moves), s.N+float64(moves)
		}
	}
}
