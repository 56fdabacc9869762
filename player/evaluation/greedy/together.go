package greedy

import (
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
)

// Fits to how matches ended find which shapes there is something to learn of, and not what
// they are worth in play: shapes that predicted worse won 83% of matches in Connect Four
// (docs/experiments/results.md, "Fluents and shapes together"). So from some moment on the
// weights of fluents and of the shapes that were found are learned together from returns, as
// matches by these very weights go on. Whenever there is a fit, both play against each other
// (duel.go). Who wins goes on, and counts at the end.
const togetherFrom = 0.25 // of the time is over

// togetherSteps are by duels as well: with half and twice the rate, and with a first sum of 5
// or 50, what was learned won less or the same.
var togetherSteps = evaluation.Steps{Rate: 0.03, First: 20}

// isDue tells once whether fluents and shapes may be learned together from now on. Where
// matches are few for the fluents, they never are.
func (g *Matches) isDue(now time.Time) bool {
	due := !g.due && !g.sparse && now.Sub(g.begun) >= time.Duration(togetherFrom*float64(g.until.Sub(g.begun)))
	g.due = g.due || due
	return due
}

// learnTogether goes on from what was just fitted, if it has shapes and wins against what was
// learned together so far.
func (g *Matches) learnTogether() {
	if !g.due || g.fitted == nil {
		return
	}
	if g.together != nil {
		if e := g.together.Evaluation(); g.better(e, g.fitted) == e {
			return
		}
	}
	if g.together = nil; g.fitted.HasShapes() {
		g.together = evaluation.NewAdjuster(g.fitted, togetherSteps)
	}
}

// A duel has so many matches, if there is time in one of so many parts of that of a fit; with
// fewer than leastDuel it tells nothing.
const (
	duelMatches = 400
	duelPart    = 3
	leastDuel   = 40
)

// better is the one of two evaluations that wins against the other. Where there is no time for
// that it is the one that predicts better.
func (g *Matches) better(a, b *evaluation.Evaluation) *evaluation.Evaluation {
	d := newDuel(&g.play, a, b, g.length)
	err := d.run(&g.canceled, time.Now().Add(g.refit/duelPart), duelMatches)
	lead := d.lead()
	if err != nil || d.played() < leastDuel {
		lead = regression.ErrorOn(b, g.kept) - regression.ErrorOn(a, g.kept)
	}
	if lead > 0 {
		return a
	}
	return b
}
