package games_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"semisplit/internal/testenv"
	"semisplit/kif"
)

// fenFluents spells a position of chess in Forsyth-Edwards notation as the
// fluents of our description. The counter of half-moves is taken over, that
// of moves is not in the rules.
func fenFluents(t *testing.T, fen string) []kif.Term {
	t.Helper()
	parts := strings.Fields(fen)
	var words []string
	for i, row := range strings.Split(parts[0], "/") {
		column := 'a'
		put := func(content string) {
			words = append(words, fmt.Sprintf("(cell %c %d %s)", column, 8-i, content))
			column++
		}
		for _, c := range row {
			switch {
			case c >= '1' && c <= '8':
				for range c - '0' {
					put("empty")
				}
			case c >= 'a':
				put("b" + string(c))
			default:
				put("w" + strings.ToLower(string(c)))
			}
		}
	}
	words = append(words, map[string]string{"w": "(control white)", "b": "(control black)"}[parts[1]])
	for _, c := range parts[2] {
		if right := map[rune]string{'K': "white kingside", 'Q': "white queenside", 'k': "black kingside", 'q': "black queenside"}[c]; right != "" {
			words = append(words, "(may_castle "+right+")")
		}
	}
	if parts[3] != "-" {
		words = append(words, fmt.Sprintf("(en_passant %c %c)", parts[3][0], parts[3][1]))
	}
	words = append(words, "(quiet_moves "+parts[4]+")")
	terms, err := kif.Parse(strings.Join(words, " "))
	if err != nil {
		t.Fatal(err)
	}
	return terms
}

// TestChessPositions counts from the positions that are used everywhere to
// test castling, en passant, promotion and pins, with the counts that
// everybody agrees on.
func TestChessPositions(t *testing.T) {
	m := proverOf(t, "chess")
	for _, c := range []struct {
		fen    string
		counts []int
	}{
		{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", []int{48, 2039, 97862}},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", []int{14, 191, 2812, 43238}},
		{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", []int{6, 264, 9467}},
		{"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", []int{6, 264, 9467}},
		{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", []int{44, 1486, 62379}},
		{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", []int{46, 2079, 89890}},
	} {
		want := c.counts
		if !testenv.Long() {
			want = want[:2]
		}
		start, err := m.Encode(fenFluents(t, c.fen))
		if err != nil {
			t.Fatal(err)
		}
		if got := view(m).perftFrom(t, start, len(want)); !slices.Equal(got, want) {
			t.Errorf("%s\ncounts %v, want %v", c.fen, got, want)
		}
	}
}

// TestChessEnds looks at the ends of games: who wins, and what only looks
// like an end.
func TestChessEnds(t *testing.T) {
	m := proverOf(t, "chess")
	for _, c := range []struct {
		what, fen    string
		ended        bool
		white, black []int
	}{
		{"checkmate of black", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", true, []int{100}, []int{0}},
		{"checkmate of white", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", true, []int{0}, []int{100}},
		{"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", true, []int{50}, []int{50}},
		{"fifty moves", "7k/8/6K1/8/8/8/8/R7 w - - 100 80", true, []int{50}, []int{50}},
		{"the hundredth quiet move is checkmate", "R6k/8/6K1/8/8/8/8/8 b - - 100 80", true, []int{100}, []int{0}},
		{"ninety-nine quiet moves", "7k/8/6K1/8/8/8/8/R7 w - - 99 80", false, nil, nil},
		{"check only", "R5k1/5pp1/8/8/8/8/8/4K3 b - - 0 1", false, nil, nil},
		{"mate but for en passant", "8/8/8/5k2/3pP3/6Q1/8/4RK2 b - e3 0 1", false, nil, nil},
	} {
		state, err := m.Encode(fenFluents(t, c.fen))
		if err != nil {
			t.Fatal(err)
		}
		_, ended := view(m).play(t, state, nil)
		if ended != c.ended {
			t.Errorf("%s: terminal is %v", c.what, ended)
		}
		if !c.ended {
			continue
		}
		if white, black := m.GoalValues(0, state), m.GoalValues(1, state); !slices.Equal(white, c.white) || !slices.Equal(black, c.black) {
			t.Errorf("%s: goals %v and %v, want %v and %v", c.what, white, black, c.white, c.black)
		}
	}
}
