package games_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/reasoner"
)

// papersFolder holds the descriptions that this suite is about: the games of
// the papers that the player is compared with.
const papersFolder = "draft"

// papersGames are the names of the games in the folder, sorted.
func papersGames(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(papersFolder, "*.kif"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no games in %s: %v", papersFolder, err)
	}
	var names []string
	for _, path := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(path), ".kif"))
	}
	slices.Sort(names)
	return names
}

// papersGame is the prover's machine for a game in the folder. It fails the
// test for any diagnostic.
func papersGame(t testing.TB, name string) reasoner.Machine {
	t.Helper()
	g, err := games.Load(filepath.Join(papersFolder, name+".kif"))
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
	m, err := reasoner.NewProver(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// deep says whether the counts and walks that take minutes are wanted, as in
// make perft.
func deep() bool { return os.Getenv("GGP_PERFT") != "" }

// perftFrom is perft from another state than the initial one.
func (v viewer) perftFrom(t *testing.T, start []uint64, depth int) []int {
	return viewer{startingAt{v.Machine, start}, v.engine}.perft(t, depth)
}

// startingAt is a machine with another initial state.
type startingAt struct {
	reasoner.Machine
	start []uint64
}

func (m startingAt) Initial() []uint64 { return m.start }
