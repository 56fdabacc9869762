package search

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
)

// onFrontier is a frontier at the initial state of a toy.
func onFrontier(g toy, lanes int, memory int64, seed uint64) *frontier {
	f := newFrontier(newToyEngine(g, lanes, seed), g.levels()[0], memory, seed)
	f.begin(g.initial(), -1)
	return f
}

// runFor searches for so many joint moves.
func runFor(t *testing.T, f *frontier, moves int) {
	t.Helper()
	until := f.states + moves
	if err := f.search(new(atomic.Bool), func() bool { return f.states >= until }); err != nil {
		t.Fatal(err)
	}
}

// replay plays a line and returns the state at its end, which must be one.
func replay(t *testing.T, g toy, line [][]uint32) []uint64 {
	t.Helper()
	s := g.initial()
	for i, move := range line {
		for level := range move {
			if !slices.Contains(g.offers(s, 0, move[:level]), move[level]) || g.terminal(s) {
				t.Fatalf("move %d of %v is illegal", i, line)
			}
		}
		s = g.play(s, move)
	}
	if !g.terminal(s) && len(g.offers(s, 0, nil)) > 0 {
		t.Fatalf("the line %v does not come to an end", line)
	}
	return s
}

// exhaust is the best goal of a puzzle of one level, and the moves it takes at
// least; -1: it has no end.
func exhaust(g toy) (best float64, length int) {
	best = -1
	met := map[position]bool{}
	for depth, layer := 0, [][]uint64{g.initial()}; len(layer) > 0; depth++ {
		var next [][]uint64
		for _, s := range layer {
			moves := g.offers(s, 0, nil)
			if g.terminal(s) || len(moves) == 0 {
				if v := g.goals(s)[0]; v > best {
					best, length = v, depth
				}
				continue
			}
			for _, x := range moves {
				n := g.play(s, []uint32{x})
				var key position
				copy(key[:], n)
				if !met[key] {
					met[key] = true
					next = append(next, n)
				}
			}
		}
		layer = next
	}
	return best, length
}

