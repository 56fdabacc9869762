// Package chart draws the results of experiments.
package chart

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"slices"

	"github.com/tidwall/gjson"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"semisplit/player/arena"
)

// Chart is a drawing of a report.
type Chart struct {
	Name          string // in file names
	plot          *plot.Plot
	width, height vg.Length
}

// Formats are those in which charts can be written.
var Formats = []string{"svg", "png", "pdf"}

// pngDots are the dots of an inch in a PNG.
const pngDots = 150

// Write writes it in one of Formats.
func (c Chart) Write(w io.Writer, format string) error {
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch format {
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(c.width, c.height), vgimg.UseDPI(pngDots))}
	case "pdf":
		pdf := vgpdf.New(c.width, c.height)
		pdf.EmbedFonts(true)
		canvas = pdf
	default:
		canvas = &svgCanvas{Canvas: vgsvg.New(c.width, c.height)}
	}
	c.plot.Draw(draw.New(canvas))
	_, err := canvas.WriteTo(w)
	return err
}

// Of draws the win rates by game of each table, mean win rates against
// the length of thinking where there are several settings of a kind, and
// against a key of the agent files if one is given.
func Of(s arena.Summary, key string) (charts []Chart, err error) {
	for i, t := range s.Tables {
		c, err := byGame(t)
		if err != nil {
			return nil, err
		}
		c.Name = fmt.Sprintf("games-%d", i+1)
		charts = append(charts, c)
	}
	more := overSettings(s)
	if key != "" {
		f, err := overKey(s, key)
		if err != nil {
			return nil, err
		}
		more = append(more, f)
	}
	for _, f := range more {
		c, err := f.draw()
		if err != nil {
			return nil, err
		}
		charts = append(charts, c)
	}
	return charts, nil
}

const percentLabel = "win rate, percent, with 95% intervals"

var percentTicks = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 25, Label: "25"}, {Value: 50, Label: "50"}, {Value: 75, Label: "75"}, {Value: 100, Label: "100"}}

// spots are points with an interval each, as plotter wants them.
type spots struct {
	plotter.XYs
	plotter.XErrors
	plotter.YErrors
}

// beside are the lengths of an interval on both sides of its mean, in percent.
func beside(e arena.Estimate) struct{ Low, High float64 } {
	return struct{ Low, High float64 }{100 * (e.Mean - e.Low), 100 * (e.High - e.Mean)}
}

// byGame draws a line for each game and one for their mean, with a point for each
// agent, and a hollow one for what the paper reports.
func byGame(t arena.Table) (Chart, error) {
	p := newPlot(t.Title())
	p.X.Label.Text = percentLabel
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, 100, percentTicks
	rows := append([]string{"mean of the games"}, slices.Clone(t.Games)...)
	slices.Reverse(rows[1:]) // the first one is on top, and the mean below all
	p.NominalY(rows...)
	p.Y.Min, p.Y.Max = -0.6, float64(len(rows))-0.4+0.3*float64(len(t.Agents)+1) // with room for the legend
	lines := []plotter.XYs{{{X: 50, Y: p.Y.Min}, {X: 50, Y: p.Y.Max}}, {{X: 0, Y: 0.5}, {X: 100, Y: 0.5}}}
	for i, points := range lines {
		line, err := plotter.NewLine(points)
		if err != nil {
			return Chart{}, err
		}
		if i == 0 { // as often won as lost
			line.Dashes = plotutil.Dashes(1)
		}
		p.Add(line)
	}
	var paper, scarce plotter.XYs
	for a, label := range t.Agents {
		shift := 0.7 * ((float64(len(t.Agents))-1)/2 - float64(a)) / float64(len(t.Agents))
		var s spots
		add := func(e arena.Estimate, y float64) {
			s.XYs = append(s.XYs, plotter.XY{X: 100 * e.Mean, Y: y})
			s.XErrors = append(s.XErrors, beside(e))
			if e.TooFew() {
				scarce = append(scarce, plotter.XY{X: 100 * e.Mean, Y: y})
			}
		}
		for g, c := range t.Cells[a] {
			y := float64(len(t.Games)-g) + shift
			if c.N > 0 {
				add(c.Estimate, y)
			}
			if c.Paper != nil {
				paper = append(paper, plotter.XY{X: 100 * *c.Paper, Y: y})
			}
		}
		if len(s.XYs) == 0 {
			continue // nothing of it has been played yet
		}
		add(t.Means[a].Estimate, shift)
		bars, err := plotter.NewXErrorBars(s)
		if err != nil {
			return Chart{}, err
		}
		bars.Color = markColor(a)
		p.Add(bars)
		if err := addPoints(p, s.XYs, a, label); err != nil {
			return Chart{}, err
		}
	}
	if err := addPaper(p, paper); err != nil {
		return Chart{}, err
	}
	if err := addScarce(p, scarce); err != nil {
		return Chart{}, err
	}
	height := float64(len(rows)*max(2, len(t.Agents)) + 2*len(t.Agents) + 2)
	return Chart{plot: p, width: 8 * vg.Inch, height: vg.Length(height)*0.13*vg.Inch + 2*vg.Inch}, nil
}

// addPaper draws what the paper reports.
func addPaper(p *plot.Plot, points plotter.XYs) error {
	if len(points) == 0 {
		return nil
	}
	scatter, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	scatter.Color, scatter.Shape, scatter.Radius = color.Black, draw.RingGlyph{}, vg.Points(4)
	p.Add(scatter)
	p.Legend.Add("the paper", scatter)
	return nil
}

