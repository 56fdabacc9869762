package mcts

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/internal/testenv"
	"semisplit/search"
	"semisplit/search/ahead"
	"semisplit/search/engine"
	"semisplit/search/final"
	"semisplit/search/heuristic"
	"semisplit/search/internal/toys"
	"semisplit/search/proof"
	"semisplit/search/tree"
)

// proofTrials are ways to search a thicket.
var proofTrials = []struct {
	name  string
	lanes int
	o     Options
	sees  bool // the engine sees wins
}{
	{name: "nodal", lanes: 1},
	{name: "nodal, 16 lanes", lanes: 16},
	{name: "raw", lanes: 1, o: Options{Raw: true}},
	{name: "rolled up", lanes: 4, o: Options{Backup: rolledUp}},
	{name: "rolled up, raw", lanes: 1, o: Options{Backup: rolledUp, Raw: true}},
	{name: "orthodox", lanes: 4, o: Options{Whole: true}},
	{name: "transpositions", lanes: 4, o: Options{Transpositions: true}},
	{name: "transpositions, orthodox", lanes: 4, o: Options{Transpositions: true, Whole: true}},
	{name: "little memory", lanes: 4, o: Options{Memory: 1}},
	{name: "little memory, transpositions", lanes: 4, o: Options{Memory: 1, Transpositions: true}},
	{name: "seeing", lanes: 4, sees: true},
	{name: "seeing, orthodox", lanes: 2, o: Options{Whole: true}, sees: true},
	{name: "seeing, raw, little memory", lanes: 1, o: Options{Raw: true, Memory: 1}, sees: true},
	{name: "seeing, all at once", lanes: 4, o: chosen(0), sees: true},
	{name: "seeing, all at once, little memory", lanes: 4, o: chosen(1), sees: true},
}

// chosen has at once what the automatic choice may take on whole moves, MAST apart, for which
// these engines are too simple.
func chosen(memory int64) Options {
	return Options{
		Whole: true, Transpositions: true, Memory: memory, Knowledge: heuristic.Knowledge{Evaluate: guess{}, Alpha: 0.4},
		LeafPlayouts: 2, Final: final.Mean,
	}
}

// eachProofTrial searches random thickets in every way, and looks at every node of
// the trees on the way; half of them in the short run.
func eachProofTrial(t *testing.T, thickets int, draw func(rng *rand.Rand) (thicket, []bool), o Options, look func(t *testing.T, b *truth, mc *searcher, n uint32, s []uint64), end func(t *testing.T, b *truth, mc *searcher)) {
	if !testenv.Long() {
		thickets /= 2
	}
	for _, trial := range proofTrials {
		t.Run(trial.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(len(trial.name)), 5))
			for i := range thickets {
				g, chance := draw(rng)
				b := newTruth(g, chance)
				of := trial.o
				of.Seed, of.Chance, of.Solver, of.PN = uint64(i)+1, chance, o.Solver, o.PN
				mc := toyTree(g, trial.lanes, of)
				if trial.sees {
					mc = seeingTree(g, trial.lanes, of)
				}
				for step := range 6 {
					if _, err := mc.Search(nil, search.Budget{Iterations: 40 << step}); err != nil {
						t.Fatal(err)
					}
					if err := mc.check(); err != nil {
						t.Fatal(err)
					}
					eachState(mc, func(n uint32, s []uint64) { look(t, b, mc, n, s) })
					if t.Failed() {
						t.Fatalf("thicket %+v, chance %v, step %d", g, chance, step)
					}
					if step%3 == 2 && len(mc.principal()) > 0 && !mc.Advance(mc.principal()[0]) {
						break
					}
					if mc.terminal() {
						break
					}
				}
				if end != nil && mc.tree.Root != 0 && !mc.terminal() {
					end(t, b, mc)
				}
			}
		})
	}
}

