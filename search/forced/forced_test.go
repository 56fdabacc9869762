package forced

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/search/internal/hashing"
	"semisplit/search/internal/toys"
)

// round is a game whose states repeat: nodes of a random graph, where one of two roles
// moves to one of some others. Words: the node. Goals are 0, 1/2 and 1.
type round struct {
	size uint64
	seed uint64
}

func (g round) draw(node, salt uint64) uint64 { return hashing.Of(g.seed*1e6 + node*100 + salt) }
func (round) Levels() []int                   { return []int{1, 1} }
func (round) Initial() []uint64               { return []uint64{0} }
func (g round) Terminal(s []uint64) bool      { return s[0] != 0 && g.draw(s[0], 0)%5 == 0 }
func (g round) Goals(s []uint64) []float64 {
	x := float64(g.draw(s[0], 1)%3) / 2
	return []float64{x, 1 - x}
}
func (g round) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
	if uint64(role) != g.draw(s[0], 2)%2 {
		return []uint32{9}
	}
	for i := range uint32(2 + g.draw(s[0], 3)%2) {
		o = append(o, i)
	}
	return o
}
func (g round) Play(s []uint64, j []uint32) []uint64 {
	return []uint64{g.draw(s[0], 10+uint64(j[g.draw(s[0], 2)%2])) % g.size}
}

// truth are the bounds that finite lines prove, for all states that can be reached.
type truth struct {
	g      toys.Game
	us     int
	random []bool
	low    map[string]float64
	high   map[string]float64
	states [][]uint64
}

func (v *truth) visit(s []uint64) {
	key := fmt.Sprint(s)
	if _, ok := v.low[key]; ok {
		return
	}
	v.states = append(v.states, s)
	v.low[key], v.high[key] = 0, 1
	if v.g.Terminal(s) {
		x := v.g.Goals(s)[v.us]
		v.low[key], v.high[key] = x, x
		return
	}
	_, all := v.moves(s)
	for _, joint := range all {
		v.visit(v.g.Play(s, joint))
	}
}

// moves are the joint moves of a state where at most one role chooses.
func (v *truth) moves(s []uint64) (mover int, all [][]uint32) {
	mover, all = -1, [][]uint32{nil}
	for role := range v.g.Levels() {
		moves := toys.Moves(v.g, s, role, nil)
		if len(moves) > 1 {
			mover = role
		}
		var next [][]uint32
		for _, joint := range all {
			for _, m := range moves {
				next = append(next, append(slices.Clone(joint), m...))
			}
		}
		all = next
	}
	return mover, all
}

// truthOf computes it by going through all states again and again.
func truthOf(g toys.Game, us int, random []bool) *truth {
	v := &truth{g: g, us: us, random: random, low: map[string]float64{}, high: map[string]float64{}}
	v.visit(g.Initial())
	for changed := true; changed; {
		changed = false
		for _, s := range slices.Backward(v.states) {
			if g.Terminal(s) {
				continue
			}
			mover, all := v.moves(s)
			best, rest := [2]float64{0, 0}, [2]float64{1, 1}
			for _, joint := range all {
				to := fmt.Sprint(g.Play(s, joint))
				best = [2]float64{max(best[0], v.low[to]), max(best[1], v.high[to])}
				rest = [2]float64{min(rest[0], v.low[to]), min(rest[1], v.high[to])}
			}
			is := rest
			switch {
			case mover == us || mover < 0:
				is = best
			case random != nil && random[mover]:
				is = [2]float64{rest[0], best[1]}
			}
			key := fmt.Sprint(s)
			changed = changed || v.low[key] != is[0] || v.high[key] != is[1]
			v.low[key], v.high[key] = is[0], is[1]
		}
	}
	return v
}

// at is a toy that begins elsewhere.
type at struct {
	toys.Game
	state []uint64
}

func (a at) Initial() []uint64 { return a.state }

// wander is a state after some random moves.
func wander(g toys.Game, moves int, rng *rand.Rand) []uint64 {
	s := g.Initial()
	v := &truth{g: g}
	for range moves {
		if g.Terminal(s) {
			break
		}
		_, all := v.moves(s)
		s = g.Play(s, all[rng.IntN(len(all))])
	}
	return s
}

func never() bool { return false }

