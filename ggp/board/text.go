package board

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// printable replaces what a terminal would obey instead of show: names come
// from anybody.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}

// mostOfName is how many bytes of a name are read. Pasted rules can have one of their
// whole length, on each square.
const mostOfName = 1000

func brief(name string) string { return name[:min(len(name), mostOfName)] }

func label(name string, most int) string { return cut(printable(brief(name)), most) }

// terminal measures text without asking the environment.
var terminal = runewidth.Condition{StrictEmojiNeutral: true}

// length is the number of a terminal's columns that a text takes.
func length(s string) int { return terminal.StringWidth(s) }

// cut shortens s to so many columns, of which the last then is a tilde.
func cut(s string, most int) string {
	switch {
	case most <= 0:
		return ""
	case length(s) <= most:
		return s
	}
	return terminal.Truncate(s, most, "~")
}

// pad puts blanks before s.
func pad(s string, width int) string {
	return strings.Repeat(" ", max(0, width-length(s))) + s
}

const dimCode = "2"

// painter writes text in colours when asked to.
type painter struct{ on bool }

func (p painter) with(s, code string) string {
	if !p.on || code == "" || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p painter) dim(s string) string { return p.with(s, dimCode) }
