package games_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/reasoner"
)

// longest are the plies after which games end at the latest, where the rules
// set a bound.
var longest = map[string]int{
	"amazons": 92, "awari": 200, "bastions": 20, "blotto": 4, "blotto6": 4, "breakthrough": 209, "breakthru": 212, "connectfour": 42, "dotsandboxes": 40,
	"eightpuzzle": 30, "forts": 15, "foxandhounds": 58, "go": 722, "go9": 162, "gomoku": 225, "goofspiel": 6, "hex": 121,
	"knightstour": 35, "knightthrough": 105, "lightsout": 15, "linesofaction": 200, "linesofaction7": 200, "minishogi": 200,
	"nim": 16, "othello": 121, "pegsolitaire": 31, "pentago": 36, "platoons": 40, "skirmish": 100, "squads": 40, "sudoku": 44, "tictactoe": 9, "trio": 25,
	"tron": 49,
}

// longestWalk is the bound for all other games, whose random walks are far
// shorter.
const longestWalk = 1500

// TestWellFormed walks through every game at random: in each state each role
// has exactly one goal value, and in each state that is not terminal a move.
// The walks end, and what was met on the way is listed by base and input.
func TestWellFormed(t *testing.T) {
	for _, g := range games.List() {
		t.Run(g.Name, func(t *testing.T) {
			w := wellFormed{viewer: view(proverOf(t, g.Name)), fluents: map[string]bool{}, moves: map[string]bool{}, longest: longestWalk}
			if plies := longest[g.Name]; plies > 0 {
				w.longest = plies
			}
			work := walkWork / 3
			if testenv.Long() {
				work = 500_000
			}
			for seed := uint64(0); work > 0 && seed < 100; seed++ {
				work -= w.walk(t, seed, work)
			}
			w.checkListed(t, g.Rules)
		})
	}
}

// wellFormed remembers the fluents, and some of the moves with their roles,
// that walks have met.
type wellFormed struct {
	viewer
	fluents map[string]bool
	moves   map[string]bool
	longest int // plies after which the game must have ended
}

const rememberedMoves = 500

// walk goes to the end of the game, or for about that much work; it returns
// the work done.
func (w *wellFormed) walk(t *testing.T, seed uint64, work int) (done int) {
	random := newWalk(seed)
	state, ended := w.play(t, w.Initial(), nil)
	for ply := 0; done < work; ply++ {
		for _, f := range w.Fluents(state) {
			w.fluents[f.String()] = true
		}
		for role, who := range w.Roles() {
			if values := w.GoalValues(role, state); len(values) != 1 {
				t.Fatalf("goals %v of %s after %d plies in %v", values, who, ply, w.Fluents(state))
			}
		}
		if ended {
			return done
		}
		if ply == w.longest {
			t.Fatalf("not over after %d plies: %v", ply, w.Fluents(state))
		}
		var joint []uint32
		for role, who := range w.Roles() {
			moves := w.viewer.moves(role)
			if len(moves) == 0 {
				t.Fatalf("%s has no move after %d plies in %v", who, ply, w.Fluents(state))
			}
			done += plyWork + len(moves)
			chosen := moves[random.IntN(len(moves))]
			joint = append(joint, chosen...)
			if len(w.moves) < rememberedMoves {
				w.moves[who.String()+" "+w.Move(role, chosen).String()] = true
			}
		}
		state, ended = w.play(t, state, joint)
	}
	return done
}

// checkListed asks base for the fluents and input for the moves that were met,
// with a game whose initial state has the answers.
func (w *wellFormed) checkListed(t *testing.T, text string) {
	t.Helper()
	rules, err := kif.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	rules = slices.DeleteFunc(rules, func(rule kif.Term) bool { return len(rule.Items) > 0 && rule.Items[0].Name == "init" })
	var questions strings.Builder
	for f := range w.fluents {
		fmt.Fprintf(&questions, "(<= (init (listed fluent %s)) (base %s))\n", f, f)
	}
	for m := range w.moves {
		fmt.Fprintf(&questions, "(<= (init (listed_move %s)) (input %s))\n", m, m)
	}
	asked, err := kif.Parse(questions.String())
	if err != nil {
		t.Fatal(err)
	}
	p, found := reasoner.Analyze(slices.Concat(rules, asked))
	if p == nil {
		t.Fatalf("%v", found)
	}
	m, err := reasoner.NewProver(p)
	if err != nil {
		t.Fatal(err)
	}
	answers := m.Fluents(m.Initial())
	if len(answers) == len(asked) {
		return
	}
	listed := map[string]bool{}
	for _, f := range answers {
		listed[f.String()] = true
	}
	for f := range w.fluents {
		if !listed["(listed fluent "+f+")"] {
			t.Errorf("base does not list %s", f)
		}
	}
	for move := range w.moves {
		if !listed["(listed_move "+move+")"] {
			t.Errorf("input does not list %s", move)
		}
	}
}
