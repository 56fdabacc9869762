package minimax

import (
	"errors"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/internal/guard"
	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/hashing"
	"semisplit/search/internal/toys"
)

// rows is Connect Four with lines of three on a small board. Words are each role's
// squares; the one not to move plays 9.
type rows struct{ width, height uint32 }

func (rows) Levels() []int     { return []int{1, 1} }
func (rows) Initial() []uint64 { return []uint64{0, 0} }
func (g rows) full() uint64    { return 1<<(g.width*g.height) - 1 }
func (g rows) won(b uint64) bool {
	return g.line(b, 1, 0) || g.line(b, 0, 1) || g.line(b, 1, 1) || g.line(b, 1, -1)
}
func (g rows) line(b uint64, dx, dy int) bool {
	w, h := int(g.width), int(g.height)
	for x := range w {
		for y := range h {
			n := 0
			for k := range 3 {
				if i, j := x+k*dx, y+k*dy; i < w && j >= 0 && j < h && b>>(j*w+i)&1 != 0 {
					n++
				}
			}
			if n == 3 {
				return true
			}
		}
	}
	return false
}
func (g rows) Terminal(s []uint64) bool { return g.won(s[0]) || g.won(s[1]) || s[0]|s[1] == g.full() }
func (g rows) Goals(s []uint64) []float64 {
	switch {
	case g.won(s[0]):
		return []float64{1, 0}
	case g.won(s[1]):
		return []float64{0, 1}
	}
	return []float64{0.5, 0.5}
}
func (g rows) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
	if role != toys.Mover(s) {
		return []uint32{9}
	}
	for x := range g.width {
		if (s[0]|s[1])>>((g.height-1)*g.width+x)&1 == 0 {
			o = append(o, x)
		}
	}
	return o
}
func (g rows) Play(s []uint64, joint []uint32) []uint64 {
	n, mover := []uint64{s[0], s[1]}, toys.Mover(s)
	at := joint[mover]
	for (s[0]|s[1])>>at&1 != 0 {
		at += g.width
	}
	n[mover] |= 1 << at
	return n
}

// pawns is Breakthrough on a board of 3 by 4 squares: words are each role's pawns, and
// whose turn it is. A move is 16*from + to, 255 for the other.
type pawns struct{}

func (pawns) Levels() []int     { return []int{1, 1} }
func (pawns) Initial() []uint64 { return []uint64{0o7, 0o7000, 0} }
func (g pawns) Terminal(s []uint64) bool {
	return s[0]&0o7000 != 0 || s[1]&0o7 != 0 || len(g.Offers(s, int(s[2]), nil)) == 0
}
func (pawns) Goals(s []uint64) []float64 {
	switch {
	case s[0]&0o7000 != 0:
		return []float64{1, 0}
	case s[1]&0o7 != 0:
		return []float64{0, 1}
	}
	goals := []float64{1, 1}
	goals[s[2]] = 0
	return goals
}
func (pawns) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
	if uint64(role) != s[2] {
		return []uint32{255}
	}
	for own := s[role]; own != 0; own &= own - 1 {
		from := bits.TrailingZeros64(own)
		y := from/3 + 1 - 2*role
		for x := max(from%3-1, 0); x <= min(from%3+1, 2) && y >= 0 && y < 4; x++ {
			to := 3*y + x
			if s[role]>>to&1 == 0 && (x != from%3 || s[1-role]>>to&1 == 0) {
				o = append(o, uint32(16*from+to))
			}
		}
	}
	slices.Sort(o)
	return o
}
func (pawns) Play(s []uint64, joint []uint32) []uint64 {
	n, role := []uint64{s[0], s[1], 1 - s[2]}, s[2]
	m := joint[role]
	n[role] = n[role]&^(1<<(m/16)) | 1<<(m%16)
	n[1-role] &^= 1 << (m % 16)
	return n
}

// opinion is an evaluation that means nothing.
type opinion uint64

func (o opinion) Values(state []uint64, values []float64) {
	h := hashing.Of(hashing.Words(state) ^ uint64(o))
	for r := range values {
		values[r] = float64(h>>(16*r)&0xffff) / 0xffff
	}
}

