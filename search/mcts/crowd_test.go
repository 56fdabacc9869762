package mcts

import (
	"testing"

	"semisplit/reasoner/reasonertest"
)

// crowd is a game of one move of nine semimoves, of which there are a thousand
// million.
type crowd struct{}

func (crowd) Levels() []int                        { return []int{9} }
func (crowd) Initial() []uint64                    { return []uint64{0} }
func (crowd) Terminal(s []uint64) bool             { return s[0] != 0 }
func (crowd) Goals([]uint64) []float64             { return []float64{0.5} }
func (crowd) Play(_ []uint64, _ []uint32) []uint64 { return []uint64{1} }
func (crowd) Offers(s []uint64, _ int, prefix []uint32) []uint32 {
	if s[0] != 0 || len(prefix) == 9 {
		return nil
	}
	return []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
}

// A tree that takes moves whole knows as many of a state as it has room for.
func TestWholeMovesOfACrowd(t *testing.T) {
	oneThread(t)
	reasonertest.Sparing(t, 512<<20, func() {
		mc := toyTree(crowd{}, 64, Options{Whole: true, Seed: 1, Memory: 64 << 20})
		mustSearch(t, mc, 1000)
		if path, ok := mc.Best(0); !ok || len(path) != 9 {
			t.Errorf("the best move is %v", path)
		}
	})
}
