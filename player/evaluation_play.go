package player

import (
	"context"
	"math/rand/v2"
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
	learningTime  = 3 * time.Second
	playoutShare  = 0.15
	playShare     = 0.75 // until then matches are played, after that learned from
	playSamples   = 60_000
	leastPositons = 400 // of matches; with fewer those of playouts count as well
)

// LearnEvaluation learns v0 for a machine, within a time. nil: nothing can be
// learned, as of a game whose playouts do not end.
func LearnEvaluation(ctx context.Context, m reasoner.Machine, p *gdl.Program, seed uint64, within time.Duration) (*Evaluation, error) {
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
	played, err := selfPlay(ctx, m, seed, until(playShare))
	if err != nil {
		return nil, err
	}
	if len(played) < leastPositons {
		played = append(played, random[:min(len(random), playSamples/4)]...)
	}
	return learn(f, m.Roles(), played, seed, until(1)), ctx.Err()
}

// Matches of the search against itself: a move has this time, one in
// strayMoves is random, and a position is worth the mean of what the search thought
// and how the match ended.
const (
	selfPlayMove = 1500 * time.Microsecond
	strayMoves   = 8
	longestPlay  = 400 // joint moves
)

// selfPlay plays matches until a moment and returns all their positions.
func selfPlay(ctx context.Context, m reasoner.Machine, seed uint64, until time.Time) (samples []sample, err error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	defer time.AfterFunc(time.Until(until), func() { stop.Store(true) }).Stop()
	agent := DefaultAgent()
	agent.General.Threads, agent.General.Memory = 1, 16<<20
	agent.Algorithm.Parameters.ExplorationConstant = guidedExploration
	agent.Heuristics = []Heuristic{Heuristic{Name: "mast-split"}.complete()}
	board, err := NewBoard(m, seed, &stop)
	if err != nil {
		return nil, err
	}
	t := newTree(m, agent, seed)
	random := rand.New(rand.NewPCG(seed, 23))
	// Those of playouts have numbers from 1 on.
	for match := uint32(1) << 31; !stop.Load(); match++ {
		first := len(samples)
		if err := board.Set(m.Initial()); err != nil {
			return samples, unlessStopped(&stop, err)
		}
		if err := t.SetRoot(m.Initial()); err != nil {
			return samples, unlessStopped(&stop, err)
		}
		for turn := 0; turn < longestPlay && !board.Terminal(); turn++ {
			report, err := t.Search(&stop, search.Budget{Time: selfPlayMove})
			if err != nil || stop.Load() {
				return samples[:first], unlessStopped(&stop, err)
			}
			if len(report.Value) > 0 {
				s := sample{state: append([]uint64(nil), board.State()...), match: match}
				for _, v := range report.Value {
					s.values = append(s.values, float32(v))
				}
				samples = append(samples, s)
			}
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
				return samples[:first], unlessStopped(&stop, err)
			}
			if !t.Advance(joint) {
				if err := t.SetRoot(board.State()); err != nil {
					return samples[:first], unlessStopped(&stop, err)
				}
			}
		}
		if !board.Terminal() {
			continue // what the search thought stands
		}
		for role, goal := range board.Goals() {
			for i := first; i < len(samples); i++ {
				v := &samples[i].values[role]
				*v = (*v + float32(goal)/100) / 2
			}
		}
	}
	return samples, nil
}

// unlessStopped is no error if the clock ended what was going on.
func unlessStopped(stop *atomic.Bool, err error) error {
	if stop.Load() {
		return nil
	}
	return err
}
