package mcts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"semisplit/search/backup"
	"semisplit/search/heuristic"
	"semisplit/search/internal/toys"
	"semisplit/search/selection"
	"semisplit/search/stats"
)

// tug: a token on a line of squares, 0 to length. The roles take turns to move
// it by 1 to 3 squares either way, role 0 wins at the upper end, role 1 at the lower
// one, and nothing counts the moves: states repeat without end. Words: square and
// whose turn. The one who waits plays 9. A square in between is barred to role 0.
type tug struct{ start, length, barred uint64 }

func (tug) Levels() []int              { return []int{1, 1} }
func (g tug) Initial() []uint64        { return []uint64{g.start, 0} }
func (g tug) Terminal(s []uint64) bool { return s[0] == 0 || s[0] == g.length }
func (g tug) Goals(s []uint64) []float64 {
	switch s[0] {
	case 0:
		return []float64{0, 1}
	case g.length:
		return []float64{1, 0}
	}
	return []float64{0.5, 0.5}
}
func (g tug) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
	if uint64(role) != s[1] {
		return []uint32{9}
	}
	for move := range uint32(7) {
		to := int(s[0]) + int(move) - 3
		if move != 3 && to >= 0 && to <= int(g.length) && (role == 1 || uint64(to) != g.barred) {
			o = append(o, move)
		}
	}
	return o
}
func (tug) Play(s []uint64, joint []uint32) []uint64 {
	return []uint64{s[0] + uint64(joint[s[1]]) - 3, 1 - s[1]}
}

// solve finds the value of every state of a game of two roles that take turns
// in which states may repeat, for role 0: won, lost, or undecided.
func solve(g toy) map[string]float64 {
	states := map[string][]uint64{}
	var explore func(s []uint64)
	explore = func(s []uint64) {
		if states[fmt.Sprint(s)] == nil {
			states[fmt.Sprint(s)] = s
			if !g.Terminal(s) {
				for _, j := range joints(g, s) {
					explore(g.Play(s, j))
				}
			}
		}
	}
	explore(g.Initial())
	value := map[string]float64{}
	for k, s := range states {
		if value[k] = 0.5; g.Terminal(s) {
			value[k] = g.Goals(s)[0]
		}
	}
	for changed := true; changed; {
		changed = false
		for k, s := range states {
			if g.Terminal(s) {
				continue
			}
			best := 1.0
			if turn(g, s) == 0 {
				best = 0
			}
			for _, j := range joints(g, s) {
				if v := value[fmt.Sprint(g.Play(s, j))]; turn(g, s) == 0 {
					best = max(best, v)
				} else {
					best = min(best, v)
				}
			}
			if best != value[k] {
				value[k], changed = best, true
			}
		}
	}
	return value
}

// turn is the role that has a choice, or the first to move.
func turn(g toy, s []uint64) int {
	if o := g.Offers(s, 0, nil); len(o) == 1 && o[0] >= 9 {
		return 1
	}
	return 0
}

// joints are the joint moves of a game in which every role has one level.
func joints(g toy, s []uint64) [][]uint32 {
	all := [][]uint32{nil}
	for r := range g.Levels() {
		var next [][]uint32
		for _, j := range all {
			for _, x := range g.Offers(s, r, nil) {
				next = append(next, append(j[:len(j):len(j)], x))
			}
		}
		all = next
	}
	return all
}

