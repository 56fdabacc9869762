package protocol

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"semisplit/kif"
	"semisplit/protocol/internal/untrusted"
)

// Infix is the notation of messages that some servers use beside KIF:
// play(m1,[mark(1,1),noop]) is (play m1 ((mark 1 1) noop)). A list in square
// brackets is a list; a name that begins with a capital letter or "_" within
// rules is a variable; rules are "head :- literal & literal", negation is "~".

// infixDepth bounds how deep terms may lie inside each other.
const infixDepth = 200

// parseInfix reads one term.
func parseInfix(text string) (kif.Term, error) {
	p := &infixParser{text: text}
	t, err := p.rule(0)
	if err == nil {
		if p.blank(); p.at < len(p.text) && p.text[p.at] != '.' {
			err = p.wrong("the end of the message")
		}
	}
	return t, err
}

type infixParser struct {
	text  string
	at    int
	terms int
	// rules is set inside messages with rules, whose lists are rules.
	// Only there do capital letters mean variables; elsewhere they are names as
	// managers choose them.
	rules, variables bool
}

func (p *infixParser) wrong(expected string) error {
	found := "the end"
	if p.at < len(p.text) {
		found = fmt.Sprintf("%q", untrusted.PlainText(p.text[p.at:min(len(p.text), p.at+20)], 20))
	}
	return fmt.Errorf("%w: infix, byte %d: expected %s, found %s", ErrMessage, p.at+1, expected, found)
}

func (p *infixParser) blank() {
	for p.at < len(p.text) {
		c, n := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(c) {
			return
		}
		p.at += n
	}
}

// take skips a text if it comes next.
func (p *infixParser) take(text string) bool {
	p.blank()
	if !strings.HasPrefix(p.text[p.at:], text) {
		return false
	}
	p.at += len(text)
	return true
}

// infixOpening reads the opening of a message: play(m1,...) has the names play
// and m1.
func infixOpening(text string) (o opening, ok bool) {
	p := &infixParser{text: text[:min(len(text), openingLimit)]}
	var names []string
	for mark := "("; len(names) < 3; mark = "," {
		name, err := p.name()
		if err != nil {
			break
		}
		switch {
		case p.take(mark):
			names = append(names, name.Name)
			continue
		case p.take(")"):
			names = append(names, name.Name)
		}
		break
	}
	if len(names) == 0 {
		return opening{}, false
	}
	return openingOf(names), true
}

// rule reads a term, or "head :- body".
func (p *infixParser) rule(depth int) (kif.Term, error) {
	head, err := p.term(depth)
	if err != nil || !p.take(":-") {
		return head, err
	}
	items := []kif.Term{kif.Symbol("<="), head}
	for {
		literal, err := p.term(depth)
		if err != nil {
			return literal, err
		}
		items = append(items, literal)
		if !p.take("&") {
			return kif.List(items...), nil
		}
	}
}

func (p *infixParser) term(depth int) (kif.Term, error) {
	if depth > infixDepth {
		return kif.Term{}, p.wrong(fmt.Sprintf("at most %d terms inside each other", infixDepth))
	}
	if p.terms++; p.terms > kif.DefaultLimits.Terms {
		return kif.Term{}, p.wrong(fmt.Sprintf("at most %d terms", kif.DefaultLimits.Terms))
	}
	if p.take("~") {
		t, err := p.term(depth + 1)
		return form("not", t), err
	}
	if p.take("(") { // around a rule
		t, err := p.rule(depth + 1)
		if err == nil && !p.take(")") {
			err = p.wrong(`")"`)
		}
		return t, err
	}
	if p.take("[") {
		before := p.variables
		p.variables = before || p.rules
		items, err := p.items("]", depth+1)
		p.variables = before
		return kif.List(items...), err
	}
	name, err := p.name()
	if err != nil || !p.take("(") {
		return name, err
	}
	if name.IsVar() {
		return name, p.wrong("no arguments after a variable")
	}
	before := p.rules
	if depth == 0 && kindOf(name.Name).row().rules {
		p.rules = true
	}
	args, err := p.items(")", depth+1)
	p.rules = before
	return kif.List(append([]kif.Term{name}, args...)...), err
}

// items reads terms between commas up to the end.
func (p *infixParser) items(end string, depth int) ([]kif.Term, error) {
	var items []kif.Term
	if p.take(end) {
		return []kif.Term{}, nil
	}
	for {
		t, err := p.rule(depth)
		if err != nil {
			return nil, err
		}
		items = append(items, t)
		switch {
		case p.take(end):
			return items, nil
		case !p.take(","):
			return nil, p.wrong(`"," or "` + end + `"`)
		}
	}
}

// infixMarks end a name.
const infixMarks = "()[],&~;\"'"

func (p *infixParser) name() (kif.Term, error) {
	p.blank()
	begin := p.at
	for p.at < len(p.text) {
		c, n := utf8.DecodeRuneInString(p.text[p.at:])
		if unicode.IsSpace(c) || strings.ContainsRune(infixMarks, c) || strings.HasPrefix(p.text[p.at:], ":-") {
			break
		}
		p.at += n
	}
	name := p.text[begin:p.at]
	if name == "" {
		return kif.Term{}, p.wrong("a name")
	}
	if first, _ := utf8.DecodeRuneInString(name); p.variables && (unicode.IsUpper(first) || first == '_') {
		name = "?" + name
	}
	return kif.Symbol(name), nil
}

// infix writes a term so: (mark 1 1) is mark(1,1).
func infix(t kif.Term) string {
	if !t.IsList() {
		return t.Name
	}
	var b strings.Builder
	open, end, items := "[", "]", t.Items
	if len(items) > 0 && items[0].IsSymbol() {
		b.WriteString(items[0].Name)
		open, end, items = "(", ")", items[1:]
	}
	b.WriteString(open)
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(infix(item))
	}
	b.WriteString(end)
	return b.String()
}
