package board

import (
	"fmt"
	"io"
)

// mostLegend is the number of lines that a legend may have.
const mostLegend = 8

// drawLegend explains the letters that are not names themselves, each row of
// the terminal with as many as fit.
func (s *scene) drawLegend(w io.Writer) {
	line, used, lines := "", 0, 0
	put := func(short, name, code string) {
		name = cut(printable(name), s.options.Width-length(short)-1)
		size := length(short) + 1 + length(name)
		if used > 0 && used+2+size > s.options.Width {
			if lines++; lines <= mostLegend {
				fmt.Fprintln(w, line)
			}
			line, used = "", 0
		}
		if used > 0 {
			line += "  "
			used += 2
		}
		line += s.paint.with(short, code) + " " + name
		used += size
	}
	for _, content := range s.names.order {
		if name := s.names.long(content); name != "" {
			put(s.names.short[content], name, s.names.code[content])
		}
	}
	if s.hasSeveral() {
		put(several, "several", "")
	}
	switch {
	case lines >= mostLegend:
		fmt.Fprintln(w, s.paint.dim("(more names than fit here)"))
	case line != "":
		fmt.Fprintln(w, line)
	}
}

func (s *scene) hasSeveral() bool {
	for _, content := range s.places {
		if len(content) > 1 {
			return true
		}
	}
	if s.grid != nil {
		for _, content := range s.grid.squares {
			if len(content) > 1 {
				return true
			}
		}
	}
	return false
}
