package games_test

import (
	"slices"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// proverOf is the prover's machine for a bundled game. It fails the test for
// any diagnostic, as "ggp check" would show it.
func proverOf(t testing.TB, name string) reasoner.Machine {
	t.Helper()
	g, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := reasoner.NewProver(clean(t, g))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// lanesOf is the quickest machine in lanes for a bundled game.
func lanesOf(t testing.TB, name string) reasoner.Machine {
	t.Helper()
	g, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := reasoner.NewLanes(t.Context(), clean(t, g), reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// machines are what plays a bundled game; each must show the same game.
func machines(t *testing.T, name string) []reasoner.Machine {
	return []reasoner.Machine{proverOf(t, name), lanesOf(t, name)}
}

// clean reads a description that must have no diagnostic.
func clean(t testing.TB, g games.Game) *gdl.Program {
	t.Helper()
	p, found := reasoner.Read(g.Rules)
	for _, d := range found {
		t.Errorf("%s: %d:%d: %s", g.Name, d.Pos.Line, d.Pos.Col, d.Message)
	}
	if p == nil {
		t.FailNow()
	}
	return p
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

func spell(terms []kif.Term) string {
	words := make([]string, len(terms))
	for i, term := range terms {
		words[i] = term.String()
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