// eachState calls f for the nodes of a tree that are not terminal.
func eachState(mc *searcher, f func(n uint32, s []uint64)) {
	mc.tree.EachNode(func(n uint32, nd *tree.Node) {
		if nd.Flags&tree.FlagTerminal == 0 {
			f(n, mc.tree.Words(n, nil))
		}
	})
}

func within(mc *searcher, n uint32, v []float64) bool {
	for r := range v {
		if v[r]*proof.Certain < float64(mc.proofs.Bounds.Lows(n)[r])-1e-6 || v[r]*proof.Certain > float64(mc.proofs.Bounds.Highs(n)[r])+1e-6 {
			return false
		}
	}
	return true
}

// Where one role moves at a time, some equilibrium is within the bounds of every
// node, and so the only one if there is one; a search that is long enough solves
// the game and finds a best move.
func TestBoundsInTurns(t *testing.T) {
	oneThread(t)
	solved, nodes := 0, 0
	for roles := 1; roles <= 3; roles++ {
		t.Run(fmt.Sprint(roles, " roles"), func(t *testing.T) {
			eachProofTrial(t, 12, func(rng *rand.Rand) (thicket, []bool) {
				g := someThicket(rng, roles)
				g.zeroSum = roles == 2 && rng.IntN(2) == 0
				return g, make([]bool, roles)
			}, Options{Solver: true}, func(t *testing.T, b *truth, mc *searcher, n uint32, s []uint64) {
				nodes++
				if mc.proofs.Bounds.IsSolved(n) {
					solved++
				}
				if set := b.outcomes(s); !slices.ContainsFunc(set, func(v []float64) bool { return within(mc, n, v) }) {
					t.Errorf("state %v: bounds %v to %v, equilibria %v", s, mc.proofs.Bounds.Lows(n), mc.proofs.Bounds.Highs(n), set)
				}
			}, checkSolved)
		})
	}
	if solved*5 < nodes {
		t.Errorf("%d of %d nodes are solved", solved, nodes)
	}
}

// checkSolved: a search without end finds a best move.
func checkSolved(t *testing.T, b *truth, mc *searcher) {
	r := solveTree(t, mc, 300000)
	s := mc.tree.Words(mc.tree.Root, nil)
	if !mc.answered() {
		if slices.Contains(b.goal, 1.0/3) {
			return // such goals have no exact bounds
		}
		t.Errorf("thicket %+v: not solved: %v to %v", b.thicket, r.Low, r.High)
		return
	}
	want := 0
	if mc.proofs.Resists() {
		want = 1000
	}
	if again, _ := mc.Search(nil, search.Budget{Iterations: 1000}); again.Iterations != want {
		t.Errorf("a solved root was searched for %d iterations, not %d", again.Iterations, want)
	}
	set := b.outcomes(s)
	if len(set) != 1 {
		return
	}
	joint := []uint32{}
	for r := range b.of {
		path, ok := mc.Best(r)
		if !ok {
			t.Fatalf("no best move of role %d", r)
		}
		joint = append(joint, path...)
	}
	m := b.mover(s)
	for _, v := range b.outcomes(b.Play(s, joint)) {
		if v[m] < set[0][m] {
			t.Errorf("thicket %+v, state %v: %v may bring %v, the best %v", b.thicket, s, joint, v, set[0])
		}
	}
}

