package greedy

import (
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
)

// Fits to how matches ended find which shapes there is something to learn of, and not what
// they are worth in play: shapes that made the error 7% larger won 83% of matches in Connect
// Four (docs/experiments/results/learning.md, "Fluents and shapes together"). So from some moment on the
// weights of fluents and of the shapes that were found are learned together from returns, as
// matches by these very weights go on. Whenever there is a fit, both play against each other
// (duel.go). Who wins goes on, and counts at the end.
const togetherFrom = 0.25 // of the time is over

// togetherSteps are by duels as well: half and twice the rate won less or the same at a first
// sum of 5, and 5 and 50 differ by less than two runs do.
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
	if g.together != nil && g.duel(g.together.Evaluation(), g.fitted).Lead > 0 {
		return
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

// duel has an evaluation play against another one. Where there is no time for that, it leads
// by how much better it predicts.
func (g *Matches) duel(a, b *evaluation.Evaluation) evaluation.Duel {
	d := newDuel(&g.play, a, b, g.length)
	err := d.run(&g.canceled, time.Now().Add(g.refit/duelPart), duelMatches)
	if err != nil || d.played() < leastDuel {
		return evaluation.Duel{Lead: regression.ErrorOn(b, g.kept) - regression.ErrorOn(a, g.kept)}
	}
	return evaluation.Duel{Lead: d.lead(), Matches: d.played()}
}
