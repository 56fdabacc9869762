// Package printable makes text that came from outside (names, moves, match
// ids, rules, replies) fit for a terminal, a log line and a report: it cuts
// what is too long, and shows what would steer a terminal or reorder a line
// as an escape that can be read.
package printable

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LogLimit is how many bytes of one value from outside a log line holds.
const LogLimit = 300

// Text is s in one line: every character that is not a graphic one, and every
// byte that is no UTF-8, becomes an escape as in Go's strings (\n, \x1b,
// \u202e). Of more than limit bytes only the beginning is kept, and the length
// of the rest is told; limit <= 0: nothing is cut.
func Text(s string, limit int) string { return clean(s, limit, false) }

// Lines is like Text, but tabs and the ends of lines stay, LF and CRLF: for
// text that is meant to have several lines. It is not cut.
func Lines(s string) string { return clean(s, 0, true) }

func clean(s string, limit int, lines bool) string {
	rest := 0
	if limit > 0 && len(s) > limit {
		end := limit
		for end > 0 && end > limit-utf8.UTFMax && !utf8.RuneStart(s[end]) {
			end--
		}
		s, rest = s[:end], len(s)-end
	}
	if rest == 0 && isClean(s, lines) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 32)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case isShown(r, lines) || lines && endsLine(s[i:]):
			b.WriteRune(r)
		default:
			writeEscape(&b, r)
		}
		i += size
	}
	if rest > 0 {
		fmt.Fprintf(&b, "... (%d more bytes)", rest)
	}
	return b.String()
}

func isClean(s string, lines bool) bool {
	for i, r := range s {
		if !isShown(r, lines) && !(lines && endsLine(s[i:])) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return false
		}
	}
	return true
}

// endsLine tells whether a text begins with CRLF. A CR alone would let a line
// write over itself.
func endsLine(s string) bool { return strings.HasPrefix(s, "\r\n") }

// isShown tells whether a character is shown as it is. unicode.IsPrint leaves
// out controls and the format characters that turn the direction of a line or
// have no width.
func isShown(r rune, lines bool) bool {
	return unicode.IsPrint(r) || lines && (r == '\n' || r == '\t')
}

func writeEscape(b *strings.Builder, r rune) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\t':
		b.WriteString(`\t`)
	case r == '\r':
		b.WriteString(`\r`)
	case r < utf8.RuneSelf:
		fmt.Fprintf(b, `\x%02x`, r)
	case r <= 0xFFFF:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}

// Attr is a ReplaceAttr of log handlers: it cleans and cuts every value that
// is text, an error or prints itself, and whatever else would not be shown as
// it is.
func Attr(_ []string, a slog.Attr) slog.Attr {
	a.Key = Text(a.Key, LogLimit)
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(Text(a.Value.String(), LogLimit))
	case slog.KindAny:
		switch v := a.Value.Any().(type) {
		case slog.Level: // handlers have a way of their own to show it
		case error, fmt.Stringer: // fmt survives those that panic
			a.Value = slog.StringValue(Text(fmt.Sprint(v), LogLimit))
		case []string, []byte:
			a.Value = slog.StringValue(Text(fmt.Sprintf("%q", v), LogLimit))
		default:
			whole := fmt.Sprintf("%+v", v)
			if shown := Text(whole, LogLimit); shown != whole {
				a.Value = slog.StringValue(shown)
			}
		}
	}
	return a
}

// Writer cleans what is written to w as Lines does. A character that is split
// between two writes is shown as the bytes it consists of.
func Writer(w io.Writer) io.Writer { return writer{w} }

// Raw is what a Writer writes to, for data that must stay as they are and for
// what has escape sequences of its own; of another writer it is that itself.
func Raw(w io.Writer) io.Writer {
	if cleaned, ok := w.(writer); ok {
		return cleaned.w
	}
	return w
}

type writer struct{ w io.Writer }

func (w writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.w, Lines(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