// truth is what each role gets in a state if the mover takes what is best for itself: by
// brute force, in games where that is one value.
func truth(g toys.Game, s []uint64, known map[[4]uint64][]float64) []float64 {
	var key [4]uint64
	copy(key[:], s)
	if v, ok := known[key]; ok {
		return v
	}
	if g.Terminal(s) {
		return g.Goals(s)
	}
	mover, joints := 0, [][]uint32{nil}
	for role := range g.Levels() {
		var more [][]uint32
		moves := toys.Moves(g, s, role, nil)
		if len(moves) > 1 {
			mover = role
		}
		for _, j := range joints {
			for _, m := range moves {
				more = append(more, append(slices.Clone(j), m...))
			}
		}
		joints = more
	}
	var best []float64
	for _, j := range joints {
		if v := truth(g, g.Play(s, j), known); best == nil || v[mover] > best[mover] {
			best = v
		}
	}
	known[key] = best
	return best
}

// way is a search to be tested.
type way struct {
	name string
	make func(e engine.Engine, levels []int, o Options) search.Algorithm
	sees bool // wins at once, where the test makes such an engine
}

// engine is one of a game that sees wins, if the way does.
func (w way) engine(g toys.Game, lanes int) engine.Engine {
	if w.sees {
		return toys.NewSeeing(g, lanes, 1)
	}
	return toys.NewEngine(g, lanes, 1)
}

var ways = []way{
	{"best-first", func(e engine.Engine, levels []int, o Options) search.Algorithm {
		return NewBestFirst([]engine.Engine{e}, levels, o)
	}, false},
	{"alpha-beta", newAlphaBeta, false},
	{"alpha-beta that sees wins", newAlphaBeta, true},
}

func newAlphaBeta(e engine.Engine, levels []int, o Options) search.Algorithm {
	return NewAlphaBeta([]engine.Engine{e}, levels, o)
}

// eachWay tests each search on one thread, which the race detector has nothing to say of.
func eachWay(t *testing.T, f func(t *testing.T, w way)) {
	if testing.Short() {
		t.Skip("one thread does everything")
	}
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) { f(t, w) })
	}
}

// What is proven is what brute force finds, whatever the evaluation says, and however
// many lanes there are; each move that is recommended keeps it.
func TestProvenValues(t *testing.T) {
	for _, c := range []struct {
		name  string
		game  toys.Game
		lanes int
		o     Options
	}{
		{"tictactoe by playouts", toys.TicTacToe{}, 64, Options{}},
		{"tictactoe", toys.TicTacToe{}, 1, Options{Evaluate: opinion(1)}},
		{"tictactoe by one playout", toys.TicTacToe{}, 64, Options{Playouts: 1}},
		{"split", toys.SplitTicTacToe{}, 16, Options{Evaluate: opinion(3)}},
		{"verified", toys.VerifiedTicTacToe{}, 64, Options{Evaluate: opinion(4)}},
		{"nim", toys.Nim{Heaps: []uint64{3, 4, 5}}, 64, Options{Evaluate: opinion(5)}},
		{"nim, lost", toys.Nim{Heaps: []uint64{1, 4, 5}}, 8, Options{Evaluate: opinion(6)}},
		{"rows", rows{4, 3}, 64, Options{Evaluate: opinion(7)}},
		{"rows, wide", rows{5, 3}, 512, Options{Evaluate: opinion(8)}},
		{"pawns", pawns{}, 64, Options{Evaluate: opinion(9)}},
		{"pawns, one lane", pawns{}, 1, Options{Evaluate: opinion(10)}},
		{"rows, moves of four steps", sown{rows{4, 3}, 3}, 64, Options{Evaluate: opinion(12)}},
		{"pawns, moves of two steps, one lane", sown{pawns{}, 1}, 1, Options{Evaluate: opinion(13)}},
		{"split, moves of two steps", sown{toys.SplitTicTacToe{}, 1}, 16, Options{}},
		{"trio", toys.Trio{}, 32, Options{}},
		{"from a state without words", toys.Bare{Game: toys.TicTacToe{}}, 64, Options{Evaluate: opinion(11)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			known := map[[4]uint64][]float64{}
			eachWay(t, func(t *testing.T, w way) {
				a := w.make(w.engine(c.game, c.lanes), c.game.Levels(), c.o)
				state := c.game.Initial()
				if err := a.SetRoot(state); err != nil {
					if len(c.game.Levels()) != 2 && errors.Is(err, ErrRoles) {
						return
					}
					t.Fatal(err)
				}
				for moves := 0; !c.game.Terminal(state); moves++ {
					r, err := a.Search(nil, search.Budget{Iterations: 300_000})
					if err != nil {
						t.Fatal(err)
					}
					want := truth(c.game, state, known)
					for role, v := range want {
						if math.Abs(r.Low[role]-v) > 1e-6 || math.Abs(r.High[role]-v) > 1e-6 {
							t.Fatalf("state %v, after %d moves: bounds %v to %v, want %v (%+v)", state, moves, r.Low, r.High, want, r)
						}
					}
					var joint []uint32
					for role := range c.game.Levels() {
						path, ok := a.Best(role)
						if !ok {
							t.Fatalf("state %v: no move for role %d", state, role)
						}
						joint = append(joint, path...)
					}
					kept := a.Advance(joint)
					state = c.game.Play(state, joint)
					if !kept {
						if err := a.SetRoot(state); err != nil {
							t.Fatal(err)
						}
					}
				}
				if goals, want := c.game.Goals(state), truth(c.game, c.game.Initial(), known); !slices.Equal(goals, want) {
					t.Errorf("played to %v, want %v", goals, want)
				}
			})
		})
	}
}

