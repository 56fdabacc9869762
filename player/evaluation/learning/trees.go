package learning

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
	"semisplit/reasoner"
	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/final"
	"semisplit/search/mcts"
)

// Matches of the search against itself: a move has so many iterations, if the
// time for it allows, one in strayMoves is random, and of each tree some states
// with enough visits are samples, each worth the mean that the search found for it
// (as search bootstrapping does it: J. Veness et al., Bootstrapping from Game Tree
// Search, 2009). A match has one position a move and one result; a tree has dozens of
// positions, those after bad moves among them, which selection will have to tell from
// good ones.
const (
	strayMoves    = 6
	longestPlay   = 400 // joint moves
	knownVisits   = 16
	treeSamples   = 24  // samples of a tree, at most: those of one are much alike
	randomPart    = 0.2 // of a match is random at first, at most
	mostSamples   = 60_000
	fewestSamples = 400
	treesShare    = 0.7 // of the time is for matches, the rest for learning from them
	shapesPart    = 4   // one of so many parts of that rest is for shapes
)

// The trees of self-play: UCT with uniform playouts, which know nothing yet.
const (
	selfPlayExploration = 0.7      // C of UCT, for scores in [0, 1]
	selfPlayMemory      = 16 << 20 // bytes
)

// selfPlayMove is what a move of self-play may cost.
var selfPlayMove = search.Budget{Iterations: 700, Time: 10 * time.Millisecond}

// learnFromTrees learns from what searches find.
func learnFromTrees(ctx context.Context, m reasoner.Machine, f *evaluation.Features, seed uint64, within time.Duration, threads int) (*evaluation.Evaluation, error) {
	begun := time.Now()
	samples, err := selfPlays(ctx, m, seed, begun.Add(time.Duration(treesShare*float64(within))), threads)
	if err != nil || len(samples) < fewestSamples {
		return nil, err
	}
	return fitTrees(f, m.Roles(), samples, seed, begun.Add(within)), nil
}

// fitTrees is Fit for samples of trees.
func fitTrees(f *evaluation.Features, roles []kif.Term, samples []regression.Sample, seed uint64, until time.Time) *evaluation.Evaluation {
	e := regression.Fit(f, roles, samples, seed, until.Add(-time.Until(until)/shapesPart))
	if e != nil {
		regression.FitShapes(e, f.Shapes, samples, seed, until)
		e.Features = append(e.Features, e.StrongShapes(roles, evaluation.ToldShapes)...)
		evaluation.SortWeights(e.Features, roles)
		_, test := regression.Divide(samples)
		e.Quality = regression.Quality(e, test, len(test)/treeSamples)
	}
	return e
}

// selfPlays is selfPlay on several threads.
func selfPlays(ctx context.Context, m reasoner.Machine, seed uint64, until time.Time, threads int) (samples []regression.Sample, err error) {
	results := make([][]regression.Sample, threads)
	most := regression.Room(mostSamples, len(m.Initial())) / threads
	err = inParallel(threads, func(i int) (err error) {
		results[i], err = selfPlay(ctx, m, seed+uint64(i)<<32, until, most, selfPlayMove)
		return err
	})
	for i, own := range results {
		for j := range own {
			// Matches of different threads have different numbers.
			own[j].Match = own[j].Match*uint32(threads) + uint32(i)
		}
		samples = append(samples, own...)
	}
	return samples, err
}

// selfPlay plays matches until a moment, or for so many samples, and returns what
// their trees found.
func selfPlay(ctx context.Context, m reasoner.Machine, seed uint64, until time.Time, most int, move search.Budget) (samples []regression.Sample, err error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	defer time.AfterFunc(time.Until(until), func() { stop.Store(true) }).Stop()
	b, err := board.New(m, seed, &stop)
	if err != nil {
		return nil, err
	}
	o := mcts.DefaultOptions()
	o.Selection.Exploration, o.Memory, o.Seed, o.Chance, o.Final = selfPlayExploration, selfPlayMemory, seed, board.Chance(m), final.Mean
	t := mcts.NewForest([]engine.Engine{m.NewEngine(seed)}, board.Levels(m), o)
	random := rand.New(rand.NewPCG(seed, 23))
	length := 0.0 // of the longest match
	// Those of playouts have numbers from 1 on.
	for match := uint32(1) << 24; !stop.Load() && len(samples) < most; match++ {
		if err := begin(b, m, random, int(randomPart*length)); err != nil {
			return samples, unlessStopped(&stop, err)
		}
		turns := 0
	turns:
		for ; turns < longestPlay && !b.Terminal(); turns++ {
			if err := t.SetRoot(b.State()); err != nil {
				return samples, unlessStopped(&stop, err)
			}
			_, err := t.Search(&stop, move)
			if err != nil || stop.Load() {
				return samples, unlessStopped(&stop, err)
			}
			seen, start := 0, len(samples)
			t.Known(knownVisits, func(state []uint64, means []float64) {
				// So many are kept, each as likely as any other.
				seen++
				index := start + random.IntN(seen)
				switch {
				case seen <= treeSamples:
					index = len(samples)
					samples = append(samples, regression.Sample{})
				case index >= start+treeSamples:
					return
				}
				s := regression.Sample{State: slices.Clone(state), Match: match}
				for _, v := range means {
					s.Values = append(s.Values, float32(v))
				}
				samples[index] = s
			})
			var joint []uint32
			for role := range m.Roles() {
				path, ok := t.Best(role)
				if !ok || random.IntN(strayMoves) == 0 {
					if path, ok = b.Random(role, random); !ok {
						break turns
					}
				}
				joint = append(joint, path...)
			}
			if err := b.Moved(joint); err != nil {
				return samples, unlessStopped(&stop, err)
			}
		}
		length = max(length, float64(turns))
	}
	return samples, nil
}

// begin sets a board to the initial state and plays up to so many random moves.
func begin(b *board.Board, m reasoner.Machine, random *rand.Rand, most int) error {
	if err := b.Set(m.Initial()); err != nil {
		return err
	}
	for range random.IntN(most + 1) {
		var joint []uint32
		for role := range m.Roles() {
			path, ok := b.Random(role, random)
			if !ok {
				return nil
			}
			joint = append(joint, path...)
		}
		if err := b.Moved(joint); err != nil {
			return err
		}
		if b.Terminal() {
			return b.Set(m.Initial())
		}
	}
	return nil
}