// Where roles choose together, and with chance, the value is within the bounds.
func TestBoundsTogether(t *testing.T) {
	oneThread(t)
	for _, luck := range []bool{false, true} {
		narrow, exact := 0, 0
		t.Run(fmt.Sprintf("chance %v", luck), func(t *testing.T) {
			eachProofTrial(t, 12, func(rng *rand.Rand) (thicket, []bool) {
				roles := 2
				if luck {
					roles = 3
				}
				g := someThicket(rng, roles)
				g.zeroSum, g.together, g.depth = true, 1+rng.IntN(4), min(g.depth, 4)
				if rng.IntN(3) == 0 {
					g.goal = []float64{0, 1}
				}
				chance := make([]bool, roles)
				if luck {
					chance[2] = true
					g.of[2] = 1 // or its moves have unequal weights
				}
				return g, chance
			}, Options{Solver: true}, func(t *testing.T, b *truth, mc *searcher, n uint32, s []uint64) {
				const off = 0.04 // of fictitious play
				v := b.value(s) * proof.Certain
				low, high := mc.proofs.Bounds.Lows(n), mc.proofs.Bounds.Highs(n)
				if v < float64(low[0])-off*proof.Certain || v > float64(high[0])+off*proof.Certain ||
					proof.Certain-v < float64(low[1])-off*proof.Certain || proof.Certain-v > float64(high[1])+off*proof.Certain {
					t.Errorf("state %v: bounds %v to %v, value %g", s, low, high, v)
				}
				if high[0]-low[0] < proof.Certain {
					narrow++
				}
				if mc.proofs.Bounds.IsSolved(n) {
					exact++
				}
			}, nil)
		})
		if narrow == 0 || exact == 0 {
			t.Errorf("chance %v: nothing proven: %d, %d", luck, narrow, exact)
		}
	}
}

// mercy: role 0 takes half, or lets role 1, which gets nothing any more, choose whether it wins.
// More roles have no choice.
type mercy struct{ roles int }

func (g mercy) Levels() []int          { return slices.Repeat([]int{1}, g.roles) }
func (mercy) Initial() []uint64        { return []uint64{0} }
func (mercy) Terminal(s []uint64) bool { return s[0] > 1 }
func (g mercy) Goals(s []uint64) []float64 {
	goals := make([]float64, g.roles)
	goals[0] = []float64{0, 0, 0.5, 1, 0}[s[0]]
	return goals
}
func (mercy) Offers(s []uint64, role int, _ []uint32) []uint32 {
	if s[0] != uint64(role) {
		return []uint32{9}
	}
	return []uint32{0, 1}
}
func (mercy) Play(s []uint64, j []uint32) []uint64 {
	switch {
	case s[0] == 1:
		return []uint64{3 + uint64(j[1])}
	case j[0] == 0:
		return []uint64{2}
	}
	return []uint64{1}
}

// An opponent who has lost lets nobody win, also where chance is a role.
func TestOneOpponentBesideChance(t *testing.T) {
	oneThread(t)
	for _, chance := range [][]bool{{false, false}, {false, false, true}} {
		for seed := range uint64(4) {
			mc := toyTree(mercy{len(chance)}, 1, Options{Seed: seed, Solver: true, Chance: chance})
			mustSearchOn(t, mc, 100)
			low, high := mc.rootBounds()
			if path, ok := mc.Best(0); !ok || path[0] != 0 || low[0] != 0.5 || high[0] != 0.5 {
				t.Errorf("chance %v, seed %d: plays %v, %v to %v", chance, seed, path, low, high)
			}
		}
	}
}

// samplingEngine says that there are more moves than it offers.
type samplingEngine struct{ *toyEngine }

func (samplingEngine) Partial(int) bool { return true }

// Where not all moves are known, the best of those that are is no proof that there is no
// better one; a win is. So it is where playouts look ahead on such an engine.
func TestNoProofByPartOfTheMoves(t *testing.T) {
	oneThread(t)
	for _, c := range []struct{ whole, ahead bool }{{}, {whole: true}, {ahead: true}} {
		for goal, won := range map[float64]bool{0: false, 0.5: false, 1: true} {
			g := chooser{[]float64{0, goal}}
			o := Options{Seed: 1, Solver: true, Whole: c.whole, PN: proof.PN{Solve: true, Draws: true}}
			var e engine.Engine = samplingEngine{newToyEngine(g, 1, 1)}
			if c.ahead {
				e = ahead.New(e, newToyEngine(g, 8, 2), g.Levels(), ahead.Options{Decisive: true})
			}
			mc := newSearcher(e, g.Levels(), usual(o), 0)
			if err := mc.SetRoot(g.Initial()); err != nil {
				t.Fatal(err)
			}
			mustSearchOn(t, mc, 100)
			low, high := mc.rootBounds()
			if low[0] != goal || high[0] != 1 || mc.answered() != won {
				t.Errorf("%+v, goal %v: bounds %v, %v, answered: %v", c, goal, low, high, mc.answered())
			}
			if x := mc.proofs.NumbersOf(mc.tree.Root, 0)[0]; (x.Proof == 0) != won || x.Disproof == 0 {
				t.Errorf("%+v, goal %v: numbers %v", c, goal, x)
			}
		}
	}
}

