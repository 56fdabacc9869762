package stats

import (
	"math/bits"

	"semisplit/search/engine"
)

// TraceSteps are the Steps of which the choices are kept. Of a longer playout
// the last so many joint moves are known.
const TraceSteps = 512

// field is where a semimove is in the trace of a lane.
type field struct {
	word  int
	shift uint
	mask  uint64
}

// Trace keeps what the lanes of a worker played in their playouts.
type Trace struct {
	tracer engine.Tracer // nil: nothing is kept
	words  int
	fields []field  // of a joint move, by role and level of the engine
	rows   []uint64 // by block of Steps, in a ring, lane, word and Step in the block
	moved  []uint64 // by Step: lanes that moved
	lanes  int
}

// blockSteps are the Steps of a block. What a lane played in one lies together,
// in one line of the cache if it is packed in one word: who reads a playout
// misses once for eight joint moves.
const blockSteps = 8

// NewTrace makes one of an engine whose roles choose in so many levels each.
func NewTrace(e engine.Engine, engineLevels []int) Trace {
	tr := Trace{lanes: e.Lanes()}
	tracer, ok := e.(engine.Tracer)
	if !ok {
		return tr
	}
	tr.tracer, tr.words = tracer, tracer.TraceWords()
	tr.fields = traceFields(tracer, engineLevels)
	tr.rows = make([]uint64, TraceSteps*tr.lanes*tr.words)
	tr.moved = make([]uint64, TraceSteps*((tr.lanes+63)/64))
	tracer.Trace(true)
	return tr
}

// Keeps says whether anything is kept.
func (tr *Trace) Keeps() bool { return tr.tracer != nil }

func traceFields(tracer engine.Tracer, engineLevels []int) (fields []field) {
	for r, levels := range engineLevels {
		for level := range levels {
			word, shift, n := tracer.TraceField(r, level)
			fields = append(fields, field{word, shift, 1<<n - 1})
		}
	}
	return fields
}

// Note keeps the choices of Step number step; moved has the lanes that moved.
func (tr *Trace) Note(step int64, moved []uint64) {
	i := int(step % TraceSteps)
	copy(tr.moved[i*len(moved):(i+1)*len(moved)], moved)
	choices := tr.tracer.Choices()[:tr.lanes*tr.words]
	rows := tr.rows[i/blockSteps*blockSteps*len(choices):][:blockSteps*len(choices)]
	for k, at := 0, i%blockSteps; k < len(choices) && at < len(rows); k, at = k+1, at+blockSteps {
		rows[at] = choices[k]
	}
}

// hasMoved tells whether a lane played a joint move in a Step.
func (tr *Trace) hasMoved(step int64, lane int) bool {
	i := int(step % TraceSteps)
	return tr.moved[i*((tr.lanes+63)/64)+lane/64]>>(lane%64)&1 != 0
}

// row is what a lane played in a Step: its words are blockSteps apart.
func (tr *Trace) row(step int64, lane int) []uint64 {
	i := int(step % TraceSteps)
	return tr.rows[(i/blockSteps*tr.lanes+lane)*tr.words*blockSteps+i%blockSteps:]
}

// Played appends the joint move that a lane played in a Step, as the engine's
// semimoves; false if it played none.
func (tr *Trace) Played(step int64, lane int, dst []uint32) ([]uint32, bool) {
	if !tr.hasMoved(step, lane) {
		return dst, false
	}
	row := tr.row(step, lane)
	for _, f := range tr.fields {
		dst = append(dst, uint32(row[f.word*blockSteps]>>f.shift&f.mask))
	}
	return dst, true
}

// bitsOf calls f for each bit of a lane's set.
func bitsOf(set []uint64, f func(i uint32)) {
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			f(uint32(i*64 + bits.TrailingZeros64(word)))
		}
	}
}
