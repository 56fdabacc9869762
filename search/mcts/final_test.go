package mcts

import (
	"testing"

	"semisplit/search/final"
	"semisplit/search/internal/hashing"
	"semisplit/search/tree"
)

const escaped = 3

// traps: the second role answers to a draw, by one of its moves or by all but one.
type traps struct{}

func (traps) Levels() []int            { return []int{1, 1} }
func (traps) Initial() []uint64        { return []uint64{0, 0} }
func (traps) Terminal(s []uint64) bool { return s[0] == 2 }
func (traps) Goals(s []uint64) []float64 {
	if s[1] == escaped {
		return []float64{0.5, 0.5}
	}
	return []float64{1, 0}
}
func (traps) Offers(s []uint64, role int, _ []uint32) []uint32 {
	switch all := []uint32{0, 1, 2, 3, 4, 5, 6, 7}; {
	case s[0] != uint64(role):
		return all[:1]
	case role == 0:
		return all[:2]
	default:
		return all
	}
}
func (traps) Play(s []uint64, j []uint32) []uint64 {
	switch {
	case s[0] == 0:
		return []uint64{1, uint64(j[0])}
	case s[1] == 0 && j[1] > 0, s[1] == 1 && j[1] == 0:
		return []uint64{2, escaped}
	}
	return []uint64{2, 0}
}

// Of moves that are proven to be drawn, that is played to which there are more wrong answers:
// these count as what they bring.
func TestTraps(t *testing.T) {
	oneThread(t)
	mc := toyTree(traps{}, 1, Options{Seed: 1, Solver: true})
	mustSearchOn(t, mc, 3000)
	wantBest(t, mc, 0, 1)
}

// pairs: the first of two and two semimoves lead to an end where role 0 gets nothing, or to long
// games of which it wins one half.
type pairs struct{}

func (pairs) Levels() []int            { return []int{2} }
func (pairs) Initial() []uint64        { return []uint64{0, 0} }
func (pairs) Terminal(s []uint64) bool { return s[0] == 1 && s[1] == 0 || s[0] == 20 }
func (pairs) Goals(s []uint64) []float64 {
	if s[0] == 20 {
		return []float64{float64(hashing.Of(s[1]) % 2)}
	}
	return []float64{0}
}
func (pairs) Offers([]uint64, int, []uint32) []uint32 { return []uint32{0, 1} }
func (pairs) Play(s []uint64, j []uint32) []uint64 {
	if s[0] == 0 {
		return []uint64{1, uint64(2*j[0] + j[1])}
	}
	return []uint64{s[0] + 1, hashing.Of(s[1]*10 + uint64(2*j[0]+j[1]))}
}

// A prefix is as good as what follows it and is not lost.
func TestPrefixOfLostMove(t *testing.T) {
	oneThread(t)
	for _, rule := range []final.Rule{final.Mean, final.Visits, final.RollUp} {
		mc := toyTree(pairs{}, 1, Options{Seed: 1, Solver: true, Final: rule})
		mustSearchOn(t, mc, 500)
		known := map[uint32][2]struct {
			visits uint32
			sum    float64
		}{0: {{1000, 900}, {200, 60}}, 1: {{500, 300}, {10, 1}}}
		mc.tree.Edges.EdgesOf(mc.tree.Tries(mc.tree.Root)[0], func(_ uint32, first *tree.Edge) bool {
			first.Visits = 0
			all := 0.0
			mc.tree.Edges.EdgesOf(first.Child, func(_ uint32, second *tree.Edge) bool {
				of := known[first.Semimove][second.Semimove]
				second.Visits = of.visits
				second.SetSum(of.sum)
				first.Visits += of.visits
				all += of.sum
				return true
			})
			first.SetSum(all)
			return true
		})
		wantBest(t, mc, 0, 1, 0)
	}
}
