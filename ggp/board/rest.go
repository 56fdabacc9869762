package board

import (
	"fmt"
	"io"
	"strings"

	"semisplit/kif"
)

// drawRest lists fluents without their outer parentheses, on so many lines
// of this width at most; what does not fit is counted.
func drawRest(w io.Writer, fluents []kif.Term, lines, width int) {
	if len(fluents) == 0 {
		fmt.Fprintln(w, "(no fluents)")
		return
	}
	line := ""
	for i, f := range fluents {
		word := printable(bare(f))
		if i < len(fluents)-1 {
			word += ","
		}
		more := fmt.Sprintf(" ... and %d more", len(fluents)-i)
		// The last line keeps room for saying how many are left out.
		room := width
		if lines == 1 && i < len(fluents)-1 {
			room -= len(more)
		}
		if line != "" && length(line)+1+length(word) > room {
			if lines == 1 {
				fmt.Fprintln(w, strings.TrimSuffix(line, ",")+more)
				return
			}
			fmt.Fprintln(w, line)
			line, lines = "", lines-1
		}
		if line != "" {
			line += " "
		}
		if line += word; length(line) > width {
			line = cut(line, width)
		}
	}
	fmt.Fprintln(w, line)
}

// bare spells a fluent as people say it: control white.
func bare(f kif.Term) string {
	text := f.Short(mostOfName)
	if len(f.Items) > 0 {
		text = strings.TrimSuffix(text[1:], ")")
	}
	return text
}
