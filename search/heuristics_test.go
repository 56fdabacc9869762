package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/search/engine"
	"semisplit/search/internal/toys"
)

// steeredEngine is a toyEngine that traces its lanes and follows policies and
// choosers; like lanes of a net it asks at the beginning of a Step, and like the
// prover it has 32 bits for a semimove.
type steeredEngine struct {
	stallingEngine
	semimoves int // by role and level; 0: says that it does not know
	choices   []uint64
	orders    map[[2]int][]int32
	epsilon   float64
	choosers  map[[2]int]func(lanes, offers []uint64, words int, prefix []uint64, into []int32)
}

func newSteered(g toy, lanes, semimoves int, seed uint64) *steeredEngine {
	e := &steeredEngine{stallingEngine: stallingEngine{Engine: newToyEngine(g, lanes, seed)}, semimoves: semimoves}
	e.orders = map[[2]int][]int32{}
	e.choosers = map[[2]int]func([]uint64, []uint64, int, []uint64, []int32){}
	e.choices = make([]uint64, lanes*e.TraceWords())
	e.Engine.Choose = e.choose
	e.OnPlay = func(lane int, joint []uint32) {
		for i, x := range joint {
			e.choices[lane*len(joint)+i] = uint64(x) << 7
		}
	}
	return e
}

func (e *steeredEngine) Trace(bool) {}
func (e *steeredEngine) TraceWords() (n int) {
	for _, levels := range e.Game.Levels() {
		n += levels
	}
	return n
}
func (e *steeredEngine) TraceField(role, level int) (word int, shift, bits uint) {
	for _, levels := range e.Game.Levels()[:role] {
		word += levels
	}
	return word + level, 7, 32
}
func (e *steeredEngine) Choices() []uint64      { return e.choices }
func (e *steeredEngine) Semimoves(int, int) int { return e.semimoves }
func (e *steeredEngine) SetPolicy(r, l int, order []int32, epsilon float64) {
	e.orders[[2]int{r, l}], e.epsilon = slices.Clone(order), epsilon
}
func (e *steeredEngine) SetChooser(r, l int, choose func(lanes, offers []uint64, words int, prefix []uint64, into []int32)) {
	e.choosers[[2]int{r, l}] = choose
}

func (e *steeredEngine) choose(lane, role int, prefix, offers []uint32) uint32 {
	at := [2]int{role, len(prefix)}
	if choose := e.choosers[at]; choose != nil && len(offers) > 1 {
		lanes, words := make([]uint64, (e.Lanes()+63)/64), 2
		lanes[lane/64] |= 1 << (lane % 64)
		sets, before := make([]uint64, e.Lanes()*words), make([]uint64, len(e.choices))
		for _, x := range offers {
			sets[lane*words+int(x)/64] |= 1 << (x % 64)
		}
		for level, x := range prefix {
			word, shift, _ := e.TraceField(role, level)
			before[lane*e.TraceWords()+word] = uint64(x) << shift
		}
		into := make([]int32, e.Lanes())
		choose(lanes, sets, words, before, into)
		if !slices.Contains(offers, uint32(into[lane])) {
			panic("the chooser chose what is not offered")
		}
		return uint32(into[lane])
	}
	if order := e.orders[at]; order != nil && e.Rand.Float64() >= e.epsilon {
		for _, x := range order {
			if slices.Contains(offers, uint32(x)) {
				return uint32(x)
			}
		}
	}
	return offers[e.Rand.IntN(len(offers))]
}

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

var squares = &Division{Levels: []int{2}, Path: func(_ int, move uint32) []uint32 { return []uint32{move % 4, move / 4} }}

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
	tree := New([]engine.Engine{e}, g.Levels(), o)
	if err := tree.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for range 30 {
		mustSearch(t, tree, 100)
		if err := tree.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		r := mustSearch(t, tree, 100)
		total += r.Value[0]
		if err := tree.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
	}
	return total / 5
}

