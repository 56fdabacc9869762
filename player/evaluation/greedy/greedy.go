// Package greedy lets a game be played against itself by an evaluation that learns
// from these very matches.
package greedy

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
	"semisplit/reasoner"
	"semisplit/search/engine"
)

// Many matches are played side by side in the lanes of an engine. Who is to move
// looks at the states after all its moves, and after the replies to the best of them
// (replies.go), and takes the one that the evaluation likes best, now and then any.
// The matches teach the evaluation (returns.go; as in G. Tesauro, Temporal Difference
// Learning and TD-Gammon, 1995), which plays the next ones. A match costs a few
// hundred steps of a lane for each of its moves, with replies a few thousand.
const (
	sideBySide    = 64
	usualEpsilon  = 0.02 // a blunder at random ends what a piece is worth: docs/experiments/results.md
	wildEvery     = 4    // of the matches side by side one is wilder
	wildEpsilon   = 0.1
	openingPart   = 0.25 // of the mean length of a match is random at first, at most
	longestMatch  = 300  // joint moves
	keptPositions = 8000 // that are held out, the newest; and as many of those that were learned from
)

// Matches are a number of matches in progress, for one thread.
type Matches struct {
	Done    int                    // matches that have ended
	Samples int                    // positions that were learned from
	Result  *evaluation.Evaluation // what was learned, when Run has ended
	Train   []regression.Sample    // some positions of matches that were learned from
	Test    []regression.Sample    // those held out

	m        reasoner.Machine
	engine   engine.Engine
	random   *rand.Rand
	features *evaluation.Features
	learn    *regression.Regression
	values   *evaluation.Evaluation // of the moment: what matches go by
	mean     *evaluation.Evaluation // of those of the second half of the time
	means    int

	matches []match
	tries   tries
	replies tries
	order   []int    // of tries
	deep    []int    // tries whose replies are looked at
	answers []uint32 // to one of them
	sparse  bool     // few matches, as far as the first ones tell
	lambda  float32
	near    engine.Near   // of values
	fitting time.Duration // that fits took
	listed  [][]uint32    // of role r in lane l at l*roles+r: legal moves, one after the other
	joint   []uint32
	clock
	replay
	length float64 // mean of the matches, in joint moves
}

// clock is when what begins and ends.
type clock struct {
	begun, until time.Time
	half         time.Time   // of the time is over
	ending       *time.Timer // of the matches, when the last fit begins
}

// New begins no match yet.
func New(m reasoner.Machine, f *evaluation.Features, seed uint64) *Matches {
	g := &Matches{
		m: m, features: f, sparse: true, lambda: 1, engine: m.NewEngine(seed), random: rand.New(rand.NewPCG(seed, 23)),
		learn: regression.NewOnline(f, len(m.Roles())), tries: newTries(m), replies: newTries(m), replay: replay{roles: m.Roles(), seed: seed},
	}
	g.playBy(g.learn.Evaluation())
	return g
}

// playBy has the matches go by an evaluation.
func (g *Matches) playBy(e *evaluation.Evaluation) { g.values, g.near = e, e.Near() }

type match struct {
	state   []uint64
	past    [][]uint64
	thought []float32 // what who moved expected of the moves from past, by role; at last what they teach
	opening int       // joint moves yet to be random
	epsilon float64   // part of the moves after it that are random
	joints  []uint32  // moves of all roles, one after the other, that are to be looked at
	mover   int       // -1: chance or several
	best    int       // of the tries
}

func (g *Matches) begin(k int) {
	m := match{state: slices.Clone(g.m.Initial()), opening: g.random.IntN(int(openingPart*g.length) + 2), epsilon: usualEpsilon}
	if k%wildEvery == 0 && !g.sparse {
		m.epsilon = wildEpsilon
	}
	g.matches[k] = m
}

// Run plays until a moment, and no more than so many matches.
func (g *Matches) Run(ctx context.Context, until time.Time, most int) error {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	all := time.Until(until)
	g.begun, g.until, g.half = time.Now(), until, time.Now().Add(all/2)
	g.refit = time.Duration(refitShare * float64(all))
	g.ending = time.AfterFunc(all-g.refit, func() { stop.Store(true) })
	defer g.ending.Stop()
	g.matches = make([]match, sideBySide)
	for k := range g.matches {
		g.begin(k)
	}
	for !stop.Load() && g.Done < most {
		if err := g.turn(&stop); err != nil && !stop.Load() {
			return err
		}
	}
	g.conclude()
	return nil
}