// What is told is what finite lines prove, no more, and all questions are answered that
// have an answer.
func TestAgreesWithTruth(t *testing.T) {
	answered := 0
	for _, c := range []struct {
		name   string
		g      toys.Game
		random []bool
		open   bool // not all need be proven: states repeat
	}{
		{"tictactoe", toys.TicTacToe{}, nil, false},
		{"split", toys.SplitTicTacToe{}, nil, false},
		{"verified", toys.VerifiedTicTacToe{}, nil, false},
		{"nim", toys.Nim{Heaps: []uint64{3, 4, 2}}, nil, false},
		{"trio", toys.Trio{}, nil, false},
		{"dice", toys.Dice{}, []bool{false, true}, false},
		{"round", round{40, 1}, nil, true},
		{"round", round{60, 2}, nil, true},
		{"round", round{60, 3}, nil, true},
		{"round", round{200, 4}, nil, true},
	} {
		rng := rand.New(rand.NewPCG(7, 7))
		for trial := range 12 {
			g := at{c.g, wander(c.g, 2+trial%4, rng)}
			if c.name == "dice" {
				g.state = c.g.Initial()
			}
			s := New(toys.NewEngine(g, 1+trial*3, 1), g.Levels(), c.random, 1<<22)
			var stop atomic.Bool
			if err := s.Begin(g.Initial(), &stop); err != nil {
				if !errors.Is(err, ErrNoQuestion) {
					t.Fatal(err)
				}
				continue
			}
			if err := s.Run(&stop, never); err != nil {
				t.Fatal(err)
			}
			v := truthOf(g, s.Role(), c.random)
			told := map[string]Fact{}
			s.Facts(func(f Fact) {
				state := g.Initial()
				for _, joint := range f.Moves {
					state = g.Play(state, joint)
				}
				key := fmt.Sprint(state)
				told[key] = Fact{Low: slices.Clone(f.Low), High: slices.Clone(f.High)}
				if f.Low[s.Role()] > v.low[key]+1e-9 || f.High[s.Role()] < v.high[key]-1e-9 {
					t.Errorf("%s: %v is told to be in [%v, %v], and is in [%v, %v]", c.name, state, f.Low[s.Role()], f.High[s.Role()], v.low[key], v.high[key])
				}
				answered++
			})
			root := fmt.Sprint(g.Initial())
			mover, all := v.moves(g.Initial())
			if f, ok := told[root]; mover == s.Role() && v.low[root] == 1 && !c.open && (!ok || f.Low[s.Role()] < 1) {
				t.Errorf("%s: the win from %v was not found", c.name, root)
			}
			for _, joint := range all {
				key := fmt.Sprint(g.Play(g.Initial(), joint))
				if f, ok := told[key]; mover == s.Role() && v.high[key] == 0 && !c.open && s.Opposed() && (!ok || f.High[s.Role()] > 0) {
					t.Errorf("%s: that %v is lost was not found", c.name, key)
				}
			}
		}
	}
	if answered < 100 {
		t.Errorf("only %d facts", answered)
	}
}

// Where states repeat, most of what finite lines prove is found.
func TestRepeatedStates(t *testing.T) {
	found, all := 0, 0
	for seed := range uint64(60) {
		g := round{50, seed}
		s := New(toys.NewEngine(g, 8, 1), g.Levels(), nil, 1<<20)
		if s.Begin(g.Initial(), new(atomic.Bool)) != nil {
			continue
		}
		if err := s.Run(new(atomic.Bool), never); err != nil {
			t.Fatal(err)
		}
		v := truthOf(g, s.Role(), nil)
		_, joints := v.moves(g.Initial())
		for _, joint := range joints {
			if v.high[fmt.Sprint(g.Play(g.Initial(), joint))] == 0 {
				all++
			}
		}
		s.Facts(func(f Fact) {
			if len(f.Moves) == 1 && f.High[s.Role()] == 0 {
				found++
			}
		})
	}
	if all < 20 || found*10 < all*8 {
		t.Errorf("%d of %d losses were found", found, all)
	}
}

// The line of a win is one: it comes to its end in as many moves as it was told to.
func TestLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	wins := 0
	for range 60 {
		g := at{toys.TicTacToe{}, wander(toys.TicTacToe{}, 2+rng.IntN(2), rng)}
		s := New(toys.NewEngine(g, 16, 1), g.Levels(), nil, 1<<22)
		if s.Begin(g.Initial(), new(atomic.Bool)) != nil {
			continue
		}
		if err := s.Run(new(atomic.Bool), never); err != nil {
			t.Fatal(err)
		}
		s.Facts(func(f Fact) {
			if len(f.Moves) > 0 || f.Distance == 0 {
				return
			}
			wins++
			state, line := g.Initial(), s.Line()
			for _, joint := range line {
				state = g.Play(state, joint)
			}
			if len(line) != f.Distance && len(line) != f.Distance-1 { // the last move is not held
				t.Fatalf("from %v: %d moves, told %d", g.state, len(line), f.Distance)
			}
			if len(line) == f.Distance && (!g.Terminal(state) || g.Goals(state)[s.Role()] != f.Low[s.Role()]) {
				t.Errorf("from %v: the line ends in %v", g.state, state)
			}
		})
	}
	if wins < 5 {
		t.Errorf("only %d wins", wins)
	}
}

