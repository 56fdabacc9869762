package layers

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"semisplit/search/engine"
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/search"
	"semisplit/search/internal/hashing"
	"semisplit/search/internal/toys"
)

// begun is a search at the initial state of a toy.
func begun(g toys.Game, lanes int, memory int64, seed uint64) *Search {
	f := New([]engine.Engine{toys.NewEngine(g, lanes, seed)}, g.Levels(), Options{Memory: memory, Seed: seed})
	if err := f.SetRoot(g.Initial()); err != nil {
		panic(err)
	}
	return f
}

// runFor searches for so many joint moves.
func runFor(t *testing.T, f *Search, moves int) {
	t.Helper()
	until := f.states + moves
	if err := f.run(new(atomic.Bool), func() bool { return f.states >= until }); err != nil {
		t.Fatal(err)
	}
}

// replay plays a line and returns the state at its end, which must be one.
func replay(t *testing.T, g toys.Game, line [][]uint32) []uint64 {
	t.Helper()
	s := g.Initial()
	for i, move := range line {
		for level := range move {
			if !slices.Contains(g.Offers(s, 0, move[:level]), move[level]) || g.Terminal(s) {
				t.Fatalf("move %d of %v is illegal", i, line)
			}
		}
		s = g.Play(s, move)
	}
	if !g.Terminal(s) && len(g.Offers(s, 0, nil)) > 0 {
		t.Fatalf("the line %v does not come to an end", line)
	}
	return s
}

// Small random puzzles are searched through: the best goal, by a shortest line.
func TestAgreesWithExhaustion(t *testing.T) {
	found := 0
	for seed := range uint64(300) {
		g := newWarren(2+int(seed%40), seed, seed%3*5)
		best, length := toys.Exhaust(g)
		for _, lanes := range []int{1, 5, 64} {
			f := begun(g, lanes, 1<<20, seed)
			runFor(t, f, 100000)
			switch {
			case !f.best.Proven || !f.done:
				t.Fatalf("seed %d, %d lanes: not done", seed, lanes)
			case f.value != best || len(f.best.Moves) != length:
				t.Fatalf("seed %d, %d lanes: %v after %d moves, %v after %d is the best", seed, lanes, f.value, len(f.best.Moves), best, length)
			case length > 0:
				found++
				if v := g.Goals(replay(t, g, f.best.Moves))[0]; v != best {
					t.Fatalf("seed %d: the line comes to %v, not %v", seed, v, best)
				}
			}
		}
	}
	if found < 300 {
		t.Errorf("only %d lines", found)
	}
}

// A tower of n discs takes 2^n-1 moves, with states that repeat and without.
func TestHanoi(t *testing.T) {
	for discs := uint64(1); discs < 7; discs++ {
		shortest := uint64(1)<<discs - 1
		for _, limit := range []uint64{0, shortest, shortest + 3} {
			g := toys.Hanoi{Discs: discs, Limit: limit}
			f := begun(g, 16, 1<<22, 1)
			runFor(t, f, 1<<20)
			if f.value != 1 || !f.best.Proven || uint64(len(f.best.Moves)) != shortest {
				t.Fatalf("%d discs, limit %d: %v after %d moves", discs, limit, f.value, len(f.best.Moves))
			}
			replay(t, g, f.best.Moves)
		}
		f := begun(toys.Hanoi{Discs: discs, Limit: shortest - 1}, 16, 1<<22, 1)
		if shortest > 1 {
			runFor(t, f, 1<<20)
			if f.value != 0 || !f.best.Proven {
				t.Fatalf("%d discs within %d moves: %v, proven %t", discs, shortest-1, f.value, f.best.Proven)
			}
		}
	}
}

// Where there are more states than the first passes keep, wider ones go on until
// nothing is left out.
func TestBroadens(t *testing.T) {
	for _, shows := range []bool{false, true} {
		g := toys.Basket{Things: 13, Holds: 6, Seed: 5, Shows: shows}
		best := 0.0
		for set := range uint64(1) << g.Things {
			if bits.OnesCount64(set) == g.Holds {
				best = max(best, g.Goals([]uint64{set, uint64(g.Holds)})[0])
			}
		}
		f := begun(g, 64, 1<<22, 3)
		runFor(t, f, 6000)
		if f.best.Proven || f.value <= 0 || f.best.Moves == nil {
			t.Fatalf("shows %t: %v, proven %t, after few moves", shows, f.value, f.best.Proven)
		}
		replay(t, g, f.best.Moves)
		runFor(t, f, 1<<20)
		if f.value != best || !f.best.Proven {
			t.Fatalf("shows %t: %v, proven %t; the best is %v", shows, f.value, f.best.Proven, best)
		}
		if v := g.Goals(replay(t, g, f.best.Moves))[0]; v != best {
			t.Fatalf("shows %t: the line comes to %v, not %v", shows, v, best)
		}
		if f.schedule.graded != shows {
			t.Errorf("goals on the way differ: %t, it was seen: %t", shows, f.schedule.graded)
		}
	}
}

