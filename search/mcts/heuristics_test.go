package mcts

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"semisplit/search/encoding"
	"semisplit/search/internal/toys"
	"semisplit/search/selection"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// pattern is a game for one: in each of six turns it chooses two of four
// semimoves, and gets the share of turns that the rule likes.
type pattern struct {
	likes func(s []uint64, a, b uint64) bool // s: turn, turns liked, a and b of the last turn
	split bool
}

func (p pattern) Levels() []int {
	if p.split {
		return []int{2}
	}
	return []int{1}
}
func (pattern) Initial() []uint64          { return []uint64{0, 0, 9, 9} }
func (pattern) Terminal(s []uint64) bool   { return s[0] == 6 }
func (pattern) Goals(s []uint64) []float64 { return []float64{float64(s[1]) / 6} }
func (p pattern) Offers(_ []uint64, _ int, prefix []uint32) []uint32 {
	n := uint32(16)
	if p.split {
		n = 4
	}
	var all []uint32
	for i := range n {
		all = append(all, i)
	}
	return all
}
func (p pattern) Play(s []uint64, joint []uint32) []uint64 {
	a, b := uint64(joint[0])%4, uint64(joint[0])/4
	if p.split {
		b = uint64(joint[1])
	}
	next := []uint64{s[0] + 1, s[1], a, b}
	if p.likes(s, a, b) {
		next[1]++
	}
	return next
}

var squares = &encoding.Division{Levels: []int{2}, Path: func(_ int, move uint32) []uint32 { return []uint32{move % 4, move / 4} }}

var (
	likesTwo    = pattern{likes: func(_ []uint64, a, b uint64) bool { return b == 2 && a != 0 }}
	likesEqual  = pattern{likes: func(_ []uint64, a, b uint64) bool { return a == b }}
	likesRepeat = pattern{likes: func(s []uint64, a, _ uint64) bool { return s[0] > 0 && s[2] == (a+1)%4 }}
)

func (p pattern) halved() pattern { p.split = true; return p }

// playoutMean is what playouts reach from the first position, when the tree
// cannot help: it stays at its root.
func playoutMean(t *testing.T, g toy, semimoves int, o Options) float64 {
	t.Helper()
	e := newSteered(g, 64, semimoves, 5)
	o.Seed = 5
	mc := newSearcher(e, g.Levels(), usual(o), 0)
	if err := mc.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for range 30 {
		mustSearch(t, mc, 100)
		if err := mc.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		r := mustSearch(t, mc, 100)
		total += r.Value[0]
		if err := mc.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
	}
	return total / 5
}