// Memory is a bound, and what is found within little of it is true.
func TestMemory(t *testing.T) {
	g := toys.TicTacToe{Start: []uint64{1, 0}}
	v := truthOf(g, 1, nil)
	for _, memory := range []int64{1, 100 << 10, 1 << 20} {
		s := New(toys.NewEngine(g, 4, 1), g.Levels(), nil, memory)
		if err := s.Begin(g.Initial(), new(atomic.Bool)); err != nil {
			t.Fatal(err)
		}
		turns := 0
		if err := s.Run(new(atomic.Bool), func() bool {
			turns++
			if most := max(3*memory, 3*leastNodes*100); s.graph.bytes() > most {
				t.Fatalf("%d bytes with %d", s.graph.bytes(), memory)
			}
			return turns > 3000
		}); err != nil {
			t.Fatal(err)
		}
		s.Facts(func(f Fact) {
			state := g.Initial()
			for _, joint := range f.Moves {
				state = g.Play(state, joint)
			}
			if key := fmt.Sprint(state); f.Low[s.Role()] > v.low[key] || f.High[s.Role()] < v.high[key] {
				t.Errorf("%d bytes: %v is told to be in [%v, %v]", memory, state, f.Low, f.High)
			}
		})
		if memory == 1 && s.graph.swept == 0 {
			t.Error("memory was never made free")
		}
	}
}

// Whatever Step fails or is stopped, nothing is lost but the turn.
func TestStops(t *testing.T) {
	for _, kind := range []string{"stop", "error"} {
		for every := 2; every < 40; every += 3 {
			g := toys.TicTacToe{Start: []uint64{1, 2}}
			e := toys.NewEngine(g, 8, 1)
			s := New(e, g.Levels(), nil, 1<<20)
			var stop atomic.Bool
			if err := s.Begin(g.Initial(), &stop); err != nil {
				t.Fatal(err)
			}
			broken := errors.New("broken")
			first := e.Steps
			e.OnStep = func(e *toys.Engine, _ *atomic.Bool) error {
				if e.Steps-first == every {
					stop.Store(kind == "stop")
					return broken
				}
				return nil
			}
			for s.Busy() {
				stop.Store(false)
				first = e.Steps
				err := s.Run(&stop, stop.Load)
				if kind == "stop" && err != nil || err != nil && !errors.Is(err, broken) {
					t.Fatalf("%s: %v", kind, err)
				}
				if e.Steps-first > every {
					t.Fatalf("%s: %d Steps after it", kind, e.Steps-first-every)
				}
				if e.Loaded() > 0 {
					t.Fatalf("%s: lanes are loaded", kind)
				}
				if every++; s.States() > 1e6 {
					t.Fatalf("%s: it does not come to an end", kind)
				}
			}
			lost := 0
			s.Facts(func(f Fact) {
				if f.High[s.Role()] == 0 {
					lost++
				}
			})
			v := truthOf(g, s.Role(), nil)
			_, all := v.moves(g.Initial())
			for _, joint := range all {
				if v.high[fmt.Sprint(g.Play(g.Initial(), joint))] == 0 {
					lost--
				}
			}
			if lost != 0 {
				t.Errorf("%s every %d: %d losses too many", kind, every, lost)
			}
		}
	}
}

