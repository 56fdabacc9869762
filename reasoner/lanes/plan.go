package lanes

// plan is a compiled net: programs over one array of slots.
//
// Layout of the slots: false, true, the fluents, the inputs that say whether a
// role has a legal move, the held lanes, the selections (level after level of
// role after role, each padded), temporaries, and what choosing needs: a mask,
// what was tried, two rows of columns as long as the widest level, and what a
// trace and choosers need.
//
// The programs of a state run in the order state, goals (if asked), deeper
// levels, next; each may use what those before it computed, goals excepted.
// fresh is next for lanes whose state has just been loaded: it relies on the
// inputs alone.
type plan struct {
	slots        int
	fluents      int32   // first slot of the fluents
	count        int32   // number of fluents
	inputs       int     // number of slots before the temporaries
	held         int32   // slot of the lanes whose fluents next and fresh keep; -1 if they keep none
	parks        bool    // goals cost more than a state: lanes wait for them together
	state        program // terminal, and the offers of the first levels
	deeper       []program
	goals        program
	next         program
	fresh        program
	terminal     int32
	roles        []rolePlan
	mask         int32 // slot
	mergeScratch int32 // first of the columns for selections that are to be merged
	masked       int32 // first of the columns for offers without those that were tried
	trace        tracePlan
	ask          askPlan
	asksForMoves bool // a role has an input that says whether it has a legal move
	simple       bool // one level a role, and no such input
	foresees     bool // the net tells which semimoves to prefer

	// About what a Step costs, and a pass of choosing in it, in instructions.
	stepCost, passCost float64
}

// rolePlan is where a role's levels and goals are found.
type rolePlan struct {
	levels       []levelPlan
	goals        []goalPlan // by goal of the net
	hasLegalMove int32      // slot of the input that says so, -1 if there is none
	first        int        // place of its first semimove in a joint move
	binding      int        // levels that bind the others: propnet.Net.Binding
	winning      int32      // slot of the lanes where it wins at once; of a net that foresees
}

// goalPlan is a goal: it has the value where the slot is set.
type goalPlan struct {
	slot  int32
	value int
}

// levelPlan is a level of semimoves.
type levelPlan struct {
	count  int     // semimoves
	offers []int32 // by semimove: slot
	sel    int32   // slot of the first selection, of kernel.Pad(count)
	tried  int32   // slot of the first mark, of count; 0 at the last level, where nothing can be found dead

	// Of a net that foresees.
	prefer     []int32 // by semimove: slot
	preferring int32   // slot of the lanes where some semimove is preferred

	field field // of the number of what is selected
}

// size is the number of instructions that every step runs.
func (p *plan) size() int {
	n := p.state.size() + p.next.size()
	for i := range p.deeper {
		n += p.deeper[i].size()
	}
	return n
}

// tracePlan says how the semimoves that a lane has selected are packed into
// words: the number of each in a field of its own, as bit planes, one slot for
// each bit of a word.
type tracePlan struct {
	words   []traceWord
	scratch int32 // first of the slots for sums of selections
}

// traceWord is where the planes of a word are found, the lowest bit first.
type traceWord struct {
	used int32 // bits
	now  int32 // first slot: what is selected at present, where it was folded
	last int32 // first slot: what was played last
}

// field is the place of a semimove's number in the words of a lane. Bits is 0
// where there is but one semimove.
type field struct {
	word        int
	shift, bits uint
}

const wordBits = 64

// plane is the first slot of the planes of what is selected at a level.
func (p *plan) plane(f field) int32 { return p.trace.words[f.word].now + int32(f.shift) }

// askPlan has the slots of sets of lanes and of columns that asking a chooser
// takes.
type askPlan struct {
	any    int32 // lanes with an offer
	many   int32 // lanes with several
	forced int32 // lanes that take their only offer
	asked  int32
	parts  int32 // first of the columns for the lower and upper halves of a number
}