// A state whose moves are not found has not ended by that: playouts go on from there.
func TestMovesNotFound(t *testing.T) {
	oneThread(t)
	g := toys.SplitTicTacToe{}
	for _, start := range [][]uint64{{0, 0}, {1, 0}} {
		e := newToyEngine(g, 4, 1)
		o := Options{Seed: 1, Solver: true, Whole: true, PN: proof.PN{Solve: true, Draws: true}}
		mc := newSearcher(toys.Vain{Engine: e}, g.Levels(), usual(o), 0)
		if err := mc.SetRoot(start); err != nil {
			t.Fatal(err)
		}
		mustSearchOn(t, mc, 100)
		low, high := mc.rootBounds()
		if low[0] != 0 || high[0] != 1 || mc.answered() || e.Played < 300 {
			t.Errorf("start %v: bounds %v, %v, answered: %v, %d moves", start, low, high, mc.answered(), e.Played)
		}
	}
}

// What follows a semimove and could not be found is not missing: no state ends by that, and
// no prefix is dead. The search ends with the engine's reason.
func TestOffersFail(t *testing.T) {
	oneThread(t)
	g := toys.SplitTicTacToe{}
	for _, o := range []Options{{}, {Raw: true}, {Whole: true}} {
		o.Seed, o.Solver = 1, true
		mc := newSearcher(&toys.Failing{Engine: newToyEngine(g, 1, 1)}, g.Levels(), usual(o), 0)
		if err := mc.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if _, err := mc.Search(nil, search.Budget{Iterations: 10}); !errors.Is(err, toys.ErrOffers) {
				t.Fatalf("%+v: %v", o, err)
			}
		}
		if err := mc.check(); err != nil {
			t.Error(err)
		}
		if edges := mc.RootEdges(0); mc.terminal() || len(edges) != 3 && !o.Whole {
			t.Errorf("%+v: terminal: %v, semimoves %+v", o, mc.terminal(), edges)
		}
	}
}

// sharing is a game in which role 1 can win at once, which leaves role 0 a half, or goes on for
// long, and role 0 wins. A state is the ply, and whether it has won.
type sharing struct{}

func (sharing) Levels() []int            { return []int{1, 1} }
func (sharing) Initial() []uint64        { return []uint64{0, 0} }
func (sharing) Terminal(s []uint64) bool { return s[1] == 1 || s[0] == 40 }
func (sharing) Goals(s []uint64) []float64 {
	if s[1] == 1 {
		return []float64{0.5, 1}
	}
	return []float64{1, 0}
}
func (sharing) Offers(s []uint64, role int, _ []uint32) []uint32 {
	if uint64(role) != s[0]%2 {
		return []uint32{3}
	}
	return []uint32{0, 1, 2}
}
func (sharing) Play(s []uint64, j []uint32) []uint64 {
	n := []uint64{s[0] + 1, 0}
	if s[0] == 1 && j[1] == 0 {
		n[1] = 1
	}
	return n
}

// A win that leaves the other something is no reason to search the other moves alone.
func TestWinsThatShareStay(t *testing.T) {
	oneThread(t)
	g := sharing{}
	mc := toyTree(g, 8, Options{Seed: 1, Solver: true})
	mustSearch(t, mc, 3000)
	if mean := mc.tree.Mean(mc.tree.Root, 1); mean < 0.8 {
		t.Errorf("who can win at once has %v", mean)
	}
}
