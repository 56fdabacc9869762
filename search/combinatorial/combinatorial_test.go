package combinatorial

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/search"
	"semisplit/search/combinatorial/cmab"
	"semisplit/search/engine"
	"semisplit/search/internal/toys"
)

// variants are searches of all kinds, by name.
var variants = map[string]Options{
	"HE":             {Method: Hierarchical},
	"HE,R":           {Method: Hierarchical, Order: OrderRandom, Completion: CompleteMAST},
	"HE,K":           {Method: Hierarchical, Order: OrderKnowledge, Completion: CompleteRAVE},
	"HE guided":      {Method: Hierarchical, Guided: 0.5, Completion: CompleteRAVE},
	"DE":             {Method: Dimensional, Completion: CompleteRAVE},
	"DE, apart":      {Method: Dimensional, Apart: true},
	"naive":          {Method: Naive},
	"naive, root":    {Method: Naive, RootOnly: true},
	"LSI, facets":    {Method: Linear},
	"LSI, vertices":  {Method: Linear, Side: SideVertices},
	"whole":          {Method: Whole},
	"advice is used": {Method: Hierarchical, Completion: CompleteAdvice, Advise: func(_ []uint64, _ int, dst []uint32) { clear(dst) }},
}

// Every method finds the best of all moves of a small bandit, told by trying them all.
func TestFindsTheBest(t *testing.T) {
	for name, o := range variants {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(8) {
				found := cmab.Published(3, 4)
				found.NonLinear = float64(seed%3) / 2
				m := cmab.New(found, seed)
				e := cmab.NewEngine(m, seed)
				s := New([]engine.Engine{e}, e.Levels(), o)
				move := searched(t, s, cmab.Initial(), 8000)
				if v := m.Value(move); v < worthOfSecond(m, found) {
					t.Errorf("seed %d: %v is worth %v", seed, move, v)
				}
			}
		})
	}
}

// worthOfSecond is what a move must be worth: noise may hide the difference between the
// two best ones.
func worthOfSecond(m *cmab.Model, o cmab.Options) float64 {
	best, second := 0.0, 0.0
	move := make([]uint32, o.Bandits)
	for i := range o.Arms * o.Arms * o.Arms {
		move[0], move[1], move[2] = uint32(i%o.Arms), uint32(i/o.Arms%o.Arms), uint32(i/o.Arms/o.Arms)
		if v := m.Value(move); v > best {
			best, second = v, best
		} else if v > second {
			second = v
		}
	}
	return second * (1 - 1e-9)
}

func searched(t *testing.T, s *Search, state []uint64, iterations int) []uint32 {
	t.Helper()
	if err := s.SetRoot(state); err != nil {
		t.Fatal(err)
	}
	r, err := s.Search(nil, search.Budget{Iterations: iterations})
	if err != nil || r.Iterations != iterations {
		t.Fatalf("%d iterations of %d, error %v", r.Iterations, iterations, err)
	}
	move, ok := s.Best(0)
	if !ok {
		t.Fatal("no move is recommended")
	}
	return move
}

// Two bandits of two arms by hand. There are 9 partial moves; the empty one has two
// dimensions to go on with. If orders are kept apart, each of the 2 dimensions has its 2
// values, and each of these the 2 of the other.
func TestPartialMovesAreShared(t *testing.T) {
	m := cmab.New(cmab.Published(2, 2), 1)
	for _, c := range []struct {
		o    Options
		want int
	}{
		{Options{Method: Hierarchical}, 1 + 2 + 4},
		{Options{Method: Dimensional}, 9 + 2},
		{Options{Method: Dimensional, Apart: true}, 1 + 2 + 4 + 8},
	} {
		e := cmab.NewEngine(m, 1)
		s := New([]engine.Engine{e}, e.Levels(), c.o)
		searched(t, s, cmab.Initial(), 2000)
		if n := s.graph.parts.Len(); n != c.want {
			t.Errorf("%+v: %d parts, by hand %d", c.o, n, c.want)
		}
		visits := 0
		for _, edge := range s.graph.edges[:s.graph.parts.At(s.choices[0].root).count] {
			visits += int(s.graph.parts.At(edge.part).visits)
		}
		if root := int(s.graph.parts.At(s.choices[0].root).visits); root != 2000 || visits < root-1 {
			t.Errorf("%+v: the root has %d visits, what follows it %d", c.o, root, visits)
		}
	}
}

