package board

import (
	"fmt"
	"io"
	"strings"
)

// pictureLine is a line of a picture: text and places in turn, or the board.
type pictureLine struct {
	board bool
	spans []span
}

// span is a piece of text, or a place.
type span struct {
	text  string
	place *place
}

// place is where a picture shows what the fluents that begin with its words
// say after them; the last of its words for a fluent that says nothing more.
type place struct {
	words string // with single blanks
	width int    // in columns; shorter contents stand to the right
}

// drawPicture draws line by line, as wide as the terminal is.
func (s *scene) drawPicture(w io.Writer) {
	for _, line := range s.options.Drawing.picture {
		if line.board {
			if s.grid != nil {
				s.drawGrid(w)
			}
			continue
		}
		var text strings.Builder
		room := s.options.Width
		for _, span := range line.spans {
			plain, code := span.text, dimCode
			if span.place != nil {
				plain, code = s.place(span.place)
			}
			if length(plain) > room {
				text.WriteString(s.paint.with(cut(plain, room), code))
				break
			}
			room -= length(plain)
			text.WriteString(s.paint.with(plain, code))
		}
		fmt.Fprintln(w, strings.TrimRight(text.String(), " "))
	}
}

// place is what is written at a place of the picture, and its colour.
func (s *scene) place(at *place) (text, code string) {
	content := s.places[at]
	switch {
	case len(content) == 0:
		text, code = empty, dimCode
	case len(content) == 1 && content[0] == "":
		text = at.words[strings.LastIndex(at.words, " ")+1:]
	case len(content) == 1 && isNumber(content[0]):
		text = content[0]
	default:
		text, code = s.square(content)
	}
	return pad(text, at.width), code
}
