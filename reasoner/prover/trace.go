package prover

// moveShape is the number of semimoves in a move, by role. A joint move is the
// numbers of all of them.
type moveShape []int

// placeOf is the place of a semimove in a joint move.
func (m moveShape) placeOf(role, level int) int {
	for _, n := range m[:role] {
		level += n
	}
	return level
}

// words is the number of words in which a joint move is packed.
func (m moveShape) words() int {
	return (m.placeOf(len(m), 0) + fieldsPerWord - 1) / fieldsPerWord
}

// A number takes half a word of a trace.
const (
	fieldBits     = 32
	fieldsPerWord = 2
)

// setField packs a number.
func setField(words []uint64, place int, number uint32) {
	w, shift := place/fieldsPerWord, place%fieldsPerWord*fieldBits
	words[w] = words[w]&^((1<<fieldBits-1)<<shift) | uint64(number)<<shift
}

// trace is what an engine played last, for who asks for it.
type trace struct {
	shape   moveShape
	tracing bool
	choices []uint64 // the joint move that was played last
}

// Trace says whether Choices will be asked for; at first it will not. What was
// played before is not known then.
func (t *trace) Trace(on bool) {
	t.tracing = on
	if t.choices == nil {
		t.choices = make([]uint64, t.TraceWords())
	}
}

// TraceWords is the number of words in which a joint move is packed.
func (t *trace) TraceWords() int { return t.shape.words() }

// TraceField is where the number of a role's semimove at a level is found in a
// joint move that is packed: in a word the bits from shift on.
func (t *trace) TraceField(role, level int) (word int, shift, bits uint) {
	place := t.shape.placeOf(role, level)
	return place / fieldsPerWord, uint(place % fieldsPerWord * fieldBits), fieldBits
}

// Choices is the joint move, random or given, by which the lane came to its
// present state. After Load without a joint move it means nothing until the
// lane has moved. Without Trace it means nothing at all. It is valid until the
// next Step.
func (t *trace) Choices() []uint64 { return t.choices }

// recordGiven notes the joint move that was given as played.
func (t *trace) recordGiven(joint []uint32) {
	if t.tracing {
		for place, n := range joint {
			setField(t.choices, place, n)
		}
	}
}