// addScarce says below the points of few plays what they are.
func addScarce(p *plot.Plot, points plotter.XYs) error {
	if len(points) == 0 {
		return nil
	}
	texts := make([]string, len(points))
	for i := range texts {
		texts[i] = arena.TooFewPlays
	}
	labels, err := plotter.NewLabels(plotter.XYLabels{XYs: points, Labels: texts})
	if err != nil {
		return err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i].Font.Variant, labels.TextStyle[i].Font.Size = "Sans", vg.Points(7)
		labels.TextStyle[i].YAlign = draw.YTop
		if labels.TextStyle[i].XAlign = draw.XLeft; points[i].X > 50 {
			labels.TextStyle[i].XAlign = draw.XRight
		}
	}
	labels.Offset.Y = -vg.Points(2)
	p.Add(labels)
	return nil
}

func newPlot(title string) *plot.Plot {
	p := plot.New()
	setFont(p)
	p.Title.Text = title
	p.Legend.Top, p.Legend.Padding = true, vg.Points(3)
	p.Add(plotter.NewGrid())
	return p
}

func addPoints(p *plot.Plot, points plotter.XYs, number int, label string) error {
	scatter, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	scatter.Color, scatter.Shape, scatter.Radius = markColor(number), markOf(number), vg.Points(3)
	p.Add(scatter)
	p.Legend.Add(label, scatter)
	return nil
}

// figure is a chart of mean win rates against a number.
type figure struct {
	name, title, axis string
	log               bool
	curves            []curve
}

type curve struct {
	label  string
	points []curvePoint
}

type curvePoint struct {
	x float64
	e arena.Estimate
}

// add puts a point on the curve of a label.
func (f *figure) add(label string, point curvePoint) {
	i := slices.IndexFunc(f.curves, func(c curve) bool { return c.label == label })
	if i < 0 {
		i = len(f.curves)
		f.curves = append(f.curves, curve{label: label})
	}
	f.curves[i].points = append(f.curves[i].points, point)
}

// ticks are at the numbers for which there are points.
func (f figure) ticks() (ticks plot.ConstantTicks) {
	for _, c := range f.curves {
		for _, point := range c.points {
			tick := plot.Tick{Value: point.x, Label: fmt.Sprint(point.x)}
			if !slices.Contains(ticks, tick) {
				ticks = append(ticks, tick)
			}
		}
	}
	return ticks
}

func (f figure) draw() (Chart, error) {
	p := newPlot(f.title)
	p.X.Label.Text, p.Y.Label.Text = f.axis, percentLabel
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, 100+7*float64(len(f.curves)), percentTicks
	if f.log {
		p.X.Scale = plot.LogScale{}
	}
	p.X.Tick.Marker = f.ticks()
	for i, c := range f.curves {
		var s spots
		slices.SortStableFunc(c.points, func(a, b curvePoint) int { return cmp.Compare(a.x, b.x) })
		for _, point := range c.points {
			s.XYs = append(s.XYs, plotter.XY{X: point.x, Y: 100 * point.e.Mean})
			s.YErrors = append(s.YErrors, beside(point.e))
		}
		bars, err := plotter.NewYErrorBars(s)
		if err != nil {
			return Chart{}, err
		}
		line, err := plotter.NewLine(s.XYs)
		if err != nil {
			return Chart{}, err
		}
		bars.Color, line.Color = markColor(i), markColor(i)
		p.Add(bars, line)
		if err := addPoints(p, s.XYs, i, c.label); err != nil {
			return Chart{}, err
		}
	}
	return Chart{Name: f.name, plot: p, width: 8 * vg.Inch, height: 5 * vg.Inch}, nil
}

// thinking is how long a setting lets agents think, and in which unit.
func thinking(s arena.Setting) (x float64, unit string) {
	switch {
	case s.Kind == arena.Iterations:
		return float64(s.Iterations), "iterations a move"
	case s.States > 0:
		return float64(s.States), "states a move"
	}
	return s.Seconds, "seconds a move"
}

// overSettings makes a figure for each baseline and unit of thinking of which
// there are several lengths. What a fixed number of states stands for and
// wall time share one, as in the papers.
func overSettings(s arena.Summary) (list []figure) {
	figures := map[[2]string]*figure{}
	var order [][2]string
	lengths := map[[2]string][]float64{}
	for _, t := range s.Tables {
		x, unit := thinking(t.Setting)
		key := [2]string{t.Baseline, unit}
		f := figures[key]
		if f == nil {
			f = &figure{title: "Mean win rates against " + t.Baseline, axis: unit, log: true}
			figures[key] = f
			order = append(order, key)
		}
		for a, m := range t.Means {
			if m.Games > 0 {
				f.add(t.Agents[a]+", "+t.Setting.Kind, curvePoint{x, m.Estimate})
				lengths[key] = append(lengths[key], x)
			}
		}
	}
	for _, key := range order {
		slices.Sort(lengths[key])
		if len(slices.Compact(lengths[key])) > 1 {
			f := *figures[key]
			f.name = fmt.Sprintf("thinking-%d", len(list)+1)
			list = append(list, f)
		}
	}
	return list
}

// overKey makes the figure of mean win rates against a number in the agent
// files.
func overKey(s arena.Summary, key string) (figure, error) {
	f := figure{name: "parameter", title: "Mean win rates", axis: key}
	values := map[string]float64{}
	for _, a := range s.Agents {
		if v := gjson.GetBytes(a.File, key); v.Type == gjson.Number {
			values[a.Label] = v.Float()
		}
	}
	for _, t := range s.Tables {
		for a, m := range t.Means {
			if x, ok := values[t.Agents[a]]; ok && m.Games > 0 {
				f.add(fmt.Sprintf("against %s, %s", t.Baseline, t.Setting.Label()), curvePoint{x, m.Estimate})
			}
		}
	}
	if len(f.curves) == 0 {
		return f, fmt.Errorf("no agent of %s has a number at %q", s.Name, key)
	}
	return f, nil
}
