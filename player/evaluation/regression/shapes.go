package regression

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/evaluation/shapes"
)

// What shapes are worth is fitted to what an evaluation leaves unexplained, family by
// family: first the one that takes most away of the squared error on held-out matches,
// then the one that takes most away of the rest, as long as that is noticeable. Which one
// is next is found on some of the samples.

// Parameters of these fits.
const (
	shapeEpochs   = 8
	shapePatience = 2    // epochs without less error, after which the best weights are final
	mostFamilies  = 3    // in use
	screened      = 6000 // samples on which families are compared
	leastHeldOut  = 30   // matches, with fewer of which no gain is to be believed
)

// FitShapes tries the families of a set on what an evaluation without shapes leaves
// unexplained, until a moment, and has the evaluation use those that pay.
func FitShapes(e *evaluation.Evaluation, set *shapes.Set, samples []Sample, seed uint64, until time.Time) {
	train, test := Divide(samples)
	if len(train) == 0 || Matches(test) < leastHeldOut {
		return
	}
	r := &residuals{roles: e.Roles(), train: offsetsOf(e, train), test: offsetsOf(e, test), random: rand.New(rand.NewPCG(seed, 37)), until: until}
	r.mirrored = !slices.ContainsFunc(samples, func(s Sample) bool { return !s.mirrored() })
	some := &residuals{roles: r.roles, mirrored: r.mirrored, random: r.random}
	every := 1 + len(samples)/screened
	some.train, some.test = thinned(r.train, every), thinned(r.test, every)
	var open []*family
	for _, name := range set.Families() {
		if l, err := shapes.NewLayout(set.Only(func(k *shapes.Kind) bool { return k.Family == name }), 64*len(train[0].State)); err == nil {
			open = append(open, &family{name: name, layout: l})
		}
	}
	var used []*family
	for len(used) < mostFamilies && len(open) > 0 {
		// Half of the time is for the fit to all samples.
		some.until = time.Now().Add(time.Until(until) / 2)
		best := some.best(open)
		if best == nil {
			break
		}
		open = slices.DeleteFunc(open, func(f *family) bool { return f == best })
		whole := &family{name: best.name, layout: best.layout}
		enough := r.fit(whole)
		if !enough {
			whole = best // what some of the samples taught is better than nothing
		}
		gain := evaluation.ShapeGain{Family: whole.name, Shapes: whole.layout.Shapes(), Gain: whole.gain}
		gain.Kept = gain.Pays()
		if e.Shapes = append(e.Shapes, gain); !gain.Kept {
			break
		}
		if used = append(used, whole); !enough {
			break
		}
		r.take(whole) // and some, whose samples are among these
	}
	join(e, set, used, 64*len(train[0].State))
}

// thinned is one of so many samples.
func thinned(samples []offset, every int) (some []offset) {
	for i := 0; i < len(samples); i += every {
		some = append(some, samples[i])
	}
	return some
}

// best is the family that takes most away, of those that there is time for; nil: none
// takes anything.
func (r *residuals) best(open []*family) (best *family) {
	for _, f := range open {
		if !r.fit(f) {
			break
		}
		if f.gain.After < f.gain.Before && (best == nil || f.gain.After < best.gain.After) {
			best = f
		}
	}
	return best
}

// join has an evaluation use families.
func join(e *evaluation.Evaluation, set *shapes.Set, used []*family, bits int) {
	if len(used) == 0 {
		return
	}
	place := func(k *shapes.Kind) int {
		return slices.IndexFunc(used, func(f *family) bool { return f.name == k.Family })
	}
	wanted := set.Only(func(k *shapes.Kind) bool { return place(k) >= 0 })
	slices.SortStableFunc(wanted.Kinds, func(a, b shapes.Kind) int { return place(&a) - place(&b) })
	l, err := shapes.NewLayout(wanted, bits)
	if err != nil {
		return // too many of them together
	}
	var weights []float32
	for _, f := range used {
		weights = append(weights, f.weights...)
	}
	e.SetShapes(l, weights)
}

// mirrored tells whether what one of two roles wins the other loses.
func (s *Sample) mirrored() bool {
	return len(s.Values) == 2 && math.Abs(float64(s.Values[0]+s.Values[1])-1) < 1e-6
}

// residuals are samples with what is expected of them already.
type residuals struct {
	roles       int
	mirrored    bool // the second of two roles is worth the opposite of the first
	train, test []offset
	random      *rand.Rand
	until       time.Time
}

type offset struct {
	*Sample
	sums []float64 // logarithms of the odds, by role
}

func offsetsOf(e *evaluation.Evaluation, samples []*Sample) []offset {
	list := make([]offset, len(samples))
	sums := make([]float64, len(samples)*e.Roles())
	for i, s := range samples {
		list[i] = offset{s, sums[i*e.Roles() : (i+1)*e.Roles()]}
		e.LogOdds(s.State, list[i].sums)
	}
	return list
}