// One lane or many, the same search twice is the same.
func TestRepeats(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		var first search.Report
		for i := range 2 {
			a := w.make(w.engine(rows{5, 4}, 64), []int{1, 1}, Options{Evaluate: opinion(1)})
			if err := a.SetRoot([]uint64{0, 0}); err != nil {
				t.Fatal(err)
			}
			r, err := a.Search(nil, search.Budget{Iterations: 5000})
			if err != nil {
				t.Fatal(err)
			}
			r.Elapsed = 0
			if i == 0 {
				first = r
			} else if r.States != first.States || r.Nodes != first.Nodes || !slices.Equal(r.Value, first.Value) {
				t.Errorf("%+v, then %+v", first, r)
			}
		}
	})
}

// What cannot be searched is refused with the reason, as the root; below it, it is worth
// what the evaluation says.
func TestRefuses(t *testing.T) {
	pay := [][][2]float64{{{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}}
	eachWay(t, func(t *testing.T, w way) {
		for _, c := range []struct {
			game   toys.Game
			chance []bool
			state  []uint64
			want   error
		}{
			{toys.Matrix{Pay: pay}, nil, []uint64{0}, ErrTogether},
			{toys.Dice{}, []bool{false, true}, []uint64{1, 1}, ErrChance},
		} {
			a := w.make(toys.NewEngine(c.game, 8, 1), c.game.Levels(), Options{Chance: c.chance})
			if err := a.SetRoot(c.state); !errors.Is(err, c.want) {
				t.Errorf("%T: %v, want %v", c.game, err, c.want)
			}
			if _, err := a.Search(nil, search.Budget{Iterations: 10}); !errors.Is(err, search.ErrNoRoot) {
				t.Errorf("%T: %v without a root", c.game, err)
			}
			if _, ok := a.Best(0); ok {
				t.Errorf("%T: a move without a root", c.game)
			}
		}
		a := w.make(toys.NewEngine(toys.Dice{}, 8, 1), []int{1, 1}, Options{Chance: []bool{false, true}, Playouts: 64})
		if err := a.SetRoot([]uint64{0, 0}); err != nil {
			t.Fatal(err)
		}
		r, err := a.Search(nil, search.Budget{Iterations: 1000})
		if err != nil || r.Low[0] == r.High[0] {
			t.Errorf("%+v, %v: nothing can be proven above chance", r, err)
		}
		if path, ok := a.Best(0); !ok || path[0] != 0 {
			t.Errorf("%v %v: 0.6 for sure is better than a quarter", path, ok)
		}
	})
}

// crowd is a game of five roles, of which the first ends it by one of very many moves.
type crowd struct{}

func (crowd) Levels() []int            { return []int{1, 1, 1, 1, 1} }
func (crowd) Initial() []uint64        { return []uint64{0} }
func (crowd) Terminal(s []uint64) bool { return s[0] != 0 }
func (crowd) Goals([]uint64) []float64 { return make([]float64, 5) }
func (crowd) Offers(_ []uint64, role int, _ []uint32) (o []uint32) {
	for move := range uint32(mostMoves) {
		if o = append(o, move); role > 0 {
			break
		}
	}
	return o
}
func (crowd) Play([]uint64, []uint32) []uint64 { return []uint64{1} }

// A root whose moves have no room in a node is refused, as a state below it is left out.
func TestRefusesCrowds(t *testing.T) {
	b := NewBestFirst([]engine.Engine{toys.NewEngine(crowd{}, 8, 1)}, crowd{}.Levels(), Options{Evaluate: opinion(1)})
	if err := b.SetRoot(crowd{}.Initial()); !errors.Is(err, ErrMany) {
		t.Fatal(err)
	}
	if _, err := b.Search(nil, search.Budget{Iterations: 10}); !errors.Is(err, search.ErrNoRoot) {
		t.Error(err)
	}
}

// However long it goes on, a search holds little more than it may.
func TestMemory(t *testing.T) {
	const memory, iterations = 4 << 20, 400_000
	eachWay(t, func(t *testing.T, w way) {
		heaps := []uint64{7, 7, 7, 7, 7, 7}
		a := w.make(toys.NewEngine(toys.Nim{Heaps: heaps}, 64, 1), []int{1, 1}, Options{Evaluate: opinion(1), Memory: memory})
		if err := a.SetRoot(append(slices.Clone(heaps), 0)); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			r, err := a.Search(nil, search.Budget{Iterations: iterations / 4})
			if err != nil {
				t.Fatal(err)
			}
			if r.Bytes > memory+memory/2 || r.Nodes == 0 {
				t.Fatalf("%d bytes for %d nodes", r.Bytes, r.Nodes)
			}
			if _, ok := a.Best(0); !ok {
				t.Fatal("no move")
			}
		}
	})
}

