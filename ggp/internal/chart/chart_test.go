package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"

	"semisplit/player/arena"
	"semisplit/player/tournament"
)

// paperSummary is a summary of two agents, of which one has not played in the
// second game.
func paperSummary(game, agent, baseline string) arena.Summary {
	cell := arena.Cell{Estimate: arena.MeanOf([]float64{1, 1, 0, 0.5}), Plays: 4}
	mean := arena.Mean{Estimate: cell.Estimate, Games: 1}
	tables := []arena.Table{}
	for _, iterations := range []int{10, 20} {
		tables = append(tables, arena.Table{
			Setting: arena.Setting{Kind: arena.Iterations, Iterations: iterations}, Baseline: baseline,
			Games: []string{game, "nim"}, Agents: []string{agent, "idle"},
			Cells: [][]arena.Cell{{cell, {}}, {{}, {}}}, Means: []arena.Mean{mean, {}},
		})
	}
	return arena.Summary{Name: "paper", Tables: tables, Agents: []arena.Entrant{{Label: agent, File: []byte(`{"key": 0.5}`)}}}
}

// drawn are the files of a summary's charts.
func drawn(t *testing.T, s arena.Summary) (files []string) {
	t.Helper()
	charts, err := Of(s, "key")
	if err != nil {
		t.Fatal(err)
	}
	return written(t, charts)
}

func written(t *testing.T, charts []Chart) (files []string) {
	t.Helper()
	for _, c := range charts {
		var file bytes.Buffer
		if err := c.Write(&file, "svg"); err != nil {
			t.Fatal(err)
		}
		files = append(files, file.String())
	}
	return files
}

// textsOf are the texts of an SVG, which must be XML.
func textsOf(t *testing.T, file string) (texts []string) {
	t.Helper()
	inside := false
	for decoder := xml.NewDecoder(strings.NewReader(file)); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%.2000q", err, file)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if inside = token.Name.Local == "text"; inside {
				texts = append(texts, "")
			}
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if inside {
				texts[len(texts)-1] += string(token)
			}
		}
	}
}

// TestChartText: each text names fonts that are there, and fits in its place
// with any.
func TestChartText(t *testing.T) {
	outline := regexp.MustCompile(`(?s)scale\([0-9.e-]+\)">(?:<use xlink:href="#glyph-\d+" x="\d+"/>)+</g>\n<text [^>]*fill-opacity="0"`)
	pattern := regexp.MustCompile(`(?s)<text textLength="([0-9.]+)" lengthAdjust="spacingAndGlyphs" [^>]*font-family:'Liberation Sans',[^>]*,sans-serif;[^>]*font-size:([0-9]+)px">([^<]*)</text>`)
	fonts := font.NewCache(liberation.Collection())
	files := drawn(t, paperSummary("breakthrough", "im implicit_minimax=0.4", "without"))
	if len(files) != 4 {
		t.Fatalf("%d charts", len(files))
	}
	for _, file := range files {
		if n := len(outline.FindAllString(file, -1)); n != strings.Count(file, "<text ") || strings.Count(file, `<path id="glyph-`) == 0 {
			t.Errorf("%d of %d texts have outlines", n, strings.Count(file, "<text "))
		}
		found := pattern.FindAllStringSubmatch(file, -1)
		if len(found) != strings.Count(file, "<text ") || len(found) == 0 {
			t.Errorf("%d of %d texts tell fonts and length", len(found), strings.Count(file, "<text "))
		}
		for _, m := range found {
			size, _ := strconv.ParseFloat(m[2], 64)
			length, _ := strconv.ParseFloat(m[1], 64)
			face := fonts.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, font.Points(size))
			if want := face.Width(m[3]).Points(); math.Abs(want-length) > 0.01*want {
				t.Errorf("%q has the length %v, want %v", m[3], length, want)
			}
		}
	}
}

// TestChartMarks: a mark is seen on white paper and on its own bar, which is
// drawn before it.
func TestChartMarks(t *testing.T) {
	for i, c := range markColors {
		if contrast := (1 + 0.05) / (luminance(c) + 0.05); contrast < 3 {
			t.Errorf("color %d has a contrast of %.1f to white, want 3", i, contrast)
		}
		if slices.Contains(markColors[:i], c) {
			t.Errorf("color %d is there twice", i)
		}
	}
	for _, file := range drawn(t, paperSummary("breakthrough", "agent", "without")) {
		const fill = `style="fill:#185AA9`
		bar, rim := strings.LastIndex(file, "stroke:#185AA9"), strings.Index(file, `style="fill:#FFFFFF" />`+"\n<path")
		last := strings.LastIndex(file, fill)
		if bar < 0 || last < bar || rim < 0 {
			t.Errorf("no filled mark with a rim after the bar: bar at %d, mark at %d", bar, last)
		}
	}
}

// luminance is the relative one of WCAG 2.
func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.03928 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// TestChartsOfTournaments: those of a tournament can be drawn whatever it has, be it no
// players.
func TestChartsOfTournaments(t *testing.T) {
	one := &tournament.Standings{Labels: []string{"alone"}, Order: []int{0}, Lines: make([]tournament.Line, 1)}
	for _, standings := range []*tournament.Standings{{}, one} {
		charts, err := OfTournament(&tournament.Report{Standings: standings})
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range written(t, charts) {
			if texts := textsOf(t, file); !slices.Contains(texts, "Elo") && !slices.Contains(texts, "Elo, with 95% intervals") {
				t.Errorf("%q", texts)
			}
		}
	}
}

// FuzzChart: whatever a label is, the file is XML that shows it.
func FuzzChart(f *testing.F) {
	for _, seed := range []string{"nim", "\x1b[31m\x00", "</text><script>", "a&b \"'", "\u202e\ufffe\xff", "two\nlines", "font-family:Liberation Sans;", "<text x=", "%d", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, label string) {
		if len(label) > 100 {
			t.Skip("long labels draw large charts")
		}
		for _, file := range drawn(t, paperSummary(label, label+" agent", label+" baseline")) {
			for _, text := range textsOf(t, file) {
				if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '\u202e' }) {
					t.Errorf("a text holds controls: %q", text)
				}
			}
		}
	})
}