// From every state from which a side can force a win, the search plays to it,
// though it may go round in between.
func TestTranspositionsKnowTheValue(t *testing.T) {
	oneThread(t)
	for _, g := range []toy{toys.Nim{Heaps: []uint64{2, 3, 4}}, toys.Nim{Heaps: []uint64{1, 3, 5}}, toys.TicTacToe{Start: []uint64{0o011, 0o004}}, tug{6, 12, 5}, tug{7, 12, 9}} {
		value := solve(g)
		variants(t, func(t *testing.T, lanes int) {
			mc := toyTree(g, lanes, Options{Seed: 5, Transpositions: true, PlayoutLimit: 50})
			transposed := 0
			for s := g.Initial(); !g.Terminal(s); {
				transposed += mustSearch(t, mc, 10000).Transposed
				uniqueStates(t, mc)
				var joint []uint32
				for r := range 2 {
					path, _ := mc.Best(r)
					joint = append(joint, path...)
				}
				next := g.Play(s, joint)
				if _, endless := g.(tug); value[fmt.Sprint(next)] != value[fmt.Sprint(s)] || endless && value[fmt.Sprint(s)] == 0.5 {
					if value[fmt.Sprint(next)] != value[fmt.Sprint(s)] {
						t.Errorf("%T: %v of worth %g goes to %v of worth %g", g, s, value[fmt.Sprint(s)], next, value[fmt.Sprint(next)])
					}
					break
				}
				if !mc.Advance(joint) {
					t.Fatalf("%T: %v is not in the tree at %v", g, joint, s)
				}
				s = next
			}
			if transposed == 0 {
				t.Error("no transpositions")
			}
		})
	}
}

// uniqueStates fails if the tree has two nodes for a state, other than terminal
// ones, outside of its discarded parts.
func uniqueStates(t *testing.T, mc *searcher) {
	t.Helper()
	seen := map[string]uint32{}
	mc.tree.Index.EachIndexed(func(n uint32) {
		name := fmt.Sprint(mc.tree.Words(n, nil))
		if m := seen[name]; mc.tree.Index.InTree(n) && m != 0 {
			t.Errorf("nodes %d and %d have the state %s", n, m, name)
		} else if mc.tree.Index.InTree(n) {
			seen[name] = n
		}
	})
}

// A search that has been everywhere has a node for each state that can be
// reached through states that are not terminal, and no more.
func TestTranspositionsHoldEachStateOnce(t *testing.T) {
	oneThread(t)
	for _, g := range []toy{toys.Nim{Heaps: []uint64{2, 3, 4}}, toys.TicTacToe{Start: []uint64{0o001, 0o002}}, tug{6, 12, 5}} {
		want := 0
		mc := toyTree(g, 64, Options{Seed: 5, Transpositions: true, PlayoutLimit: 50, Selection: selection.Options{Exploration: 20}})
		for name := range solve(g) {
			if !g.Terminal(numbers(name)) {
				want++
			}
		}
		mustSearch(t, mc, 100000)
		uniqueStates(t, mc)
		found := 0
		mc.tree.Index.EachIndexed(func(uint32) { found++ })
		if found != want {
			t.Errorf("%T: %d nodes for %d states", g, found, want)
		}
	}
}

func numbers(text string) (all []uint64) {
	var x uint64
	digits := false
	for _, c := range text {
		if c >= '0' && c <= '9' {
			x, digits = x*10+uint64(c-'0'), true
		} else if digits {
			all, x, digits = append(all, x), 0, false
		}
	}
	return all
}

// With as many iterations the winning move is found more often.
func TestTranspositionsHelp(t *testing.T) {
	oneThread(t)
	var found [2]int
	for i, transpositions := range []bool{false, true} {
		for seed := range uint64(40) {
			mc := toyTree(toys.Nim{Heaps: []uint64{2, 3, 4}}, 1, Options{Seed: seed, Transpositions: transpositions})
			mustSearch(t, mc, 1500)
			if best, _ := mc.Best(0); best[0] == 19 {
				found[i]++
			}
		}
	}
	t.Logf("found %d times without, %d with transpositions", found[0], found[1])
	if found[1] <= found[0] {
		t.Errorf("the winning move was found %d times without, %d with transpositions", found[0], found[1])
	}
}

// Every way to take moves finds the only good one.
func TestTranspositionsInDesigns(t *testing.T) {
	oneThread(t)
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			o := d.o
			o.Seed, o.Transpositions = 3, true
			for i, c := range tactics {
				mc := toyTree(d.game(toys.TicTacToe{Start: c.start}), []int{1, 64}[i%2], o)
				mustSearch(t, mc, 2000)
				wantBest(t, mc, c.role, d.path(c.best)...)
				wantBest(t, mc, 1-c.role, d.path(9)...)
			}
			mc := toyTree(d.game(toys.TicTacToe{}), 64, o)
			r := mustSearch(t, mc, 30000)
			if math.Abs(r.Value[0]-0.5) > 0.1 || math.Abs(r.Value[0]+r.Value[1]-1) > 1e-9 {
				t.Errorf("value %v", r.Value)
			}
			if r.Transposed == 0 {
				t.Error("no transpositions")
			}
		})
	}
}

