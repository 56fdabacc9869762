package kif

// Leading returns the names with which the list begins that is the first term
// of a text, at most so many, up to the first list inside it. The text may be
// the beginning of a longer one, so that a name counts only where its end is
// seen; done is false as long as more text could bring more names. A first
// term that is no list has none.
func Leading(src string, most int) (names []string, done bool) {
	lex := newLexer(src)
	tok := lex.next()
	if tok.kind != tokenOpen {
		return nil, tok.kind != tokenEnd
	}
	for len(names) < most {
		tok := lex.next()
		switch {
		case tok.kind == tokenEnd || tok.kind == tokenName && lex.off == len(src):
			return names, false
		case tok.kind != tokenName:
			return names, true
		}
		names = append(names, tok.text)
	}
	return names, true
}
