package kif

import (
	"fmt"
	"strconv"
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
// about 300 kB) and keep what a hostile text can take below some hundred MB.
// The depth also bounds the recursion of everything that walks over terms.
var DefaultLimits = Limits{Bytes: 16 << 20, Depth: 1000, Terms: 4 << 20}

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
	p, err := newParser(src, DefaultLimits)
	if err != nil {
		return Term{}, err
	}
	t, err := p.term()
	if err != nil {
		return Term{}, err
	}
	if tok := p.lex.next(); tok.kind != tokenEnd {
		return Term{}, Error{tok.pos, "the end of the text after one term", tok.describe()}
	}
	return t, nil
}

// First reads the first term of a text and returns what follows it unread,
// whatever that is. The error is an Error.
func First(src string) (t Term, rest string, err error) {
	p, err := newParser(src, DefaultLimits)
	if err != nil {
		return Term{}, src, err
	}
	t, err = p.term()
	if err != nil {
		return Term{}, src, err
	}
	return t, src[p.lex.off:], nil
}

// Parse reads all terms of a text within the limits. The error is an Error.
func (l Limits) Parse(src string) ([]Term, error) {
	p, err := newParser(src, l)
	if err != nil {
		return nil, err
	}
	var terms []Term
	for {
		t, ok, err := p.read()
		if err != nil {
			return nil, err
		}
		if !ok {
			return terms, nil
		}
		terms = append(terms, t)
	}
}

// parser keeps the open lists on a stack of its own, so that no text can
// exhaust the goroutine's.
type parser struct {
	lex    *lexer
	limits Limits
	terms  int    // read so far
	items  []Term // the items of all open lists, the outermost list's first
	open   []open
}

// open is a list whose end has not been read.
type open struct {
	pos   Pos
	first int // index of its first item in parser.items
}

func newParser(src string, limits Limits) (*parser, error) {
	limits = limits.orDefault()
	if len(src) > limits.Bytes {
		return nil, Error{Pos{1, 1}, fmt.Sprintf("at most %d bytes", limits.Bytes), fmt.Sprintf("%d", len(src))}
	}
	return &parser{lex: newLexer(src), limits: limits}, nil
}

// term reads a term that must be there.
func (p *parser) term() (Term, error) {
	t, ok, err := p.read()
	if err == nil && !ok {
		err = Error{p.lex.pos, "a term", "the end of the text"}
	}
	return t, err
}

// read reads the next term; ok is false when the text ends before one.
func (p *parser) read() (t Term, ok bool, err error) {
	for {
		tok := p.lex.next()
		switch tok.kind {
		case tokenEnd:
			if n := len(p.open); n > 0 {
				return Term{}, false, Error{tok.pos, `")" to close the list opened at ` + p.open[n-1].pos.String(), tok.describe()}
			}
			return Term{}, false, nil
		case tokenOpen:
			if len(p.open) == p.limits.Depth {
				return Term{}, false, Error{tok.pos, fmt.Sprintf("at most %d lists inside each other", p.limits.Depth), "another"}
			}
			p.open = append(p.open, open{tok.pos, len(p.items)})
			continue
		case tokenClose:
			if len(p.open) == 0 {
				return Term{}, false, Error{tok.pos, "a term", `")" without a list to close`}
			}
			t = p.close()
		case tokenName:
			t = Term{Name: tok.text, Pos: tok.pos}
		}
		if p.terms++; p.terms > p.limits.Terms {
			return Term{}, false, Error{t.Pos, fmt.Sprintf("at most %d terms", p.limits.Terms), "another"}
		}
		if len(p.open) == 0 {
			return t, true, nil
		}
		p.items = append(p.items, t)
	}
}

// close makes a term of the innermost open list.
func (p *parser) close() Term {
	last := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	items := make([]Term, len(p.items)-last.first)
	copy(items, p.items[last.first:])
	clear(p.items[last.first:])
	p.items = p.items[:last.first]
	return Term{Items: items, Pos: last.pos}
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
