package greedy

import (
	"time"

	"semisplit/kif"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
)

// A few hundred matches, which is all that some seconds of Chess hold, do not
// teach what every fluent is worth: what was learned of all features predicted
// matches that were held out worse than a constant. What pieces are worth, and
// how far along they are, can be learned from so few. So the latest positions
// are kept, and from time to time features that leave most arguments open are
// fitted to them alone. What predicts better plays on.

const (
	replayed   = 20_000 // positions that are kept, the newest
	refitShare = 0.06   // of the time a fit may take; there is one after 64, 128, 256... matches and one at last
)

// replay is what was played lately.
type replay struct {
	kept  []regression.Sample
	next  int           // place of the oldest, once there are enough
	refit time.Duration // that a fit may take
	roles []kif.Term
	seed  uint64

	broad *evaluation.Evaluation // the last fit; nil: all features predict better
}

func (p *replay) keep(s regression.Sample) {
	if len(p.kept) < replayed {
		p.kept = append(p.kept, s)
		return
	}
	p.kept[p.next] = s
	p.next = (p.next + 1) % replayed
}

// fitBroad sets broad, until a moment; usual is what all features have taught.
func (p *replay) fitBroad(f *evaluation.Features, usual *evaluation.Evaluation, until time.Time) {
	p.broad = regression.FitBroad(f, regression.ErrorOn(usual, p.kept), p.roles, p.kept, p.seed, until)
}
