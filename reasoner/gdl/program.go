// Package gdl turns the terms of a game description into clauses, checks
// them, and reports everything that is odd or wrong with position and advice.
//
// Names become integers here, once: later stages see Symbols, relation
// numbers and variable numbers only.
package gdl

import "semisplit/kif"

// Symbol is the number of a name in Symbols.
type Symbol int32

// RelID is the number of a relation, an index into Program.Relations.
type RelID int32

// The relations with a meaning of their own have fixed numbers. A keyword
// with another arity is an ordinary relation (published games contain them).
const (
	RelRole     RelID = iota // (role r)
	RelInit                  // (init f)
	RelTrue                  // (true f)
	RelNext                  // (next f)
	RelLegal                 // (legal r m)
	RelDoes                  // (does r m)
	RelGoal                  // (goal r v)
	RelTerminal              // terminal
	RelBase                  // (base f)
	RelInput                 // (input r m)
	NumKeywordRelations
)

// Term is a term of a rule: a variable, a constant, or a compound.
type Term struct {
	Var  int32  // number of the variable in its rule, from 0; -1 for anything else
	Name Symbol // constant or functor; 0 for a variable
	Args []Term // nil for a constant and for a variable; never empty for a compound
}

// Atom is a relation applied to arguments.
type Atom struct {
	Rel  RelID // -1 in Distinct and Same literals
	Args []Term
	Pos  kif.Pos
}

// LiteralKind tells how the atom of a body literal is meant.
type LiteralKind uint8

const (
	Positive LiteralKind = iota // the atom holds
	Negative                    // no instance of the atom holds (variables that nothing else binds are read as "for no value")
	Distinct                    // Args[0] and Args[1] are different ground terms
	Same                        // Args[0] and Args[1] are the same term: (not (distinct a b))
)

// Literal is one condition of a rule's body.
type Literal struct {
	Kind LiteralKind
	Atom
}

// Rule is a clause in disjunction-free form: or, nested and, nested not have
// been multiplied out or moved to relations of their own. A rule without a
// body is a fact. Positive literals bind every variable of the head, of
// Distinct and of Same; only Negative ones may have variables of their own.
// No rule has true or does as its head.
type Rule struct {
	Head Atom
	Body []Literal
	Vars []string // spelling of the variables, by number
	Pos  kif.Pos
}

// Dependence says what the extension of a relation can depend on.
type Dependence uint8

const (
	OnState Dependence = 1 << iota // depends on true, directly or not
	OnMoves                        // depends on does, directly or not
)

// Relation is a name with an arity.
type Relation struct {
	Name    Symbol
	Arity   int
	Depends Dependence // 0: static
	Stratum int        // negation only looks at lower strata; strata start at 0
	Group   int        // strongly connected component, numbered so that a relation's group is above those it uses
	Cyclic  bool       // the group is recursive
	Rules   []int32    // rules with this head, indexes into Program.Rules, in text order
}

// Program is a checked game description.
type Program struct {
	Symbols   *Symbols
	Relations []Relation
	Rules     []Rule
	Roles     []Term // ground, in the order of the role facts
}
