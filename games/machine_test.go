package games_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/reasoner"
)

// machines are all that can play a bundled game; each must show the same
// game.
func machines(t *testing.T, name string) []reasoner.Machine {
	t.Helper()
	g, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	p, found := reasoner.Read(g.Rules)
	for _, d := range found {
		t.Errorf("%s: %d:%d: %s", name, d.Pos.Line, d.Pos.Col, d.Message)
	}
	if p == nil {
		t.FailNow()
	}
	prover, err := reasoner.NewProver(p)
	if err != nil {
		t.Fatal(err)
	}
	lanes, err := reasoner.NewLanes(context.Background(), p, reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return []reasoner.Machine{prover, lanes}
}

// viewer looks at one state after another through the first lane.
type viewer struct {
	reasoner.Machine
	engine reasoner.Engine
}

func view(m reasoner.Machine) viewer { return viewer{m, m.NewEngine(1)} }

// play is the state after a joint move, or for nil the state itself, and
// whether it is terminal.
func (v viewer) play(t *testing.T, state []uint64, joint []uint32) ([]uint64, bool) {
	t.Helper()
	v.engine.Load(0, state, joint)
	ended, err := v.engine.Step(nil)
	if err != nil {
		t.Fatal(err)
	}
	return v.engine.State(0, nil), ended[0]&1 != 0
}

// moves are the legal moves of a role in the state last played, as paths of
// semimoves.
func (v viewer) moves(role int) [][]uint32 {
	paths := [][]uint32{nil}
	for range v.Levels(role) {
		var longer [][]uint32
		for _, path := range paths {
			for _, s := range v.engine.Offers(0, role, path, nil) {
				longer = append(longer, append(slices.Clone(path), s))
			}
		}
		paths = longer
	}
	return paths
}

// joints are the joint moves in the state last played.
func (v viewer) joints() [][]uint32 {
	joints := [][]uint32{nil}
	for role := range v.Roles() {
		moves := v.moves(role)
		var longer [][]uint32
		for _, joint := range joints {
			for _, move := range moves {
				longer = append(longer, append(slices.Clone(joint), move...))
			}
		}
		joints = longer
	}
	return joints
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

// TestPerft holds the games against published counts.
func TestPerft(t *testing.T) {
	for _, c := range []struct {
		game   string
		counts []int
		prover int // plies that the prover counts in good time
	}{
		{"tictactoe", []int{9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872}, 9},
		{"connectfour", []int{7, 49, 343, 2401, 16807, 117649}, 5},
		{"breakthrough", []int{22, 484, 11132, 256036}, 3},
		{"knightthrough", []int{40, 1600, 63520, 2521306}, 2},
		{"othello", []int{4, 12, 56, 244, 1396, 8200}, 6},
	} {
		t.Run(c.game, func(t *testing.T) {
			for _, m := range machines(t, c.game) {
				want := c.counts
				if m.Kind() == "prover" {
					want = want[:c.prover]
				}
				if got := view(m).perft(t, len(want)); !slices.Equal(got, want) {
					t.Errorf("%s counts %v, want %v", m.Kind(), got, want)
				}
			}
		})
	}
}

// TestWellFormed walks through every game at random: in each state each role
// has exactly one goal value, and in each state that is not terminal at least
// one move. The walks of all games end.
func TestWellFormed(t *testing.T) {
	longest := map[string]int{
		"breakthrough": 209, "connectfour": 42, "eightpuzzle": 30, "goofspiel": 6, "knightthrough": 105,
		"nim": 16, "othello": 121, "tictactoe": 9, "trio": 25,
	}
	for _, name := range games.Names() {
		t.Run(name, func(t *testing.T) {
			for _, m := range machines(t, name) {
				v := view(m)
				for seed := range uint64(10) {
					random := newWalk(seed)
					state, ended := v.play(t, m.Initial(), nil)
					for ply := 0; ; ply++ {
						for role, who := range m.Roles() {
							if values := m.GoalValues(role, state); len(values) != 1 {
								t.Fatalf("%s: goals %v of %s after %d plies in %v", m.Kind(), values, who, ply, m.Fluents(state))
							}
						}
						if ended {
							break
						}
						if ply == longest[name] {
							t.Fatalf("%s: not over after %d plies: %v", m.Kind(), ply, m.Fluents(state))
						}
						joints := v.joints()
						if len(joints) == 0 {
							t.Fatalf("%s: a role has no move after %d plies in %v", m.Kind(), ply, m.Fluents(state))
						}
						state, ended = v.play(t, state, joints[random.IntN(len(joints))])
					}
				}
			}
		})
	}
}

func spell(terms []kif.Term) string {
	words := make([]string, len(terms))
	for i, term := range terms {
		words[i] = term.String()
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
