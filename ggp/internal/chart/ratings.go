package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"semisplit/player/tournament"
)

// OfTournament draws the ratings with their intervals, and how they came about.
func OfTournament(r *tournament.Report) (charts []Chart, err error) {
	intervals, err := ratings(r.Standings)
	if err != nil {
		return nil, err
	}
	progress, err := overMatches(r)
	if err != nil {
		return nil, err
	}
	return []Chart{intervals, progress}, nil
}

// ratings draws a line for each player, the best on top.
func ratings(s *tournament.Standings) (Chart, error) {
	p := newPlot("Ratings")
	p.X.Label.Text = "Elo, with 95% intervals"
	var points spots
	var names []string
	for place := range s.Order {
		who := s.Order[len(s.Order)-1-place]
		names = append(names, s.Labels[who])
		r := s.Lines[who].Rating
		if r.Contests == 0 {
			continue
		}
		points.XYs = append(points.XYs, plotter.XY{X: r.Elo, Y: float64(place)})
		points.XErrors = append(points.XErrors, struct{ Low, High float64 }{r.Elo - r.Low, r.High - r.Elo})
	}
	if len(names) > 0 { // of no names there is no axis
		p.NominalY(names...)
	}
	p.Y.Min, p.Y.Max = -0.6, float64(len(names))-0.4
	if len(points.XYs) > 0 {
		bars, err := plotter.NewXErrorBars(points)
		if err != nil {
			return Chart{}, err
		}
		bars.Color = markColor(0)
		p.Add(bars)
		scatter, err := plotter.NewScatter(points.XYs)
		if err != nil {
			return Chart{}, err
		}
		scatter.Color, scatter.Shape, scatter.Radius = markColor(0), markOf(0), vg.Points(3)
		p.Add(scatter)
	}
	return Chart{Name: "ratings", plot: p, width: 8 * vg.Inch, height: vg.Length(len(names))*0.25*vg.Inch + 1.2*vg.Inch}, nil
}

// mostCurves are told apart in a chart.
const mostCurves = 12

// overMatches draws the ratings of the best players against the matches that they
// rest on.
func overMatches(r *tournament.Report) (Chart, error) {
	p := newPlot("Ratings as matches were played")
	p.X.Label.Text, p.Y.Label.Text = "matches, by round", "Elo"
	p.Legend.Left = true
	for place, who := range r.Standings.Order {
		if place == mostCurves {
			break
		}
		var points plotter.XYs
		for _, stage := range r.Progress {
			points = append(points, plotter.XY{X: float64(stage.Matches), Y: stage.Elo[who]})
		}
		if len(points) == 0 {
			continue
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return Chart{}, err
		}
		line.Color = markColor(place)
		p.Add(line)
		if err := addPoints(p, points, place, r.Standings.Labels[who]); err != nil {
			return Chart{}, err
		}
	}
	p.Y.Tick.Marker = plot.DefaultTicks{}
	return Chart{Name: "progress", plot: p, width: 8 * vg.Inch, height: 5 * vg.Inch}, nil
}
