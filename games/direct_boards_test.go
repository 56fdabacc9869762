package games_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/internal/testenv"
)

// step is a move of a direct game: what its numbers mean is the game's own
// business.
type step [11]int8

// board is a game for two, written down in Go on an array from the rules of
// the game and not from its description, which is held against it. It is also
// the yardstick of what code by hand reaches.
type board interface {
	roles() [2]string // in the order of the description
	start()
	mover() int
	moves(into []step) []step // those of the mover; of no interest when the game is over
	play(s step)
	over() bool
	goal(role int) int // of interest when the game is over
	spell(s step) string
	fluents() []string
}

// scatterer is a board that can be set up at random, also as no match would
// leave it: for what only happens late in a match or hardly ever.
type scatterer interface{ scatter(random *rand.Rand) }

// boards are the direct games, by the name of their description.
var boards = map[string]func() board{}

// A comparison is bounded by its work as well, so that games with thousands of
// moves don't take all the time: the number of moves that are spelled, and
// plyWork for every ply.
const (
	walkWork = 15_000
	plyWork  = 30
)

// fewWalks says why a game has few walks unless the long run asks for them.
var fewWalks = map[string]string{
	"chess": "there are published counts, also from positions; a walk takes the prover 0.1 s",
	"go":    "there is go9; a match takes the prover seconds",
}

// TestBoards walks at random through the games beside their direct
// implementations: the fluents, the moves, the end and the result agree. Most
// walks begin on a scattered board where the direct game has them; whole
// matches have a budget of their own, so that neither uses up that of the
// other.
func TestBoards(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(boards)) {
		newBoard := boards[name]
		t.Run(name, func(t *testing.T) {
			v := view(proverOf(t, name))
			_, scatters := newBoard().(scatterer)
			walks, whole, scattered := 60, 3*walkWork/2, walkWork
			if scatters {
				whole = walkWork / 2
			}
			switch {
			case testenv.Long():
				walks, whole, scattered = 3000, 800*walkWork, 800*walkWork
			case fewWalks[name] != "":
				whole, scattered = walkWork/2, walkWork/2
				t.Logf("few walks: %s", fewWalks[name])
			}
			compared, ended := 0, 0
			for seed := range uint64(walks) {
				scatter, budget := scatters && seed%20 != 7, &whole
				if scatter {
					budget = &scattered
				}
				if *budget <= 0 {
					continue
				}
				compared++
				if compareBoard(t, v, newBoard(), seed, scatter, budget) {
					ended++
				}
				if t.Failed() {
					t.Fatalf("walk %d", seed)
				}
			}
			t.Logf("%d walks, %d of them to the end", compared, ended)
		})
	}
}

// compareBoard walks once, from a scattered board or from the start, to the
// end or until the budget of work is used up.
func compareBoard(t *testing.T, v viewer, b board, seed uint64, scatter bool, budget *int) (over bool) {
	t.Helper()
	random := newWalk(seed)
	b.start()
	start := v.Initial()
	if scatter {
		b.(scatterer).scatter(random)
		start = encode(t, v, b)
	}
	names := b.roles()
	for i, role := range v.Roles() {
		if role.String() != names[i] {
			t.Fatalf("roles %v, want %v", v.Roles(), names)
		}
	}
	state, ended := v.play(t, start, nil)
	for ply := 0; ; ply++ {
		if got, want := spell(v.Fluents(state)), sorted(b.fluents()); got != want {
			t.Fatalf("fluents after %d plies\n got %s\nwant %s", ply, got, want)
		}
		if ended != b.over() {
			t.Fatalf("terminal is %v after %d plies in %v", ended, ply, b.fluents())
		}
		if ended {
			for role := range names {
				if got := v.GoalValues(role, state); !slices.Equal(got, []int{b.goal(role)}) {
					t.Errorf("goals %v of %s, want %d, in %v", got, names[role], b.goal(role), b.fluents())
				}
			}
			return true
		}
		mine := v.moves(b.mover())
		spelt := make([]string, len(mine))
		for i, path := range mine {
			spelt[i] = v.Move(b.mover(), path).String()
		}
		steps := b.moves(nil)
		wanted := make(map[string]step, len(steps))
		words := make([]string, len(steps))
		for i, s := range steps {
			words[i] = b.spell(s)
			wanted[words[i]] = s
		}
		if got, want := sorted(slices.Clone(spelt)), sorted(words); got != want {
			t.Fatalf("moves of %s after %d plies in %v\n got %s\nwant %s", names[b.mover()], ply, b.fluents(), got, want)
		}
		others := v.moves(1 - b.mover())
		if len(others) != 1 || v.Move(1-b.mover(), others[0]).String() != "noop" {
			t.Fatalf("the player who waits has %d moves after %d plies", len(others), ply)
		}
		if *budget -= plyWork + len(mine); *budget <= 0 {
			return false
		}
		chosen := random.IntN(len(mine))
		joint := slices.Concat(mine[chosen], others[0])
		if b.mover() == 1 {
			joint = slices.Concat(others[0], mine[chosen])
		}
		state, ended = v.play(t, state, joint)
		b.play(wanted[spelt[chosen]])
	}
}

// square names a square of a board with columns from a and rows from 1.
func square[T int | int8](x, y T) string { return fmt.Sprintf("%c %d", 'a'+rune(x), y+1) }

// points is 100 for the winner, 50 for both without one. No player is -1.
func points(winner, role int) int {
	switch winner {
	case -1:
		return 50
	case role:
		return 100
	}
	return 0
}
