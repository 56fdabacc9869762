package games_test

import (
	"slices"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// made holds the machines that the tests have made, by kind and game: several tests play
// the same game.
var made = map[string]reasoner.Machine{}

// once is the machine of a kind for a bundled game, which is built when it is first asked for.
func once(t testing.TB, kind, name string, build func(*gdl.Program) (reasoner.Machine, error)) reasoner.Machine {
	t.Helper()
	key := kind + " " + name
	if m := made[key]; m != nil {
		return m
	}
	g, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := build(clean(t, g))
	if err != nil {
		t.Fatal(err)
	}
	made[key] = m
	return m
}

// proverOf is the prover of a bundled game.
func proverOf(t testing.TB, name string) reasoner.Machine {
	t.Helper()
	return once(t, "prover", name, reasoner.NewProver)
}

// lanesOf is the quickest machine in lanes for a bundled game.
func lanesOf(t testing.TB, name string) reasoner.Machine {
	t.Helper()
	return once(t, "lanes", name, func(p *gdl.Program) (reasoner.Machine, error) {
		return reasoner.NewLanes(t.Context(), p, reasoner.DefaultLimits)
	})
}

// machines are what plays a bundled game; each must show the same game. The short run leaves
// circuits out that take seconds to make.
func machines(t *testing.T, name string) []reasoner.Machine {
	if reason := testenv.Large(name); reason != "" && !testenv.Long() {
		t.Logf("not in lanes: %s", reason)
		return []reasoner.Machine{proverOf(t, name)}
	}
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