// single is a game of one move, whose second dimension has one value only.
type single struct{}

func (single) Levels() []int              { return []int{2} }
func (single) Initial() []uint64          { return []uint64{0} }
func (single) Terminal(s []uint64) bool   { return s[0] > 0 }
func (single) Goals(s []uint64) []float64 { return []float64{float64(s[0]) / 8} }

func (single) Offers(_ []uint64, _ int, prefix []uint32) []uint32 {
	if len(prefix) == 1 {
		return []uint32{7}
	}
	return []uint32{1, 2, 3, 4, 5, 6}
}

func (single) Play(_ []uint64, joint []uint32) []uint64 { return []uint64{uint64(joint[0])} }

// With one dimension that matters, hierarchical expansion is what a search of whole moves
// is: both go to the same arms as often.
func TestOneDimension(t *testing.T) {
	visits := map[Method][]search.EdgeStats{}
	for _, method := range []Method{Hierarchical, Whole} {
		s := New([]engine.Engine{toys.NewEngine(single{}, 1, 3)}, single{}.Levels(), Options{Method: method})
		searched(t, s, single{}.Initial(), 4000)
		visits[method] = s.RootEdges(0)
	}
	for i, x := range visits[Hierarchical] {
		if y := visits[Whole][i]; x.Visits < y.Visits-2 || x.Visits > y.Visits+2 || x.Visits < 5 {
			t.Errorf("arm %d: %d visits, of whole moves %d", i, x.Visits, y.Visits)
		}
	}
}

// Games whose moves have one dimension are refused, but for a search of whole moves.
func TestRefusesOneDimension(t *testing.T) {
	e := cmab.NewEngine(cmab.New(cmab.Published(1, 3), 1), 1)
	for _, method := range []Method{Hierarchical, Dimensional, Naive, Linear, Whole} {
		s := New([]engine.Engine{e}, e.Levels(), Options{Method: method})
		if err := s.SetRoot(cmab.Initial()); errors.Is(err, ErrDimensions) != (method != Whole) {
			t.Errorf("method %d: %v", method, err)
		}
	}
}

// A quarter of the samples measures values, each as often as another; the rest halves the
// candidates down to one, and no more samples are taken than were asked for.
func TestLinearDividesTheBudget(t *testing.T) {
	m := cmab.New(cmab.Published(6, 5), 2)
	e := cmab.NewEngine(m, 2)
	s := New([]engine.Engine{e}, e.Levels(), Options{Method: Linear})
	searched(t, s, cmab.Initial(), 6000)
	l := &s.choices[0].linear
	measured := 0
	for _, w := range l.weights {
		measured += int(w.visits)
		if w.visits != 50 {
			t.Errorf("a value was measured %d times", w.visits)
		}
	}
	if measured != 1500 {
		t.Errorf("%d samples measure values", measured)
	}
	if len(l.candidates) > 2 { // the last halving is that of the recommendation
		t.Errorf("%d of %d candidates are left", len(l.candidates), len(s.choices[0].tried))
	}
	most := 0
	for _, n := range s.choices[0].tried {
		most = max(most, int(s.album.combinations.At(n).visits))
	}
	if best := s.album.combinations.At(l.candidates[0]).visits; int(best) != most {
		t.Errorf("the last candidate has %d samples, another %d", best, most)
	}
}

// Moves that an earlier cycle has drawn are candidates of a later one as well, however many
// it wants.
func TestLinearDrawsAgain(t *testing.T) {
	m := cmab.New(cmab.Published(3, 4), 2)
	e := cmab.NewEngine(m, 2)
	s := New([]engine.Engine{e}, e.Levels(), Options{Method: Linear})
	searched(t, s, cmab.Initial(), 40_000)
	best := s.choices[0].linear.best(s)
	if _, err := s.Search(nil, search.Budget{Iterations: 40_000}); err != nil {
		t.Fatal(err)
	}
	if again := s.choices[0].linear.best(s); best == 0 || again != best {
		t.Errorf("move %d is the best at first, then %d", best, again)
	}
}

