package board

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// look is how a content is drawn on a square.
type look struct {
	kind  lookKind
	class string // its colour
	text  string // what stands for it
}

type lookKind int

const (
	lookText  lookKind = iota // letters alone
	lookDisc                  // a stone, with its text unless that is empty
	lookGlyph                 // a symbol, filled
	lookCross                 // the x of noughts and crosses
	lookRing                  // and the o
	lookBlock                 // a square that nothing can enter
)

// colorWords are the names of colours among the words of contents.
var colorWords = map[string]string{
	"red": "c-red", "green": "c-green", "yellow": "c-yellow", "blue": "c-blue", "magenta": "c-magenta", "purple": "c-magenta", "pink": "c-magenta",
	"cyan": "c-cyan", "teal": "c-cyan", "white": "c-white", "black": "c-black", "gold": "c-gold", "orange": "c-gold", "silver": "c-silver",
	"gray": "c-silver", "grey": "c-silver", "w": "c-white", "b": "c-black", "r": "c-red", "y": "c-yellow", "g": "c-green",
}

// chessGlyphs are the filled symbols of chess pieces, by word and letter. A knight
// is n, as people write it.
var chessGlyphs = map[string]string{
	"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟",
	"k": "♚", "q": "♛", "r": "♜", "b": "♝", "n": "♞", "p": "♟",
}

// filled are the symbols of which Unicode has an outline and a filled form: the
// colour tells the sides apart on a page.
var filled = map[string]string{"♔": "♚", "♕": "♛", "♖": "♜", "♗": "♝", "♘": "♞", "♙": "♟", "♘\ufe0e": "♞", "○": "●", "⛀": "⛂", "⛁": "⛃"}

// asText keeps browsers from showing a symbol as a coloured picture.
const asText = "\ufe0e"

// look finds how a content is drawn: as its drawing says, else by the words in it.
func (s *scene) look(content string) look {
	l := look{class: s.colourClass(content), text: s.names.short[content]}
	if piece, ok := s.options.Drawing.pieces[content]; ok {
		if piece.Symbol == "" {
			if piece.Color != "" && len(piece.Letter) == 1 && isLetter(piece.Letter[0]) {
				l.kind = lookDisc
			}
			return l
		}
		symbol := piece.Symbol
		if full := filled[symbol]; full != "" {
			symbol = full
		}
		return look{lookGlyph, l.class, symbol + asText}
	}
	lower := strings.ToLower(content)
	colour, piece := splitColour(lower)
	switch {
	case isNumber(content):
		return look{lookText, "c-text", content}
	case lower == "x":
		return look{lookCross, "c-blue", "x"}
	case lower == "o":
		return look{lookRing, "c-red", "o"}
	case slices.Contains([]string{"wall", "block", "blocked", "hole", "burned", "fire", "#"}, lower):
		return look{lookBlock, "c-silver", "#"}
	case colour != "" && piece == "":
		return look{lookDisc, l.class, ""}
	case colour != "" && chessGlyphs[piece] != "" && (len(piece) > 1 || s.chessSet()):
		return look{lookGlyph, l.class, chessGlyphs[piece] + asText}
	case colour != "":
		return look{lookDisc, l.class, s.pieceLetter(content)}
	case len(l.text) <= 2:
		l.kind = lookDisc
	}
	return l
}

