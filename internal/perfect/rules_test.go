package perfect

import (
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/reasoner"
)

// TestRules walks at random through each game beside the prover, which has it
// from the description: who moves, the moves, the end and the goals agree.
func TestRules(t *testing.T) {
	for _, spec := range Specs {
		t.Run(spec.Game, func(t *testing.T) {
			described, err := games.Load(spec.Game)
			if err != nil {
				t.Fatal(err)
			}
			program, diagnostics := reasoner.Read(described.Rules)
			if err := diagnostics.Err(); err != nil {
				t.Fatal(err)
			}
			m, err := reasoner.NewProver(program)
			if err != nil {
				t.Fatal(err)
			}
			b, err := board.New(m, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			g := spec.New()
			plies := 400
			if testing.Short() {
				plies = 60
			}
			for seed := uint64(0); plies > 0; seed++ {
				plies -= walkBeside(t, g, b, rand.New(rand.NewPCG(seed, 0)))
				if t.Failed() {
					return
				}
			}
		})
	}
}

// walkBeside walks to the end and returns the number of moves.
func walkBeside(t *testing.T, g Game, b *board.Board, random *rand.Rand) (plies int) {
	t.Helper()
	g.Start()
	if err := b.Set(b.Machine().Initial()); err != nil {
		t.Fatal(err)
	}
	for !b.Terminal() {
		moves := g.Moves()
		if got, want := slices.Sorted(slices.Values(moves)), spelled(b.Moves(g.Mover())); !slices.Equal(got, want) {
			t.Fatalf("after %d moves\n got %v\nwant %v\nin %v", plies, got, want, b.Fluents())
		}
		move := random.IntN(len(moves))
		term, err := kif.ParseTerm(moves[move])
		if err != nil {
			t.Fatal(err)
		}
		joint := []kif.Term{term, kif.Symbol("noop")}
		if g.Mover() == 1 {
			slices.Reverse(joint)
		}
		if err := b.Play(joint); err != nil {
			t.Fatal(err)
		}
		g.Play(move)
		plies++
	}
	if moves := g.Moves(); len(moves) > 0 {
		t.Fatalf("%v after the end", moves)
	}
	if goals := b.Goals(); goals[0] != g.Goal() || goals[1] != 100-g.Goal() {
		t.Fatalf("goals %v, not %d, in %v", goals, g.Goal(), b.Fluents())
	}
	return plies
}

func spelled(moves []kif.Term) (words []string) {
	for _, m := range moves {
		words = append(words, m.String())
	}
	slices.Sort(words)
	return words
}

// TestCounts holds the numbers of sequences of moves against published ones.
func TestCounts(t *testing.T) {
	same(t, "connectfour", sequences(newConnectFour(7, 6, 1).rules, 5), []int{7, 49, 343, 2401, 16807})
	same(t, "breakthrough", sequences[pair](newBreakthrough(8, 8), 3), []int{22, 484, 11132})
	same(t, "knightthrough", sequences[pair](newKnightthrough(8, 8), 3), []int{40, 1600, 63520})
	same(t, "othello", sequences[pair](newOthello(8), 6), []int{4, 12, 56, 244, 1396, 8200})
	same(t, "pentago", sequences[pair](newPentago(), 2), []int{288, 80640})
}

func same(t *testing.T, what string, got, want []int) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}

// sequences counts those of one move, of two, and so on.
func sequences[P comparable](r rules[P], most int) []int {
	counts := make([]int, most)
	var walk func(p P, depth int)
	walk = func(p P, depth int) {
		if _, ended := r.over(p); ended || depth == most {
			return
		}
		for _, s := range r.next(p, nil) {
			counts[depth]++
			walk(s.to, depth+1)
		}
	}
	walk(r.start(), 0)
	return counts
}

// TestPositions counts the positions of Connect Four after so many moves as in
// sequence A212693 of the On-Line Encyclopedia of Integer Sequences.
func TestPositions(t *testing.T) {
	g := newConnectFour(7, 6, 1)
	level := map[pair]bool{{}: true}
	var counts []int
	for range 7 {
		counts = append(counts, len(level))
		following := map[pair]bool{}
		for p := range level {
			if _, ended := g.over(p); !ended {
				for _, s := range g.next(p, nil) {
					following[s.to] = true
				}
			}
		}
		level = following
	}
	same(t, "positions", counts, []int{1, 7, 49, 238, 1120, 4263, 16422})
}