// Small random puzzles are searched through: the best goal, by a shortest line.
func TestFrontierAgreesWithExhaustion(t *testing.T) {
	found := 0
	for seed := range uint64(300) {
		g := newWarren(2+int(seed%40), seed, seed%3*5)
		best, length := exhaust(g)
		for _, lanes := range []int{1, 5, 64} {
			f := onFrontier(g, lanes, 1<<20, seed)
			runFor(t, f, 100000)
			switch {
			case !f.proven || !f.done:
				t.Fatalf("seed %d, %d lanes: not done", seed, lanes)
			case f.value != best || len(f.line) != length:
				t.Fatalf("seed %d, %d lanes: %v after %d moves, %v after %d is the best", seed, lanes, f.value, len(f.line), best, length)
			case length > 0:
				found++
				if v := g.goals(replay(t, g, f.line))[0]; v != best {
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
func TestFrontierHanoi(t *testing.T) {
	for discs := uint64(1); discs < 7; discs++ {
		shortest := uint64(1)<<discs - 1
		for _, limit := range []uint64{0, shortest, shortest + 3} {
			g := hanoi{discs, limit}
			f := onFrontier(g, 16, 1<<22, 1)
			runFor(t, f, 1<<20)
			if f.value != 1 || !f.proven || uint64(len(f.line)) != shortest {
				t.Fatalf("%d discs, limit %d: %v after %d moves", discs, limit, f.value, len(f.line))
			}
			replay(t, g, f.line)
		}
		f := onFrontier(hanoi{discs, shortest - 1}, 16, 1<<22, 1)
		if shortest > 1 {
			runFor(t, f, 1<<20)
			if f.value != 0 || !f.proven {
				t.Fatalf("%d discs within %d moves: %v, proven %t", discs, shortest-1, f.value, f.proven)
			}
		}
	}
}

// Where there are more states than the first passes keep, wider ones go on until
// nothing is left out.
func TestFrontierBroadens(t *testing.T) {
	for _, shows := range []bool{false, true} {
		g := basket{things: 13, holds: 6, seed: 5, shows: shows}
		best := 0.0
		for set := range uint64(1) << g.things {
			if bits.OnesCount64(set) == g.holds {
				best = max(best, g.goals([]uint64{set, uint64(g.holds)})[0])
			}
		}
		f := onFrontier(g, 64, 1<<22, 3)
		runFor(t, f, 6000)
		if f.proven || f.value <= 0 || f.line == nil {
			t.Fatalf("shows %t: %v, proven %t, after few moves", shows, f.value, f.proven)
		}
		replay(t, g, f.line)
		runFor(t, f, 1<<20)
		if f.value != best || !f.proven {
			t.Fatalf("shows %t: %v, proven %t; the best is %v", shows, f.value, f.proven, best)
		}
		if v := g.goals(replay(t, g, f.line))[0]; v != best {
			t.Fatalf("shows %t: the line comes to %v, not %v", shows, v, best)
		}
		if f.schedule.graded != shows {
			t.Errorf("goals on the way differ: %t, it was seen: %t", shows, f.schedule.graded)
		}
	}
}

// A set flag ends the search before another Step, whatever Step it comes at; it
// goes on as if nothing had happened.
func TestFrontierStops(t *testing.T) {
	g := basket{things: 11, holds: 5, seed: 2, shows: true}
	whole := onFrontier(g, 8, 1<<20, 4)
	runFor(t, whole, 1<<20)
	for at := 1; at < 400; at += 7 {
		f := onFrontier(g, 8, 1<<20, 4)
		e := f.engine.(*toyEngine)
		for !f.done {
			var stop atomic.Bool
			first := e.steps
			e.onStep = func(e *toyEngine, _ *atomic.Bool) error {
				if e.steps-first == at {
					stop.Store(true)
					return errors.New("interrupted")
				}
				return nil
			}
			if err := f.search(&stop, stop.Load); err != nil {
				t.Fatal(err)
			}
			if e.steps-first > at {
				t.Fatalf("%d Steps after the stop", e.steps-first-at)
			}
			if at < 20 {
				break // to tell a line takes more Steps than that
			}
		}
		if at >= 20 && (f.value != whole.value || !reflect.DeepEqual(f.line, whole.line)) {
			t.Fatalf("every %d Steps: %v by %v, uninterrupted %v by %v", at, f.value, f.line, whole.value, whole.line)
		}
	}
}

// The same seed finds the same line, another one another.
func TestFrontierRepeats(t *testing.T) {
	lines := map[string]bool{}
	for seed := range uint64(4) {
		var first [][]uint32
		for i := range 2 {
			f := onFrontier(basket{things: 30, holds: 9, seed: 1}, 32, 1<<20, seed)
			runFor(t, f, 20000)
			if i == 0 {
				first = f.line
			} else if !reflect.DeepEqual(f.line, first) {
				t.Fatalf("seed %d: %v, then %v", seed, first, f.line)
			}
		}
		lines[fmt.Sprint(first)] = true
	}
	if len(lines) == 1 {
		t.Error("all seeds find the same line")
	}
}

// The memory is a bound, and with little of it there is still a line.
func TestFrontierMemory(t *testing.T) {
	for _, memory := range []int64{1, 100 << 10, 1 << 20} {
		g := basket{things: 40, holds: 15, seed: 1, shows: true}
		f := onFrontier(g, 32, memory, 1)
		runFor(t, f, 300000)
		if least := int64(64 << 10); f.bytes() > max(memory, least) {
			t.Errorf("%d bytes held, %d allowed", f.bytes(), memory)
		}
		if f.line == nil {
			t.Errorf("%d bytes: no line", memory)
		}
	}
}

// Once the tables have grown, a state takes no memory of its own.
func TestFrontierAllocatesNothing(t *testing.T) {
	f := newFrontier(newStroll(64), 1, 1<<22, 1)
	f.begin([]uint64{0, 0}, -1)
	stop := new(atomic.Bool)
	run := func(moves int) {
		until := f.states + moves
		if err := f.search(stop, func() bool { return f.states >= until }); err != nil {
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
			scores[i] = hash(seed*100+uint64(i)) % (1 + seed)
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