// Statistics that can see a pattern lead playouts to it, and those that cannot
// do not.
func TestStatisticsSeePatterns(t *testing.T) {
	for _, c := range []struct {
		name string
		game pattern
		o    Options
		sees bool
	}{
		{"split", likesTwo.halved(), Options{Mast: Mast{Kind: Split}}, true},
		{"join", likesTwo, Options{Mast: Mast{Kind: Join}}, true},
		{"split of whole moves", likesTwo, Options{Mast: Mast{Kind: Split}, Divide: squares}, true},
		{"mix of whole moves", likesTwo, Options{Mast: Mast{Kind: Mix}, Divide: squares}, true},
		{"tree only", likesTwo.halved(), Options{Mast: Mast{Kind: Split, TreeOnly: true}}, true},
		{"orthodox tree", likesTwo.halved(), Options{Mast: Mast{Kind: Split}, Whole: true}, true},
		{"rolled up", likesTwo.halved(), Options{Mast: Mast{Kind: Context}, RollUp: true}, true},
		{"decaying", likesTwo.halved(), Options{Mast: Mast{Kind: Split, Decay: DecayBatch, DecayBatch: 50}}, true},
		{"context, of a pair", likesEqual.halved(), Options{Mast: Mast{Kind: Context}}, true},
		{"mix, of a pair", likesEqual.halved(), Options{Mast: Mast{Kind: Mix}}, true},
		{"context of whole moves", likesEqual, Options{Mast: Mast{Kind: Context}, Divide: squares}, true},
		{"raw, of a pair", likesEqual.halved(), Options{Mast: Mast{Kind: Context}, Raw: true}, true},
		{"context, of two turns", likesRepeat.halved(), Options{Mast: Mast{Kind: Context}}, false},
		{"2-grams", likesRepeat.halved(), Options{Mast: Mast{Kind: Split, NGram: 2}}, true},
		{"3-grams", likesRepeat.halved(), Options{Mast: Mast{Kind: Split, NGram: 3}}, true},
		{"2-grams of whole moves", likesRepeat, Options{Mast: Mast{Kind: Join, NGram: 2}}, true},
		{"2-grams of divided moves", likesRepeat, Options{Mast: Mast{Kind: Split, NGram: 2}, Divide: squares}, true},
	} {
		for _, known := range []int{0, 1} {
			if known == 0 && testing.Short() {
				continue
			}
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
	split := playoutMean(t, likesEqual.halved(), 4, Options{Mast: Mast{Kind: Split}})
	for _, kind := range []Kind{Context, Mix} {
		if got := playoutMean(t, likesEqual.halved(), 4, Options{Mast: Mast{Kind: kind}}); got < split+0.08 {
			t.Errorf("kind %d: %.3f, split %.3f", kind, got, split)
		}
	}
}

// What was recorded adds up: a sample for each joint move of an iteration, in
// the tree or in the playout.
func TestMastCounts(t *testing.T) {
	for _, lanes := range []int{1, 64} {
		for _, o := range []Options{{Mast: Mast{Kind: Mix}}, {Mast: Mast{Kind: Mix, TreeOnly: true}}, {Mast: Mast{Kind: Mix}, RollUp: true}} {
			o.Seed = 2
			g := likesTwo.halved()
			e := newSteered(g, lanes, 4, 3)
			e.Stall = 4
			tree := New([]engine.Engine{e}, g.Levels(), o)
			if err := tree.SetRoot(g.Initial()); err != nil {
				t.Fatal(err)
			}
			mustSearch(t, tree, 1000)
			m := tree.workers[0].learner.mast
			n, sum := [3]float64{}, [2]float64{}
			for level, of := range m.split[0] {
				for _, s := range of {
					n[level] += s.n
					sum[level] += s.sum
				}
			}
			for _, s := range m.context {
				n[2] += s.n
			}
			want := 6000.0 // turns
			if o.Mast.TreeOnly {
				want = n[0]
				if want < 1000 || want > 5000 {
					t.Errorf("%g samples in the tree", want)
				}
			}
			if n != [3]float64{want, want, 2 * want} || math.Abs(sum[0]-sum[1]) > 1e-6 {
				t.Errorf("%d lanes, %+v: samples %v, sums %v", lanes, o.Mast, n, sum)
			}
			if v := tree.value()[0]; !o.Mast.TreeOnly && math.Abs(sum[0]/n[0]-v) > 1e-6 {
				t.Errorf("mean of the samples %g, of the iterations %g", sum[0]/n[0], v)
			}
		}
	}
}

// The AMAF statistics of the root's edges are what counting by definition
// gives, iteration by iteration.
func TestRaveCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		game pattern
		o    Options
	}{
		{"split", likesTwo.halved(), Options{Rave: Rave{Kind: Split}}},
		{"context", likesTwo.halved(), Options{Rave: Rave{Kind: Context}}},
		{"mix", likesEqual.halved(), Options{Rave: Rave{Kind: Mix}}},
		{"join", likesTwo, Options{Rave: Rave{Kind: Join}}},
		{"orthodox tree", likesTwo.halved(), Options{Rave: Rave{Kind: Join}, Whole: true}},
		{"divided", likesTwo, Options{Rave: Rave{Kind: Mix}, Divide: squares}},
		{"rolled up", likesTwo.halved(), Options{Rave: Rave{Kind: Context}, RollUp: true}},
	} {
		c.o.Seed = 3
		e := newSteered(c.game, 1, 0, 3)
		tree := New([]engine.Engine{e}, c.game.Levels(), c.o)
		if err := tree.SetRoot(c.game.Initial()); err != nil {
			t.Fatal(err)
		}
		want := map[uint32]amaf{} // by edge of the root's tries
		w := tree.workers[0]
		for range 600 {
			before := tree.RootVisits()
			mustSearch(t, tree, 1)
			if tree.RootVisits() != before+1 {
				t.Fatal("no iteration")
			}
			recount(tree, want, w.learner.joints, w.learner.stride, w.goals)
		}
		for id, a := range want {
			got := tree.amafs.At(id >> placeBits)[id&placeMask]
			if math.Abs(got.split.n-a.split.n)+math.Abs(got.context.n-a.context.n) > 0 ||
				math.Abs(got.split.sum-a.split.sum)+math.Abs(got.context.sum-a.context.sum) > 1e-6 {
				t.Errorf("%s: edge %x has %+v, want %+v", c.name, id, got, a)
			}
		}
		if best, _ := tree.Best(0); len(best) == 0 {
			t.Errorf("%s: no best move", c.name)
		}
	}
}

