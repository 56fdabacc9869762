package chart

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"semisplit/internal/printable"
)

// The font that text is laid out with, and in the file the fonts that may stand
// in for it: the first ones have its widths.
const (
	chartFont     = "font-family:Liberation Sans;"
	chartFontList = "font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;"
)

// setFont gives every text of a plot the font of charts.
func setFont(p *plot.Plot) {
	for _, f := range []*font.Font{
		&p.Title.TextStyle.Font, &p.Legend.TextStyle.Font,
		&p.X.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Label.TextStyle.Font, &p.Y.Tick.Label.Font,
	} {
		f.Variant = "Sans"
	}
}

// svgCanvas is an SVG that brings the outlines of its texts. The texts themselves
// are there as well, for whoever searches or reads them aloud: without a colour,
// and as long as their outlines.
type svgCanvas struct {
	*vgsvg.Canvas
	outlines outlines
	widths   []vg.Length // of the texts as they were laid out, in order
	drawn    []string    // their outlines; empty: the text is shown itself
}

// FillString writes a text without what XML does not allow.
func (c *svgCanvas) FillString(face font.Face, point vg.Point, text string) {
	text = printable.Text(text, 0)
	c.Canvas.FillString(face, point, text)
	c.widths, c.drawn = append(c.widths, face.Width(text)), append(c.drawn, c.outlines.text(face, point, text))
}

// WriteTo writes the SVG. vgsvg escapes what stands in texts, so that only its
// own tags begin with a bracket.
func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	var file bytes.Buffer
	if _, err := c.Canvas.WriteTo(&file); err != nil {
		return 0, err
	}
	const begin = "<text "
	parts := strings.Split(file.String(), begin)
	for i := range c.widths {
		tag, text, _ := strings.Cut(parts[i+1], ">")
		tag = strings.Replace(tag, chartFont, chartFontList, 1)
		if c.drawn[i] != "" {
			parts[i] += c.drawn[i]
			tag = `fill-opacity="0" ` + tag
		}
		if c.widths[i] > 0 {
			tag = fmt.Sprintf(`textLength="%.5g" lengthAdjust="spacingAndGlyphs" %s`, c.widths[i].Points(), tag)
		}
		parts[i+1] = tag + ">" + text
	}
	const body = "<g transform="
	text := strings.Replace(strings.Join(parts, begin), body, c.outlines.definitions()+body, 1)
	n, err := io.WriteString(w, text)
	return int64(n), err
}

// markColors can be told from white and from each other, in print as well.
var markColors = []color.RGBA{
	{24, 90, 169, 255}, {200, 50, 30, 255}, {0, 120, 72, 255}, {102, 44, 145, 255}, {190, 85, 0, 255}, {180, 40, 130, 255}, {70, 70, 70, 255},
}

// markShapes are filled, so that a bar that goes through them does not hide
// them. There are not as many as colours, so that the pairs of the two differ
// for long.
var markShapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}}

func markColor(number int) color.Color { return markColors[number%len(markColors)] }

// mark is a shape with a white rim, which parts it from its own bar and from
// those of others.
type mark struct{ shape draw.GlyphDrawer }

func markOf(number int) mark { return mark{markShapes[number%len(markShapes)]} }

// DrawGlyph draws the mark.
func (m mark) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, point vg.Point) {
	rim := style
	rim.Radius += vg.Points(1.2)
	c.SetColor(color.White)
	m.shape.DrawGlyph(c, rim, point)
	c.SetColor(style.Color)
	m.shape.DrawGlyph(c, style, point)
}
