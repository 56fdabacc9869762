package board

import (
	"fmt"
	"strings"
)

// chessShapes are the outlines of chess pieces around the middle of a square, as data of
// an SVG path. Symbols of fonts look different on each machine, some as coloured
// pictures, and a browser that looks for a font with them shows the board later.
var chessShapes = map[string]string{
	"♚": "M-1.5-17h3v3h3v3h-3v6h-3v-6h-3v-3h3zM0-6c2-3 5-4 8-3.5 4 .7 6 3.5 6 7 0 4-4 7-4.5 10.5v6h-19V8c-.5-3.5-4.5-6.5-4.5-10.5 0-3.5 2-6.3 6-7 3-.5 6 .5 8 3.5z",
	"♛": "M-13-8l5.5 8 .5-12.5L-2-1 0-13 2-1l5-11.5L7.5 0 13-8 9.5 8v6h-19V8z" + ball(-13, -9) + ball(-7, -13) + ball(0, -14.5) + ball(7, -13) + ball(13, -9),
	"♜": "M-11-13h5v3.5h3.5V-13h5v3.5H6V-13h5v8L7.5-2v9l3.5 3v4h-22v-4l3.5-3v-9L-11-5z",
	"♝": "M0-16.5a2.5 2.5 0 0 1 1.7 4.9c1.2.8 2.3 1.7 3.2 2.6L1.7-3.8 3.6-2.6 6.6-7.5c.9 1.5 1.4 3.6 1.4 5.5 0 3-1.6 5-3.6 6.5L6 9h6v5h-24V9h6l1.6-4.5C-6.4 3-8 1-8-2c0-3.6 2.3-6.8 6.3-9.6A2.5 2.5 0 0 1 0-16.5z",
	"♞": "M-9 14h20c1.5-12-1-22-10-25l-1-4-3 4-3-2-1 4.5c-3.5 2-6 7-8 12.5l3 3.5 3-1L-6.5 4c2 0 4-.5 5.5-2-.5 4-6.5 6-8 12z",
	"♟": "M0-13a5.5 5.5 0 0 1 3.6 9.7C7-.9 8 3.7 8.2 8h3.3v5h-23V8h3.3c.2-4.3 1.2-8.9 4.6-11.3A5.5 5.5 0 0 1 0-13z",
}

// ball is a point of a crown.
func ball(x, y float64) string {
	return fmt.Sprintf("M%g %ga1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0z", x-1.8, y)
}

// shape is the outline of a chess piece; empty: it is none.
func (l look) shape() string {
	if l.kind != lookGlyph {
		return ""
	}
	return chessShapes[strings.TrimSuffix(l.text, asText)]
}
