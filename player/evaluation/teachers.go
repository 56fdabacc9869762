package evaluation

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/internal/guard"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// Teacher says what an evaluation is learned from. Neither is better in all games:
// what playouts come to tells who attacks faster, what matches come to tells what
// pieces are worth.
type Teacher string

// The teachers, as the key evaluation of an agent names them.
const (
	FromMatches Teacher = "matches" // quick matches against itself; also the empty name
	FromTrees   Teacher = "trees"   // what short searches judge
)

// Learn learns v0 for a machine, within a time, on so many threads. nil:
// nothing can be learned, as of a game whose matches do not end.
func Learn(ctx context.Context, m reasoner.Machine, p *gdl.Program, from Teacher, seed uint64, within time.Duration, threads int) (*Evaluation, error) {
	if from == "" {
		from = FromMatches
	}
	teach := learnFromMatches
	if from == FromTrees {
		teach = learnFromTrees
	}
	e, err := teach(ctx, m, newFeatures(m, p), seed, within, max(1, threads))
	if err != nil || e == nil {
		return nil, err
	}
	e.From = from
	return e, ctx.Err()
}

// learnFromMatches learns from greedy self-play. Every thread learns from matches
// of its own, and the mean of what they have learned counts.
func learnFromMatches(ctx context.Context, m reasoner.Machine, f *features, seed uint64, within time.Duration, threads int) (*Evaluation, error) {
	until := time.Now().Add(within)
	comparing := until.Add(-mobilityTime(within))
	playing := comparing.Add(-comparisonTime(within))
	all := make([]*greedy, threads)
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() {
			errs[i] = guard.Run(func() error {
				all[i] = newGreedy(m, f, seed+uint64(i)<<32)
				return all[i].play(ctx, playing)
			})
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	e := taught(all, m)
	if e == nil {
		return nil, nil
	}
	train, test := positionsOf(all)
	var err error
	if e.Beside, err = e.compare(ctx, m, test, seed, comparing, threads); err != nil {
		return nil, err
	}
	return e, e.learnMobility(ctx, m, train, test, until)
}

// positionsOf are positions of matches that were learned from, and of those held out.
func positionsOf(all []*greedy) (train, test []*sample) {
	for i, g := range all {
		own, held := pointers(g.train), pointers(g.test)
		for _, s := range append(own, held...) {
			// Matches of different threads have different numbers.
			s.match = s.match*uint32(len(all)) + uint32(i)
		}
		train, test = append(train, own...), append(test, held...)
	}
	return train, test
}

// mobilityTime is the part of the time for learning that is for the number of moves.
func mobilityTime(within time.Duration) time.Duration { return within / 20 }

// taught is the mean of what matches have taught; nil: there were too few.
func taught(all []*greedy, m reasoner.Machine) (e *Evaluation) {
	var test []*sample
	independent := 0
	for i, g := range all {
		if g.done < fewestMatches {
			return nil
		}
		own := g.taught
		if e == nil {
			e = own
		} else {
			e.mix(own, 1/float64(i+1))
		}
		e.Matches += g.done
		e.Samples += g.samples
		held := pointers(g.test)
		independent += matchesOf(held)
		test = append(test, held...)
	}
	e.Quality = qualityOf(e, test, independent)
	return e
}

// fewestMatches of self-play teach anything.
const fewestMatches = 40

// mix moves an evaluation of the same machine towards another.
func (e *Evaluation) mix(other *Evaluation, part float64) {
	for r := range e.bias {
		e.bias[r] += part * (other.bias[r] - e.bias[r])
	}
	for i := range e.weights {
		e.weights[i] += float32(part) * (other.weights[i] - e.weights[i])
	}
}

func newGreedy(m reasoner.Machine, f *features, seed uint64) *greedy {
	g := &greedy{m: m, few: true, lambda: 1, most: greedyMatchesDone, engine: m.NewEngine(seed), random: rand.New(rand.NewPCG(seed, 23)), learn: newRegression(f, len(m.Roles()), onlineRate)}
	g.roles, g.seed = m.Roles(), seed
	g.tries, g.replies = newTries(m), newTries(m)
	g.values = g.learn.evaluation()
	return g
}

// unlessStopped is no error if the clock ended what was going on.
func unlessStopped(stop *atomic.Bool, err error) error {
	if stop.Load() {
		return nil
	}
	return err
}
