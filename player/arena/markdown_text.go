package arena

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"semisplit/internal/printable"
)

// reportText bounds a label or a description in a report, in bytes.
const reportText = 2000

// PlainMarkdown is text of others in one line of Markdown that shows it as it
// is: in a paragraph, a heading, a list, and the cell of a table. Pipes,
// brackets, HTML and emphasis are escaped, and so is what would begin a block
// at the start of a line.
func PlainMarkdown(text string) string {
	text = printable.Text(strings.TrimSpace(text), reportText)
	var b strings.Builder
	for i, r := range text {
		if isMarkup(text, i, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isMarkup tells whether the character of a line at an index would be more than
// itself.
func isMarkup(line string, i int, r rune) bool {
	switch r {
	case '\\', '|', '`', '*', '[', ']', '<', '>', '&', '~', '#', '$':
		return true
	case '_': // inside a word it is one of its letters
		before, _ := utf8.DecodeLastRuneInString(line[:i])
		after, _ := utf8.DecodeRuneInString(line[i+1:])
		return !isWord(before) || !isWord(after)
	case '-', '+', '=':
		return i == 0
	case '.', ')': // a list may be numbered
		return i > 0 && strings.Trim(line[:i], "0123456789") == "" && (i+1 == len(line) || line[i+1] == ' ')
	}
	return false
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// LinkTarget is the path of a file as the target of a link.
func LinkTarget(path string) string {
	return strings.NewReplacer("(", "%28", ")", "%29").Replace((&url.URL{Path: path}).EscapedPath())
}