// coins are a bandit whose values are probabilities of a win, and stop after so many samples.
type coins struct {
	*cmab.Engine
	rng  *rand.Rand
	left int
}

func (e *coins) Step(stop *atomic.Bool) ([]uint64, error) {
	if e.left--; e.left == 0 {
		stop.Store(true)
	}
	return e.Engine.Step(stop)
}

func (e *coins) Goals(lane int, dst []float64) {
	if e.Engine.Goals(lane, dst); e.rng.Float64() < dst[0] {
		dst[0] = 1
	} else {
		dst[0] = 0
	}
}

// A cycle that is cut off does not change the recommendation of those before, whatever a few
// samples say.
func TestLinearIsCutOff(t *testing.T) {
	for _, left := range []int{20, 300, 400} {
		m := cmab.New(cmab.Published(6, 5), 1)
		e := &coins{Engine: cmab.NewEngine(m, 1), rng: rand.New(rand.NewPCG(1, 2))}
		s := New([]engine.Engine{e}, e.Levels(), Options{Method: Linear})
		searched(t, s, cmab.Initial(), 1000)
		before, _ := s.Best(0)
		e.left = left
		if r, err := s.Search(nil, search.Budget{Iterations: 1000}); err != nil || r.Iterations > left {
			t.Fatalf("%d iterations, error %v", r.Iterations, err)
		}
		if after, _ := s.Best(0); !slices.Equal(after, before) {
			t.Errorf("after %d samples more %v is recommended, not %v", left, after, before)
		}
	}
}

// duel is a game of three rounds for two: each deals up to four units to three fields at
// once, the first not more than two, and has the fields with more of its own. Its moves are
// no product of their dimensions.
type duel struct{}

func (duel) Levels() []int            { return []int{3, 3} }
func (duel) Initial() []uint64        { return []uint64{0, 100} }
func (duel) Terminal(s []uint64) bool { return s[0] == 3 }
func (duel) Goals(s []uint64) []float64 {
	x := (float64(s[1]) - 91) / 18
	return []float64{x, 1 - x}
}

func (duel) Offers(_ []uint64, _ int, prefix []uint32) (all []uint32) {
	left := uint32(4)
	for _, x := range prefix {
		left -= x
	}
	switch len(prefix) {
	case 0:
		left = min(left, 2)
	case 2:
		return []uint32{left}
	}
	for x := range left + 1 {
		all = append(all, x)
	}
	return all
}

func (duel) Play(s []uint64, joint []uint32) []uint64 {
	score := s[1]
	for i, x := range joint[:3] {
		switch y := joint[3+i]; {
		case x > y:
			score++
		case x < y:
			score--
		}
	}
	return []uint64{s[0] + 1, score}
}

// All methods play legal moves only (the engine panics otherwise), in many lanes, with and
// without memory, and recommend a legal one.
func TestMovesAreLegal(t *testing.T) {
	for name, o := range variants {
		for _, memory := range []int64{0, 1, 20000} {
			t.Run(fmt.Sprint(name, " ", memory), func(t *testing.T) {
				o.Memory = memory
				e := toys.NewEngine(duel{}, 64, 5)
				s := New([]engine.Engine{e}, duel{}.Levels(), o)
				searched(t, s, duel{}.Initial(), 3000)
				joint := append([]uint32(nil), s.line()[0]...)
				e.Load(0, duel{}.Initial(), joint) // panics if it is illegal
				for i := range s.flights {
					e.Unload(i)
				}
				if memory == 20000 && s.bytes() > memory+1<<16 { // what is kept grows by pages
					t.Errorf("%d bytes are kept", s.bytes())
				}
			})
		}
	}
}

// wide is a game of one move with 4,032, others in each state.
type wide struct{}

