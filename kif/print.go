package kif

import (
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

// Fits reports whether what String gives takes at most that many runes. Of a
// longer term it looks no further.
func (t Term) Fits(runes int) bool { return remaining(t, runes) >= 0 }

// remaining is what the one-line form of t leaves of so many runes. It stops counting when
// it is below 0.
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
