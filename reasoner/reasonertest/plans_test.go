package reasonertest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// plans are the split games of a program, one for each plan that is different.
func plans(t *testing.T, p *gdl.Program) (out []*split.Game) {
	t.Helper()
	all, _ := split.Plans(p)
	for _, plan := range all {
		if only := os.Getenv("GGP_PLAN"); only != "" && only != plan.Name {
			continue
		}
		g, err := split.Rewrite(p, plan)
		if err != nil {
			t.Errorf("plan %s: %v", plan.Name, err)
			continue
		}
		out = append(out, g)
	}
	return out
}

// playPlans holds the prover on the split rules of every plan against the
// prover on the rules as they are.
func playPlans(t *testing.T, name, rules string, limit time.Duration) {
	t.Helper()
	g, p := Read(t, name, rules)
	for _, parts := range plans(t, p) {
		m, err := SplitProver(parts)
		if err != nil {
			t.Errorf("%s, plan %s: %v", name, parts.Plan.Name, err)
			continue
		}
		g.Name = name + "/" + parts.Plan.Name
		g.Machines = []reasoner.Machine{m}
		g.Time = limit
		Run(t, g)
	}
}

func TestPlansOfOddGames(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(OddGames)) {
		playPlans(t, name, OddGames[name], 150*time.Millisecond)
	}
}

func TestPlansOfBundledGames(t *testing.T) {
	for _, g := range games.List() {
		playPlans(t, g.Name, g.Rules, 80*time.Millisecond)
	}
}

// sample are published games of all kinds; GGP_LONG=1 takes all, and so does a
// time for each of them.
var sample = []string{
	"amazons_8x8", "asteroids", "battlebrushes", "blocker", "breakthrough", "checkers", "chess", "cubicup",
	"eightPuzzle", "ghostMaze2p", "pentago", "reversi", "skirmish", "ticTacToeParallel", "wallmaze",
}

func TestPlansOfPublishedGames(t *testing.T) {
	dir := os.Getenv("GGP_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(dir, "gdl", "*.kif"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the published games are missing: set GGP_CORPUS to the folder that holds gdl/")
	}
	limit := 100 * time.Millisecond
	if os.Getenv("GGP_LONG") != "" {
		limit = 2 * time.Second
		if d, err := time.ParseDuration(os.Getenv("GGP_LONG")); err == nil {
			limit = d
		}
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".kif")
		if os.Getenv("GGP_LONG") == "" && !slices.Contains(sample, name) {
			continue
		}
		rules, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		playPlans(t, name, string(rules), limit)
	}
}
