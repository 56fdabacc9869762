package lanes

import "time"

// Semimoves is the number of semimoves of a role at a level.
func (e *Engine) Semimoves(role, level int) int {
	return e.circuit.plan.roles[role].levels[level].count
}

// SetPolicy says how a role chooses at a level, in all lanes: the first offer
// in the given order of semimoves (those left out come last, rising), but with
// probability epsilon (to 1/65536) a uniformly random one. A nil order is
// uniform choice throughout, as before the first call. The order is copied.
//
// It counts for choices that are still to be made. Where the rules ask whether
// a role can move, those for the next joint move were made in the last Step.
func (e *Engine) SetPolicy(role, level int, order []int32, epsilon float64) {
	e.picker.setPolicy(role, level, order, epsilon)
}

// SetChooser lets a function choose for a role at a level, in place of its
// policy; nil gives that back. It is called at most once in each pass of a
// Step, and not for joint moves that were given with Load.
//
// lanes is the set of lanes that ask: those with at least two offers; one offer
// is taken unasked. offers are sets of semimoves, of so many words for each
// lane, without those that a lane has found dead there. prefix is nil at the
// first level; else it has TraceWords words for each lane, in which the fields
// of the role's levels before this one are filled in (see TraceField), and
// other bits mean nothing. The function puts one of the offers of each lane
// into its place in into; anything else makes the Step fail. What is said of
// lanes that do not ask means nothing.
//
// The function may call Choices, which tells by which joint move a lane came
// to the state in which it chooses. It must not change offers, keep anything,
// or call other methods. Where the rules ask whether a role can move, it is
// asked as soon as a state is reached, also of one that turns out terminal.
func (e *Engine) SetChooser(role, level int, choose func(lanes, offers []uint64, words int, prefix []uint64, into []int32)) {
	e.picker.setChooser(role, level, choose)
}

// Trace says whether Choices will be asked for; at first it will not. What was
// played before is not known then.
func (e *Engine) Trace(on bool) { e.trace.enable(on) }

// TraceWords is the number of words in which a joint move is packed.
func (e *Engine) TraceWords() int { return len(e.circuit.plan.trace.words) }

// TraceField is where the number of a role's semimove at a level is found in a
// joint move that is packed: in a word the bits from shift on. No bits stand
// for the number 0.
func (e *Engine) TraceField(role, level int) (word int, shift, bits uint) {
	f := e.circuit.plan.roles[role].levels[level].field
	return f.word, f.shift, f.bits
}

// Choices has for each lane the joint move, random or given, by which it came
// to its present state: TraceWords words, lane after lane. A lane that stalls
// keeps what it had. After Load without a joint move it means nothing until
// the lane has moved. Without Trace it means nothing at all. It is valid until
// the next Step.
func (e *Engine) Choices() []uint64 { return e.trace.played() }

// Counters sums up what an engine did.
type Counters struct {
	Steps int64
	Tries int64 // paths of semimoves that were begun, in roles with several levels
	Dead  int64 // those among them that ended in a dead prefix

	// Where the time went, if it was asked for: evaluating states, choosing
	// moves (with the offers of deeper levels), and making the next states
	// (with loading).
	Evaluate, Choose, Next time.Duration
}

// Counters are the sums since the engine was made.
func (e *Engine) Counters() Counters {
	return Counters{e.steps, e.turns.tries, e.turns.dead, e.clock.evaluate, e.clock.choose, e.clock.next}
}

// Time switches the measuring of time on or off.
func (e *Engine) Time(on bool) { e.clock.on = on }
