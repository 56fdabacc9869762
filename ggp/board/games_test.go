package board_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/kif"
	position "semisplit/player/board"
	"semisplit/reasoner"
)

// midGame is how many plies of a random match lead to the second state that
// is drawn, if the match lasts as long.
const midGame = 24

// TestGames draws two states of every bundled game, the initial one and one
// of a random match, in letters and with symbols, and compares them with the
// committed drawings. -rewrite renews them.
func TestGames(t *testing.T) {
	for _, game := range games.List() {
		t.Run(game.Name, func(t *testing.T) {
			var o board.Options
			if game.Drawing != "" {
				var err error
				if o.Drawing, err = board.Parse(game.Drawing); err != nil {
					t.Fatal(err)
				}
			}
			initial, middle := twoStates(t, game.Name)
			o.Frame, o.Possible = initial, possible(t, game)
			got := "the start, " + orNone(board.Size(initial, o.Drawing)) + "\n" + drawn(initial, o) +
				"\nin a match\n" + drawn(middle, o)
			o.Symbols = true
			if symbols := drawn(middle, o); !strings.HasSuffix(got, symbols) {
				got += "\nwith symbols\n" + symbols
			}
			compare(t, filepath.Join("testdata", "games", game.Name+".txt"), got)
		})
	}
}

// possible are the fluents that may come to hold in a game.
func possible(t *testing.T, game games.Game) []kif.Term {
	t.Helper()
	p, diagnostics := reasoner.Read(game.Rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	return p.Fluents()
}

func orNone(size string) string {
	if size == "" {
		return "no board"
	}
	return size
}

// compare holds a drawing against the committed one.
func compare(t *testing.T, file, got string) {
	t.Helper()
	// The flag is datadriven's.
	if flag.Lookup("rewrite").Value.String() == "true" {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./ggp/board -run TestGames -rewrite writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

// twoStates are the initial state and the last one, not terminal, of the
// first plies of a random match.
func twoStates(t *testing.T, name string) (initial, middle []kif.Term) {
	t.Helper()
	states := walk(t, name, midGame)
	return states[0], states[len(states)-1]
}

// walk is the states of so many plies of a random match, terminal states
// excluded. It depends on the spelling of the moves only.
func walk(t *testing.T, name string, plies int) [][]kif.Term {
	t.Helper()
	m := machine(t, name)
	b, err := position.New(m, 1, new(atomic.Bool))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	states := [][]kif.Term{b.Fluents()}
	for range plies {
		var joint []uint32
		for role := range b.Roles() {
			joint = append(joint, randomMove(b, role, random)...)
		}
		if err := b.Moved(joint); err != nil {
			t.Fatal(err)
		}
		if b.Terminal() {
			break
		}
		states = append(states, b.Fluents())
	}
	return states
}

func randomMove(b *position.Board, role int, random *rand.Rand) []uint32 {
	paths := b.Paths(role)
	bySpelling := map[string][]uint32{}
	words := make([]string, len(paths))
	for i, path := range paths {
		words[i] = b.Machine().Move(role, path).String()
		bySpelling[words[i]] = path
	}
	slices.Sort(words)
	return bySpelling[words[random.IntN(len(words))]]
}
