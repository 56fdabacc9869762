package reasonertest

import (
	"math/bits"
	"slices"

	"semisplit/kif"
)

// tracer is an engine that tells by which joint move each lane came to its
// state; see package search/engine.
type tracer interface {
	Trace(on bool)
	TraceWords() int
	TraceField(role, level int) (word int, shift, bits uint)
	Choices() []uint64
}

// steerer is an engine that lets others choose.
type steerer interface {
	SetPolicy(role, level int, order []int32, epsilon float64)
	SetChooser(role, level int, choose func(lanes, offers []uint64, words int, prefix []uint64, into []int32))
}

// steer lets choosers and orders choose at some levels: what they choose must
// be as legal as what the engine draws.
func (w *walk) steer() {
	s, ok := w.e.(steerer)
	if !ok {
		return
	}
	for r := range w.m.Roles() {
		for l := range w.m.Levels(r) {
			switch w.rng.IntN(4) {
			case 0:
				s.SetChooser(r, l, w.choose)
			case 1:
				s.SetPolicy(r, l, []int32{}, float64(w.rng.IntN(3))/2)
			}
		}
	}
}

// choose is a random chooser.
func (w *walk) choose(lanes, offers []uint64, words int, _ []uint64, into []int32) {
	for at, x := range lanes {
		for ; x != 0; x &= x - 1 {
			lane := 64*at + bits.TrailingZeros64(x)
			var all []int32
			for i, y := range offers[lane*words : (lane+1)*words] {
				for ; y != 0; y &= y - 1 {
					all = append(all, int32(64*i+bits.TrailingZeros64(y)))
				}
			}
			if len(all) < 2 {
				w.t.Errorf("lane %d: a chooser is asked about the offers %v", lane, all)
				continue
			}
			into[lane] = all[w.rng.IntN(len(all))]
		}
	}
}

// played are the moves by which a lane came to its state, as the trace has
// them.
func (w *walk) played(i int) []kif.Term {
	words := w.trace.Choices()[i*w.trace.TraceWords():]
	var moves []kif.Term
	for r := range w.m.Roles() {
		var path []uint32
		for l := range w.m.Levels(r) {
			word, shift, width := w.trace.TraceField(r, l)
			path = append(path, uint32(words[word]>>shift&(1<<width-1)))
		}
		moves = append(moves, w.m.Move(r, path))
	}
	return moves
}

// followTrace lets the oracle take the joint move that the trace names.
func (w *walk) followTrace(i int) bool {
	l, moves := &w.lanes[i], w.played(i)
	if l.how == given && spell(moves) != spell(l.moves) {
		w.t.Errorf("lane %d was loaded with %s, and traced with %s", i, spell(l.moves), spell(moves))
		return false
	}
	for r, move := range moves {
		legal := func(k kif.Term) bool { return k.String() == move.String() }
		if !slices.ContainsFunc(l.at.legal[r], legal) {
			w.t.Errorf("lane %d was traced with %s, which is not legal in %v", i, move, l.at.fluents)
			return false
		}
	}
	return w.take(i, moves)
}
