package games_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner"
)

// TestPapersText looks at the descriptions as people see them: a title, an
// empty comment line, a paragraph, and short lines.
func TestPapersText(t *testing.T) {
	for _, name := range papersGames(t) {
		text, err := os.ReadFile(filepath.Join(papersFolder, name+".kif"))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		end := slices.Index(lines, "")
		if end < 4 || !strings.HasPrefix(lines[0], "; ") || lines[1] != ";" {
			t.Errorf("%s: no title, empty comment and paragraph at the start", name)
			continue
		}
		paragraph := strings.Join(lines[2:end], " ")
		if len(paragraph) < 150 || !strings.HasSuffix(paragraph, ".") || strings.Contains(paragraph, "(role") {
			t.Errorf("%s: the paragraph is no paragraph: %q", name, paragraph)
		}
		for i, line := range lines {
			if len(line) > 80 || strings.TrimRight(line, " \t\r") != line {
				t.Errorf("%s:%d: long line or blanks at its end: %q", name, i+1, line)
			}
		}
	}
}

// TestPapersWellFormed walks through every game at random: in each state each
// role has exactly one goal value, and in each state that is not terminal a
// move. What was met on the way is listed by base and input.
func TestPapersWellFormed(t *testing.T) {
	for _, name := range papersGames(t) {
		t.Run(name, func(t *testing.T) {
			w := wellFormed{viewer: view(papersGame(t, name)), fluents: map[string]bool{}, moves: map[string]bool{}}
			work := walkWork / 5
			if deep() {
				work = 500_000
			}
			for seed := uint64(0); work > 0; seed++ {
				work -= w.walk(t, seed, work)
			}
			w.checkListed(t, name)
		})
	}
}

// wellFormed remembers the fluents, and some of the moves with their roles,
// that walks have met.
type wellFormed struct {
	viewer
	fluents map[string]bool
	moves   map[string]bool
}

const (
	rememberedMoves = 500
	longestWalk     = 1500 // plies: all games end before
)

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
		if ply == longestWalk {
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
func (w *wellFormed) checkListed(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(papersFolder, name+".kif"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := kif.Parse(string(text))
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
