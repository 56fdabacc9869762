package reasonertest

import (
	"context"
	"errors"
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/reasoner"
)

var spend = flag.Duration("spend", time.Hour, "time for the walks of TestMachines in the long run (GGP_LONG)")

// In the short run a machine walks for so long, or until its rounds are over.
const shortWalk = 40 * time.Millisecond

// sample are the published games of the short run: small ones of all kinds, and
// larger ones that are played straight from their split rules only.
var (
	sample = []string{
		"blocker", "breakthrough", "bunk_t", "buttons", "connectFour", "dotsAndBoxes", "eightPuzzle", "gt_attrition",
		"pacman2p", "roshambo2", "simultaneousWin2", "ticTacToeParallel", "wallmaze",
	}
	larger = []string{
		"amazons_8x8", "asteroids", "battlebrushes", "checkers", "chess", "cubicup", "ghostMaze2p", "reversi", "skirmish",
	}
)

// scope is which machines of a game are walked.
type scope uint8

const (
	everyForm  scope = iota // all plans, as rules and in lanes of every width
	everyPlan               // all plans, as rules and in lanes of one width in turn
	inTurn                  // one plan as rules, another in lanes of one width, in turn
	rulesAlone              // one plan as rules, in turn
)

// TestMachines is the one suite that holds every machine against the prover on
// whole moves: the rules split by each plan, and their circuits in lanes of each
// width. The long run (GGP_LONG) takes all of them for every bundled and every
// published game, and spends what -spend says; the short run takes all plans of
// small odd games, and one form after the other from game to game of the rest.
func TestMachines(t *testing.T) {
	long := testenv.Long()
	type entry struct {
		name, rules string
		scope       scope
	}
	var list []entry
	for _, name := range slices.Sorted(maps.Keys(OddGames)) {
		list = append(list, entry{name, OddGames[name], everyPlan})
	}
	for _, g := range games.List() {
		e := entry{g.Name, g.Rules, inTurn}
		if testenv.Large(g.Name) != "" {
			e.scope = rulesAlone
		}
		list = append(list, e)
	}
	t.Run("published", func(t *testing.T) {
		for _, name := range testenv.Published(t) {
			e := entry{name, testenv.Rules(t, name), inTurn}
			if slices.Contains(larger, name) {
				e.scope = rulesAlone
			}
			if long || e.scope == rulesAlone || slices.Contains(sample, name) {
				list = append(list, e)
			}
		}
	})
	for i, e := range list {
		t.Run(e.name, func(t *testing.T) {
			if long {
				e.scope = everyForm
			}
			g, labels := formsOf(t, e.name, e.rules, i, e.scope)
			if g.Time = shortWalk; long {
				g.Time = *spend / time.Duration(len(list)*max(1, len(g.Machines)))
				g.Rounds, g.Seeds = 1000, []uint64{uint64(len(e.name)), 3}
			}
			t.Logf("machines: %s", strings.Join(labels, ", "))
			Run(t, g)
		})
	}
}

// formsOf is a game with the machines of a scope, and what they are called. The
// turn is the number of the game. A circuit that is beyond the limits is told.
func formsOf(t *testing.T, name, rules string, turn int, s scope) (g Game, labels []string) {
	t.Helper()
	g, program := Read(t, name, rules)
	analysis := reasoner.NewAnalysis(program)
	plans, notes := analysis.Plans()
	if len(plans) == 0 {
		t.Errorf("no plan: %v", notes)
	}
	add := func(m reasoner.Machine, err error) {
		if err != nil {
			t.Error(err)
			return
		}
		g.Machines = append(g.Machines, m)
		labels = append(labels, m.Kind()+" "+m.Plan())
	}
	for i, plan := range plans {
		if s == everyForm || s == everyPlan || i == (turn+1)%len(plans) {
			add(analysis.Prover(plan.Name, reasoner.DefaultLimits))
		}
		if s == rulesAlone || s == inTurn && i != turn%len(plans) {
			continue
		}
		circuit := circuitOf(t, analysis, plan.Name)
		if circuit == nil {
			continue
		}
		widths := reasoner.Widths()
		if s != everyForm {
			k := (turn + i) % len(widths)
			widths = widths[k : k+1]
		}
		for _, width := range widths {
			add(circuit.Machine(width))
		}
	}
	return g, labels
}

// circuitOf is the circuit of a plan, nil where there is none within the limits.
func circuitOf(t *testing.T, analysis *reasoner.Analysis, plan string) *reasoner.Circuit {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	circuit, err := analysis.Circuit(ctx, plan, reasoner.DefaultLimits)
	if errors.Is(err, reasoner.ErrLimit) || errors.Is(err, context.DeadlineExceeded) {
		t.Logf("no circuit: %v", err)
		return nil
	}
	if err != nil {
		t.Error(err)
	}
	return circuit
}