// The numbers of moves count into the memory of best-first minimax, and go with its nodes.
func TestMovesTakeMemory(t *testing.T) {
	g := toys.VerifiedTicTacToe{}
	b := NewBestFirst([]engine.Engine{toys.NewEngine(g, 64, 1)}, g.Levels(), Options{Evaluate: opinion(1)})
	empty := b.tree.pathBytes
	for range 2 {
		if err := b.SetRoot(g.Initial()); err != nil || b.tree.pathBytes != empty {
			t.Fatalf("%v; %d bytes at the beginning, %d before", err, b.tree.pathBytes, empty)
		}
		if _, err := b.Search(nil, search.Budget{Iterations: 1000}); err != nil {
			t.Fatal(err)
		}
		if want := b.tree.paths[0].Bytes() + b.tree.paths[1].Bytes(); b.tree.pathBytes != want || want == empty || b.tree.usedBytes() < want {
			t.Errorf("%d bytes counted, and %d taken", b.tree.pathBytes, want)
		}
	}
}

// A search that is stopped, or whose engine fails or panics, ends, and another one goes
// on as if nothing had happened. No goroutine is left.
func TestInterrupted(t *testing.T) {
	failure := errors.New("the rules cannot be followed")
	for _, c := range []struct {
		name string
		do   func(stop *atomic.Bool) error
		want string
	}{
		{"stop", func(stop *atomic.Bool) error { stop.Store(true); return errors.New("stopped") }, ""},
		{"error", func(*atomic.Bool) error { return failure }, failure.Error()},
		{"panic", func(*atomic.Bool) error { panic("oh") }, "oh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, w way) {
				before := runtime.NumGoroutine()
				e := toys.NewEngine(rows{4, 3}, 16, 1)
				a := w.make(e, []int{1, 1}, Options{Evaluate: opinion(3)})
				if err := a.SetRoot([]uint64{0, 0}); err != nil {
					t.Fatal(err)
				}
				for at := 2; at < 400; at *= 2 {
					steps := 0
					e.OnStep = func(_ *toys.Engine, stop *atomic.Bool) error {
						if steps++; steps == at {
							return c.do(stop)
						}
						return nil
					}
					err := guard.Run(func() error {
						_, err := a.Search(new(atomic.Bool), search.Budget{})
						return err
					})
					if steps >= at && (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
						t.Fatalf("at %d of %d Steps: %v", at, steps, err)
					}
				}
				e.OnStep = nil
				r, err := a.Search(nil, search.Budget{})
				if want := truth(rows{4, 3}, []uint64{0, 0}, map[[4]uint64][]float64{})[0]; err != nil || r.Low[0] != want || r.High[0] != want {
					t.Errorf("%+v, %v; want %v", r, err, want)
				}
				for i := 0; runtime.NumGoroutine() > before && i < 1000; i++ {
					time.Sleep(time.Millisecond)
				}
				if n := runtime.NumGoroutine(); n > before {
					t.Errorf("%d goroutines before, %d after", before, n)
				}
			})
		})
	}
}