// conclude sets Result.
func (g *Matches) conclude() {
	g.Result = g.mean
	if g.mean == nil {
		g.Result = g.learn.Evaluation()
	}
	g.Result.Features = g.learn.Strongest(g.roles)
	if g.fit(g.features, g.Result, time.Now().Add(g.refit)); g.fitted != nil {
		g.Result = g.fitted
	}
}

// turn plays one joint move in each match.
func (g *Matches) turn(stop *atomic.Bool) error {
	lanes := g.engine.Lanes()
	for start := 0; start < len(g.matches); start += lanes {
		some := g.matches[start:min(start+lanes, len(g.matches))]
		g.clear()
		for i := range some {
			g.engine.Load(i, some[i].state, nil)
		}
		if _, err := g.engine.Step(stop); err != nil {
			return err
		}
		g.list(g.firstLanes(len(some)))
		for i := range some {
			g.look(i, &some[i])
		}
	}
	for start := 0; start < len(g.matches); {
		end, err := g.choose(start, stop)
		if err != nil {
			return err
		}
		for ; start < end; start++ {
			g.move(start)
		}
	}
	return nil
}

// choose finds the best try of as many matches, from one on, as there is room for.
func (g *Matches) choose(start int, stop *atomic.Bool) (end int, err error) {
	t := &g.tries
	t.clear()
	for end = start; end < len(g.matches); end++ {
		match := &g.matches[end]
		if end > start && !t.fits(match.joints) {
			break
		}
		for index := 0; index < len(match.joints); index += t.width {
			t.add(end, match.mover, match.state, match.joints[index:])
		}
	}
	if err := g.try(t, stop); err != nil {
		return end, err
	}
	return end, g.reply(stop)
}

// move makes the move that a match has found best, and ends the match.
func (g *Matches) move(k int) {
	match := &g.matches[k]
	if len(match.joints) == 0 || len(match.past) >= longestMatch {
		g.begin(k)
		return
	}
	match.past = append(match.past, slices.Clone(match.state))
	match.opening--
	best := match.best
	for _, v := range g.tries.valuesOf(best) {
		match.thought = append(match.thought, float32(v))
	}
	if !g.tries.ended[best] {
		match.state = append(match.state[:0], g.tries.after(best)...)
		return
	}
	goals := g.tries.valuesOf(best)
	if g.Done++; g.Done == sideBySide {
		g.plan()
	}
	g.length += (float64(len(match.past)) - g.length) / float64(g.Done)
	result := make([]float32, len(goals))
	for r, v := range goals {
		result[r] = float32(v)
	}
	g.aim(match, result)
	for n, i := range g.random.Perm(len(match.past)) {
		s := regression.Sample{State: match.past[i], Values: result, Match: uint32(g.Done)}
		if n < ofAMatch {
			g.keep(s, g.random)
		}
		switch {
		case s.HeldOut():
			g.Test = append(g.Test, s)
			continue
		case s.Sampled():
			g.Train = append(g.Train, s)
		}
		g.Samples++
		g.learn.Step(&regression.Sample{State: s.State, Values: match.thought[i*len(result) : (i+1)*len(result)]})
	}
	g.Test, g.Train = newest(g.Test), newest(g.Train)
	if g.Done%sideBySide == 0 {
		before := time.Now()
		g.values = g.learn.Evaluation()
		if n := g.Done / sideBySide; n&(n-1) == 0 {
			share := fitsShare
			if g.plenty {
				share /= shapesPart
			}
			most := time.Duration(share * float64(before.Sub(g.begun)))
			g.fit(g.features, g.learn.Evaluation(), before.Add(min(most, g.refit)))
		}
		if g.fitted != nil && regression.ErrorOn(g.fitted, g.kept) < regression.ErrorOn(g.values, g.kept) {
			g.values = g.fitted
		}
		g.playBy(g.values)
		g.fitting += time.Since(before)
		if time.Now().After(g.half) {
			g.average()
		}
	}
	g.begin(k)
}

// newest drops the oldest of too many positions.
func newest(positions []regression.Sample) []regression.Sample {
	if over := len(positions) - keptPositions; over > keptPositions {
		return append(positions[:0], positions[over:]...)
	}
	return positions
}

// average takes the evaluation of the moment into the mean, which is less noisy
// than any of them (B. Polyak, A. Juditsky, Acceleration of Stochastic
// Approximation by Averaging, 1992).
func (g *Matches) average() {
	g.means++
	if g.mean == nil {
		g.mean, g.Test, g.Train = g.learn.Evaluation(), g.Test[:0], g.Train[:0]
	} else {
		g.mean.Mix(g.learn.Evaluation(), 1/float64(g.means))
	}
}
