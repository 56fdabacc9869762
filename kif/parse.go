package kif

import (
	"fmt"
	"strconv"
	"unsafe"
)

// Error is a fault in a text: where it is, what could have stood there and
// what was found instead.
type Error struct {
	Pos             Pos
	Expected, Found string
}

// Error gives "line:col: expected ..., found ...".
func (e Error) Error() string {
	return fmt.Sprintf("%d:%d: expected %s, found %s", e.Pos.Line, e.Pos.Col, e.Expected, e.Found)
}

// Limits bound what a text may ask of the reader. A field that is zero stands
// for the one in DefaultLimits.
type Limits struct {
	Bytes int // length of the text
	Depth int // lists inside each other
	Terms int // symbols, variables and lists in all
}

// DefaultLimits are far above any published description (the longest has
// about 300 kB, and less than 100,000 terms) and keep what a hostile text can
// take below 16 MiB and as many TermBytes as there may be terms: 72 MiB in all.
// The depth also bounds the recursion of everything that walks over terms.
var DefaultLimits = Limits{Bytes: 16 << 20, Depth: 1000, Terms: 1 << 20}

// TermBytes is what a term that was read takes in memory, beside the text,
// which its names are parts of.
const TermBytes = int64(unsafe.Sizeof(Term{}))

func (l Limits) orDefault() Limits {
	if l.Bytes == 0 {
		l.Bytes = DefaultLimits.Bytes
	}
	if l.Depth == 0 {
		l.Depth = DefaultLimits.Depth
	}
	if l.Terms == 0 {
		l.Terms = DefaultLimits.Terms
	}
	return l
}

// Parse reads all terms of a text, within DefaultLimits. The error is an
// Error.
func Parse(src string) ([]Term, error) { return DefaultLimits.Parse(src) }

// ParseTerm reads a text that is exactly one term. The error is an Error.
func ParseTerm(src string) (Term, error) {
	terms, rest, err := DefaultLimits.parse(src, true)
	if err != nil {
		return Term{}, err
	}
	if tok := rest.next(); tok.kind != tokenEnd {
		return Term{}, Error{tok.pos, "the end of the text after one term", tok.describe()}
	}
	return terms[0], nil
}

// First reads the first term of a text and returns what follows it unread,
// whatever that is. The error is an Error.
func First(src string) (t Term, rest string, err error) {
	terms, after, err := DefaultLimits.parse(src, true)
	if err != nil {
		return Term{}, src, err
	}
	return terms[0], src[after.off:], nil
}

// CountFirst tells how many terms First would make, without making them. The
// error is that of First.
func CountFirst(src string) (int, error) {
	size, _, err := DefaultLimits.measure(src, true)
	return size.terms, err
}

// Parse reads all terms of a text within the limits. The error is an Error.
func (l Limits) Parse(src string) ([]Term, error) {
	terms, _, err := l.parse(src, false)
	return terms, err
}

// parse reads the terms of a text, or the first one; after stands behind them.
// All terms of a text share one slice, made at the number that is needed:
// lists that grow one by one would take several times their size.
func (l Limits) parse(src string, first bool) (terms []Term, after *lexer, err error) {
	size, after, err := l.measure(src, first)
	if err != nil {
		return nil, nil, err
	}
	f := filler{terms: make([]Term, size.terms), free: size.terms, open: make([]open, 0, size.depth)}
	f.fill(newLexer(src[:after.off]))
	return f.terms[:f.top:f.top], after, nil
}

// size is what a text, or its first term, asks for.
type size struct {
	terms, depth int
}

// measure holds a text, or its first term, against the limits and the grammar,
// and makes nothing but places for the open lists. after stands behind it.
func (l Limits) measure(src string, first bool) (s size, after *lexer, err error) {
	l = l.orDefault()
	if len(src) > l.Bytes {
		return s, nil, Error{Pos{1, 1}, fmt.Sprintf("at most %d bytes", l.Bytes), fmt.Sprintf("%d", len(src))}
	}
	lex := newLexer(src)
	var open []Pos // of the lists whose end has not been read
	for {
		tok := lex.next()
		pos := tok.pos
		switch tok.kind {
		case tokenEnd:
			if n := len(open); n > 0 {
				return s, nil, Error{tok.pos, `")" to close the list opened at ` + open[n-1].String(), tok.describe()}
			}
			if first {
				return s, nil, Error{tok.pos, "a term", tok.describe()}
			}
			return s, lex, nil
		case tokenOpen:
			if len(open) == l.Depth {
				return s, nil, Error{tok.pos, fmt.Sprintf("at most %d lists inside each other", l.Depth), "another"}
			}
			open = append(open, tok.pos)
			s.depth = max(s.depth, len(open))
			continue
		case tokenClose:
			if len(open) == 0 {
				return s, nil, Error{tok.pos, "a term", `")" without a list to close`}
			}
			pos = open[len(open)-1]
			open = open[:len(open)-1]
		}
		if s.terms++; s.terms > l.Terms {
			return s, nil, Error{pos, fmt.Sprintf("at most %d terms", l.Terms), "another"}
		}
		if first && len(open) == 0 {
			return s, lex, nil
		}
	}
}

// filler makes the terms of a text that has been measured. The items of open
// lists stand at the front of terms, the outermost list's first; those of
// closed lists have moved to its back. No term is in both, so that the one
// slice has room for all.
type filler struct {
	terms []Term
	top   int    // length of the front
	free  int    // where the back begins
	open  []open // kept here, so that no text can exhaust the goroutine's stack
}

// open is a list whose end has not been read.
type open struct {
	pos   Pos
	first int // index of its first item in filler.terms
}

func (f *filler) fill(lex *lexer) {
	for {
		tok := lex.next()
		switch tok.kind {
		case tokenEnd:
			return
		case tokenOpen:
			f.open = append(f.open, open{tok.pos, f.top})
			continue
		case tokenClose:
			f.close()
		case tokenName:
			f.terms[f.top] = Term{Name: tok.text, Pos: tok.pos}
		}
		f.top++
	}
}

// close makes a term of the innermost open list, at the top of the front.
func (f *filler) close() {
	last := f.open[len(f.open)-1]
	f.open = f.open[:len(f.open)-1]
	n := f.top - last.first
	copy(f.terms[f.free-n:f.free], f.terms[last.first:f.top])
	items := f.terms[f.free-n : f.free : f.free]
	f.free -= n
	f.top = last.first
	f.terms[f.top] = Term{Items: items, Pos: last.pos}
}

// String gives "line:col".
func (p Pos) String() string { return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col) }

// describe names a token in an error message, cut to a readable length.
func (t token) describe() string {
	switch t.kind {
	case tokenOpen:
		return `"("`
	case tokenClose:
		return `")"`
	case tokenName:
		const most = 40
		if len(t.text) > most {
			return strconv.Quote(t.text[:most]) + "..."
		}
		return strconv.Quote(t.text)
	}
	return "the end of the text"
}
