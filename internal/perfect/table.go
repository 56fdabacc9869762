package perfect

// What an entry of a table says of the value of its position.
const (
	nothing = iota
	atLeast
	atMost
	exactly
)

// entry is what is remembered of a position.
type entry[P any] struct {
	p     P
	value int16
	depth int16 // moves that the search looked ahead; of no meaning for points
	kind  uint8
	best  uint8 // index of the move to try first
}

// table remembers positions, each in the one slot of its hash; a new one takes
// the place of the old one.
type table[P comparable] struct {
	entries []entry[P]
	stack   []step[P] // moves of all positions on the way
	nodes   int       // looked at since limit was set
	limit   int
}

// newTable has 2^bits slots.
func newTable[P comparable](bits int) table[P] {
	return table[P]{entries: make([]entry[P], 1<<bits)}
}

func (t *table[P]) slot(hash uint64) *entry[P] { return &t.entries[hash&uint64(len(t.entries)-1)] }

// spent tells that the limit is reached; what the search returns then is
// nothing.
func (t *table[P]) spent() bool { return t.nodes > t.limit }

// kindOf says what a value is, found within a window.
func kindOf(value, alpha, beta int) uint8 {
	switch {
	case value <= alpha:
		return atMost
	case value >= beta:
		return atLeast
	}
	return exactly
}

// cuts tells whether an entry answers for a window.
func (e *entry[P]) cuts(alpha, beta int) bool {
	v := int(e.value)
	return e.kind == exactly || e.kind == atLeast && v >= beta || e.kind == atMost && v <= alpha
}