// A set flag ends the search before another Step, whatever Step it comes at; it
// goes on as if nothing had happened.
func TestStops(t *testing.T) {
	g := toys.Basket{Things: 11, Holds: 5, Seed: 2, Shows: true}
	whole := begun(g, 8, 1<<20, 4)
	runFor(t, whole, 1<<20)
	for at := 1; at < 400; at += 7 {
		f := begun(g, 8, 1<<20, 4)
		e := f.engine.(*toys.Engine)
		for !f.done {
			var stop atomic.Bool
			first := e.Steps
			e.OnStep = func(e *toys.Engine, _ *atomic.Bool) error {
				if e.Steps-first == at {
					stop.Store(true)
					return errors.New("interrupted")
				}
				return nil
			}
			if err := f.run(&stop, stop.Load); err != nil {
				t.Fatal(err)
			}
			if e.Steps-first > at {
				t.Fatalf("%d Steps after the stop", e.Steps-first-at)
			}
			if at < 20 {
				break // to tell a line takes more Steps than that
			}
		}
		if at >= 20 && (f.value != whole.value || !reflect.DeepEqual(f.best.Moves, whole.best.Moves)) {
			t.Fatalf("every %d Steps: %v by %v, uninterrupted %v by %v", at, f.value, f.best.Moves, whole.value, whole.best.Moves)
		}
	}
}

// The same seed finds the same line, another one another.
func TestRepeats(t *testing.T) {
	lines := map[string]bool{}
	for seed := range uint64(4) {
		var first [][]uint32
		for i := range 2 {
			f := begun(toys.Basket{Things: 30, Holds: 9, Seed: 1}, 32, 1<<20, seed)
			runFor(t, f, 20000)
			if i == 0 {
				first = f.best.Moves
			} else if !reflect.DeepEqual(f.best.Moves, first) {
				t.Fatalf("seed %d: %v, then %v", seed, first, f.best.Moves)
			}
		}
		lines[fmt.Sprint(first)] = true
	}
	if len(lines) == 1 {
		t.Error("all seeds find the same line")
	}
}

// The memory is a bound, and with little of it there is still a line.
func TestMemory(t *testing.T) {
	for _, memory := range []int64{1, 100 << 10, 1 << 20} {
		g := toys.Basket{Things: 40, Holds: 15, Seed: 1, Shows: true}
		f := begun(g, 32, memory, 1)
		runFor(t, f, 300000)
		if least := int64(64 << 10); f.tables.bytes() > max(memory, least) {
			t.Errorf("%d bytes held, %d allowed", f.tables.bytes(), memory)
		}
		if f.best.Moves == nil {
			t.Errorf("%d bytes: no line", memory)
		}
	}
}

// So it is where states are longer than the root, as the prover's may be.
// A width that memory has no room for is left: passes that come to an end are worth more.
func TestWidthThatDoesNotFit(t *testing.T) {
	const fits = 4096
	s, within := schedule{}, 0
	for pass := range 60 {
		if width := s.width(); pass >= 40 && width <= fits {
			within++
		}
		s.advance(s.width() > fits)
	}
	if within < 10 {
		t.Errorf("%d of the last 20 passes fit", within)
	}
}

func TestMemoryOfGrowingStates(t *testing.T) {
	const memory = 1 << 20
	g := swelling{toys.Basket{Things: 40, Holds: 15, Seed: 1, Shows: true}, 40}
	f := begun(g, 32, memory, 1)
	runFor(t, f, 150000)
	if f.tables.bytes() > memory {
		t.Errorf("%d bytes held, %d allowed", f.tables.bytes(), memory)
	}
	if f.best.Moves == nil {
		t.Error("no line")
	}
}

// Once the tables have grown, a state takes no memory of its own.
func TestAllocatesNothing(t *testing.T) {
	f := New([]engine.Engine{newStroll(64)}, []int{1}, Options{Memory: 1 << 22, Seed: 1})
	if err := f.SetRoot([]uint64{0, 0}); err != nil {
		t.Fatal(err)
	}
	stop := new(atomic.Bool)
	run := func(moves int) {
		until := f.states + moves
		if err := f.run(stop, func() bool { return f.states >= until }); err != nil {
			t.Fatal(err)
		}
	}
	run(1 << 20)
	before := f.states
	allocated := testing.AllocsPerRun(3, func() { run(100000) })
	if allocated > 200 {
		t.Errorf("%v allocations in 100,000 moves", allocated)
	}
	if f.states-before < 300000 {
		t.Fatal("there was nothing left to do")
	}
}

