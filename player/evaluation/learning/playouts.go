package learning

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
	"semisplit/reasoner"
	"semisplit/search/engine"
)

// How much of a match can be predicted at all differs from game to game: in Chess
// without check an evaluation takes 2% of a constant's error away and wins every play,
// in Connect Four 4% and loses. What it is held against is what a search has without it:
// the mean of some random playouts from the same positions, which takes away 1% in the
// first and 8% in the second.
const (
	comparedPositions = 4096 // at most
	fewestCompared    = 128
	comparedPlayouts  = 16 // from each
)

// comparisonTime is the part of the time for learning that is for playouts.
func comparisonTime(within time.Duration) time.Duration { return within / 15 }

// patience ends a comparison at a moment, or later where too few positions were compared
// until then.
type patience struct {
	stop atomic.Bool
	late atomic.Bool // the moment has come
	done atomic.Int64
}

// compared counts a position.
func (p *patience) compared() {
	if p.done.Add(1) >= fewestCompared && p.late.Load() {
		p.stop.Store(true)
	}
}

// hurry is called at the moment.
func (p *patience) hurry() {
	p.late.Store(true)
	if p.done.Load() >= fewestCompared {
		p.stop.Store(true)
	}
}

// compare holds an evaluation against playouts from positions, until a moment, or until
// a later one where there are too few by then. It is nil where that is too early as well.
func compare(ctx context.Context, e *evaluation.Evaluation, m reasoner.Machine, positions []*regression.Sample, seed uint64, until, latest time.Time, threads int) (*evaluation.Comparison, error) {
	if time.Until(latest) <= 0 {
		return nil, nil
	}
	var patient patience
	stop := &patient.stop
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	if left := time.Until(until); left > 0 {
		defer time.AfterFunc(left, patient.hurry).Stop()
	} else {
		patient.hurry()
	}
	defer time.AfterFunc(time.Until(latest), func() { stop.Store(true) }).Stop()
	random := rand.New(rand.NewPCG(seed, 29))
	some := make([]*regression.Sample, min(len(positions), comparedPositions))
	for i, k := range random.Perm(len(positions))[:len(some)] {
		some[i] = positions[k]
	}
	within, cancel := context.WithDeadline(ctx, latest)
	defer cancel()
	m, err := reasoner.Sighted(within, m, true) // as searches play
	if within.Err() != nil && ctx.Err() == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	means := make([]playoutMean, len(some))
	err = inParallel(threads, func(i int) error {
		start, end := i*len(some)/threads, (i+1)*len(some)/threads
		return playoutMeans(m.NewEngine(seed+uint64(i)), some[start:end], e.Roles(), means[start:end], &patient)
	})
	if err != nil {
		return nil, err
	}
	var done []*regression.Sample
	var predicted []playoutMean
	for i, mean := range means {
		if mean.goals != nil {
			done, predicted = append(done, some[i]), append(predicted, mean)
		}
	}
	if len(done) < fewestCompared {
		return nil, nil
	}
	c := &evaluation.Comparison{Positions: len(done), Playouts: make([]evaluation.Quality, e.Roles())}
	independent := regression.Matches(done)
	c.Evaluation = regression.Quality(e, done, independent)
	for role := range c.Playouts {
		var sums regression.Moments
		for i, s := range done {
			sums.Add(predicted[i].goals[role], float64(s.Values[role]))
		}
		c.Playouts[role] = sums.Quality(independent)
	}
	c.Shares = shares(e, done, predicted)
	return c, nil
}

// playoutMean is what the playouts from a position came to, by role.
type playoutMean struct {
	goals   []float64 // the mean; nil: not all of them were played
	squares []float64 // the mean of their squares
}

// playoutMeans sets the mean goals of the playouts from each position that all of them
// were played from before it was stopped.
func playoutMeans(e engine.Engine, positions []*regression.Sample, roles int, means []playoutMean, p *patience) error {
	lanes := e.Lanes()
	sums, squares, ended := make([]float64, len(positions)*roles), make([]float64, len(positions)*roles), make([]int, len(positions))
	origins := make([]int, lanes) // by lane: the position that its playout is from
	next, playing := 0, 0
	load := func(lane int) {
		if origins[lane] = next / comparedPlayouts; origins[lane] >= len(positions) {
			e.Unload(lane)
			return
		}
		e.Load(lane, positions[origins[lane]].State, nil)
		next++
		playing++
	}
	for lane := range lanes {
		load(lane)
	}
	goals := make([]float64, roles)
	for playing > 0 {
		over, err := e.Step(&p.stop)
		if err != nil {
			return unlessStopped(&p.stop, err)
		}
		for i, word := range over {
			for ; word != 0; word &= word - 1 {
				lane := i*64 + bits.TrailingZeros64(word)
				position := origins[lane]
				e.Goals(lane, goals)
				for r, v := range goals {
					sums[position*roles+r] += v / comparedPlayouts
					squares[position*roles+r] += v * v / comparedPlayouts
				}
				if ended[position]++; ended[position] == comparedPlayouts {
					from, to := position*roles, (position+1)*roles
					means[position] = playoutMean{sums[from:to], squares[from:to]}
					p.compared()
				}
				playing--
				load(lane)
			}
		}
	}
	return nil
}