// recount adds an iteration to the AMAF statistics of the root, from its joint
// moves and goals.
func recount(t *Tree, want map[uint32]amaf, joints []uint32, stride int, _ []float64) {
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
	shape := &t.shapes[0]
	var visit func(trie uint32, prefix []uint32)
	visit = func(trie uint32, prefix []uint32) {
		t.edgesOf(trie, func(id uint32, e *edge) bool {
			labels := append(slices.Clone(prefix), e.semimove)
			space := labels
			if len(labels) == shape.levels {
				space = shape.appendSpace(nil, shape.appendPath(nil, labels))
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
				if split && kind != Context && kind != Join && shape.whole == nil {
					a.split.add(goal)
				}
				if context && kind != Split {
					a.context.add(goal)
				}
			}
			want[id] = a
			if len(labels) < shape.levels {
				visit(e.child, labels)
			}
			return true
		})
	}
	visit(t.tries(t.root)[0], nil)
}

// recountLikes says whether the last turn was liked, by the game of the tree.
func recountLikes(t *Tree, s []uint64) float64 {
	g := t.workers[0].engine.(*steeredEngine).Game.(pattern)
	if g.likes([]uint64{s[0] - 1, 0, 9, 9}, s[2], s[3]) {
		return 1
	}
	return 0
}