// Statistics that can see a pattern lead playouts to it, and those that cannot
// do not.
func TestStatisticsSeePatterns(t *testing.T) {
	oneThread(t)
	for _, c := range []struct {
		name string
		game pattern
		o    Options
		sees bool
	}{
		{"split", likesTwo.halved(), Options{Mast: stats.Mast{Kind: stats.Split}}, true},
		{"join", likesTwo, Options{Mast: stats.Mast{Kind: stats.Join}}, true},
		{"split of whole moves", likesTwo, Options{Mast: stats.Mast{Kind: stats.Split}, Divide: squares}, true},
		{"mix of whole moves", likesTwo, Options{Mast: stats.Mast{Kind: stats.Mix}, Divide: squares}, true},
		{"orthodox tree", likesTwo.halved(), Options{Mast: stats.Mast{Kind: stats.Split}, Whole: true}, true},
		{"rolled up", likesTwo.halved(), Options{Mast: stats.Mast{Kind: stats.Context}, Backup: rolledUp}, true},
		{"decaying", likesTwo.halved(), Options{Mast: stats.Mast{Kind: stats.Split, Decay: stats.DecaySimulation, DecayFactor: 0.9}}, true},
		{"context, of a pair", likesEqual.halved(), Options{Mast: stats.Mast{Kind: stats.Context}}, true},
		{"mix, of a pair", likesEqual.halved(), Options{Mast: stats.Mast{Kind: stats.Mix}}, true},
		{"context of whole moves", likesEqual, Options{Mast: stats.Mast{Kind: stats.Context}, Divide: squares}, true},
		{"raw, of a pair", likesEqual.halved(), Options{Mast: stats.Mast{Kind: stats.Context}, Raw: true}, true},
		{"context, of two turns", likesRepeat.halved(), Options{Mast: stats.Mast{Kind: stats.Context}}, false},
		{"2-grams", likesRepeat.halved(), Options{Mast: stats.Mast{Kind: stats.Split, Beside: stats.Beside{NGram: 2}}}, true},
		{"3-grams", likesRepeat.halved(), Options{Mast: stats.Mast{Kind: stats.Split, Beside: stats.Beside{NGram: 3}}}, true},
		{"2-grams of whole moves", likesRepeat, Options{Mast: stats.Mast{Kind: stats.Join, Beside: stats.Beside{NGram: 2}}}, true},
		{"2-grams of divided moves", likesRepeat, Options{Mast: stats.Mast{Kind: stats.Split, Beside: stats.Beside{NGram: 2}}, Divide: squares}, true},
	} {
		for _, known := range []int{0, 1} {
			semimoves := known * 16
			if c.game.split {
				semimoves = known * 4
			}
			uniform := playoutMean(t, c.game, semimoves, Options{})
			got := playoutMean(t, c.game, semimoves, c.o)
			if more := got - uniform; c.sees && more < 0.1 || !c.sees && math.Abs(more) > 0.08 {
				t.Errorf("%s (%d semimoves known): %.3f, uniform %.3f", c.name, semimoves, got, uniform)
			}
		}
	}
}

// A pair is seen by its context; semimove by semimove, playouts can at best
// agree on one pair.
func TestContextSeesMoreThanSplit(t *testing.T) {
	oneThread(t)
	split := playoutMean(t, likesEqual.halved(), 4, Options{Mast: stats.Mast{Kind: stats.Split}})
	for _, kind := range []stats.Kind{stats.Context, stats.Mix} {
		if got := playoutMean(t, likesEqual.halved(), 4, Options{Mast: stats.Mast{Kind: kind}}); got < split+0.08 {
			t.Errorf("kind %d: %.3f, split %.3f", kind, got, split)
		}
	}
}

// What was recorded adds up: a sample for each joint move of an iteration, in
// the tree or in the playout.
func TestMastCounts(t *testing.T) {
	oneThread(t)
	for _, lanes := range []int{1, 64} {
		for _, o := range []Options{{Mast: stats.Mast{Kind: stats.Mix}}, {Mast: stats.Mast{Kind: stats.Mix}, Backup: rolledUp}} {
			o.Seed = 2
			g := likesTwo.halved()
			e := newSteered(g, lanes, 4, 3)
			e.Stall = 4
			mc := newSearcher(e, g.Levels(), usual(o), 0)
			if err := mc.SetRoot(g.Initial()); err != nil {
				t.Fatal(err)
			}
			mustSearch(t, mc, 1000)
			m := mc.worker.flight.learner.Mast
			n, sum := [3]float64{}, [2]float64{}
			for level, of := range m.Split[0] {
				for _, s := range of {
					n[level] += s.N
					sum[level] += s.Sum
				}
			}
			for _, s := range m.Context {
				n[2] += s.N
			}
			const want = 6000.0 // turns
			if n != [3]float64{want, want, 2 * want} || math.Abs(sum[0]-sum[1]) > 1e-6 {
				t.Errorf("%d lanes, %+v: samples %v, sums %v", lanes, o.Mast, n, sum)
			}
			if v := mc.value()[0]; math.Abs(sum[0]/n[0]-v) > 1e-6 {
				t.Errorf("mean of the samples %g, of the iterations %g", sum[0]/n[0], v)
			}
		}
	}
}

