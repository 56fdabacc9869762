package chart

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// outlines are the glyphs of a file's texts, so that they look the same wherever
// the file is shown, whatever fonts are there. Each glyph is in the file once, as
// a path in the units of the font.
type outlines struct {
	buffer sfnt.Buffer
	paths  map[sfnt.GlyphIndex]string
}

// text draws a text at a point, in a system whose second axis goes up. It is empty
// where the font lacks something, and then the text itself is to be shown.
func (o *outlines) text(face plotfont.Face, point vg.Point, text string) string {
	var glyphs strings.Builder
	units := face.Face.UnitsPerEm()
	em := fixed.I(int(units))
	var x fixed.Int26_6
	var before sfnt.GlyphIndex
	for i, r := range []rune(text) {
		glyph, err := face.Face.GlyphIndex(&o.buffer, r)
		if err != nil || glyph == 0 {
			return ""
		}
		if i > 0 {
			if kern, err := face.Face.Kern(&o.buffer, before, glyph, em, font.HintingNone); err == nil {
				x += kern
			}
		}
		path, err := o.path(face.Face, glyph, em)
		if err != nil {
			return ""
		}
		if path != "" {
			fmt.Fprintf(&glyphs, `<use xlink:href="#glyph-%d" x="%d"/>`, glyph, x.Round())
		}
		advance, err := face.Face.GlyphAdvance(&o.buffer, glyph, em, font.HintingNone)
		if err != nil {
			return ""
		}
		x += advance
		before = glyph
	}
	return fmt.Sprintf(`<g transform="translate(%.5g %.5g) scale(%.5g)">%s</g>`+"\n",
		point.X.Points(), point.Y.Points(), face.Font.Size.Points()/float64(units), &glyphs)
}

// path is the outline of a glyph, empty for a blank.
func (o *outlines) path(f *sfnt.Font, glyph sfnt.GlyphIndex, em fixed.Int26_6) (string, error) {
	if path, ok := o.paths[glyph]; ok {
		return path, nil
	}
	segments, err := f.LoadGlyph(&o.buffer, glyph, em, nil)
	if err != nil {
		return "", err
	}
	var d strings.Builder
	for i, s := range segments {
		points := s.Args[:1]
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				d.WriteByte('Z')
			}
			d.WriteByte('M')
		case sfnt.SegmentOpLineTo:
			d.WriteByte('L')
		case sfnt.SegmentOpQuadTo:
			d.WriteByte('Q')
			points = s.Args[:2]
		case sfnt.SegmentOpCubeTo:
			d.WriteByte('C')
			points = s.Args[:3]
		}
		for _, p := range points {
			fmt.Fprintf(&d, "%d %d ", p.X.Round(), -p.Y.Round())
		}
	}
	if d.Len() > 0 {
		d.WriteByte('Z')
	}
	if o.paths == nil {
		o.paths = map[sfnt.GlyphIndex]string{}
	}
	o.paths[glyph] = d.String()
	return d.String(), nil
}

// definitions are the outlines of all glyphs that were drawn.
func (o *outlines) definitions() string {
	var defs strings.Builder
	defs.WriteString("<defs>\n")
	for _, glyph := range slices.Sorted(maps.Keys(o.paths)) {
		if o.paths[glyph] != "" {
			fmt.Fprintf(&defs, `<path id="glyph-%d" d="%s"/>`+"\n", glyph, o.paths[glyph])
		}
	}
	defs.WriteString("</defs>\n")
	return defs.String()
}