// pieceNames are the words for the letters of chess pieces.
var pieceNames = map[string]string{"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}

// spoken is what a content is called where nobody sees it: its name in the drawing, or
// white pawn for wp in a set of chess pieces.
func (s *scene) spoken(content string) string {
	if name := s.names.long(content); name != "" {
		return name
	}
	lower := strings.ToLower(content)
	colour, piece := splitColour(lower)
	if name := pieceNames[piece]; name != "" && len(lower) == 2 && s.chessSet() {
		return strings.TrimPrefix(colour, "c-") + " " + name
	}
	return content
}

// splitColour reads a content that begins or ends with a colour: white_pawn, wp,
// pawn white. The rest is what the piece is, empty for a mere stone.
func splitColour(content string) (colour, piece string) {
	if class, ok := colorWords[content]; ok {
		return class, ""
	}
	if first, second, ok := twoWords(content); ok {
		if class, ok := colorWords[first]; ok {
			return class, second
		}
		if class, ok := colorWords[second]; ok {
			return class, first
		}
	}
	if len(content) == 2 && (content[0] == 'w' || content[0] == 'b') && isLetter(content[1]) {
		return colorWords[content[:1]], content[1:]
	}
	for _, word := range []string{"white", "black", "red", "blue"} {
		if rest, ok := strings.CutPrefix(content, word); ok && len(rest) > 1 {
			return colorWords[word], rest
		}
	}
	return "", ""
}

// chessSet tells whether there are so many pieces named by the letters of chess
// that they are meant.
func (s *scene) chessSet() bool {
	met := map[string]bool{}
	for _, content := range s.names.order {
		if _, piece := splitColour(strings.ToLower(content)); len(piece) == 1 && chessGlyphs[piece] != "" {
			met[piece] = true
		}
	}
	return len(met) >= 3
}

// pieceLetter is what stands on a stone: nothing where all contents are stones of
// different colours.
func (s *scene) pieceLetter(content string) string {
	_, own := splitColour(strings.ToLower(content))
	for _, other := range s.names.order {
		if colour, piece := splitColour(strings.ToLower(other)); colour == "" || piece != own {
			return strings.ToUpper(own[:1])
		}
	}
	return ""
}

// colourClass is the class of a content's colour: what its drawing says, what a word
// of it says, else one of six by its place.
func (s *scene) colourClass(content string) string {
	if piece, ok := s.options.Drawing.pieces[content]; ok && piece.Color != "" {
		return "c-" + piece.Color
	}
	if colour, _ := splitColour(strings.ToLower(content)); colour != "" {
		return colour
	}
	return fmt.Sprintf("c-%d", max(0, slices.Index(s.names.order, content))%6)
}

// pieces draws what is on a square around its middle.
func (w *svg) pieces(content []string, x, y float64) {
	shown := slices.DeleteFunc(slices.Clone(content), func(c string) bool { return c == w.names.blank })
	switch len(shown) {
	case 0:
	case 1:
		w.piece(w.look(shown[0]), x, y)
	case 2:
		for i, c := range shown {
			fmt.Fprintf(w, `<g transform="translate(%.1f %.1f) scale(.55)">`, x+float64(2*i-1)*10.5, y)
			w.piece(w.look(c), 0, 0)
			w.WriteString("</g>")
		}
	default:
		w.text("in", "c-text", several, x, y)
	}
}

func (w *svg) piece(l look, x, y float64) {
	switch l.kind {
	case lookDisc:
		fmt.Fprintf(w, `<circle class="stone %s" cx="%.1f" cy="%.1f" r="16"/>`, l.class, x, y)
		if l.text != "" {
			w.text("on", l.class, l.text, x, y)
		}
	case lookGlyph:
		if shape := l.shape(); shape != "" {
			fmt.Fprintf(w, `<path class="glyph %s" transform="translate(%.1f %.1f)" d="%s"/>`, l.class, x, y, shape)
			return
		}
		fmt.Fprintf(w, `<text class="glyph %s" x="%.1f" y="%.1f">%s</text>`, l.class, x, y+12, html.EscapeString(printableGlyph(l.text)))
	case lookCross:
		fmt.Fprintf(w, `<path class="mark %s" d="M%.1f %.1fl24 24m0 -24l-24 24"/>`, l.class, x-12, y-12)
	case lookRing:
		fmt.Fprintf(w, `<circle class="mark %s" cx="%.1f" cy="%.1f" r="12.5"/>`, l.class, x, y)
	case lookBlock:
		fmt.Fprintf(w, `<rect class="block" x="%.1f" y="%.1f" width="36" height="36" rx="3"/>`, x-18, y-18)
	default:
		w.text("in", l.class, l.text, x, y)
	}
}

// text writes a short text around a point, smaller if it is longer.
func (w *svg) text(class, colour, text string, x, y float64) {
	text = cut(printable(text), 6)
	if length(text) > 2 {
		class += " small"
	}
	fmt.Fprintf(w, `<text class="%s %s" x="%.1f" y="%.1f">%s</text>`, class, colour, x, y+6.5, html.EscapeString(text))
}

// printableGlyph is printable but for the mark that asks for plain text.
func printableGlyph(s string) string {
	symbol, marked := strings.CutSuffix(s, asText)
	if marked {
		return printable(symbol) + asText
	}
	return printable(symbol)
}