// The AMAF statistics of the root's edges are what counting by definition
// gives, iteration by iteration.
func TestRaveCounts(t *testing.T) {
	oneThread(t)
	for _, c := range []struct {
		name string
		game pattern
		o    Options
	}{
		{"split", likesTwo.halved(), Options{Rave: stats.Rave{Kind: stats.Split}}},
		{"context", likesTwo.halved(), Options{Rave: stats.Rave{Kind: stats.Context}}},
		{"mix", likesEqual.halved(), Options{Rave: stats.Rave{Kind: stats.Mix}}},
		{"join", likesTwo, Options{Rave: stats.Rave{Kind: stats.Join}}},
		{"orthodox tree", likesTwo.halved(), Options{Rave: stats.Rave{Kind: stats.Join}, Whole: true}},
		{"divided", likesTwo, Options{Rave: stats.Rave{Kind: stats.Mix}, Divide: squares}},
		{"rolled up", likesTwo.halved(), Options{Rave: stats.Rave{Kind: stats.Context}, Backup: rolledUp}},
	} {
		c.o.Seed = 3
		e := newSteered(c.game, 1, 0, 3)
		mc := newSearcher(e, c.game.Levels(), usual(c.o), 0)
		if err := mc.SetRoot(c.game.Initial()); err != nil {
			t.Fatal(err)
		}
		want := map[uint32]stats.Amaf{} // by edge of the root's tries
		w := mc.worker
		for range 600 {
			before := mc.RootVisits()
			mustSearch(t, mc, 1)
			if mc.RootVisits() != before+1 {
				t.Fatal("no iteration")
			}
			recount(mc, want, w.flight.learner.Joints, w.flight.learner.Stride, nil)
		}
		for id, a := range want {
			got := mc.rave.Of(id)
			if math.Abs(got.Split.N-a.Split.N)+math.Abs(got.Context.N-a.Context.N) > 0 ||
				math.Abs(got.Split.Sum-a.Split.Sum)+math.Abs(got.Context.Sum-a.Context.Sum) > 1e-6 {
				t.Errorf("%s: edge %x has %+v, want %+v", c.name, id, got, a)
			}
		}
		if best, _ := mc.Best(0); len(best) == 0 {
			t.Errorf("%s: no best move", c.name)
		}
	}
}

// recount adds an iteration to the AMAF statistics of the root, from its joint
// moves and goals.
func recount(t *searcher, want map[uint32]stats.Amaf, joints []uint32, stride int, _ []float64) {
	liked := 0.0
	s := pattern{}.Initial()
	for i := 0; i+stride <= len(joints); i += stride {
		a, b := uint64(joints[i])%4, uint64(joints[i])/4
		if stride == 2 {
			a, b = uint64(joints[i]), uint64(joints[i+1])
		}
		s = []uint64{s[0] + 1, 0, a, b}
		liked += recountLikes(t, s)
	}
	goal := liked / 6
	kind := t.options.Rave.Kind
	shape := &t.encodings[0]
	var visit func(trie uint32, prefix []uint32)
	visit = func(trie uint32, prefix []uint32) {
		t.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
			labels := append(slices.Clone(prefix), e.Semimove)
			space := labels
			if len(labels) == shape.Levels {
				space = shape.AppendFinest(nil, shape.AppendPath(nil, labels))
			}
			a := want[id]
			split, context := false, false
			for i := 0; i+stride <= len(joints); i += stride {
				// A prefix of the move: the AMAF of a deeper trie node counts
				// only iterations that went through it.
				joint := joints[i : i+stride]
				split = split || joint[len(space)-1] == space[len(space)-1]
				context = context || slices.Equal(joint[:len(space)], space)
			}
			if through := slices.Equal(joints[:len(prefix)], prefix); through {
				if split && kind != stats.Context && kind != stats.Join && shape.Whole == nil {
					a.Split.Add(goal)
				}
				if context && kind != stats.Split {
					a.Context.Add(goal)
				}
			}
			want[id] = a
			if len(labels) < shape.Levels {
				visit(e.Child, labels)
			}
			return true
		})
	}
	visit(t.tree.Tries(t.tree.Root)[0], nil)
}

