// Package kif reads and writes prefix KIF, the notation of game descriptions
// and of the messages between game managers and players. It knows text and
// terms, and nothing of games.
package kif

// Pos is a place in a text. Line and Col start at 1; Col counts runes. The
// zero Pos means that the term was built, not read.
type Pos struct {
	Line, Col int
}

// A Term is a symbol, a variable, or a list of terms. The spelling of a
// symbol is kept as it was read: what may be compared without case is the
// caller's knowledge.
type Term struct {
	Name  string // the spelling of a symbol or of a variable ("?x"); empty for a list
	Items []Term // the items of a list; nil for a symbol or a variable
	Pos   Pos
}