// Random matches in random options with little memory: whatever is pruned,
// thrown away and reclaimed, the tree stays whole.
func TestTranspositionsStayWhole(t *testing.T) {
	oneThread(t)
	games := []toy{
		toys.Nim{Heaps: []uint64{3, 4, 5}}, toys.Nim{Heaps: []uint64{2, 2, 2, 2}}, toys.TicTacToe{}, toys.SplitTicTacToe{}, toys.VerifiedTicTacToe{}, tug{20, 40, 18}, tug{6, 12, 5},
		toys.Trio{}, toys.Dice{}, toys.Ladder{}, maze{},
	}
	runs := 60
	moved := 0
	for seed := range uint64(runs) {
		rng := rand.New(rand.NewPCG(seed, 5))
		g := games[rng.IntN(len(games))]
		o := Options{
			Seed: seed, Transpositions: true, PlayoutLimit: 1 + rng.IntN(40), Memory: 250<<10 + rng.Int64N(400<<10),
			Raw: rng.IntN(4) == 0, Backup: backup.Options{RollUp: rng.IntN(4) == 0},
		}
		if rng.IntN(3) == 0 {
			o.Rave.Kind = stats.Kind(rng.IntN(5))
		}
		if _, ok := g.(toys.Dice); ok {
			o.Chance = []bool{false, true}
		}
		if seed%2 == 0 {
			o.Knowledge = heuristic.Knowledge{Alpha: 0.4, Evaluate: guess{}}
		}
		mc := toyTree(g, 1+rng.IntN(2)*63, o)
		s := g.Initial()
		for range 12 {
			if g.Terminal(s) {
				s = g.Initial()
			}
			if mc.tree.Root == 0 || rng.IntN(10) == 0 {
				if err := mc.SetRoot(s); err != nil {
					t.Fatal(err)
				}
			}
			if !mc.terminal() {
				mustSearch(t, mc, 1+rng.IntN(3000))
			}
			uniqueStates(t, mc)
			joint := RandomJoint(g, s, rng)
			if best := mc.principal(); len(best) > 0 && rng.IntN(2) == 0 {
				joint = best[0]
			}
			s = g.Play(s, joint)
			mc.Advance(joint)
			if err := mc.check(); err != nil {
				t.Fatalf("seed %d: %T: after Advance: %v", seed, g, err)
			}
		}
		moved += mc.tree.Index.Moved
	}
	if moved == 0 {
		t.Error("no node ever moved to another place")
	}
}

// RandomJoint draws a legal joint move.
func RandomJoint(g toy, s []uint64, rng *rand.Rand) []uint32 {
	e := newToyEngine(g, 1, rng.Uint64())
	return e.RandomJoint(0, s)
}

// maze is a puzzle without a count of moves: from one corner of a square to the other,
// in steps in four directions.
type maze struct{}

const mazeSide = 6

func (maze) Levels() []int            { return []int{1} }
func (maze) Initial() []uint64        { return []uint64{0, 0} }
func (maze) Terminal(s []uint64) bool { return s[0] == mazeSide-1 && s[1] == mazeSide-1 }
func (g maze) Goals(s []uint64) []float64 {
	if g.Terminal(s) {
		return []float64{1}
	}
	return []float64{0}
}
func (maze) Offers(s []uint64, _ int, _ []uint32) (o []uint32) {
	for i, ok := range []bool{s[0] > 0, s[0] < mazeSide-1, s[1] > 0, s[1] < mazeSide-1} {
		if ok {
			o = append(o, uint32(i))
		}
	}
	return o
}
func (maze) Play(s []uint64, joint []uint32) []uint64 {
	n := []uint64{s[0], s[1]}
	n[joint[0]/2] += uint64(joint[0]%2)*2 - 1
	return n
}
