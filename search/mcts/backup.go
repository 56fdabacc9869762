package mcts

// A backup carries the result of an iteration up the path of its lane: it is a list of
// passes, in their order. Each pass is a file; what is switched off is not in the list.

// pass is one of them. The path holds its virtual visits until passVisits and the pass
// that counts results have taken them back.
type pass func(w *worker, l *lane, r *result)

// result is what an iteration came to.
type result struct {
	values []float64 // by role, in [0, 1]; a pass may put others in place of it for those that follow
	ended  bool      // the game has ended; else the values are a guess, or of a proof
}

// passesOf are the passes that the options of a tree ask for.
func passesOf(t *searcher) []pass {
	o := &t.options
	var passes []pass
	add := func(p pass, wanted bool) {
		if wanted {
			passes = append(passes, p)
		}
	}
	add(passLength, o.LengthBonus > 0)
	add(passVisits, true)
	add(passMeans, o.Knowledge.MaxBackup <= 0)
	add(passMaxima, o.Knowledge.MaxBackup > 0)
	add(passLate, true)
	add(passMinimax, t.values.On)
	add(passRollUp, o.RollUp)
	add(passLearn, true)
	add(passProof, t.proofs.Proves())
	return passes
}

// backup adds a result to everything on the lane's path. The lane is idle then.
func (w *worker) backup(l *lane, values []float64, ended bool) {
	w.result = result{values, ended}
	for _, p := range w.passes {
		p(w, l, &w.result)
	}
	w.turnTo(l, idle)
	w.selector.t.done++
}

// passVisits turns the virtual visits of nodes and aliases into visits.
func passVisits(w *worker, l *lane, _ *result) {
	for _, n := range l.nodes {
		nd := w.selector.t.tree.Node(n)
		nd.Visits++
		nd.Virtual--
	}
	for _, a := range l.crossed {
		nd := w.selector.t.tree.Node(a)
		nd.Visits++
		nd.Virtual--
	}
}
