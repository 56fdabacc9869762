package player

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/search"
)

// An evaluation is learned in this time, unless less is given: a first one from
// random playouts, which is better than nothing wherever a search may come to,
// and then a second one from matches that a short search plays against itself,
// whose positions are like those that count.
const (
	learningTime   = 3 * time.Second
	playoutShare   = 0.15
	playShare      = 0.75 // until then matches are played, after that learned from
	playSamples    = 60_000
	leastPositions = 400 // of matches; with fewer those of playouts count as well
	judgedSamples  = 60_000
)

// LearnEvaluation learns v0 for a machine, within a time, with matches on so many
// threads. nil: nothing can be learned, as of a game whose playouts do not end.
func LearnEvaluation(ctx context.Context, m reasoner.Machine, p *gdl.Program, seed uint64, within time.Duration, threads int) (*Evaluation, error) {
	begun := time.Now()
	until := func(share float64) time.Time { return begun.Add(time.Duration(share * float64(within))) }
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	defer time.AfterFunc(time.Until(until(playoutShare)), func() { stop.Store(true) }).Stop()
	f := newFeatures(m, p)
	random, err := samplePlayouts(m, seed, playSamples, &stop)
	if err != nil {
		return nil, err
	}
	played, ends, err := selfPlays(ctx, m, seed, until(playShare), max(1, threads))
	if err != nil {
		return nil, err
	}
	if len(played) < leastPositions {
		played = append(played, random[:min(len(random), playSamples/4)]...)
	}
	e := learn(f, m.Roles(), played, seed, until(1))
	if e != nil {
		e.calibrate(ends)
	}
	return e, ctx.Err()
}

// Matches of the search against itself: a move has this time, one in
// strayMoves is random, and of each tree the states with enough visits are
// samples, each worth the mean that the search found for it (as search bootstrapping
// does it: J. Veness et al., Bootstrapping from Game Tree Search, 2009). A match
// has one position a move and one result; a tree has dozens of positions, those
// after bad moves among them, which selection will have to tell from good ones.
const (
	selfPlayMove = time.Millisecond
	strayMoves   = 6
	longestPlay  = 400 // joint moves
	judgedVisits = 16
	judgedNodes  = 12  // samples of a tree: those of one are much alike
	randomPart   = 0.3 // of a match is random at first, at most
)

// ending is a position of a match and how the match ended.
type ending struct {
	state []uint64
	goals []float32 // by role, in [0, 1]
}

// selfPlays is selfPlay on several threads.
func selfPlays(ctx context.Context, m reasoner.Machine, seed uint64, until time.Time, threads int) (samples []sample, ends []ending, err error) {
	type result struct {
		samples []sample
		ends    []ending
		err     error
	}
	results := make([]result, threads)
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() {
			r := &results[i]
			r.err = guarded(func() (err error) {
				r.samples, r.ends, err = selfPlay(ctx, m, seed+uint64(i)<<32, until, judgedSamples/threads)
				return err
			})
		})
	}
	group.Wait()
	for i, r := range results {
		for j := range r.samples {
			// Matches of different threads have different numbers.
			r.samples[j].match = r.samples[j].match*uint32(threads) + uint32(i)
		}
		samples, ends, err = append(samples, r.samples...), append(ends, r.ends...), errors.Join(err, r.err)
	}
	return samples, ends, err
}

// selfPlay plays matches until a moment, or for so many samples, and returns what their trees judged, and
// all their positions.
func selfPlay(ctx context.Context, m reasoner.Machine, seed uint64, until time.Time, most int) (samples []sample, ends []ending, err error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	defer time.AfterFunc(time.Until(until), func() { stop.Store(true) }).Stop()
	agent := DefaultAgent()
	agent.General.Threads, agent.General.Memory = 1, 16<<20
	board, err := NewBoard(m, seed, &stop)
	if err != nil {
		return nil, nil, err
	}
	t := search.New([]search.Engine{m.NewEngine(seed)}, levelsOf(m), agent.searchOptions(m, seed))
	random := rand.New(rand.NewPCG(seed, 23))
	length := 0.0 // of the longest match
	// Those of playouts have numbers from 1 on.
	for match := uint32(1) << 24; !stop.Load() && len(samples) < most; match++ {
		first := len(ends)
		if err := begin(board, m, random, int(randomPart*length)); err != nil {
			return samples, ends, unlessStopped(&stop, err)
		}
		for turn := 0; turn < longestPlay && !board.Terminal(); turn++ {
			if err := t.SetRoot(board.State()); err != nil {
				return samples, ends[:first], unlessStopped(&stop, err)
			}
			_, err := t.Search(&stop, search.Budget{Time: selfPlayMove})
			if err != nil || stop.Load() {
				return samples, ends[:first], unlessStopped(&stop, err)
			}
			seen, from := 0, len(samples)
			t.Judged(judgedVisits, func(state []uint64, means []float64) {
				// So many are kept, each as likely as any other.
				seen++
				at := from + random.IntN(seen)
				switch {
				case seen <= judgedNodes:
					at = len(samples)
					samples = append(samples, sample{})
				case at >= from+judgedNodes:
					return
				}
				s := sample{state: slices.Clone(state), match: match}
				for _, v := range means {
					s.values = append(s.values, float32(v))
				}
				samples[at] = s
			})
			ends = append(ends, ending{state: slices.Clone(board.State())})
			var joint []uint32
			for role := range m.Roles() {
				path, ok := t.Best(role)
				if !ok || random.IntN(strayMoves) == 0 {
					if path, ok = board.Random(role, random); !ok {
						break
					}
				}
				joint = append(joint, path...)
			}
			if err := board.Moved(joint); err != nil {
				return samples, ends[:first], unlessStopped(&stop, err)
			}
		}
		if !board.Terminal() {
			ends = ends[:first]
			continue
		}
		length = max(length, float64(len(ends)-first))
		var goals []float32
		for _, goal := range board.Goals() {
			goals = append(goals, float32(goal)/100)
		}
		for i := first; i < len(ends); i++ {
			ends[i].goals = goals
		}
	}
	return samples, ends, nil
}

// begin sets a board to the initial state and plays up to so many random moves.
func begin(board *Board, m reasoner.Machine, random *rand.Rand, most int) error {
	if err := board.Set(m.Initial()); err != nil {
		return err
	}
	for range random.IntN(most + 1) {
		var joint []uint32
		for role := range m.Roles() {
			path, ok := board.Random(role, random)
			if !ok {
				return nil
			}
			joint = append(joint, path...)
		}
		if err := board.Moved(joint); err != nil {
			return err
		}
		if board.Terminal() {
			return board.Set(m.Initial())
		}
	}
	return nil
}

// unlessStopped is no error if the clock ended what was going on.
func unlessStopped(stop *atomic.Bool, err error) error {
	if stop.Load() {
		return nil
	}
	return err
}