// family is one that is fitted.
type family struct {
	name        string
	layout      *shapes.Layout
	weights     []float32 // of an entry for role r at entry*roles + r
	gain        evaluation.Gain
	train, test tallies // nil: they were not counted yet
}

// tallies say how often entries occur in states.
type tallies []tally

type tally struct {
	entries []int32
	counts  []float32
}

// tally counts the entries of states. False: there was no time.
func (r *residuals) tally(l *shapes.Layout, samples []offset) (list tallies, ok bool) {
	values, entries, count := make([]int32, len(l.Cells)), make([]int32, l.Shapes()), make([]float32, l.Entries)
	list = make(tallies, len(samples))
	var found []int32 // of many samples, so that they lie together
	var counts []float32
	for i := range samples {
		if i%256 == 0 {
			if !time.Now().Before(r.until) {
				return nil, false
			}
			found, counts = make([]int32, 0, 256*len(entries)/2), make([]float32, 0, 256*len(entries)/2)
		}
		l.Read(samples[i].State, values, entries)
		first := len(found)
		for _, e := range entries {
			if count[e] == 0 {
				found = append(found, e)
			}
			count[e]++
		}
		own := found[first:]
		for _, e := range own {
			counts = append(counts, count[e])
			count[e] = 0
		}
		list[i] = tally{own, counts[first:]}
	}
	return list, true
}

// fit fits a family. False: there was no time.
func (r *residuals) fit(f *family) (ok bool) {
	if f.train == nil {
		if f.train, ok = r.tally(f.layout, r.train); !ok {
			return false
		}
		if f.test, ok = r.tally(f.layout, r.test); !ok {
			f.train = nil
			return false
		}
	}
	weights, squares := make([]float32, f.layout.Entries*r.roles), make([]float32, f.layout.Entries*r.roles)
	order := r.random.Perm(len(r.train))
	f.weights, f.gain.After = nil, math.Inf(1)
	for epoch, bad := 0, 0; epoch < shapeEpochs && bad < shapePatience; epoch++ {
		for k, i := range order {
			if k%256 == 0 && !time.Now().Before(r.until) {
				return f.weights != nil
			}
			r.step(&r.train[i], &f.train[i], weights, squares)
		}
		if g := r.gain(f, weights); g.After < f.gain.After {
			f.gain, f.weights, bad = g, slices.Clone(weights), 0
		} else {
			bad++
		}
		r.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	return true
}

// step moves weights a little towards a sample.
func (r *residuals) step(s *offset, t *tally, weights, squares []float32) {
	for role := range r.roles {
		if role == 1 && r.mirrored {
			for _, e := range t.entries {
				weights[2*e+1], squares[2*e+1] = -weights[2*e], squares[2*e]
			}
			return
		}
		slope := float32(evaluation.Logistic(r.sum(s, t, weights, role)) - float64(s.Values[role]))
		for k, e := range t.entries {
			i := int(e)*r.roles + role
			g := slope*t.counts[k] + patternDecay*weights[i]
			squares[i] += g * g
			weights[i] -= onlineRate * g / float32(math.Sqrt(float64(squares[i])+1e-6))
		}
	}
}

// sum is the logarithm of the odds with what shapes are worth.
func (r *residuals) sum(s *offset, t *tally, weights []float32, role int) float64 {
	sum := float32(0)
	for k, e := range t.entries {
		sum += weights[int(e)*r.roles+role] * t.counts[k]
	}
	return s.sums[role] + float64(sum)
}

// gain is what weights take away of the error on what was held out.
func (r *residuals) gain(f *family, weights []float32) evaluation.Gain {
	differences := map[uint32]float64{}
	before, after, n := 0.0, 0.0, float64(len(r.test)*r.roles)
	for i := range r.test {
		s := &r.test[i]
		for role, v := range s.Values {
			a := evaluation.Logistic(s.sums[role]) - float64(v)
			b := evaluation.Logistic(r.sum(s, &f.test[i], weights, role)) - float64(v)
			before += a * a / n
			after += b * b / n
			differences[s.Match] += (a*a - b*b) / n
		}
	}
	return evaluation.GainOf(before, after, len(r.test), differences)
}

// take adds what a family is worth to what is expected.
func (r *residuals) take(f *family) {
	for role := range r.roles {
		for i := range r.train {
			r.train[i].sums[role] = r.sum(&r.train[i], &f.train[i], f.weights, role)
		}
		for i := range r.test {
			r.test[i].sums[role] = r.sum(&r.test[i], &f.test[i], f.weights, role)
		}
	}
}