// recountLikes says whether the last turn was liked, by the game of the tree.
func recountLikes(t *searcher, s []uint64) float64 {
	g := t.worker.engine.(*steeredEngine).Game.(pattern)
	if g.likes([]uint64{s[0] - 1, 0, 9, 9}, s[2], s[3]) {
		return 1
	}
	return 0
}

// With RAVE and few iterations a move that is good whenever it is played is
// found earlier.
func TestRaveFindsEarlier(t *testing.T) {
	oneThread(t)
	found := map[stats.Kind]int{}
	for _, kind := range []stats.Kind{stats.None, stats.Join} {
		for seed := range uint64(300) {
			e := newSteered(likesTwo, 1, 0, seed)
			o := Options{Seed: seed, Rave: stats.Rave{Kind: kind}, Selection: selection.Options{Exploration: 0.2}}
			mc := newSearcher(e, likesTwo.Levels(), usual(o), 0)
			if err := mc.SetRoot(likesTwo.Initial()); err != nil {
				t.Fatal(err)
			}
			mustSearch(t, mc, 20)
			if best, _ := mc.Best(0); best[0]/4 == 2 && best[0]%4 != 0 {
				found[kind]++
			}
		}
	}
	if found[stats.Join] < found[stats.None]+15 {
		t.Errorf("found in 300 searches: %v", found)
	}
}

// Heuristics change no tactics, and leave trees whole, whatever the design.
func TestDesignsWithHeuristics(t *testing.T) {
	oneThread(t)
	masts := []stats.Mast{{}, {Kind: stats.Split}, {Kind: stats.Context}, {Kind: stats.Mix, Decay: stats.DecaySimulation, DecayFactor: 0.9}, {Kind: stats.Split, Beside: stats.Beside{NGram: 3}}}
	raves := []stats.Rave{{}, {Kind: stats.Split}, {Kind: stats.Context}, {Kind: stats.Mix}}
	for i, d := range designs {
		for k, mast := range masts {
			rave := raves[(i+k)%len(raves)]
			t.Run(fmt.Sprintf("%s,mast=%v%d,rave=%v", d.name, mast.Kind, mast.NGram, rave.Kind), func(t *testing.T) {
				o := d.o
				o.Mast, o.Rave = mast, rave
				wantTactics(t, d, o)
			})
		}
	}
}

// wantTactics searches each of the tactics in a design, and wants its best move.
func wantTactics(t *testing.T, d design, o Options) {
	t.Helper()
	o.Seed = 1
	for n, c := range tactics {
		g := d.game(toys.TicTacToe{Start: c.start})
		lanes := []int{1, 64}[n%2]
		mc := newSearcher(newSteered(g, lanes, 10*(n/2%2), 0), g.Levels(), usual(o), 0)
		if err := mc.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		if o.Solver { // which may end the search before
			mustSearchOn(t, mc, 1500)
		} else {
			mustSearch(t, mc, 1500)
		}
		wantBest(t, mc, c.role, d.path(c.best)...)
	}
}

// prefer swaps without losing a semimove.
func TestPrefer(t *testing.T) {
	oneThread(t)
	for n := 3; n < 60; n++ {
		mc := toyTree(toys.TicTacToe{}, 1, Options{})
		var semimoves []uint32
		for i := range uint32(n) {
			semimoves = append(semimoves, i*7)
		}
		trie, ok := mc.tree.Edges.NewTrie(semimoves, true)
		if !ok {
			t.Fatal("no memory")
		}
		got := []uint32{0}
		for range n - 1 {
			mc.tree.Edges.Prefer(trie, func(x uint32) float64 { return float64((x * 31) % 97) })
			got = append(got, mc.tree.Edges.Edge(mc.tree.Edges.Open(trie, true)).Semimove)
		}
		for i := 2; i < n; i++ {
			if got[i]*31%97 > got[i-1]*31%97 {
				t.Fatalf("%d semimoves are tried in the order %v", n, got)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, semimoves) {
			t.Fatalf("%v instead of %v", got, semimoves)
		}
	}
}
