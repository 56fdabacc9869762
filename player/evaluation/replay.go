package evaluation

import (
	"time"

	"semisplit/kif"
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
	kept  []sample
	next  int           // place of the oldest, once there are enough
	refit time.Duration // that a fit may take
	roles []kif.Term
	seed  uint64

	broad *Evaluation // the last fit; nil: all features predict better
}

func (p *replay) keep(s sample) {
	if len(p.kept) < replayed {
		p.kept = append(p.kept, s)
		return
	}
	p.kept[p.next] = s
	p.next = (p.next + 1) % replayed
}

// fitBroad sets broad, until a moment; usual is what all features have taught.
func (p *replay) fitBroad(f *features, usual *Evaluation, until time.Time) {
	p.broad, _ = learnBest(f, breadths[:len(breadths)-1], usual.errorOn(p.kept), p.roles, p.kept, p.seed, until)
}

// errorOn is the mean squared error over all roles, of samples that are held out.
func (e *Evaluation) errorOn(samples []sample) (sum float64) {
	values, n := make([]float64, e.roles), 0
	for i := range samples {
		s := &samples[i]
		if !s.heldOut() {
			continue
		}
		n++
		e.Values(s.state, values)
		for role, v := range values {
			d := v - float64(s.values[role])
			sum += d * d
		}
	}
	return sum / float64(max(n, 1))
}
