package mcts

import (
	"math"
	"testing"

	"semisplit/search/engine"
	"semisplit/search/internal/toys"
	"semisplit/search/stats"
)

// narrowEngine packs semimoves in as few bits as some games need, so that what
// they are worth is tallied; those of a steeredEngine are too wide for that.
type narrowEngine struct{ *steeredEngine }

func (e narrowEngine) TraceField(role, level int) (word int, shift, bits uint) {
	word, shift, _ = e.steeredEngine.TraceField(role, level)
	if role == 1 && e.Game.Levels()[role] == 1 {
		return word, shift, 0
	}
	return word, shift, 3
}

// watched is a pattern with a second role, which waits and gets what is left.
type watched struct{ pattern }

func (watched) Levels() []int { return []int{2, 1} }
func (w watched) Offers(s []uint64, role int, prefix []uint32) []uint32 {
	if role == 1 {
		return []uint32{0}
	}
	return w.pattern.Offers(s, role, prefix)
}
func (w watched) Goals(s []uint64) []float64 {
	v := w.pattern.Goals(s)[0]
	return []float64{v, 1 - v}
}

// The short way to the statistics of semimoves comes to the same as the long
// one, and so does the search that follows them.
func TestTallies(t *testing.T) {
	oneThread(t)
	for _, g := range []toy{likesTwo.halved(), watched{likesTwo.halved()}, toys.SplitTicTacToe{}} {
		for _, o := range []Options{{}, {Whole: true}, {Backup: rolledUp}, {Raw: true}} {
			o.Seed, o.Mast.Kind = 4, stats.Split
			var trees [2]*searcher
			for i := range trees {
				e := newSteered(g, 64, 4, 3)
				e.Stall = 4
				var on engine.Engine = e
				if i == 1 {
					on = narrowEngine{e}
				}
				trees[i] = newSearcher(on, g.Levels(), usual(o), 0)
				if err := trees[i].SetRoot(g.Initial()); err != nil {
					t.Fatal(err)
				}
				mustSearch(t, trees[i], 2500)
				if tallies := trees[i].worker.flight.learner.Tallies; (tallies != nil) != (i == 1) {
					t.Fatalf("engine %d: %d tallies", i, len(tallies))
				}
			}
			long, short := trees[0].worker.flight.learner.Mast.Split, trees[1].worker.flight.learner.Mast.Split
			for r := range long {
				for level := range long[r] {
					for label := range max(len(long[r][level]), len(short[r][level])) {
						a, b := statAt(long[r][level], label), statAt(short[r][level], label)
						if a.N != b.N || math.Abs(a.Sum-b.Sum) > 1e-6 {
							t.Errorf("%T %+v: role %d level %d semimove %d: %v, in short %v", g, o, r, level, label, a, b)
						}
					}
				}
			}
		}
	}
}

func statAt(of []stats.Average, i int) stats.Average {
	if i >= len(of) {
		return stats.Average{}
	}
	return of[i]
}