// With RAVE and few iterations a move that is good whenever it is played is
// found earlier.
func TestRaveFindsEarlier(t *testing.T) {
	found := map[Kind]int{}
	for _, kind := range []Kind{None, Join} {
		for seed := range uint64(300) {
			e := newSteered(likesTwo, 1, 0, seed)
			o := Options{Seed: seed, Rave: Rave{Kind: kind}, Exploration: 0.2}
			tree := New([]engine.Engine{e}, likesTwo.Levels(), o)
			if err := tree.SetRoot(likesTwo.Initial()); err != nil {
				t.Fatal(err)
			}
			mustSearch(t, tree, 20)
			if best, _ := tree.Best(0); best[0]/4 == 2 && best[0]%4 != 0 {
				found[kind]++
			}
		}
	}
	if found[Join] < found[None]+15 {
		t.Errorf("found in 300 searches: %v", found)
	}
}

// Heuristics change no tactics, and leave trees whole, whatever the design.
func TestDesignsWithHeuristics(t *testing.T) {
	masts := []Mast{{}, {Kind: Split}, {Kind: Context}, {Kind: Mix, Decay: DecaySimulation, DecayFactor: 0.9}, {Kind: Split, NGram: 3}}
	raves := []Rave{{}, {Kind: Split}, {Kind: Context}, {Kind: Mix}}
	for _, i := range someDesigns() {
		d := designs[i]
		for k, mast := range masts {
			rave := raves[(i+k)%len(raves)]
			t.Run(fmt.Sprintf("%s,mast=%v%d,rave=%v", d.name, mast.Kind, mast.NGram, rave.Kind), func(t *testing.T) {
				for n, c := range tactics {
					g := d.game(toys.TicTacToe{Start: c.start})
					lanes, threads := []int{1, 64}[n%2], 1+n/2%2
					o := d.o
					o.Seed, o.Mast, o.Rave = 1, mast, rave
					var engines []engine.Engine
					for k := range threads {
						engines = append(engines, newSteered(g, lanes, 10*(n/2%2), uint64(k)))
					}
					tree := New(engines, g.Levels(), o)
					if err := tree.SetRoot(g.Initial()); err != nil {
						t.Fatal(err)
					}
					mustSearch(t, tree, 1500)
					wantBest(t, tree, c.role, d.path(c.best)...)
				}
			})
		}
	}
}

func TestPositions(t *testing.T) {
	p := newPositions(2)
	seen := map[uint32]bool{}
	for round := range 2 {
		for role := range uint32(2) {
			for a := range uint32(30) {
				at := p.add(role+1, a)
				for b := range uint32(30) {
					n := p.add(at, b*1000)
					if round == 0 && (seen[n] || n == 0) || p.find(p.find(role+1, a), b*1000) != n {
						t.Fatalf("position %d of %d %d %d", n, role, a, b)
					}
					seen[n] = true
				}
			}
		}
	}
	if p.find(1, 31) != 0 || p.find(0, 1) != 0 || p.add(0, 1) != 0 {
		t.Error("a position out of nowhere")
	}
	p.limit = p.used
	if p.add(1, 31) != 0 {
		t.Error("more positions than the limit")
	}
}

func TestGrams(t *testing.T) {
	g := newGrams()
	rng := rand.New(rand.NewPCG(1, 2))
	want := map[uint64]float64{}
	for range 20_000 {
		key := uint64(rng.IntN(5000))*2 + 1
		g.at(key << 20).add(1)
		want[key]++
	}
	for key, n := range want {
		if s := g.find(key << 20); s == nil || s.n != n {
			t.Fatalf("key %d: %+v, want %g", key, s, n)
		}
	}
	if g.find(7) != nil {
		t.Error("a sequence that was never met")
	}
}

// prefer swaps without losing a semimove.
func TestPrefer(t *testing.T) {
	for n := 3; n < 60; n++ {
		tree := toyTree(toys.TicTacToe{}, 1, 1, Options{})
		var semimoves []uint32
		for i := range uint32(n) {
			semimoves = append(semimoves, i*7)
		}
		trie, ok := tree.newTrie(semimoves, true)
		if !ok {
			t.Fatal("no memory")
		}
		got := []uint32{0}
		for range n - 1 {
			tree.prefer(trie, func(x uint32) float64 { return float64((x * 31) % 97) })
			got = append(got, tree.edge(tree.open(trie, true)).semimove)
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
