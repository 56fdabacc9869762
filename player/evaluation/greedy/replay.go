package greedy

import (
	"math/rand/v2"
	"time"

	"semisplit/kif"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
)

// A few hundred matches, which is all that some seconds of Chess hold, do not
// teach what every fluent is worth one by one as they come: what was learned so
// predicted matches that were held out worse than a constant. So some positions of
// all matches are kept, and from time to time an evaluation is fitted to them alone,
// with features that leave most arguments open or with all, and with the shapes that
// pay. What predicts better plays on. Where matches are plenty only shapes are fitted:
// in Breakthrough fits to how matches ended predicted as well as what was learned from
// returns, and lost to it (docs/experiments/results/learning.md, "What matches teach as they come").

const (
	replayed   = 30_000 // positions that are kept, if there is room
	ofAMatch   = 16     // of them, at most: those of a match come to the same end
	refitShare = 0.15   // of the time is for the last fit
	fitsShare  = 0.25   // of the time so far may go into a fit; there is one after 64, 128, 256... matches
	shapesPart = 2      // one of so many parts of a fit is for shapes
)

// replay is what was played.
type replay struct {
	kept  []regression.Sample
	seen  int           // positions of which these are as likely as any other
	refit time.Duration // that the last fit may take
	seed  uint64

	plenty bool // matches: see weightDues

	fitted *evaluation.Evaluation // the last fit; nil: there was none
}

// keep keeps a position, or one of those before: all are as likely. The matches of a
// good evaluation alone do not show what is wrong with the moves that it avoids.
func (p *replay) keep(s regression.Sample, random *rand.Rand) {
	p.seen++
	if most := regression.Room(replayed, len(s.State)); len(p.kept) < most {
		p.kept = append(p.kept, s)
	} else if k := random.IntN(p.seen); k < most {
		p.kept[k] = s
	}
}

// fit fits an evaluation to what was kept, or takes the usual one if that predicts better,
// and shapes to it, until a moment. It is nil if nothing was kept.
func (p *replay) fit(f *evaluation.Features, roles []kif.Term, usual *evaluation.Evaluation, until time.Time) {
	if p.fitted = nil; len(p.kept) == 0 {
		return
	}
	p.fitted = usual
	if !p.plenty {
		e := regression.Fit(f, roles, p.kept, p.seed, until.Add(-time.Until(until)/shapesPart))
		if e != nil && regression.ErrorOn(e, p.kept) < regression.ErrorOn(usual, p.kept) {
			e.Samples = 0
			p.fitted = e
		}
	}
	regression.FitShapes(p.fitted, f.Shapes, p.kept, p.seed, until)
}
