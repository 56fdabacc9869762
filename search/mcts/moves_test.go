package mcts

import (
	"slices"
	"sync"
	"testing"

	"semisplit/search/encoding"
	"semisplit/search/heuristic"
	"semisplit/search/internal/toys"
)

// mobile is an evaluator that holds the numbers of moves that it is told against
// those of the game.
type mobile struct {
	guess
	game toy

	mu             sync.Mutex
	told, choosing int
	wrong          []int32
}

func (e *mobile) CountsMoves() bool { return true }

func (e *mobile) ValuesWithMoves(state []uint64, moves []int32, values []float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Values(state, values)
	e.told++
	for r := range e.game.Levels() {
		n := len(e.game.Offers(state, r, nil))
		if int(moves[r]) != n {
			e.wrong = slices.Clone(moves)
		}
		if n > 1 {
			e.choosing++
		}
	}
}

// In every design of the tree a node is evaluated with the number of first
// semimoves that the game has in its state, in turns of one role and of several.
func TestNodesAreEvaluatedWithTheirMoves(t *testing.T) {
	oneThread(t)
	iterations := 3000
	for name, o := range map[string]Options{
		"nodal": {}, "whole": {Whole: true}, "rolled up": {Backup: rolledUp}, "raw": {Raw: true}, "transposing": {Transpositions: true},
		"divided": {Divide: &encoding.Division{Levels: []int{2, 2}, Path: func(_ int, move uint32) []uint32 { return []uint32{move / 3, move % 3} }}},
	} {
		t.Run(name, func(t *testing.T) {
			variants(t, func(t *testing.T, lanes int) {
				games := []toy{toys.TicTacToe{}, toys.Counting{Width: 2}, toys.SplitTicTacToe{}}
				if o.Divide != nil {
					games = games[:1]
				}
				for _, game := range games {
					e := &mobile{game: game}
					o.Seed, o.PlayoutLimit, o.Knowledge = 3, 20, heuristic.Knowledge{Alpha: 0.4, Evaluate: e}
					mc := toyTree(game, lanes, o)
					mustSearch(t, mc, iterations)
					if e.wrong != nil {
						t.Errorf("%T: told of %v moves", game, e.wrong)
					}
					if e.told < 100 || e.choosing < e.told/2 {
						t.Errorf("%T: told of moves in %d nodes, in %d of which somebody chooses", game, e.told, e.choosing)
					}
				}
			})
		})
	}
}
