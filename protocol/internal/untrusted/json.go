// Package untrusted reads what comes from outside and nobody has checked: JSON,
// text for people, parentheses.
package untrusted

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
)

// jsonDepth is how deep arrays and objects may lie inside each other in what
// comes from outside. Records have three levels; the bound keeps readers that
// recurse from exhausting the stack.
const jsonDepth = 64

// ParseJSON reads a whole document that nobody has checked.
func ParseJSON(data []byte) (gjson.Result, error) {
	if d := deepest(data); d > jsonDepth {
		return gjson.Result{}, fmt.Errorf("not JSON that is read here: more than %d levels", jsonDepth)
	}
	if !gjson.ValidBytes(data) {
		if LooksLikePage(data) {
			return gjson.Result{}, fmt.Errorf("not JSON but a web page")
		}
		return gjson.Result{}, fmt.Errorf("not JSON: %q", PlainText(string(data), 60))
	}
	return gjson.ParseBytes(data), nil
}

// deepest counts the levels of arrays and objects without recursion.
func deepest(data []byte) int {
	depth, most, quoted := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
			most = max(most, depth)
		case c == ']' || c == '}':
			depth--
		}
	}
	return most
}

// LooksLikePage tells an HTML page, which servers and the gates before them
// send with any status, from data.
func LooksLikePage(data []byte) bool {
	text := strings.ToLower(strings.TrimSpace(string(data[:min(len(data), 512)])))
	return strings.HasPrefix(text, "<!doctype") || strings.HasPrefix(text, "<html")
}

// PlainText makes one line for people of a text from outside, of at most so
// many characters, without anything that a terminal would obey.
func PlainText(text string, most int) string {
	var b strings.Builder
	n, blank := 0, false
	for _, c := range strings.TrimSpace(strings.ToValidUTF8(text, "?")) {
		switch {
		case unicode.IsSpace(c):
			blank = true
			continue
		case !unicode.IsPrint(c):
			c = '?'
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
			n++
		}
		blank = false
		if n++; n > most {
			b.WriteString("...")
			break
		}
		b.WriteRune(c)
	}
	return b.String()
}
