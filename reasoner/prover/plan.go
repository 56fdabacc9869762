package prover

import "semisplit/reasoner/gdl"

// code is a compiled program: what an engine executes. It does not change
// once it is made and is shared by all engines.
type code struct {
	patterns []pattern
	fluents  []fluentSpec
	byName   map[fluentName]int32 // into fluents

	init, terminal, next, legal, isLegal, goal *pattern // nil: the relation has no rules

	layout *layout    // nil: moves are taken whole
	offers []*pattern // by choice; nil: no rules
	spaces int
}

// fluentName is a functor (or a constant) with an arity.
type fluentName struct {
	fn    gdl.Symbol
	arity int
}

// noName is the functor of what is stored under no name.
const noName gdl.Symbol = -1

// fluentSpec says how the true fluents of one functor are stored: a row of
// arguments for each, and the column sets that are indexed. The inputs of a
// split game are stored likewise, under no name: a selection is a row, or none.
type fluentSpec struct {
	name    fluentName
	indexes [][]int
}

// How an argument of a call is given.
const (
	bound   = 'b' // a ground term, part of the table's key
	free    = 'f' // a column of the table's rows
	dropped = 'd' // any value will do; not kept
)

// Where the tables of a pattern live.
const (
	forever = iota
	perState
	perMove  // until any selection changes
	perGuess // until it turns out that a role cannot move
	numSpaces
	// Then those that live until the selection of a role at a level changes, or at one above it.
)

// pattern is a relation with a way of calling it.
type pattern struct {
	rel    gdl.RelID
	adorn  string // bound, free or dropped, by argument
	id     int32
	space  int
	group  int  // of the relation
	cyclic bool // the group is recursive
	keys   int  // number of bound arguments
	width  int  // number of free arguments
	plans  []plan
}

// plan is a rule compiled for a pattern. Registers are the rule's variables,
// then room for the keys of its operations.
type plan struct {
	entry []pat // matches the key
	ops   []op
	row   []value // the free arguments
	regs  int
	cut   int // after an answer, go back to this operation: later ones bind nothing that the answer shows; -1: done
}

type patKind uint8

const (
	patSkip     patKind = iota // matches anything
	patConst                   // the term id
	patCheck                   // the term in a register
	patBind                    // anything; sets the register
	patCompound                // functor fn, arguments args
)

// pat matches a ground term.
type pat struct {
	kind patKind
	col  int32 // the column that is matched
	reg  int32
	id   gdl.TermID
	fn   gdl.Symbol
	args []pat
}

type valueKind uint8

const (
	valConst valueKind = iota
	valReg
	valBuild
)

// value makes a ground term from registers.
type value struct {
	kind valueKind
	reg  int32
	id   gdl.TermID
	fn   gdl.Symbol
	args []value
}

type opKind uint8

const (
	opFail     opKind = iota
	opDistinct        // key[0] and key[1] differ
	opSame            // key[0] and key[1] are equal
	opFluents         // rows of a fluent table
	opTrue            // a whole fluent, bound
	opEach            // every fluent as a whole
	opDoes            // the moves of the joint move; columns role, move
	opStatic          // rows of a materialised relation
	opCall            // a table of a lower group
	opRec             // a table of the same recursive group
)

// op is a step of a plan: a test or a loop over rows.
type op struct {
	kind    opKind
	neg     bool // succeeds if there is no row
	once    bool // one row will do: nothing that it binds is used
	keyReg  int32
	key     []value
	keyCols []int32 // columns that the key is compared with
	frees   []pat   // for the other columns
	table   int32   // fluent table
	index   int32   // of the table; -1: none
	rows    *rows   // of opStatic
	callee  int32   // pattern of opCall and opRec
}
