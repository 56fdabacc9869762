package kif

import (
	"unicode"
	"unicode/utf8"
)

// The kinds of token.
const (
	tokenEnd = iota // the end of the text
	tokenOpen
	tokenClose
	tokenName
)

// byteOrderMark counts as white space wherever it stands: texts are pasted
// into messages with the mark of their file still on them.
const byteOrderMark = '\uFEFF'

type token struct {
	kind int
	text string // the spelling of a name
	pos  Pos
}

// lexer walks over a text once, from left to right.
type lexer struct {
	src string
	off int // the byte to be read next
	pos Pos // its place
}

func newLexer(src string) *lexer {
	return &lexer{src: src, pos: Pos{Line: 1, Col: 1}}
}

// next skips white space and comments and returns the token that follows.
func (l *lexer) next() token {
	l.skip()
	t := token{pos: l.pos}
	if l.off == len(l.src) {
		return t
	}
	switch l.src[l.off] {
	case '(':
		t.kind = tokenOpen
		l.advance(1)
	case ')':
		t.kind = tokenClose
		l.advance(1)
	default:
		t.kind = tokenName
		t.text = l.name()
	}
	return t
}

// name reads a symbol or variable, which starts at the present place.
func (l *lexer) name() string {
	start := l.off
	for l.off < len(l.src) {
		r, size := l.rune()
		if r == '(' || r == ')' || r == ';' || isSpace(r) {
			break
		}
		l.advance(size)
	}
	return l.src[start:l.off]
}

// skip passes white space and comments.
func (l *lexer) skip() {
	comment := false
	for l.off < len(l.src) {
		r, size := l.rune()
		switch {
		case r == '\n' || r == '\r':
			comment = false
			l.lineEnd()
		case r == ';':
			comment = true
			l.advance(size)
		case comment || isSpace(r):
			l.advance(size)
		default:
			return
		}
	}
}

// lineEnd passes LF, CRLF or a CR of its own.
func (l *lexer) lineEnd() {
	if l.src[l.off] == '\r' && l.off+1 < len(l.src) && l.src[l.off+1] == '\n' {
		l.off++
	}
	l.off++
	l.pos = Pos{Line: l.pos.Line + 1, Col: 1}
}

// rune looks at the next rune; a byte that is not UTF-8 counts as one rune of
// its own.
func (l *lexer) rune() (rune, int) {
	if c := l.src[l.off]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(l.src[l.off:])
}

func (l *lexer) advance(size int) {
	l.off += size
	l.pos.Col++
}

func isSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || '\t' <= r && r <= '\r'
	}
	return unicode.IsSpace(r) || r == byteOrderMark
}
