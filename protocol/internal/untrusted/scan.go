package untrusted

// Parens follows the parentheses of a text as it arrives.
type Parens struct {
	Depth   int
	comment bool
	Closed  bool // a list has been closed and none is open
}

// Feed takes in what has arrived.
func (p *Parens) Feed(text []byte) {
	for _, c := range text {
		switch {
		case c == '\n' || c == '\r':
			p.comment = false
		case p.comment:
		case c == ';':
			p.comment = true
		case c == '(':
			p.Depth++
			p.Closed = false
		case c == ')':
			p.Depth--
			p.Closed = p.Depth <= 0
		}
	}
}

// Blank reports whether a text holds nothing but white space and comments.
func Blank(s string) bool {
	comment := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n' || c == '\r':
			comment = false
		case comment || c == ' ' || c == '\t' || c == '\f' || c == '\v':
		case c == ';':
			comment = true
		default:
			return false
		}
	}
	return true
}
