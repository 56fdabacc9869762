// Package split turns the rules of a game into rules of a semisplit game: a
// move becomes a path of semimoves, chosen level by level, and rules ask for
// the selected semimoves where they asked for the move.
package split

import "semisplit/reasoner/gdl"

// Game is a game whose moves are split by a plan.
//
// Its program has no does and no legal: rules ask for selections where they
// asked for moves, and the rules of legal have become rules of offers. What
// is selected does not change inside a turn, and a level has at most one
// selected tuple, over all its choices: selections are functional.
type Game struct {
	Program *gdl.Program
	Plan    *Plan
	Roles   []Role // in the order of Program.Roles
}

// Role is how the moves of one role are chosen.
type Role struct {
	Levels []Level // at least one; every path has a semimove at each level

	// HasLegalMove is an input relation without arguments: the role has a legal
	// move in this state. -1 if the rules do not ask for it. It stands where
	// terminal or goal ask whether there is any legal move of a split role.
	HasLegalMove gdl.RelID
}

// Level is one level of semimoves.
type Level struct {
	Choices []Choice
	Verify  bool // the level has one semimove, offered if the path is a legal move
}

// Choice is one form of semimove: a row of values for a group of arguments.
type Choice struct {
	// Offer and Select are relations of the same arity, the number of
	// arguments in the group. Offer has rules, which may ask for selections of
	// the levels before, of the same role. Select is an input: it has no
	// rules, and its possible tuples are those that Offer can ever have.
	Offer, Select gdl.RelID

	// Code spells the semimove: the move as a term in which variable i stands
	// for argument i of Offer, and the constant Hole for what other levels
	// decide. A level at which a move has nothing to choose has a choice
	// without arguments whose code is Hole alone.
	Code gdl.Term
}

// Hole is the name of the constant that stands in a code for what the
// semimove leaves open. The codes of a path, laid over each other, are the
// move.
const Hole = "_"