func (wide) Levels() []int              { return []int{2} }
func (wide) Initial() []uint64          { return []uint64{0} }
func (wide) Terminal(s []uint64) bool   { return s[0] >= 1<<32 }
func (wide) Goals(s []uint64) []float64 { return []float64{float64(s[0]%64) / 64} }

func (wide) Offers(s []uint64, _ int, prefix []uint32) (all []uint32) {
	for x := range uint32(64) {
		if len(prefix) == 0 || x != (prefix[0]+uint32(s[0]))%64 {
			all = append(all, x)
		}
	}
	return all
}

func (wide) Play(_ []uint64, joint []uint32) []uint64 { return []uint64{1<<32 + uint64(joint[0])} }

// What is kept of the roots before is within the memory, and leaves room.
func TestSpacesOfRootsBefore(t *testing.T) {
	const memory = 1 << 20
	s := New([]engine.Engine{toys.NewEngine(wide{}, 4, 1)}, wide{}.Levels(), Options{Memory: memory})
	for root := range uint64(40) {
		if err := s.SetRoot([]uint64{root}); err != nil {
			t.Fatal(err)
		}
		if kept := s.library.bytes(); kept > memory || kept > s.bytes() || !s.hasRoom() {
			t.Fatalf("root %d: %d bytes of spaces are kept, of %d in all", root, kept, s.bytes())
		}
	}
}

// fan is a game whose first move leads to one of 64 states, each with 4,032 moves of its own.
type fan struct{ wide }

func (g fan) Offers(s []uint64, role int, prefix []uint32) []uint32 {
	if s[0] > 0 {
		return g.wide.Offers(s, role, prefix)
	}
	return []uint32{0, 1, 2, 3, 4, 5, 6, 7}
}

func (g fan) Play(s []uint64, joint []uint32) []uint64 {
	if s[0] > 0 {
		return g.wide.Play(s, joint)
	}
	return []uint64{1 + uint64(joint[0]*8+joint[1])}
}

// Lanes that come to new states together make no more nodes than there is memory for.
func TestNodesOfAStepHaveRoom(t *testing.T) {
	const memory = 1 << 20
	s := New([]engine.Engine{toys.NewEngine(fan{}, 64, 1)}, fan{}.Levels(), Options{Method: Naive, Memory: memory, Explore: 0.99})
	searched(t, s, fan{}.Initial(), 2000)
	if most := int64(memory + 1<<18); s.bytes() > most || len(s.nodes) < 2 {
		t.Errorf("%d bytes are kept of %d states", s.bytes(), len(s.nodes))
	}
}

// Partial moves of different choices, or with different values, are different.
func TestKeysDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for choice := range uint32(40) {
		for d := range int32(3) {
			for v := range int32(90) {
				for w := range int32(4) {
					key, name := base(choice)^valueKey(d, v)^valueKey(d+1, w), fmt.Sprint(choice, d, v, w)
					if before, ok := seen[key]; ok {
						t.Fatalf("%s has the key of %s", name, before)
					}
					seen[key] = name
				}
			}
		}
	}
}

// An engine that fails, or is stopped, ends a search, and what was in flight is taken back:
// all visits have results.
func TestFailureLeavesNothingInFlight(t *testing.T) {
	broken := errors.New("broken")
	for name, o := range variants {
		t.Run(name, func(t *testing.T) {
			e := toys.NewEngine(duel{}, 16, 5)
			s := New([]engine.Engine{e}, duel{}.Levels(), o)
			if err := s.SetRoot(duel{}.Initial()); err != nil {
				t.Fatal(err)
			}
			steps := 0
			e.OnStep = func(*toys.Engine, *atomic.Bool) error {
				if steps++; steps == 30 {
					return broken
				}
				return nil
			}
			r, err := s.Search(nil, search.Budget{Iterations: 5000})
			if !errors.Is(err, broken) {
				t.Fatalf("error %v", err)
			}
			if s.begun != r.Iterations || int(s.choices[0].visits) != r.Iterations {
				t.Errorf("%d iterations begun, %d visits, %d results", s.begun, s.choices[0].visits, r.Iterations)
			}
			if r, err = s.Search(nil, search.Budget{Iterations: 500}); err != nil || r.Iterations != 500 {
				t.Errorf("%d iterations, error %v", r.Iterations, err)
			}
			var stop atomic.Bool
			stop.Store(true)
			if r, err = s.Search(&stop, search.Budget{}); err != nil || r.Iterations != 0 {
				t.Errorf("stopped: %d iterations, error %v", r.Iterations, err)
			}
		})
	}
}

