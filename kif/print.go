package kif

import (
	"strings"
	"unicode/utf8"
)

// String gives the term on one line, its items parted by single spaces. It
// reads back as an equal term.
func (t Term) String() string {
	if !t.IsList() {
		return t.Name
	}
	return string(t.Append(nil))
}

// Short is String if that takes at most limit bytes, and else as much of its
// beginning, with "..." in the place of the rest. It takes no more time than
// the limit allows, however large the term is.
func (t Term) Short(limit int) string {
	text := string(t.appendPrefix(nil, limit))
	if len(text) <= limit {
		return text
	}
	end := max(0, limit)
	for end > 0 && end > limit-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

// appendPrefix appends what String gives, but ends where dst has become longer
// than limit.
func (t Term) appendPrefix(dst []byte, limit int) []byte {
	if !t.IsList() {
		return append(dst, t.Name[:min(len(t.Name), limit+1)]...)
	}
	dst = append(dst, '(')
	for i, item := range t.Items {
		if len(dst) > limit {
			return dst
		}
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = item.appendPrefix(dst, limit)
	}
	return append(dst, ')')
}

// Append appends what String gives to dst and returns the longer slice.
func (t Term) Append(dst []byte) []byte {
	if !t.IsList() {
		return append(dst, t.Name...)
	}
	dst = append(dst, '(')
	for i, item := range t.Items {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = item.Append(dst)
	}
	return append(dst, ')')
}

// Format gives the term for people: on one line where that takes at most
// width runes (80 if width is not positive), else with the items of a list
// below each other and indented. The head of a rule stays beside its "<=".
// There is no line end after the last line.
func Format(t Term, width int) string {
	if width <= 0 {
		width = 80
	}
	var b strings.Builder
	format(&b, t, 0, 0, width)
	return b.String()
}

// indent is how far the items of a broken list stand to the right of it.
const indent = 2

// format writes t, which starts in column col (from 0) and is followed by
// closing parentheses.
func format(b *strings.Builder, t Term, col, closing, width int) {
	if !t.IsList() || fits(t, width-col-closing) {
		b.WriteString(t.String())
		return
	}
	beside := 1 // items on the first line
	if len(t.Items) > 2 && t.Items[0].Name == "<=" {
		beside = 2
	}
	b.WriteByte('(')
	at := col + 1
	for i, item := range t.Items {
		after := 0
		if i == len(t.Items)-1 {
			after = closing + 1
		}
		switch {
		case i >= beside:
			at = col + indent
			b.WriteByte('\n')
			b.WriteString(strings.Repeat(" ", at))
		case i > 0:
			at += utf8.RuneCountInString(t.Items[i-1].Name) + 1
			b.WriteByte(' ')
		}
		format(b, item, at, after, width)
	}
	b.WriteByte(')')
}

// Fits reports whether what String gives takes at most that many runes. Of a
// longer term it looks no further.
func (t Term) Fits(runes int) bool { return fits(t, runes) }

// fits reports whether the one-line form of t takes at most room runes. It
// stops counting when it is over, so that Format stays quick on deep terms.
func fits(t Term, room int) bool { return remaining(t, room) >= 0 }

func remaining(t Term, room int) int {
	if !t.IsList() {
		return room - utf8.RuneCountInString(t.Name)
	}
	room -= 2 + max(0, len(t.Items)-1)
	for _, item := range t.Items {
		if room < 0 {
			return room
		}
		room = remaining(item, room)
	}
	return room
}