func TestNth(t *testing.T) {
	for seed := range uint64(200) {
		scores := make([]uint64, 1+seed%50)
		for i := range scores {
			scores[i] = hashing.Of(seed*100+uint64(i)) % (1 + seed)
		}
		sorted := slices.Clone(scores)
		slices.Sort(sorted)
		slices.Reverse(sorted)
		for n := range sorted {
			if got := nth(slices.Clone(scores), n); got != sorted[n] {
				t.Fatalf("place %d of %v: %d", n, sorted, got)
			}
		}
	}
}

// The search is played as any algorithm is: its line goes on from state to state, and what
// is known of it does.
func TestLineIsPlayed(t *testing.T) {
	g := toys.Hanoi{Discs: 4, Limit: 20}
	var f search.Algorithm = New([]engine.Engine{toys.NewEngine(g, 16, 1)}, g.Levels(), Options{Memory: 1 << 20})
	if _, err := f.Search(nil, search.Budget{}); !errors.Is(err, search.ErrNoRoot) {
		t.Fatalf("without a root: %v", err)
	}
	s := g.Initial()
	if err := f.SetRoot(s); err != nil {
		t.Fatal(err)
	}
	if _, ok := f.Best(0); ok {
		t.Fatal("a move before the search")
	}
	for moves := 0; !g.Terminal(s); moves++ {
		r, err := f.Search(nil, search.Budget{States: 1 << 20})
		if err != nil || r.Low[0] != 1 || r.High[0] != 1 || len(r.Line) != 15-moves || moves > 0 && r.States > 0 {
			t.Fatalf("after %d moves: %+v, %v", moves, r, err)
		}
		path, ok := f.Best(0)
		if !ok || f.Advance(path) {
			t.Fatalf("after %d moves: %v, %v", moves, path, ok)
		}
		s = g.Play(s, path)
		if err := f.SetRoot(s); err != nil {
			t.Fatal(err)
		}
	}
	if !g.Solved(s) {
		t.Error("the line does not solve the puzzle")
	}
	if err := f.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	if r, err := f.Search(nil, search.Budget{States: 10}); err != nil || r.States < 10 || r.High[0] != 1 || len(r.Line) > 0 {
		t.Errorf("from another root: %+v, %v", r, err)
	}
}

// What was found when a stop came before its line was told leaves the root open: the next
// search tells the line.
func TestStoppedBeforeItTells(t *testing.T) {
	g := toys.Hanoi{Discs: 4, Limit: 20}
	e := toys.NewEngine(g, 16, 1)
	f := New([]engine.Engine{e}, g.Levels(), Options{Memory: 1 << 20})
	if err := f.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	e.OnStep = func(*toys.Engine, *atomic.Bool) error {
		if f.done { // the Steps that tell the line
			stop.Store(true)
			return errors.New("stopped")
		}
		return nil
	}
	if r, err := f.Search(&stop, search.Budget{}); err != nil || !f.done || len(r.Line) > 0 || r.High[0] <= r.Low[0] {
		t.Fatalf("stopped: %+v, %v", r, err)
	}
	e.OnStep = nil
	if r, err := f.Search(nil, search.Budget{}); err != nil || len(r.Line) != 15 || r.Low[0] != 1 {
		t.Errorf("searched on: %+v, %v", r, err)
	}
}

// A search that is halted in the middle of a pass has what it found until then, and
// what was known before it found a better line that is not told yet.
func TestHaltedInThePass(t *testing.T) {
	g := toys.Basket{Things: 13, Holds: 6, Seed: 5}
	for after := range 60 {
		e := toys.NewEngine(g, 16, 1)
		f := New([]engine.Engine{e}, g.Levels(), Options{Memory: 1 << 22})
		if err := f.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		var stop atomic.Bool
		found := 0 // Steps since an end was found
		e.OnStep = func(*toys.Engine, *atomic.Bool) error {
			if f.value <= 0 {
				return nil
			}
			if found++; found > 2*g.Holds+after {
				stop.Store(true)
				return errors.New("stopped")
			}
			return nil
		}
		r, err := f.Search(&stop, search.Budget{})
		if err != nil || len(r.Line) != g.Holds || len(r.Value) == 0 || r.Value[0] <= 0 {
			t.Fatalf("halted %d Steps later: %+v, %v", after, r, err)
		}
		if v := g.Goals(replay(t, g, r.Line))[0]; v != r.Value[0] || v != r.Low[0] {
			t.Fatalf("halted %d Steps later: the line comes to %v, reported is %+v", after, v, r)
		}
	}
}
