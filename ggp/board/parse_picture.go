package board

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// boardLine stands in a picture for the board.
const boardLine = "{board}"

// readPicture reads the lines with their places.
func (f *drawingFile) readPicture(d *Drawing) error {
	if len(f.Picture) > mostLines {
		return fmt.Errorf("picture: it has %d lines, and %d are allowed", len(f.Picture), mostLines)
	}
	if len(f.Picture) == 0 {
		return nil
	}
	d.byWords = map[string]*place{}
	for i, text := range f.Picture {
		line, err := d.readPictureLine(text)
		if err != nil {
			return fmt.Errorf("picture: line %d: %w", i+1, err)
		}
		d.picture = append(d.picture, line)
	}
	if f.Cells != "" && !d.showsBoard {
		return fmt.Errorf("picture: it needs a line %q to show the squares of cells, or leave cells out", boardLine)
	}
	return nil
}

func (d *Drawing) readPictureLine(text string) (pictureLine, error) {
	if text == boardLine {
		if d.showsBoard {
			return pictureLine{}, fmt.Errorf("there is a second %s", boardLine)
		}
		d.showsBoard = true
		return pictureLine{board: true}, nil
	}
	if printable(text) != text {
		return pictureLine{}, fmt.Errorf("%q has characters that are not visible", text)
	}
	var line pictureLine
	width := 0
	for text != "" {
		before, after, found := strings.Cut(text, "{")
		if strings.Contains(before, "}") {
			return line, errors.New("there is a } without {")
		}
		if before != "" {
			line.spans = append(line.spans, span{text: before})
			width += length(before)
		}
		if !found {
			break
		}
		inside, rest, closed := strings.Cut(after, "}")
		if !closed || strings.Contains(inside, "{") {
			return line, errors.New("there is a { without }")
		}
		at, err := d.addPlace(inside)
		if err != nil {
			return line, err
		}
		line.spans = append(line.spans, span{place: at})
		width += at.width
		text = rest
	}
	if width > longestLine {
		return line, fmt.Errorf("it is %d columns wide, and %d are allowed", width, longestLine)
	}
	return line, nil
}

// addPlace reads a place: the first words of a fluent, and after a colon how
// wide it is.
func (d *Drawing) addPlace(text string) (*place, error) {
	at := &place{width: 1}
	if before, after, found := cutLast(text, ":"); found {
		n, err := strconv.Atoi(after)
		if err != nil || n < 1 || n > 20 {
			return nil, fmt.Errorf("{%s}: the width after the colon is a number from 1 to 20", text)
		}
		text, at.width = before, n
	}
	words := strings.Fields(text)
	if len(words) == 0 || strings.ContainsAny(text, "();?") {
		return nil, fmt.Errorf("{%s} needs the first words of a fluent, without parentheses and variables", text)
	}
	at.words = strings.Join(words, " ")
	for _, other := range d.places {
		if beginsWith(at.words, other.words) || beginsWith(other.words, at.words) {
			return nil, fmt.Errorf("{%s} and {%s} mean the same fluents", at.words, other.words)
		}
	}
	if len(d.places) == mostPlaces {
		return nil, fmt.Errorf("there are more than %d places", mostPlaces)
	}
	d.places = append(d.places, at)
	d.byWords[at.words] = at
	return at, nil
}

func beginsWith(words, first string) bool {
	return words == first || strings.HasPrefix(words, first+" ")
}

func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}
