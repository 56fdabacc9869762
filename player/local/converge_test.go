package local_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/search"
	"semisplit/search/final"
)

// position is one whose values are known, or found by trying everything.
type position struct {
	name    string
	rules   string   // a bundled game, or the text
	opening []string // moves of whoever has the choice
	known   *known   // nil: to be found

	iterations int
	tolerance  float64 // of the root's value, which the search reaches from the side of random play
}

// known is what best play comes to: goals in [0, 1] by role, who chooses, and
// the moves that are best; no moves: any.
type known struct {
	value []float64
	role  int
	best  []string
}

// Matrix games, by the row's goals. In the first both roles have one move that
// is left when dominated ones are crossed out, one after the other. The second
// is rock, paper, scissors with a move more for each that is worse than an even
// mixture, and for the column worse than every other move; the mixture brings
// each 50 at least. Decoupled UCT need not find it, and two roles in step with
// each other miss its value by some hundredths.
var (
	dominated = [4][4]int{{18, 5, 20, 90}, {30, 40, 60, 80}, {20, 35, 70, 100}, {0, 20, 50, 70}}
	stones    = [4][4]int{{50, 100, 0, 100}, {0, 50, 100, 100}, {100, 0, 50, 100}, {45, 45, 45, 100}}
)

// prisoners: each of the two bits that is set is a defection, which pays 15
// more to oneself and 25 less to the other.
func prisoners() (entries [4][4][2]int) {
	defections := []int{0, 1, 1, 2}
	for i, mine := range defections {
		for j, yours := range defections {
			entries[i][j] = [2]int{50 + 15*mine - 25*yours, 50 + 15*yours - 25*mine}
		}
	}
	return entries
}

var positions = []position{
	{name: "tictactoe, one reply draws", rules: "tictactoe", opening: []string{"(mark a 1)"}, iterations: 6000, tolerance: 0.2},
	{name: "tictactoe, won", rules: "tictactoe", opening: []string{"(mark a 1)", "(mark a 2)"}, iterations: 4000, tolerance: 0.15},
	{name: "nim", rules: "nim", opening: []string{"(take d 7)", "(take c 4)"}, iterations: 4000, tolerance: 0.1},
	{name: "connect three", rules: connectThree, iterations: 6000, tolerance: 0.3},
	{name: "hexapawn", rules: hexapawn, opening: []string{"(move 2 1 2 2)"}, iterations: 4000, tolerance: 0.1},
	{name: "dominated moves", rules: matrixGame(zeroSum(dominated)), iterations: 4000, tolerance: 0.02,
		known: &known{[]float64{0.3, 0.7}, 0, []string{"(pick 0 1)"}}},
	{name: "prisoners", rules: matrixGame(prisoners()), iterations: 4000, tolerance: 0.04,
		known: &known{[]float64{0.3, 0.3}, 1, []string{"(pick 1 1)"}}},
	{name: "rock, paper, scissors", rules: matrixGame(zeroSum(stones)), iterations: 8000, tolerance: 0.2,
		known: &known{[]float64{0.5, 0.5}, 1, []string{"(pick 0 0)", "(pick 0 1)", "(pick 1 0)"}}},
}

// TestConvergence: every variant of the search comes to the known value of
// small games, and chooses a best move: in the long run all in all positions, else those
// for combinatorial moves in all, and the others each in one or two.
func TestConvergence(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	agents := variants(t)
	for k, p := range positions {
		t.Run(p.name, func(t *testing.T) {
			machines := machinesOf(t, p.rules)
			want := p.known
			if want == nil {
				want = newSolver(machineOf(t, machines, wholeMoves())).solve(t, p.opening)
			}
			for i, a := range agents {
				if !testenv.Long() && !a.Combinatorial() && (i+k)%5 != 0 {
					continue
				}
				m := machineOf(t, machines, a)
				brain, err := local.NewPlayer(m, a, want.role, uint64(i), new(atomic.Bool))
				if err != nil {
					t.Fatal(err)
				}
				follow(t, brain, m, p.opening)
				iterations, tolerance := p.iterations, p.tolerance
				if a.Algorithm.Name == agent.NameNaive { // explores at the same rate for ever
					iterations, tolerance = 20*iterations, max(tolerance, 0.2)
				}
				move, report, err := brain.Choose(search.Budget{Iterations: iterations})
				if err != nil {
					t.Fatal(err)
				}
				if len(want.best) > 0 && !slices.Contains(want.best, move.String()) {
					t.Errorf("%s: %v, best are %v", a.Name, move, want.best)
				}
				for role, v := range want.value {
					if math.Abs(report.Value[role]-v) > tolerance {
						t.Errorf("%s: role %d has %.3f, the value is %g", a.Name, role, report.Value[role], v)
					}
				}
			}
		})
	}
}

