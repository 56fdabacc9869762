// Package learning learns an evaluation from matches and searches of the game itself,
// on its machine. It knows how states are played and searched, and nothing of agents,
// clocks of a match and messages.
package learning

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"semisplit/internal/guard"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/greedy"
	"semisplit/player/evaluation/regression"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"

	"golang.org/x/sync/errgroup"
)

// Learn learns v0 for a machine, within a time, on so many threads. nil:
// nothing can be learned, as of a game whose matches do not end.
func Learn(ctx context.Context, m reasoner.Machine, p *gdl.Program, source evaluation.Source, seed uint64, within time.Duration, threads int) (*evaluation.Evaluation, error) {
	if source == "" {
		source = evaluation.FromMatches
	}
	learn := learnFromMatches
	if source == evaluation.FromTrees {
		learn = learnFromTrees
	}
	begun := time.Now()
	f := evaluation.NewFeatures(m, p) // which takes a good part of a second in some games
	e, err := learn(ctx, m, f, seed, within-time.Since(begun), max(1, threads))
	if err != nil || e == nil {
		return nil, err
	}
	e.Source = source
	return e, ctx.Err()
}

// learnFromMatches learns from greedy self-play. Every thread learns from matches
// of its own, and the mean of what they have learned counts.
func learnFromMatches(ctx context.Context, m reasoner.Machine, f *evaluation.Features, seed uint64, within time.Duration, threads int) (*evaluation.Evaluation, error) {
	until := time.Now().Add(within)
	playing := until.Add(-comparisonTime(within))
	all := make([]*greedy.Matches, threads)
	err := inParallel(threads, func(i int) error {
		all[i] = greedy.New(m, f, seed+uint64(i)<<32)
		return all[i].Run(ctx, playing, most(within))
	})
	if err != nil {
		return nil, err
	}
	e := combine(all, m)
	if e == nil {
		return nil, nil
	}
	e.VsRollouts, err = compare(ctx, e, m, heldOut(all), seed, until, until.Add(comparisonTime(within)), threads)
	return e, err
}

// heldOut are positions of matches that were not learned from.
func heldOut(all []*greedy.Matches) (test []*regression.Sample) {
	for i, g := range all {
		held := regression.Pointers(g.Test)
		for _, s := range held {
			// Matches of different threads have different numbers.
			s.Match = s.Match*uint32(len(all)) + uint32(i)
		}
		test = append(test, held...)
	}
	return test
}

// combine is the mean of what matches have taught; nil: there were too few.
func combine(all []*greedy.Matches, m reasoner.Machine) (e *evaluation.Evaluation) {
	var test []*regression.Sample
	independent := 0
	for i, g := range all {
		if g.Done < fewestMatches {
			return nil
		}
		own := g.Result
		if e == nil {
			e = own
		} else {
			e.Mix(own, 1/float64(i+1))
		}
		if i > 0 {
			e.Shapes = append(e.Shapes, own.Shapes...)
			e.Duels = append(e.Duels, own.Duels...)
		}
		e.Matches += g.Done
		e.Samples += g.Samples
		held := regression.Pointers(g.Test)
		independent += regression.Matches(held)
		test = append(test, held...)
	}
	e.Quality = regression.Quality(e, test, independent)
	e.Features = append(e.Features, e.StrongShapes(m.Roles(), evaluation.ToldShapes)...)
	evaluation.SortWeights(e.Features, m.Roles())
	return e
}

// fewestMatches of self-play teach anything. A thread plays mostMatches in a start clock, which
// has other uses.
const (
	fewestMatches = 40
	mostMatches   = 40_000
	startClock    = time.Minute // longer is the time of who wants to learn
)

// most is how many matches a thread plays. Fluents and shapes are learned together, and means are
// taken, from parts of the time on, which a bound would end before.
func most(within time.Duration) int {
	if within > startClock {
		return math.MaxInt
	}
	return mostMatches
}

// inParallel does some work on each of so many threads.
func inParallel(threads int, work func(thread int) error) error {
	var group errgroup.Group
	for i := range threads {
		group.Go(func() error { return guard.Run(func() error { return work(i) }) })
	}
	return group.Wait()
}

// unlessStopped is no error if the clock ended what was going on.
func unlessStopped(stop *atomic.Bool, err error) error {
	if stop.Load() {
		return nil
	}
	return err
}
