package board_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/kif"
)

// TestBundledDrawings holds the drawing files of the bundled games against
// the rules: every piece is a word of the rules, and what is at a place or on a
// side occurs in them.
func TestBundledDrawings(t *testing.T) {
	place := regexp.MustCompile(`\{([^}:]*)(:\d+)?\}`)
	for _, game := range games.List() {
		if game.Drawing == "" {
			continue
		}
		if _, err := board.Parse(game.Drawing); err != nil {
			t.Errorf("%s: %v", game.Name, err)
			continue
		}
		var file struct {
			Pieces  map[string]any
			Picture []string
		}
		if err := json.Unmarshal([]byte(game.Drawing), &file); err != nil {
			t.Fatal(err)
		}
		words := map[string]bool{}
		for _, word := range strings.FieldsFunc(game.Rules, func(r rune) bool { return strings.ContainsRune("() \t\r\n", r) }) {
			words[word] = true
		}
		for piece := range file.Pieces {
			for _, word := range strings.Fields(piece) {
				if !words[word] {
					t.Errorf("%s: the drawing has a piece %q, and the rules have no %s", game.Name, piece, word)
				}
			}
		}
		for _, found := range place.FindAllStringSubmatch(strings.Join(file.Picture, "\n"), -1) {
			for _, word := range strings.Fields(found[1]) {
				if found[0] != "{board}" && !words[word] {
					t.Errorf("%s: the place %s has a word that the rules don't know", game.Name, found[0])
				}
			}
		}
	}
}

// TestAllIsSeen: in a bundled game with a drawing file, few fluents are left
// over for the line below the board, and none of a relation that is drawn.
func TestAllIsSeen(t *testing.T) {
	for _, game := range games.List() {
		if game.Drawing == "" {
			continue
		}
		drawing, err := board.Parse(game.Drawing)
		if err != nil {
			t.Fatal(err)
		}
		states := walk(t, game.Name, 8)
		for _, state := range states {
			got := drawn(state, board.Options{Drawing: drawing, Frame: states[0]})
			lines := strings.Split(strings.TrimSpace(got), "\n")
			rest := lines[len(lines)-1]
			if strings.Contains(rest, "more") || regexp.MustCompile(`cell|hand|stones|holds|captured`).MatchString(rest) {
				t.Fatalf("%s: not all is seen on the board\n%s", game.Name, got)
			}
		}
	}
}

// TestHexNeighbours: on the drawing of Hex, cells touch that touch in the
// game, and no others. Which those are is written here from the rules in words.
func TestHexNeighbours(t *testing.T) {
	game, err := games.Load("hex")
	if err != nil {
		t.Fatal(err)
	}
	drawing, err := board.Parse(game.Drawing)
	if err != nil {
		t.Fatal(err)
	}
	const size = 11
	var at [size][size][2]int // column and line on the terminal
	for x := range size {
		for y := range size {
			cell := kif.List(kif.Symbol("cell"), kif.Symbol(string(rune('a'+x))), kif.Symbol(strconv.Itoa(y+1)), kif.Symbol("#"))
			found := 0
			for line, text := range strings.Split(drawn([]kif.Term{cell}, board.Options{Drawing: drawing}), "\n") {
				// The legend repeats what is on the board.
				if column := strings.Index(text, "#"); column >= 0 && line <= size {
					at[x][y] = [2]int{column, line}
					found++
				}
			}
			if found != 1 {
				t.Fatalf("cell %v is drawn %d times", cell, found)
			}
		}
	}
	steps := [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}}
	for p := range size * size {
		for q := range size * size {
			x, y, u, v := p/size, p%size, q/size, q%size
			columns, lines := at[u][v][0]-at[x][y][0], at[u][v][1]-at[x][y][1]
			near := lines == 0 && (columns == 2 || columns == -2) || (lines == 1 || lines == -1) && (columns == 1 || columns == -1)
			if want := slices.Contains(steps, [2]int{u - x, v - y}); near != want {
				t.Errorf("from column %d, row %d to %d, %d: %d columns and %d lines away on the drawing, neighbours: %v", x, y, u, v, columns, lines, want)
			}
		}
	}
}