// A search ends within its budgets, but for the lanes of an engine and the playouts of
// what is in them.
func TestBudget(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		for _, b := range []search.Budget{{Iterations: 1000}, {States: 1000}} {
			a := w.make(toys.NewEngine(rows{5, 4}, 16, 1), []int{1, 1}, Options{Evaluate: opinion(1)})
			if err := a.SetRoot([]uint64{0, 0}); err != nil {
				t.Fatal(err)
			}
			r, err := a.Search(nil, b)
			if err != nil || max(r.Iterations, r.States) < 1000 || min(r.Iterations, r.States) > 1000+16 {
				t.Errorf("%+v: %+v, %v", b, r, err)
			}
		}
	})
}

// The score of an end is that of its goals, whatever numbers of a hundred these are.
func TestScoreOfGoals(t *testing.T) {
	for goal := range 101 {
		v := float64(goal) / 100
		if got := scoreOf([]float32{float32(v), float32(1 - v)}, true).value(); math.Abs(got-v) > 1e-9 {
			t.Errorf("goals of %d and %d are worth %v", goal, 100-goal, got)
		}
	}
}

// An estimate stands for a state of the last depth alone, and for no loss that is proven.
func TestStands(t *testing.T) {
	for _, c := range []struct {
		v, hi score
		depth int
		want  bool
	}{{100, 100, 1, true}, {99, 100, 1, false}, {100, 100, 2, false}, {100, -winning - 5, 1, false}, {100, winning + 5, 1, false}} {
		if got := stands(c.v, c.hi, c.depth); got != c.want {
			t.Errorf("estimate %d, bound %d, depth %d: %v", c.v, c.hi, c.depth, got)
		}
	}
}

// A move is expected to take what went by it only when fluents became fewer.
func TestTaking(t *testing.T) {
	var x taking
	x.learn(3, []uint64{0b1101, 1}, []uint64{0b1010, 1}, false) // from one square to another
	x.learn(3, []uint64{0b0101, 1}, []uint64{0b0010, 0}, true)  // and a fluent of the second word goes
	for _, c := range []struct {
		move  int
		state []uint64
		want  bool
	}{{3, []uint64{0b0101, 1}, true}, {3, []uint64{0b0101, 0}, false}, {2, []uint64{0b0101, 1}, false}, {9, []uint64{0b0101, 1}, false}} {
		if got := x.takes(c.move, c.state); got != c.want {
			t.Errorf("move %d in %b: %v", c.move, c.state, got)
		}
	}
	if got := x.among([]uint64{0b0101, 1}, []uint32{2, 3, 4}, 1, nil); !slices.Equal(got, []uint32{3}) {
		t.Errorf("among: %v", got)
	}
	x.learn(mostTaking, []uint64{1}, []uint64{0}, true)
	if x.takes(mostTaking, []uint64{1}) || len(x.fewer) > mostTaking {
		t.Error("followed without bound")
	}
}

// hill is a game in which a win of one role is none over the other: whoever moves ends it,
// with all points for both.
type hill struct{ toys.Nim }

func (hill) Goals([]uint64) []float64 { return []float64{1, 1} }

