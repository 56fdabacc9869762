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

	// mostKept bounds the entries of samples that are kept by one fit: 64 MB. A game with
	// thousands of shapes would have gigabytes of them.
	mostKept = 8 << 20
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
		whole.train, whole.test, r.kept = nil, nil, 0
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
	kept        int // entries of samples
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
	train, test *tallies // nil: they were not counted yet
}

// tallies say how often entries occur in the states of samples. Those of the first samples
// are kept, and the others are counted whenever they are asked for.
type tallies struct {
	layout  *shapes.Layout
	samples []offset
	kept    []tally
	last    tally // that was asked for and is not kept

	values, entries []int32   // scratch of the layout
	count           []float32 // by entry, scratch
}

type tally struct {
	entries []int32
	counts  []float32
}

// at is the tally of a sample, until that of the next one is asked for.
func (t *tallies) at(i int) *tally {
	if i < len(t.kept) {
		return &t.kept[i]
	}
	t.last.entries, t.last.counts = t.appendTo(t.last.entries[:0], t.last.counts[:0], t.samples[i].State)
	return &t.last
}

// appendTo counts the entries of a state.
func (t *tallies) appendTo(found []int32, counts []float32, state []uint64) ([]int32, []float32) {
	t.layout.Read(state, t.values, t.entries)
	first := len(found)
	for _, e := range t.entries {
		if t.count[e] == 0 {
			found = append(found, e)
		}
		t.count[e]++
	}
	for _, e := range found[first:] {
		counts = append(counts, t.count[e])
		t.count[e] = 0
	}
	return found, counts
}

// tally counts the entries of states, as far as there is room for them. False: there was no
// time.
func (r *residuals) tally(l *shapes.Layout, samples []offset) (t *tallies, ok bool) {
	const block = 1 << 16 // entries of many samples, so that they lie together
	t = &tallies{layout: l, samples: samples, values: make([]int32, len(l.Cells)), entries: make([]int32, l.Shapes()), count: make([]float32, l.Entries)}
	var found []int32
	var counts []float32
	for i := range samples {
		if i%256 == 0 && !time.Now().Before(r.until) {
			return nil, false
		}
		if r.kept+len(t.entries) > mostKept {
			break
		}
		if cap(found)-len(found) < len(t.entries) {
			found, counts = make([]int32, 0, max(block, len(t.entries))), make([]float32, 0, max(block, len(t.entries)))
		}
		first := len(found)
		found, counts = t.appendTo(found, counts, samples[i].State)
		t.kept = append(t.kept, tally{found[first:], counts[first:]})
		r.kept += len(found) - first
	}
	return t, true
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
			r.step(&r.train[i], f.train.at(i), weights, squares)
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
		s, t := &r.test[i], f.test.at(i)
		for role, v := range s.Values {
			a := evaluation.Logistic(s.sums[role]) - float64(v)
			b := evaluation.Logistic(r.sum(s, t, weights, role)) - float64(v)
			before += a * a / n
			after += b * b / n
			differences[s.Match] += (a*a - b*b) / n
		}
	}
	return evaluation.GainOf(before, after, len(r.test), differences)
}

// take adds what a family is worth to what is expected.
func (r *residuals) take(f *family) {
	add := func(samples []offset, t *tallies) {
		for i := range samples {
			for role := range r.roles {
				samples[i].sums[role] = r.sum(&samples[i], t.at(i), f.weights, role)
			}
		}
	}
	add(r.train, f.train)
	add(r.test, f.test)
}
