package games_test

import (
	"slices"
	"testing"
)

// papersPerft are published counts of the sequences of moves from the start,
// by length: those of the programs that the papers' authors made of their own
// descriptions, and for chess and draughts those that everybody agrees on.
var papersPerft = []struct {
	game   string
	counts []int
	quick  int // plies that are counted in seconds
}{
	{"chess", []int{20, 400, 8902, 197281}, 2},
	{"chesswithoutcheck", []int{20, 400, 8902, 197742}, 3},
	{"englishdraughts", []int{7, 49, 302, 1469, 7361, 36768, 179740}, 5},
	{"amazons", []int{2176, 4307152}, 1},
	{"minishogi", []int{14, 181, 2512, 35401, 533203}, 3},
	{"millgame", []int{24, 552, 12144}, 3},
	{"breakthru", []int{24, 552}, 2},
	{"foxandhounds", []int{4, 7, 49, 182, 1118, 3096}, 6},
	{"pentago", []int{288, 80640}, 2},
	{"gomoku", []int{225, 50400}, 2},
	{"hex", []int{121, 14520, 1727880}, 2},
	{"go", []int{362, 130683}, 1},
	{"skirmish", []int{20, 400, 8902, 197742}, 3},
}

// TestPapersPerft holds the games against published counts.
func TestPapersPerft(t *testing.T) {
	for _, c := range papersPerft {
		t.Run(c.game, func(t *testing.T) {
			want := c.counts
			if !deep() {
				want = want[:c.quick]
			}
			if got := view(papersGame(t, c.game)).perft(t, len(want)); !slices.Equal(got, want) {
				t.Errorf("counts %v, want %v", got, want)
			}
		})
	}
}