// Where both roles can have all, seeing a win is not taken for the other's loss.
func TestSharedWins(t *testing.T) {
	g := hill{toys.Nim{Heaps: []uint64{1, 1}}}
	a := newAlphaBeta(toys.NewSeeing(g, 8, 1), g.Levels(), Options{Evaluate: opinion(1)})
	if err := a.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	r, err := a.Search(nil, search.Budget{Iterations: 1000})
	if err != nil || math.Abs(r.Value[0]-0.5) > 1e-6 || r.High[0] < 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// mixed is a game of decisive wins and shared ones. The first role can lose at once, let the
// second one win together with it, or let it have more.
type mixed struct{}

func (mixed) Levels() []int            { return []int{1, 1} }
func (mixed) Initial() []uint64        { return []uint64{0} }
func (mixed) Terminal(s []uint64) bool { return s[0] == 1 || s[0] > 3 }
func (mixed) Goals(s []uint64) []float64 {
	return [][]float64{{0, 0}, {0, 1}, {0, 0}, {0, 0}, {1, 1}, {0.3, 0.3}, {0.2, 0.6}}[s[0]]
}
func (mixed) Offers(s []uint64, role int, _ []uint32) []uint32 {
	switch {
	case s[0] == 0 && role == 0:
		return []uint32{1, 2, 3}
	case s[0] == 2 && role == 1:
		return []uint32{4, 5}
	case s[0] == 3 && role == 1:
		return []uint32{6}
	}
	return []uint32{9}
}
func (mixed) Play(s []uint64, joint []uint32) []uint64 { return []uint64{uint64(joint[min(s[0], 1)])} }

// A win that was the other's loss does not make a seen one its loss too.
func TestDecisiveAndSharedWins(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		a := w.make(w.engine(mixed{}, 8), mixed{}.Levels(), Options{Evaluate: opinion(1)})
		if err := a.SetRoot(mixed{}.Initial()); err != nil {
			t.Fatal(err)
		}
		r, err := a.Search(nil, search.Budget{Iterations: 1000})
		if path, ok := a.Best(0); err != nil || !ok || path[0] != 2 {
			t.Errorf("move %v, %+v, %v", path, r, err)
		}
	})
}

// gamble is a game in which the first role gives up (0), lets chance move (1), which wins by
// one of four moves and loses by the others, or has a draw (2).
type gamble struct{}

func (gamble) Levels() []int            { return []int{1, 1} }
func (gamble) Initial() []uint64        { return []uint64{9} }
func (gamble) Terminal(s []uint64) bool { return s[0] == 0 || s[0] == 2 || s[0] == 3 }
func (gamble) Goals(s []uint64) []float64 {
	v := []float64{0, 0, 0.5, 1}[s[0]]
	return []float64{v, 1 - v}
}
func (gamble) Offers(s []uint64, role int, _ []uint32) []uint32 {
	switch {
	case s[0] == 9 && role == 0:
		return []uint32{0, 1, 2}
	case s[0] == 1 && role == 1:
		return []uint32{0, 3, 4, 5}
	}
	return []uint32{9}
}
func (gamble) Play(s []uint64, j []uint32) []uint64 {
	if s[0] == 9 {
		return []uint64{uint64(j[0])}
	}
	return []uint64{uint64(min(j[1], 3))}
}

// Chance does not take a win that it has.
func TestChanceWinsByChance(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		a := w.make(w.engine(gamble{}, 8), gamble{}.Levels(), Options{Evaluate: steady(0.75), Chance: []bool{false, true}})
		if err := a.SetRoot(gamble{}.Initial()); err != nil {
			t.Fatal(err)
		}
		r, err := a.Search(nil, search.Budget{Iterations: 100})
		if path, ok := a.Best(0); err != nil || !ok || path[0] != 1 || r.Low[0] == r.High[0] {
			t.Errorf("%v %v, %+v, %v: the gamble is worth 0.75", path, ok, r, err)
		}
	})
}

// Bounds are of goals, also where these have no fixed sum: a draw that the second role holds
// is no half of all, and nothing that it cares for.
func TestUnevenGoals(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		g := toys.Barren{}
		a := w.make(w.engine(g, 64), g.Levels(), Options{Evaluate: opinion(1)})
		for _, c := range []struct {
			state []uint64
			won   bool // at once
		}{{[]uint64{0, 0}, false}, {[]uint64{0b11, 0b11000}, true}} {
			if err := a.SetRoot(c.state); err != nil {
				t.Fatal(err)
			}
			r, err := a.Search(nil, search.Budget{Iterations: 300_000})
			if err != nil || r.High[0] < 1 || (r.Low[0] > 0) != (c.won && w.name != "best-first") {
				t.Errorf("state %b: %+v, %v", c.state, r, err)
			}
		}
	})
}

// fork is a game of goals without a fixed sum. The first role can end it, or ask the second
// one, which gets the same whether it lets the first one win or lose.
type fork struct{}

