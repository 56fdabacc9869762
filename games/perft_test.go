package games_test

import (
	"fmt"
	"slices"
	"testing"

	"semisplit/internal/testenv"
	"semisplit/reasoner"
)

// perftCounts are published counts of the sequences of moves from the start,
// by length: those of the programs that the papers' authors made of their own
// descriptions, and for chess, draughts and Othello those that everybody
// agrees on.
var perftCounts = []struct {
	game          string
	counts        []int
	prover, lanes int // plies that are counted in good time; 0 lanes for a game that takes long to set up
}{
	{"tictactoe", []int{9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872}, 9, 9},
	{"connectfour", []int{7, 49, 343, 2401, 16807, 117649}, 4, 5},
	{"breakthrough", []int{22, 484, 11132, 256036}, 3, 3},
	{"knightthrough", []int{40, 1600, 63520, 2521306}, 2, 3},
	{"othello", []int{4, 12, 56, 244, 1396, 8200}, 5, 6},
	{"chess", []int{20, 400, 8902, 197281}, 2, 0},
	{"chesswithoutcheck", []int{20, 400, 8902, 197742}, 3, 0},
	{"englishdraughts", []int{7, 49, 302, 1469, 7361, 36768, 179740}, 4, 0},
	{"amazons", []int{2176, 4307152}, 1, 0},
	{"minishogi", []int{14, 181, 2512, 35401, 533203}, 3, 0},
	{"millgame", []int{24, 552, 12144}, 2, 3},
	{"breakthru", []int{24, 552}, 2, 0},
	{"foxandhounds", []int{4, 7, 49, 182, 1118, 3096}, 6, 6},
	{"pentago", []int{288, 80640}, 2, 2},
	{"gomoku", []int{225, 50400}, 2, 2},
	{"hex", []int{121, 14520, 1727880}, 2, 0},
	{"go", []int{362, 130683}, 1, 0},
	{"skirmish", []int{20, 400, 8902, 197742}, 3, 0},
}

// TestPerft holds the games against published counts.
func TestPerft(t *testing.T) {
	for _, c := range perftCounts {
		t.Run(c.game, func(t *testing.T) {
			prover, lanes := c.prover, c.lanes
			if testenv.Long() {
				prover, lanes = len(c.counts), len(c.counts)
			}
			checkPerft(t, proverOf(t, c.game), c.counts[:prover])
			if lanes > 0 {
				checkPerft(t, lanesOf(t, c.game), c.counts[:lanes])
			}
		})
	}
}

func checkPerft(t *testing.T, m reasoner.Machine, want []int) {
	t.Helper()
	if got := view(m).perft(t, len(want)); !slices.Equal(got, want) {
		t.Errorf("%s counts %v, want %v", m.Kind(), got, want)
	}
}

// perft counts the sequences of joint moves of each length up to depth. A
// state that is reached on several ways is looked at once.
func (v viewer) perft(t *testing.T, depth int) []int {
	type position struct {
		state []uint64
		ways  int
	}
	level := []position{{v.Initial(), 1}}
	var counts []int
	for d := range depth {
		count := 0
		var following []position
		index := map[string]int{}
		for _, p := range level {
			_, ended := v.play(t, p.state, nil)
			if ended {
				continue
			}
			joints := v.joints()
			count += p.ways * len(joints)
			if d == depth-1 {
				continue // the states after the last move need not be known
			}
			for _, joint := range joints {
				state, _ := v.play(t, p.state, joint)
				key := fmt.Sprint(state)
				i, known := index[key]
				if !known {
					i = len(following)
					index[key] = i
					following = append(following, position{state: state})
				}
				following[i].ways += p.ways
			}
		}
		counts = append(counts, count)
		level = following
	}
	return counts
}

// perftFrom is perft from another state than the initial one.
func (v viewer) perftFrom(t *testing.T, start []uint64, depth int) []int {
	return viewer{startingAt{v.Machine, start}, v.engine}.perft(t, depth)
}

// startingAt is a machine with another initial state.
type startingAt struct {
	reasoner.Machine
	start []uint64
}

func (m startingAt) Initial() []uint64 { return m.start }
