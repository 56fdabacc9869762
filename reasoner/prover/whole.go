package prover

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// wholeMoves are the legal moves of a position that is not terminal, for moves
// that are taken whole. Where a role has more than Limits.Moves it lists only
// some, in the order in which the rules give them, and ends the evaluation there:
// nobody needs all of ten million moves, but a player needs one of them.
type wholeMoves struct {
	eval     *evaluator
	numbers  *translator
	steering *steering
	trace    *trace

	legal   [][]gdl.TermID // by role
	partial []bool         // by role: there are more legal moves than are listed
	listing int            // the role whose moves are being listed
}

func newWholeMoves(e *evaluator, n *translator, s *steering, t *trace) wholeMoves {
	return wholeMoves{
		eval: e, numbers: n, steering: s, trace: t,
		legal: make([][]gdl.TermID, len(e.roles)), partial: make([]bool, len(e.roles)),
	}
}

// clear forgets the moves of a position that turned out terminal.
func (w *wholeMoves) clear() {
	for r := range w.legal {
		w.legal[r] = w.legal[r][:0]
	}
}

// list finds the legal moves of all roles. It is false if a role has none.
func (w *wholeMoves) list() bool {
	all := true
	for r := range w.legal {
		w.listRole(r)
		all = all && len(w.legal[r]) > 0
	}
	return all
}

// listRole finds the legal moves of a role, unless they were cut short before.
func (w *wholeMoves) listRole(role int) {
	p := w.eval.code.legal
	if p == nil {
		w.legal[role] = w.legal[role][:0]
		return
	}
	if w.partial[role] {
		return
	}
	w.listing = role
	key := w.eval.roles[role : role+1]
	q := &w.eval.quota
	q.most, q.pattern, q.key = w.eval.terms.limits.Moves, p, key
	moves := w.eval.ask(p, key, w.legal[role][:0])
	q.most = 0
	w.keep(role, moves)
}

// cutShort keeps what was found of the moves that are being listed.
func (w *wholeMoves) cutShort() {
	w.keep(w.listing, append(w.legal[w.listing][:0], w.eval.quota.found...))
}

// keep takes answers as the legal moves of a role.
func (w *wholeMoves) keep(role int, moves []gdl.TermID) {
	if most := w.eval.terms.limits.Moves; len(moves) > most {
		moves, w.partial[role] = moves[:most], true
	}
	w.legal[role] = moves
}

// isLegal tells whether a role has a move, which may be one that is not listed.
func (w *wholeMoves) isLegal(role int, number uint32) bool {
	move := w.numbers.localMove(number)
	if listed := slices.Contains(w.legal[role], move); listed || !w.partial[role] {
		return listed
	}
	p := w.eval.code.isLegal
	return w.eval.spaces.holds(p, w.eval.call(p, []gdl.TermID{w.eval.roles[role], move}))
}

// offers appends the numbers of a role's moves, rising.
func (w *wholeMoves) offers(role int, dst []uint32) []uint32 {
	start := len(dst)
	for _, t := range w.legal[role] {
		dst = append(dst, w.numbers.sharedMove(t))
	}
	slices.Sort(dst[start:])
	return dst
}

// take makes the numbers of a joint move the one that is played next.
func (w *wholeMoves) take(joint []uint32) {
	for r, n := range joint {
		w.eval.does[r] = w.numbers.localMove(n)
	}
}

// draw makes a random joint move the one that is played next, and notes it.
func (w *wholeMoves) draw() {
	w.eval.forgetMoves()
	for r, moves := range w.legal {
		if len(moves) > 0 {
			w.eval.does[r] = moves[w.pick(r)]
		}
	}
	w.record()
}

// pick picks one of a role's moves, as its policy or chooser says.
func (w *wholeMoves) pick(role int) int {
	moves, s := w.legal[role], w.steering
	pol := s.steered(role, 0)
	if pol == nil || len(moves) == 1 {
		return s.uniform(len(moves))
	}
	s.candidates = s.candidates[:0]
	for _, t := range moves {
		s.candidates = append(s.candidates, w.numbers.sharedMove(t))
	}
	return s.pick(pol, role, 0)
}

// record notes the joint move as played.
func (w *wholeMoves) record() {
	if w.trace.tracing {
		for r, t := range w.eval.does {
			setField(w.trace.choices, r, w.numbers.sharedMove(t))
		}
	}
}