func (fork) Levels() []int            { return []int{1, 1} }
func (fork) Initial() []uint64        { return []uint64{0} }
func (fork) Terminal(s []uint64) bool { return s[0] > 1 }
func (fork) Goals(s []uint64) []float64 {
	return [][]float64{{0, 0}, {0, 0}, {0.6, 0.4}, {1, 0.5}, {0, 0.5}}[s[0]]
}
func (fork) Offers(s []uint64, role int, _ []uint32) []uint32 {
	if s[0] != uint64(role) {
		return []uint32{9}
	}
	return []uint32{0, 1}
}
func (fork) Play(s []uint64, joint []uint32) []uint64 {
	return []uint64{1 + 2*s[0] + uint64(joint[s[0]])}
}

// A role that gets the same by two moves is expected to take the one that is worse for its
// opponent.
func TestOpponents(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		a := w.make(w.engine(fork{}, 8), fork{}.Levels(), Options{Evaluate: opinion(1)})
		if err := a.SetRoot(fork{}.Initial()); err != nil {
			t.Fatal(err)
		}
		r, err := a.Search(nil, search.Budget{Iterations: 1000})
		if path, ok := a.Best(0); err != nil || !ok || path[0] != 1 || r.Value[0] > 0.7 {
			t.Errorf("move %v, %+v, %v", path, r, err)
		}
	})
}

// watchedFork is fork with a third role, which never has a choice.
type watchedFork struct{ fork }

func (watchedFork) Levels() []int                { return []int{1, 1, 1} }
func (g watchedFork) Goals(s []uint64) []float64 { return append(g.fork.Goals(s), 0) }

// Chance is no opponent: who has one beside it is expected to be met as by that one alone.
func TestOpponentBesideChance(t *testing.T) {
	g := watchedFork{}
	b := NewBestFirst([]engine.Engine{toys.NewEngine(g, 8, 1)}, g.Levels(), Options{Evaluate: opinion(1), Chance: []bool{false, false, true}})
	if err := b.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	r, err := b.Search(nil, search.Budget{Iterations: 1000})
	if path, ok := b.Best(0); err != nil || !ok || path[0] != 1 || r.High[0] > 0.7 {
		t.Errorf("move %v, %+v, %v", path, r, err)
	}
}

// some lists, as it says, not all moves.
type some struct{ *toys.Engine }

func (some) Partial(int) bool { return true }

// Of moves that are not all nothing proves a loss, nor that who moves before them wins.
func TestSomeMoves(t *testing.T) {
	for _, heaps := range [][]uint64{{2, 2}, {2, 3}} {
		g := toys.Nim{Heaps: heaps}
		for _, all := range []bool{true, false} {
			var e engine.Engine = toys.NewEngine(g, 64, 1)
			if !all {
				e = some{toys.NewEngine(g, 64, 1)}
			}
			a := NewAlphaBeta([]engine.Engine{e}, g.Levels(), Options{Evaluate: opinion(1)})
			if err := a.SetRoot(g.Initial()); err != nil {
				t.Fatal(err)
			}
			r, err := a.Search(nil, search.Budget{States: 20_000})
			if err != nil || (r.Low[0] == r.High[0]) != all {
				t.Errorf("heaps %v, all moves %v: %+v, %v", heaps, all, r, err)
			}
		}
	}
}

// A state whose moves are not found has not ended by that.
func TestMovesNotFound(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		g := toys.SplitTicTacToe{}
		a := w.make(toys.Vain{Engine: toys.NewEngine(g, 64, 1)}, g.Levels(), Options{Evaluate: opinion(1)})
		if err := a.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		if r, err := a.Search(nil, search.Budget{Iterations: 20}); err != nil || r.Low[0] == r.High[0] {
			t.Errorf("%+v, %v: nothing is proven", r, err)
		}
		if err := a.SetRoot([]uint64{1, 0}); !errors.Is(err, ErrMany) {
			t.Errorf("%v of a root without moves", err)
		}
		a = w.make(&toys.Failing{Engine: toys.NewEngine(g, 1, 1)}, g.Levels(), Options{Evaluate: opinion(1)})
		if err := a.SetRoot(g.Initial()); !errors.Is(err, ErrMany) {
			t.Errorf("%v of a root whose moves could not be found", err)
		}
	})
}

