// Package greedy lets a game be played against itself by an evaluation that learns
// from these very matches.
package greedy

import (
	"context"
	"sync/atomic"
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
	"semisplit/reasoner"
)

// The matches teach the evaluation (returns.go; as in G. Tesauro, Temporal Difference
// Learning and TD-Gammon, 1995), which plays the next ones.
const (
	openingPart   = 0.25 // of the mean length of a match is random at first, at most
	keptPositions = 8000 // that are held out, the newest, if there is room
	leastTested   = 30   // matches that are held out tell enough
)

// Matches are a number of matches in progress, for one thread.
type Matches struct {
	Done    int                    // matches that have ended
	Samples int                    // positions that were learned from
	Result  *evaluation.Evaluation // what was learned, when Run has ended
	Test    []regression.Sample    // positions that were held out

	play
	features *evaluation.Features
	learn    *regression.Regression
	together *evaluation.Adjuster   // of fluents and shapes; nil: they are not learned together
	due      bool                   // they may be
	mean     *evaluation.Evaluation // of those of the second half of the time
	means    int
	early    int // of Test: from before that
	lambda   float32
	fitting  time.Duration // that fits took
	clock
	replay
	length float64 // mean of the matches, in joint moves
}

// clock is when what begins and ends.
type clock struct {
	begun, until time.Time
	half         time.Time   // of the time is over
	canceled     atomic.Bool // before the time was over
	ending       *time.Timer // of the matches, when the last fit begins
}

// New begins no match yet.
func New(m reasoner.Machine, f *evaluation.Features, seed uint64) *Matches {
	g := &Matches{play: newPlay(m, seed), features: f, lambda: 1, learn: regression.NewOnline(f, len(m.Roles())), replay: replay{seed: seed}}
	g.sparse, g.newMatch, g.matchEnded = true, g.begin, g.ended
	g.playBy(g.learn.Evaluation())
	return g
}

// Run plays until a moment, and no more than so many matches. It has no Result where it was
// canceled.
func (g *Matches) Run(ctx context.Context, until time.Time, most int) error {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() {
		stop.Store(true)
		g.canceled.Store(true)
	})()
	all := time.Until(until)
	g.begun, g.until, g.half = time.Now(), until, time.Now().Add(all/2)
	g.refit = time.Duration(refitShare * float64(all))
	g.ending = time.AfterFunc(all-g.refit, func() { stop.Store(true) })
	defer g.ending.Stop()
	g.beginAll()
	for !stop.Load() && g.Done < most {
		if err := g.turn(&stop); err != nil && !stop.Load() {
			return err
		}
	}
	if err := ctx.Err(); err != nil { // nobody waits for the last fit, which takes long
		return err
	}
	g.conclude()
	return nil
}

// begin begins with moves at random.
func (g *Matches) begin(k int) match {
	m := match{state: reasoner.Essential(g.m, g.m.Initial()), opening: g.randomMoves(g.length), epsilon: usualEpsilon}
	if k%wildEvery == 0 && !g.sparse {
		m.epsilon = wildEpsilon
	}
	return m
}

// ended learns from a match.
func (g *Matches) ended(match *match, goals []float32) {
	if g.Done++; g.Done == sideBySide {
		g.plan()
	}
	g.length += (float64(len(match.past)) - g.length) / float64(g.Done)
	aim(match, goals, g.lambda)
	for n, i := range g.random.Perm(len(match.past)) {
		s := regression.Sample{State: match.past[i], Values: goals, Match: uint32(g.Done)}
		if n < ofAMatch {
			g.keep(s, g.random)
		}
		if s.HeldOut() {
			if match.choice[i] { // searches play on where nobody has one
				g.Test = append(g.Test, s)
			}
			continue
		}
		g.Samples++
		worth := match.thought[i*len(goals) : (i+1)*len(goals)]
		g.learn.Step(&regression.Sample{State: s.State, Values: worth})
		if g.together != nil {
			g.together.Step(s.State, worth)
		}
	}
	g.forget()
	if g.Done%sideBySide == 0 {
		g.round()
	}
}

// round is what happens after as many matches as are played side by side: the next ones go
// by what was learned.
func (g *Matches) round() {
	before := time.Now()
	n, due := g.Done/sideBySide, g.isDue(before)
	if due || n&(n-1) == 0 {
		share := fitsShare
		if g.plenty {
			share /= shapesPart
		}
		end := before.Add(min(time.Duration(share*float64(before.Sub(g.begun))), g.refit))
		if !end.After(g.until.Add(-g.refit)) { // else the last fit is due before, and learns from more
			g.fit(g.features, g.roles, g.learn.Evaluation(), end)
			g.learnTogether()
		}
	}
	g.playBy(g.best())
	g.fitting += time.Since(before)
	if time.Now().After(g.half) {
		g.average()
	}
}

// best is what the next matches go by: what was learned together, or else what was learned or
// fitted, whichever predicts better.
func (g *Matches) best() *evaluation.Evaluation {
	if g.together != nil {
		return g.together.Evaluation()
	}
	e := g.learn.Evaluation()
	if g.fitted != nil && regression.ErrorOn(g.fitted, g.kept) < regression.ErrorOn(e, g.kept) {
		return g.fitted
	}
	return e
}

// conclude sets Result, and leaves in Test what it is measured on: positions of the second
// half of the time, if they are of matches enough.
func (g *Matches) conclude() {
	if late := g.Test[g.early:]; regression.Matches(regression.Pointers(late)) >= leastTested {
		g.Test = late
	}
	g.Result = g.mean
	if g.mean == nil {
		g.Result = g.learn.Evaluation()
	}
	g.Result.Features = g.learn.Strongest(g.roles)
	most := g.refit
	if g.together != nil {
		most -= most / duelPart
	}
	if g.fit(g.features, g.roles, g.Result, time.Now().Add(most)); g.fitted != nil {
		g.Result = g.fitted
	}
	if g.together != nil {
		both := g.together.Evaluation()
		both.Features = both.StrongFluents(g.roles)
		d := g.duel(both, g.Result)
		if d.Lead > 0 {
			g.Result = both
		}
		g.Result.Duels = []evaluation.Duel{d}
	}
}

// forget drops the oldest of too many positions that are held out.
func (g *Matches) forget() {
	most := regression.Room(keptPositions, g.tries.words)
	if over := len(g.Test) - most; over > most {
		g.Test = append(g.Test[:0], g.Test[over:]...)
		g.early = max(0, g.early-over)
	}
}

// average takes the evaluation of the moment into the mean, which is less noisy
// than any of them (B. Polyak, A. Juditsky, Acceleration of Stochastic
// Approximation by Averaging, 1992).
func (g *Matches) average() {
	g.means++
	if g.mean == nil {
		g.mean, g.early = g.learn.Evaluation(), len(g.Test)
	} else {
		g.mean.Mix(g.learn.Evaluation(), 1/float64(g.means))
	}
}
