// Package propnet is the circuit of a grounded game: AND, OR and NOT gates
// over the fluents of a state and the semimoves that are selected in it.
package propnet

import "semisplit/reasoner/gdl"

// Node is the number of a gate or of an input of a Net.
type Node int32

// False and True are the first two nodes of every net.
const (
	False Node = 0
	True  Node = 1
)

// Op is what a node computes.
type Op uint8

const (
	Const Op = iota // False and True
	Input           // a fluent of the current state, or a selected semimove
	And             // of one or more operands
	Or              // of one or more operands
	Not             // of one operand
)

// Net is a circuit. Nodes are in evaluation order: except inside a cyclic
// range, operands come before the gates that use them.
//
// Layout of the nodes: False, True, the fluents, the selections, the HasLegalMove
// inputs of the roles that have one, the gates.
type Net struct {
	Ops   []Op    // by node
	First []int32 // operands of node n are Args[First[n]:First[n+1]]; length len(Ops)+1
	Args  []Node

	Terms   *gdl.Store   // spells Fluents and the semimoves
	Fluents []gdl.TermID // fluent i is input node 2+i
	Initial []bool       // by fluent
	Next    []Node       // by fluent: holds if the fluent holds after the joint move

	Roles    []Role
	Terminal Node

	Cycles []Cycle // recursive gates, in node order, disjoint

	// OneHot says what holds of the fluents in every reachable state: whoever
	// makes the net has proved it. Of the selections of a level exactly one
	// holds when next is asked for, and at most one before: that is no
	// annotation but the meaning of a level.
	OneHot []Group

	// Spare are, by fluent, those that Essential has taken out: they hold in no state
	// that a step leads to, and nothing reads them. nil: there are none.
	Spare []bool
}

// Group is a set of fluents of which at most one holds.
type Group struct {
	Members []Node // fluents, in rising order
	Exactly bool   // one of them always holds
}

// Role holds the nodes that belong to one role.
type Role struct {
	Name   gdl.TermID
	Levels []Level // orthodox: one level with every move
	Goals  []Goal  // by falling value

	// HasLegalMove is an input node that says whether the role has a legal move,
	// where a split game asks for it: whoever evaluates the net must find out
	// by completing a path of semimoves. False if nothing asks.
	HasLegalMove Node

	// Winning is for a net of Foresee: the role has a move that wins at once, and no
	// other role has a choice. Only in states that are not terminal. False in
	// other nets.
	Winning Node
}

// Level is one level of semimoves of a role. A semimove is named by its
// index in Codes; an orthodox semimove is a whole move.
type Level struct {
	Codes  []gdl.TermID // what each semimove stands for
	Offer  []Node       // by semimove: it may be chosen, after the selections of the levels before
	Select []Node       // by semimove: the input node that says it is chosen; False if nothing asks for it

	// Of a net of Foresee, in states that are not terminal.
	Prefer     []Node // by semimove: after the selections of the levels before, a legal move that is preferred goes on with it; nil in other nets
	Preferring Node   // some Prefer holds
}

// Goal is one goal value of a role.
type Goal struct {
	Value int // 0..100
	Node  Node
}

// Cycle is a range of nodes [From, To) that use each other. They start from
// False and are evaluated again until nothing changes (negation never runs
// through a cycle).
type Cycle struct {
	From, To Node
}
