// Package kif reads and writes prefix KIF, the notation of game descriptions
// and of the messages between game managers and players. It knows text and
// terms, and nothing of games.
//
// The reading is as generous as texts in the wild need: white space is what
// Unicode calls so, and the byte order mark wherever it stands; a line ends
// with LF, CRLF or a bare CR; a comment runs from ";" to the end of its line.
// Every other character except the parentheses belongs to a symbol, quotes,
// bars and bytes that are not UTF-8 included, so that what was read can always
// be written again.
package kif

import "strings"

// Pos is a place in a text. Line and Col start at 1; Col counts runes. The
// zero Pos means that the term was built, not read.
type Pos struct {
	Line, Col int
}

// Before reports whether p stands before q in a text.
func (p Pos) Before(q Pos) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col
}

// A Term is a symbol, a variable, or a list of terms. The spelling of a
// symbol is kept as it was read: what may be compared without case is the
// caller's knowledge.
type Term struct {
	Name  string // the spelling of a symbol or of a variable ("?x"); empty for a list
	Items []Term // the items of a list; nil for a symbol or a variable
	Pos   Pos
}

// Symbol returns the symbol, or with a leading "?" the variable, of that
// spelling. The caller answers for a name that can be read again: not empty,
// without white space, parentheses and semicolons.
func Symbol(name string) Term { return Term{Name: name} }

// List returns the list of the items; without any, the empty list.
func List(items ...Term) Term {
	if items == nil {
		items = []Term{}
	}
	return Term{Items: items}
}

// IsList reports whether t is a list, the empty one included.
func (t Term) IsList() bool { return t.Items != nil }

// IsVar reports whether t is a variable: a name that starts with "?".
func (t Term) IsVar() bool { return t.Items == nil && strings.HasPrefix(t.Name, "?") }

// IsSymbol reports whether t is a symbol and no variable.
func (t Term) IsSymbol() bool {
	return t.Items == nil && t.Name != "" && t.Name[0] != '?'
}

// Clone is a copy that keeps nothing of the text that t was read from, nor of
// its other terms.
func (t Term) Clone() Term {
	t.Name = strings.Clone(t.Name)
	if t.Items != nil {
		items := make([]Term, len(t.Items))
		for i, item := range t.Items {
			items[i] = item.Clone()
		}
		t.Items = items
	}
	return t
}

// Equal reports whether a and b are the same term, wherever they stand.
// Names are compared with their case.
func Equal(a, b Term) bool {
	return equal(a, b, func(x, y string) bool { return x == y })
}

// EqualFold is Equal without regard to case.
func EqualFold(a, b Term) bool { return equal(a, b, strings.EqualFold) }

func equal(a, b Term, names func(x, y string) bool) bool {
	if a.IsList() != b.IsList() || len(a.Items) != len(b.Items) {
		return false
	}
	if !a.IsList() {
		return names(a.Name, b.Name)
	}
	for i := range a.Items {
		if !equal(a.Items[i], b.Items[i], names) {
			return false
		}
	}
	return true
}
