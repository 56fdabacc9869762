package evaluation

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/reasoner"
	"semisplit/search/engine"
)

// Greedy self-play: many matches side by side in the lanes of an engine, in
// which who is to move looks at the states after all its moves, and after the replies
// to the best of them (replies.go), and takes the one that the evaluation likes best,
// now and then any. They teach the evaluation (returns.go; as in G. Tesauro, Temporal
// Difference Learning and TD-Gammon, 1995), which plays the next ones. A match costs a
// few hundred steps of a lane for each of its moves, with replies a few thousand.
const (
	greedyMatches     = 64 // side by side
	greedyRandom      = 0.1
	wildEvery         = 4 // of the matches side by side one is wilder
	wildRandom        = 0.5
	greedyOpening     = 0.25   // of the mean length of a match is random at first, at most
	greedyLongest     = 300    // joint moves
	greedyPasses      = 2      // over the positions of a match
	greedyHeldOut     = 8000   // positions, the newest; and as many of those that were learned from
	greedyMatchesDone = 40_000 // at most
)

// greedy is a number of matches in progress.
type greedy struct {
	m            reasoner.Machine
	engine       engine.Engine
	random       *rand.Rand
	learn        *regression
	values       *Evaluation // of the moment: what matches go by
	mean         *Evaluation // of those of the second half of the time
	means        int
	half         time.Time
	begun, until time.Time
	taught       *Evaluation // at last

	matches []greedyMatch
	tries   tries
	replies tries
	order   []int    // of tries
	deep    []int    // tries whose replies are looked at
	answers []uint32 // to one of them
	few     bool     // matches, as far as the first ones tell
	lambda  float32
	fitting time.Duration // that fits of broad features took
	listed  [][]uint32    // of role r in lane l at l*roles+r: legal moves, one after the other
	joint   []uint32
	train   []sample // some of those that were learned from
	test    []sample
	replay
	done    int
	most    int // matches
	samples int
	length  float64 // mean of the matches, in joint moves
}

type greedyMatch struct {
	state   []uint64
	past    [][]uint64
	thought []float32 // what who moved expected of the moves from past, by role; at last what they teach
	opening int       // joint moves yet to be random
	astray  float64   // part of the moves after it that are random
	joints  []uint32  // moves of all roles, one after the other, that are to be looked at
	mover   int       // -1: chance or several
	best    int       // of the tries
}

func (g *greedy) begin(k int) {
	match := greedyMatch{state: slices.Clone(g.m.Initial()), opening: g.random.IntN(int(greedyOpening*g.length) + 2), astray: greedyRandom}
	if k%wildEvery == 0 && !g.few {
		match.astray = wildRandom
	}
	g.matches[k] = match
}

// play plays until a moment.
func (g *greedy) play(ctx context.Context, until time.Time) error {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	all := time.Until(until)
	g.begun, g.until, g.half = time.Now(), until, time.Now().Add(all/2)
	g.refit = time.Duration(refitShare * float64(all))
	defer time.AfterFunc(all-g.refit, func() { stop.Store(true) }).Stop()
	g.matches = make([]greedyMatch, greedyMatches)
	for k := range g.matches {
		g.begin(k)
	}
	for !stop.Load() && g.done < g.most {
		if err := g.turn(&stop); err != nil && !stop.Load() {
			return err
		}
	}
	g.conclude()
	return nil
}

// conclude sets taught.
func (g *greedy) conclude() {
	g.taught = g.mean
	if g.mean == nil {
		g.taught = g.learn.evaluation()
	}
	g.fitBroad(g.learn.f, g.taught, time.Now().Add(g.refit))
	if g.broad == nil {
		g.taught.Features = strongest(g.learn, g.roles)
		return
	}
	g.taught = g.broad
	g.taught.Samples = 0
}

// turn plays one joint move in each match.
func (g *greedy) turn(stop *atomic.Bool) error {
	lanes := g.engine.Lanes()
	for from := 0; from < len(g.matches); from += lanes {
		some := g.matches[from:min(from+lanes, len(g.matches))]
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
	for from := 0; from < len(g.matches); {
		to, err := g.choose(from, stop)
		if err != nil {
			return err
		}
		for ; from < to; from++ {
			g.move(from)
		}
	}
	return nil
}

// choose finds the best try of as many matches, from one on, as there is room for.
func (g *greedy) choose(from int, stop *atomic.Bool) (to int, err error) {
	t := &g.tries
	t.clear()
	for to = from; to < len(g.matches); to++ {
		match := &g.matches[to]
		if to > from && !t.fits(match.joints) {
			break
		}
		for at := 0; at < len(match.joints); at += t.width {
			t.add(to, match.mover, match.state, match.joints[at:])
		}
	}
	if err := g.try(t, stop); err != nil {
		return to, err
	}
	return to, g.reply(stop)
}

// move makes the move that a match has found best, and ends the match.
func (g *greedy) move(k int) {
	match := &g.matches[k]
	if len(match.joints) == 0 || len(match.past) >= greedyLongest {
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
	if g.done++; g.done == greedyMatches {
		g.plan()
	}
	g.length += (float64(len(match.past)) - g.length) / float64(g.done)
	of := make([]float32, len(goals))
	for r, v := range goals {
		of[r] = float32(v)
	}
	g.aim(match, of)
	for pass := range greedyPasses {
		for _, i := range g.random.Perm(len(match.past)) {
			s := sample{state: match.past[i], values: of, match: uint32(g.done)}
			if pass == 0 {
				g.keep(s)
			}
			if !s.heldOut() {
				g.samples++
				g.learn.step(&sample{state: s.state, values: match.thought[i*len(of) : (i+1)*len(of)]})
			}
			switch {
			case pass != 0:
			case s.heldOut():
				g.test = append(g.test, s)
			case s.sampled():
				g.train = append(g.train, s)
			}
		}
	}
	g.test, g.train = newest(g.test), newest(g.train)
	if g.done%greedyMatches == 0 {
		g.values = g.learn.evaluation()
		before := time.Now()
		if n := g.done / greedyMatches; n&(n-1) == 0 {
			g.fitBroad(g.learn.f, g.values, before.Add(g.refit))
		}
		if g.broad != nil && g.broad.errorOn(g.kept) < g.values.errorOn(g.kept) {
			g.values = g.broad
		}
		g.fitting += time.Since(before)
		if time.Now().After(g.half) {
			g.average()
		}
	}
	g.begin(k)
}

// newest drops the oldest of too many positions.
func newest(positions []sample) []sample {
	if over := len(positions) - greedyHeldOut; over > greedyHeldOut {
		return append(positions[:0], positions[over:]...)
	}
	return positions
}

// average takes the evaluation of the moment into the mean, which is less noisy
// than any of them (B. Polyak, A. Juditsky, Acceleration of Stochastic
// Approximation by Averaging, 1992).
func (g *greedy) average() {
	g.means++
	if g.mean == nil {
		g.mean, g.test, g.train = g.learn.evaluation(), g.test[:0], g.train[:0]
	} else {
		g.mean.mix(g.learn.evaluation(), 1/float64(g.means))
	}
}