// What was in flight when a search ended is tried again in the next one.
func TestGivenUpIsTriedAgain(t *testing.T) {
	for name, o := range variants {
		t.Run(name, func(t *testing.T) {
			e := toys.NewEngine(single{}, 64, 3)
			s := New([]engine.Engine{e}, single{}.Levels(), o)
			if err := s.SetRoot(single{}.Initial()); err != nil {
				t.Fatal(err)
			}
			broken := errors.New("broken")
			e.OnStep = func(*toys.Engine, *atomic.Bool) error { return broken }
			if r, err := s.Search(nil, search.Budget{Iterations: 64}); !errors.Is(err, broken) || r.Iterations > 0 {
				t.Fatalf("%d iterations, error %v", r.Iterations, err)
			}
			e.OnStep = nil
			if _, err := s.Search(nil, search.Budget{Iterations: 4000}); err != nil {
				t.Fatal(err)
			}
			for arm, x := range s.RootEdges(0) {
				if x.Visits == 0 {
					t.Errorf("arm %d was not tried", arm)
				}
			}
			if move, _ := s.Best(0); move[0] != 6 {
				t.Errorf("arm %d is recommended, 6 is the best", move[0])
			}
		})
	}
}

// A budget of states ends a search whose iterations all end in the tree, too.
func TestStatesOfATreeCount(t *testing.T) {
	for name, o := range variants {
		t.Run(name, func(t *testing.T) {
			s := New([]engine.Engine{toys.NewEngine(single{}, 1, 3)}, single{}.Levels(), o)
			if err := s.SetRoot(single{}.Initial()); err != nil {
				t.Fatal(err)
			}
			stop := new(atomic.Bool) // should it not end by itself
			defer time.AfterFunc(10*time.Second, func() { stop.Store(true) }).Stop()
			if r, err := s.Search(stop, search.Budget{States: 3000}); err != nil || r.States != 3000 {
				t.Errorf("%d states, error %v", r.States, err)
			}
		})
	}
}

// A walk goes to each move of a space once.
func TestWalkIsComplete(t *testing.T) {
	for _, bandits := range []int{1, 2, 3} {
		for arms := 1; arms < 7; arms++ {
			e := cmab.NewEngine(cmab.New(cmab.Published(bandits, arms), 1), 1)
			s := New([]engine.Engine{e}, e.Levels(), Options{Method: Whole})
			if err := s.SetRoot(cmab.Initial()); err != nil {
				t.Fatal(err)
			}
			c := &s.choices[0]
			met := map[string]bool{}
			for range c.space.size {
				s.partial.begin(c.space)
				s.walkOn(c)
				met[fmt.Sprint(s.partial.move)] = true
			}
			if uint64(len(met)) != c.space.size {
				t.Errorf("%d bandits of %d arms: %d moves of %d", bandits, arms, len(met), c.space.size)
			}
		}
	}
}

// A search that goes on draws nothing new from the heap.
func BenchmarkIteration(b *testing.B) {
	for _, name := range []string{"HE", "DE", "naive", "LSI, facets"} {
		b.Run(name, func(b *testing.B) {
			e := cmab.NewEngine(cmab.New(cmab.Published(16, 8), 1), 1)
			s := New([]engine.Engine{e}, e.Levels(), variants[name])
			if err := s.SetRoot(cmab.Initial()); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			if _, err := s.Search(nil, search.Budget{Iterations: b.N}); err != nil {
				b.Fatal(err)
			}
		})
	}
}