// variants are the presets, and each design of tree and playouts with each
// heuristic that it can have, raw and nodal, with the final selections in turn.
// Presets that leave the plan open, and the designs, split as much as they can:
// in games this small the coarser plans mostly leave moves whole.
func variants(t *testing.T) (all []agent.Agent) {
	t.Helper()
	for _, a := range agent.Presets() {
		if a.Algorithm.Name == agent.NameRandom || a.Minimax() {
			continue // it does not search, or not by playouts
		}
		if a.Algorithm.Name == agent.NameLinear {
			continue // it has no tree: it comes to what a move is worth in random play
		}
		if a.Algorithm.SplitStrategy == reasoner.Auto {
			a.Algorithm.SplitStrategy = "modplusshift"
		}
		all = append(all, a)
	}
	designs := []string{"orthodox", "semisplit", "rollup"}
	heuristics := []string{
		"", "mast-split", "mast-join", "mast-context", "mast-mix", "rave-split", "rave-join", "rave-context", "rave-mix", "nst", "grave",
	}
	finals := []final.Rule{final.Visits, final.Mean, final.RollUp}
	for _, tree := range designs {
		for _, simulation := range designs[:2] {
			for _, heuristic := range heuristics {
				for _, nodal := range []bool{true, false} {
					final := finals[len(all)%len(finals)]
					if heuristic == "grave" { // which has no other
						final = finals[0]
					}
					a, ok := variant(tree, simulation, heuristic, nodal, final)
					if !ok && heuristic == "" {
						t.Fatalf("%s tree, %s playouts: refused", tree, simulation)
					}
					if ok && (nodal || tree != designs[0]) {
						all = append(all, a)
					}
				}
			}
		}
	}
	return all
}

// variant is an agent; false: there is none such. What is not given has the
// default for these heuristics.
func variant(tree, simulation, heuristic string, nodal bool, final final.Rule) (agent.Agent, bool) {
	list := ""
	if heuristic != "" {
		list = fmt.Sprintf(`{"name": %q}`, heuristic)
	}
	a, err := agent.Read(strings.NewReader(fmt.Sprintf(`{
		"name": "variant", "general": {"threads": 1},
		"algorithm": {
			"tree_strategy": %q, "simulation_strategy": %q, "split_strategy": "modshift",
			"parameters": {"is_nodal": %v, "final_selection": %q}
		},
		"heuristics": [%s]}`, tree, simulation, nodal, final, list)))
	a.Name = fmt.Sprintf("%s tree (nodal %v), %s playouts, %s, %s", tree, nodal, simulation, heuristic, final)
	return a, err == nil
}

// wholeMoves is an agent on a machine that takes moves whole.
func wholeMoves() agent.Agent {
	a := agent.Default()
	a.Algorithm.SplitStrategy = string(agent.Orthodox)
	return a
}

func machinesOf(t *testing.T, rules string) *machines.Cache {
	t.Helper()
	if game, err := games.Load(rules); err == nil {
		rules = game.Rules
	}
	program, diagnostics := reasoner.Read(rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	return machines.NewCache(program, reasoner.DefaultLimits)
}

// machineOf is what an agent thinks on, with the lanes that all processors have.
func machineOf(t *testing.T, machines *machines.Cache, a agent.Agent) reasoner.Machine {
	t.Helper()
	v := a.Variant()
	v.Engine, v.Lanes = agent.EngineLanes, 64
	m, err := machines.ForAgent(t.Context(), a, v)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