// What several choose at once is refused at the root, and nothing is told of it below.
func TestTogether(t *testing.T) {
	g := toys.Matrix{Pay: [][][2]float64{{{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}}}
	s := New(toys.NewEngine(g, 4, 1), g.Levels(), nil, 1<<20)
	if err := s.Begin(g.Initial(), new(atomic.Bool)); !errors.Is(err, ErrNoQuestion) {
		t.Errorf("error %v", err)
	}
	if s.Busy() || s.Line() != nil {
		t.Error("there is something to do")
	}
	s.Facts(func(f Fact) { t.Errorf("told %v", f) })
}

// broad is a game of two in turns in which a state has so many moves, by the moves made.
// Whoever makes the last one with 0 wins.
type broad struct{ moves []int }

func (broad) Levels() []int              { return []int{1, 1} }
func (broad) Initial() []uint64          { return []uint64{0, 0} }
func (g broad) Terminal(s []uint64) bool { return int(s[0]) == len(g.moves) }
func (g broad) Goals(s []uint64) []float64 {
	winner := (len(g.moves) - 1) % 2
	if s[1] != 0 {
		winner = 1 - winner
	}
	goals := make([]float64, 2)
	goals[winner] = 1
	return goals
}

func (g broad) Offers(s []uint64, role int, _ []uint32) []uint32 {
	if role != int(s[0]%2) {
		return []uint32{0}
	}
	offers := make([]uint32, g.moves[s[0]])
	for i := range offers {
		offers[i] = uint32(i)
	}
	return offers
}

func (g broad) Play(s []uint64, j []uint32) []uint64 {
	return []uint64{s[0] + 1, uint64(j[s[0]%2])}
}

// An expansion that takes too long is given up, and states with as many moves are not
// asked about again; others are.
func TestGiveUp(t *testing.T) {
	g := broad{[]int{200, 200, 5, 5}}
	s := New(toys.NewEngine(g, 64, 1), g.Levels(), nil, 1<<22)
	s.GiveUp(func() bool { return true })
	for range 2 {
		before := s.States()
		if err := s.Begin(g.Initial(), new(atomic.Bool)); !errors.Is(err, ErrNoQuestion) || s.Busy() {
			t.Fatalf("with 200 moves: %v, busy %v", err, s.Busy())
		}
		if played := s.States() - before; played > 2*wide {
			t.Errorf("%d joint moves played before it was given up", played)
		}
	}
	before := s.States()
	if err := s.Begin(g.Initial(), new(atomic.Bool)); !errors.Is(err, ErrNoQuestion) || s.States() > before+1 {
		t.Errorf("asked again: %v, %d joint moves", err, s.States()-before)
	}
	state := g.Play(g.Play(g.Initial(), []uint32{1, 0}), []uint32{0, 1})
	if err := s.Begin(state, new(atomic.Bool)); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(new(atomic.Bool), never); err != nil {
		t.Fatal(err)
	}
	lost := false
	s.Facts(func(f Fact) { lost = lost || len(f.Moves) == 0 && f.High[0] == 0 })
	if !lost {
		t.Error("five moves after all: not found that the second player wins")
	}
	// Nobody is late.
	s = New(toys.NewEngine(g, 64, 1), g.Levels(), nil, 1<<22)
	s.GiveUp(func() bool { return false })
	if err := s.Begin(g.Initial(), new(atomic.Bool)); err != nil || !s.Busy() {
		t.Errorf("in time: %v, busy %v", err, s.Busy())
	}
}

// spoiled is a round in which a draw brings nothing to either role.
type spoiled struct{ round }

func (g spoiled) Goals(s []uint64) []float64 {
	goals := g.round.Goals(s)
	if goals[0] == goals[1] {
		return []float64{0, 0}
	}
	return goals
}

// Where both can lose, it is no win for one that the other gets nothing.
func TestBothCanLose(t *testing.T) {
	sure, lost := 0, 0
	for seed := range uint64(400) {
		g := spoiled{round{size: 40, seed: seed}}
		s := New(toys.NewEngine(g, 16, 1), g.Levels(), nil, 1<<22)
		if s.Begin(g.Initial(), new(atomic.Bool)) != nil {
			continue
		}
		// The role that it asks for is that of the first root.
		root := wander(g, 1, rand.New(rand.NewPCG(seed, 1)))
		if g.Terminal(root) || s.Begin(root, new(atomic.Bool)) != nil {
			continue
		}
		if err := s.Run(new(atomic.Bool), never); err != nil {
			t.Fatal(err)
		}
		role, key := s.Chooser(), fmt.Sprint(root)
		from := at{g, root}
		won := truthOf(from, role, nil).low[key] == 1
		if role != s.Role() && truthOf(from, s.Role(), nil).high[key] == 0 && !won {
			lost++
		}
		if _, ok := s.Best(role); ok {
			sure++
			if !won {
				t.Errorf("game %d: role %d is not sure to win", seed, role)
			}
		}
	}
	if sure < 20 || lost < 5 {
		t.Errorf("%d wins, %d games in which one role is sure of nothing, and the other not to win", sure, lost)
	}
}