// march is a game that the first role wins after 800 turns.
type march struct{ toys.Long }

func (march) Terminal(s []uint64) bool { return s[0] == 800 }
func (g march) Goals(s []uint64) []float64 {
	if g.Terminal(s) {
		return []float64{1, 0}
	}
	return []float64{0, 1}
}

// Playouts are cut by their joint moves, not by the Steps that these take.
func TestStallingPlayouts(t *testing.T) {
	e := toys.NewEngine(march{}, 8, 1)
	e.Stall = 2
	f := newField(toys.Stalling{Engine: e}, []int{1, 1}, Options{Playouts: 16})
	state := f.rolls.add(march{}.Initial())
	if err := f.roll(new(atomic.Bool)); err != nil {
		t.Fatal(err)
	}
	if f.rolls.mean(state, f.values); f.values[0] != 1 || f.states != 16*801 { // with a look at the state
		t.Errorf("goals %v after %d joint moves", f.values, f.states)
	}
}

// steady is an evaluation by which all states are worth the same to the first role.
type steady float64

func (s steady) Values(_ []uint64, values []float64) { values[0], values[1] = float64(s), 1-float64(s) }

// After another evaluation nothing is left of what the one before has said: not in the
// value of a root that was searched, nor in those of the states after it. What is proven
// stays.
func TestEvaluateBy(t *testing.T) {
	g := toys.Long{}
	for _, others := range []int{1, 256} { // as many as a number of an evaluation tells apart
		a := NewAlphaBeta([]engine.Engine{toys.NewEngine(g, 64, 1)}, g.Levels(), Options{Evaluate: steady(0.2)})
		value := func(states int) float64 {
			t.Helper()
			r, err := a.Search(nil, search.Budget{States: states})
			if err != nil {
				t.Fatal(err)
			}
			return r.Value[0]
		}
		if err := a.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		if v := value(20_000); math.Abs(v-0.2) > 0.01 {
			t.Fatalf("worth %v", v)
		}
		for range others {
			a.EvaluateBy(steady(0.7))
		}
		if v := value(500); math.Abs(v-0.7) > 0.01 {
			t.Errorf("worth %v after %d other evaluations", v, others)
		}
	}
	small := toys.TicTacToe{}
	b := NewAlphaBeta([]engine.Engine{toys.NewEngine(small, 64, 1)}, small.Levels(), Options{Evaluate: steady(0.2)})
	if err := b.SetRoot(small.Initial()); err != nil {
		t.Fatal(err)
	}
	if r, err := b.Search(nil, search.Budget{}); err != nil || r.Low[0] != 0.5 || r.High[0] != 0.5 {
		t.Fatalf("%+v, %v", r, err)
	}
	b.EvaluateBy(steady(0.7))
	if r, err := b.Search(nil, search.Budget{}); err != nil || r.Low[0] != 0.5 || r.High[0] != 0.5 || r.States > 0 || !b.Decided() {
		t.Errorf("after another evaluation: %+v, %v", r, err)
	}
}

// What is proven of a state stays known when another reply than the expected one is played and
// estimates were forgotten: the win is told by the moves after it alone.
func TestProofsStay(t *testing.T) {
	g := toys.Nim{Heaps: []uint64{3, 4, 5}}
	proven := func() *AlphaBeta {
		a := NewAlphaBeta([]engine.Engine{toys.NewEngine(g, 64, 1)}, g.Levels(), Options{Evaluate: opinion(1)})
		if err := a.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		if r, err := a.Search(nil, search.Budget{}); err != nil || r.Low[0] < 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		return a
	}
	var ours []uint32
	for role := range g.Levels() {
		path, _ := proven().Best(role)
		ours = append(ours, path...)
	}
	after := g.Play(g.Initial(), ours)
	for n, reply := range g.Offers(after, 1, nil) {
		a, theirs := proven(), []uint32{g.Offers(after, 0, nil)[0], reply}
		a.EvaluateBy(opinion(n + 2))
		if !a.Advance(ours) || !a.Advance(theirs) {
			t.Fatal("the search has lost its root")
		}
		r, err := a.Search(nil, search.Budget{States: 200})
		if err != nil || r.Low[0] < 1 {
			t.Errorf("after %d: bounds %v to %v, %d states, %v", reply, r.Low, r.High, r.States, err)
		}
	}
}
