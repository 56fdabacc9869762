package reasoner_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/reasoner"
	"semisplit/reasoner/reasonertest"
)

// TestVerify walks at random through games, on every plan and width and on
// the prover for every plan, and holds every position against the prover with
// whole moves. GGP_VERIFY is the time to spend on all bundled and published
// games ("1h": make verify-long); without it a few games get a moment each.
func TestVerify(t *testing.T) {
	type game struct{ name, rules string }
	var list []game
	budget, long := 0*time.Second, false
	if text := os.Getenv("GGP_VERIFY"); text != "" {
		var err error
		if budget, err = time.ParseDuration(text); err != nil {
			t.Fatalf("GGP_VERIFY: %v", err)
		}
		long = true
	}
	names := []string{"tictactoe", "breakthrough", "goofspiel", "trio", "eightpuzzle"}
	switch {
	case long:
		names = games.Names()
	case testing.Short():
		names = []string{"goofspiel", "trio"}
	}
	for _, name := range names {
		g, err := games.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, game{g.Name, g.Rules})
	}
	if long {
		corpus := os.Getenv("GGP_CORPUS")
		if corpus == "" {
			corpus = "../../shared"
		}
		files, _ := filepath.Glob(filepath.Join(corpus, "gdl", "*.kif"))
		if files == nil {
			t.Log("skipped the published games: none found (set GGP_CORPUS)")
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, game{strings.TrimSuffix(filepath.Base(file), ".kif"), string(text)})
		}
	} else {
		budget = time.Duration(len(list)) * 500 * time.Millisecond
	}
	for _, g := range list {
		t.Run(g.name, func(t *testing.T) { verifyGame(t, g.name, g.rules, budget/time.Duration(len(list))) })
	}
}

func verifyGame(t *testing.T, name, rules string, budget time.Duration) {
	g, program := reasonertest.Read(t, name, rules)
	analysis := reasoner.NewAnalysis(program)
	plans, _ := analysis.Plans()
	var labels []string
	for _, plan := range plans {
		if m, err := analysis.Prover(plan.Name, reasoner.DefaultLimits); err != nil {
			t.Error(err)
		} else {
			g.Machines = append(g.Machines, m)
			labels = append(labels, "prover "+plan.Name)
		}
		ctx, cancel := context.WithTimeout(t.Context(), max(10*time.Second, budget/2))
		circuit, err := analysis.Circuit(ctx, plan.Name, reasoner.DefaultLimits)
		cancel()
		if errors.Is(err, reasoner.ErrLimit) || errors.Is(err, context.DeadlineExceeded) {
			t.Logf("no circuit: %v", err)
			continue
		} else if err != nil {
			t.Error(err)
			continue
		}
		for _, width := range reasoner.Widths() {
			m, err := circuit.Machine(width)
			if err != nil {
				t.Fatal(err)
			}
			g.Machines = append(g.Machines, m)
			labels = append(labels, fmt.Sprintf("%d lanes %s", width, plan.Name))
		}
	}
	t.Logf("machines: %s", strings.Join(labels, ", "))
	g.Time = budget / time.Duration(max(1, len(g.Machines)))
	g.Rounds = 1000
	g.Seeds = []uint64{uint64(len(name)), 3}
	reasonertest.Run(t, g)
}
