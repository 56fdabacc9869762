package rating

import (
	"gonum.org/v1/gonum/mat"
)

// Telling finds the contests of two that tell most about the ratings. What it knows
// of the errors grows with what it is told will be played.
type Telling struct {
	ratings    *Ratings
	covariance *mat.SymDense // of the strengths
}

// Telling starts from the errors of a fit.
func (r *Ratings) Telling() *Telling {
	n := len(r.List)
	t := &Telling{ratings: r, covariance: mat.NewSymDense(n, nil)}
	for i := range n {
		for j := i; j < n; j++ {
			t.covariance.SetSym(i, j, r.model.covariance.At(i, j))
		}
	}
	return t
}

// information is what a contest of two tells about the difference of their strengths:
// the variance of half the score, from which it is estimated.
func (r *Ratings) information(a, b int) float64 {
	win, draw := r.model.pair(a, b)
	lose := 1 - win - draw
	mean := (win - lose) / 2
	return (win+lose)/4 - mean*mean
}

// gain grows with how much a contest makes the errors smaller (the determinant of
// their covariance, by the rule of rank one).
func (t *Telling) gain(a, b int) float64 {
	c := t.covariance
	return t.ratings.information(a, b) * (c.At(a, a) + c.At(b, b) - 2*c.At(a, b))
}

// Best is the pair whose contest tells most, the first one of equals.
func (t *Telling) Best() (a, b int) {
	best := -1.0
	for i := range len(t.ratings.List) {
		for j := range i {
			if gain := t.gain(j, i); gain > best*(1+1e-9) {
				a, b, best = j, i, gain
			}
		}
	}
	return a, b
}

// With is who joins a table best.
func (t *Telling) With(table []int) (who int) {
	best := -1.0
	for i := range len(t.ratings.List) {
		sum, sits := 0.0, false
		for _, other := range table {
			sits = sits || other == i
			sum += t.gain(i, other)
		}
		if !sits && sum > best*(1+1e-9) {
			who, best = i, sum
		}
	}
	return who
}

// Played takes a contest of two as played.
func (t *Telling) Played(a, b int) {
	c := t.covariance
	n := c.SymmetricDim()
	part := t.ratings.information(a, b) / (1 + t.gain(a, b))
	column := mat.NewVecDense(n, nil)
	for i := range n {
		column.SetVec(i, c.At(i, a)-c.At(i, b))
	}
	c.SymRankOne(c, -part, column)
}
