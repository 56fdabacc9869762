package learning

import (
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
)

// A search mixes what an evaluation says of a state with the mean of playouts from it.
// Which mixture predicts best is a regression of how matches ended on both. The mean of
// few playouts is off by chance, which a regression takes for a weakness of playouts as
// such (attenuation; W. Fuller, Measurement Error Models, 1987, section 1.1). A search
// comes back to its states, so most of that chance is taken off: what is left is that of
// searchedPlayouts.
const (
	searchedPlayouts = 64
	// Playouts and evaluation agree no better than this, whatever chance is taken off:
	// two numbers that say the same cannot be told apart.
	mostAgreement = 0.8 // the square of their correlation
)

// shares are the parts of the evaluation in the best mixtures, by role.
func shares(e *evaluation.Evaluation, positions []*regression.Sample, playouts []playoutMean) []float64 {
	list, values := make([]mixed, e.Roles()), make([]float64, e.Roles())
	for i, s := range positions {
		e.Values(s.State, values)
		for role := range list {
			list[role].add(playouts[i].goals[role], playouts[i].squares[role], values[role], float64(s.Values[role]))
		}
	}
	parts := make([]float64, len(list))
	for role := range list {
		parts[role] = list[role].share()
	}
	return parts
}

// mixed are sums over positions, of the mean of playouts p, of what an evaluation says e,
// and of how the match ended v.
type mixed struct {
	n, p, e, v, pp, ee, pe, pv, ev float64
	noise                          float64 // of p: its variance by chance
}

func (m *mixed) add(p, squares, e, v float64) {
	m.n, m.p, m.e, m.v = m.n+1, m.p+p, m.e+e, m.v+v
	m.pp, m.ee, m.pe, m.pv, m.ev = m.pp+p*p, m.ee+e*e, m.pe+p*e, m.pv+p*v, m.ev+e*v
	m.noise += max(0, squares-p*p) / (comparedPlayouts - 1)
}

// share is the part of the evaluation in the mixture of both that is nearest to how
// matches ended, in [0, 1].
func (m *mixed) share() float64 {
	if m.n == 0 {
		return 0
	}
	pp, ee, pe := m.pp-m.p*m.p/m.n, m.ee-m.e*m.e/m.n, m.pe-m.p*m.e/m.n
	pv, ev := m.pv-m.p*m.v/m.n, m.ev-m.e*m.v/m.n
	if ee <= 0 {
		return 0
	}
	pp = max(pp-m.noise*(1-float64(comparedPlayouts)/searchedPlayouts), pe*pe/ee/mostAgreement)
	determinant := pp*ee - pe*pe
	if determinant <= 0 { // all playouts come to the same
		return min(1, max(0, ev/ee))
	}
	playouts, own := max(0, pv*ee-ev*pe), max(0, ev*pp-pv*pe)
	if own == 0 {
		return 0
	}
	return own / (own + playouts)
}
