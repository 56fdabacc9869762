package lanes_test

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/reasoner"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/propnet"
)

// planMachine is a game under a plan, with what was proven of it.
func planMachine(t *testing.T, rules, plan string) (*lanes.Machine, reasoner.Machine) {
	t.Helper()
	p, diagnostics := reasoner.Read(rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	c, err := reasoner.NewAnalysis(p).Circuit(context.Background(), plan, reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	m, err := lanes.New(c.Net())
	if err != nil {
		t.Fatal(err)
	}
	slow, err := reasoner.NewProver(p)
	if err != nil {
		t.Fatal(err)
	}
	return m, slow
}

func bundled(t *testing.T, name string) string {
	t.Helper()
	for _, g := range games.List() {
		if g.Name == name {
			return g.Rules
		}
	}
	t.Fatal("no game", name)
	return ""
}

// foreseen is a machine that foresees.
func foreseen(t *testing.T, m *lanes.Machine, replies bool) *lanes.Machine {
	t.Helper()
	f, err := m.Foresee(context.Background(), replies)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// seeker finds wins by making all moves, on the prover.
type seeker struct {
	t *testing.T
	m reasoner.Machine
	e reasoner.Engine
}

// reached is a state after a joint move.
type reached struct {
	state []uint64
	over  bool
	goals []float64
	move  []uint32 // of the role that has a choice
}

func (s *seeker) play(state []uint64, joint, move []uint32) reached {
	s.e.Load(0, state, joint)
	ended, err := s.e.Step(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r := reached{s.e.State(0, nil), ended[0]&1 != 0, make([]float64, len(s.m.Roles())), move}
	s.e.Goals(0, r.goals)
	return r
}

// children are the states after all moves of the only role with a choice; -1:
// there are several, or none.
func (s *seeker) children(state []uint64) (mover int, all []reached) {
	s.play(state, nil, nil)
	mover = -1
	joint, moves := []uint32(nil), [][]uint32(nil)
	for r := range s.m.Roles() {
		offers := s.e.Offers(0, r, nil, nil)
		if moves = append(moves, offers); len(offers) > 1 && mover >= 0 {
			return -1, nil
		} else if len(offers) > 1 {
			mover = r
		}
		joint = append(joint, offers[0])
	}
	if mover < 0 {
		return -1, nil
	}
	for _, k := range moves[mover] {
		joint[mover] = k
		all = append(all, s.play(state, slices.Clone(joint), []uint32{k}))
	}
	return mover, all
}

// wins are the moves by which a role wins at once.
func wins(mover int, all []reached) (out []reached) {
	for _, r := range all {
		if r.over && r.goals[mover] == 1 {
			out = append(out, r)
		}
	}
	return out
}

// wanted are the moves that should be preferred.
func (s *seeker) wanted(mover int, all []reached, replies bool) []reached {
	out := wins(mover, all)
	if len(out) > 0 || !replies {
		return out
	}
	for _, r := range all {
		if r.over {
			out = append(out, r)
			continue
		}
		other, answers := s.children(r.state)
		if other < 0 { // an only move may win too
			s.play(r.state, nil, nil)
			joint := []uint32{}
			for q := range s.m.Roles() {
				joint = append(joint, s.e.Offers(0, q, nil, nil)[0])
			}
			answers = []reached{s.play(r.state, joint, nil)}
		}
		safe := true
		for q := range s.m.Roles() {
			safe = safe && (q == mover || other >= 0 && q != other || len(wins(q, answers)) == 0)
		}
		if safe {
			out = append(out, r)
		}
	}
	return out
}

// visionGames are small games and plans of them.
var visionGames = []struct{ name, plan string }{
	{"tictactoe", "orthodox"}, {"connectfour", "orthodox"}, {"trio", "orthodox"}, {"trio", "modshift"}, {"nim", "modplus"},
	{"breakthrough", "orthodox"}, {"knightthrough", "mod"}, {"eightpuzzle", "orthodox"},
}

// What machines prefer is what comes out when all moves are made, and all
// answers to them, in states of random playouts.
func TestPreferred(t *testing.T) {
	states := 12
	if testenv.Long() {
		states = 400
	} else if testing.Short() {
		states = 4
	}
	for _, g := range visionGames {
		comparePreferred(t, g.name, bundled(t, g.name), g.plan, states)
	}
	for _, g := range []struct{ name, plan string }{{"connectFour", "orthodox"}, {"pentago", "modplus"}, {"ticTacToe", "orthodox"}} {
		t.Run(g.name, func(t *testing.T) { comparePreferred(t, g.name, testenv.Rules(t, g.name), g.plan, states/4) })
	}
}

func comparePreferred(t *testing.T, name, rules, plan string, states int) {
	t.Helper()
	m, slow := planMachine(t, rules, plan)
	s := &seeker{t, slow, slow.NewSingle(1)}
	for _, replies := range []bool{false, true} {
		f := foreseen(t, m, replies)
		e := f.NewEngine(5)
		for lane := range e.Lanes() {
			e.Load(lane, f.Initial(), nil)
		}
		for i := range states * 3 {
			ended, err := e.Step(nil)
			if err != nil {
				t.Fatal(err)
			}
			lane := i % e.Lanes()
			if i%3 == 0 && (ended[lane/64]|e.Stalled()[lane/64])>>(lane%64)&1 == 0 {
				compareAt(t, name+" "+plan, f, e, lane, s, replies)
			}
			for lane := range e.Lanes() {
				if ended[lane/64]>>(lane%64)&1 != 0 {
					e.Load(lane, f.Initial(), nil)
				}
			}
		}
	}
}

func compareAt(t *testing.T, name string, f *lanes.Machine, e *lanes.Engine, lane int, s *seeker, replies bool) {
	t.Helper()
	terms := f.Fluents(e.State(lane, nil))
	state, err := s.m.Encode(terms)
	if err != nil {
		t.Fatal(err)
	}
	mover, all := s.children(state)
	if mover < 0 {
		return
	}
	want := s.wanted(mover, all, replies)
	for r := range f.Roles() {
		should := r == mover && len(wins(mover, all)) > 0
		if got := e.Winners(r, nil)[lane/64]>>(lane%64)&1 != 0; got != should {
			t.Fatalf("%s: role %d winning %v in %v", name, r, got, terms)
		}
	}
	var first []uint32
	for _, w := range want {
		path, ok := f.Path(mover, s.m.Move(mover, w.move))
		if !ok {
			t.Fatal("no such move")
		}
		first = append(first, path[0])
	}
	slices.Sort(first)
	if got := e.Preferred(lane, mover, nil); !slices.Equal(got, slices.Compact(first)) {
		t.Fatalf("%s, replies %v: role %d prefers %v, want %v in %v", name, replies, mover, got, first, terms)
	}
}

// Playouts take a win where there is one, and let nobody else win at once who need
// not be let; under orders and choosers as well.
func TestPlayoutsSee(t *testing.T) {
	for i, g := range visionGames {
		if testing.Short() && i%3 != 0 {
			continue
		}
		m, _ := planMachine(t, bundled(t, g.name), g.plan)
		widths := inWidths(t, m)
		for i, replies := range []bool{false, true} {
			f := foreseen(t, widths[i%len(widths)], replies)
			for how := range 3 {
				e := f.NewEngine(7)
				e.SetPasses(lanes.AutoPasses)
				switch how {
				case 1:
					for r := range f.Roles() {
						for l := range f.Levels(r) {
							e.SetPolicy(r, l, []int32{int32(e.Semimoves(r, l) - 1), 0}, 0.5)
						}
					}
				case 2:
					setChoosers(f, e, drawn(rand.New(rand.NewPCG(3, 3))))
				}
				if taken, kept := watch(t, g.name, f, e, replies); taken == 0 && g.name != "eightpuzzle" || kept == 0 && replies && g.name != "eightpuzzle" {
					t.Errorf("%s, plan %s: %d wins taken, %d answers avoided", g.name, g.plan, taken, kept)
				}
			}
		}
	}
}

// watch plays on and holds each lane to what was seen before. It counts wins that
// were taken and choices without all moves.
func watch(t *testing.T, name string, f *lanes.Machine, e *lanes.Engine, replies bool) (taken, kept int) {
	t.Helper()
	roles := len(f.Roles())
	winners, goals := make([][]uint64, roles), make([]float64, roles)
	prefers := make([][]bool, e.Lanes())
	for lane := range e.Lanes() {
		prefers[lane] = make([]bool, roles)
		e.Load(lane, f.Initial(), nil)
	}
	for step := range 80 {
		ended, err := e.Step(nil)
		if err != nil {
			t.Fatal(err)
		}
		stalled := e.Stalled()
		for lane := range e.Lanes() {
			w, bit := lane/64, uint64(1)<<(lane%64)
			if stalled[w]&bit != 0 {
				continue
			}
			for r := range roles {
				if step > 0 && winners[r][w]&bit != 0 {
					if e.Goals(lane, goals); ended[w]&bit == 0 || goals[r] != 1 {
						t.Fatalf("%s: role %d passed over a win", name, r)
					}
					taken++
				}
				for q := range roles {
					if q != r && prefers[lane][r] && e.Winners(q, nil)[w]&bit != 0 {
						t.Fatalf("%s: role %d let role %d win", name, r, q)
					}
				}
			}
		}
		for r := range roles {
			winners[r] = e.Winners(r, winners[r][:0])
		}
		for lane := range e.Lanes() {
			w, bit := lane/64, uint64(1)<<(lane%64)
			for r := range roles {
				if stalled[w]&bit != 0 && ended[w]&bit == 0 {
					continue // in the state of before
				}
				n := 0
				if ended[w]&bit == 0 && winners[r][w]&bit == 0 {
					n = len(e.Preferred(lane, r, nil))
				}
				prefers[lane][r] = replies && n > 0
				if n > 0 && n < len(e.Offers(lane, r, nil, nil)) {
					kept++
				}
			}
			if ended[w]&bit != 0 {
				for r := range roles {
					winners[r][w] &^= bit
				}
				e.Load(lane, f.Initial(), nil)
			}
		}
	}
	return taken, kept
}

// Among what is preferred the choice is uniform.
func TestPreferredUniformly(t *testing.T) {
	m, _ := planMachine(t, bundled(t, "trio"), "orthodox")
	f := foreseen(t, m, true)
	e := f.NewEngine(11)
	tested := 0
	for seed := range 40 {
		walk := m.NewEngine(uint64(seed))
		walk.Load(0, m.Initial(), nil)
		for range 4 + seed%4 {
			if ended, err := walk.Step(nil); err != nil {
				t.Fatal(err)
			} else if ended[0] != 0 {
				break
			}
		}
		state := walk.State(0, nil)
		e.Load(0, state, nil)
		if ended, err := e.Step(nil); err != nil {
			t.Fatal(err)
		} else if ended[0]&1 != 0 {
			continue
		}
		for r := range f.Roles() {
			want := e.Preferred(0, r, nil)
			if n := len(e.Offers(0, r, nil, nil)); len(want) < 2 || len(want) == n || tested > 8 {
				continue
			}
			tested++
			counts, total := map[uint32]int{}, 0
			e.Trace(true)
			word, shift, bits := e.TraceField(r, 0)
			for range 2000 / e.Lanes() {
				for lane := range e.Lanes() {
					e.Load(lane, state, nil)
				}
				for range 2 {
					if _, err := e.Step(nil); err != nil {
						t.Fatal(err)
					}
				}
				for lane := range e.Lanes() {
					total++
					counts[uint32(e.Choices()[lane*e.TraceWords()+word]>>shift&(1<<bits-1))]++
				}
			}
			for _, k := range want {
				p := 1 / float64(len(want))
				if off := math.Abs(float64(counts[k]) - p*float64(total)); off > 5*math.Sqrt(p*float64(total)) {
					t.Errorf("semimove %d of %v: %d of %d", k, want, counts[k], total)
				}
				delete(counts, k)
			}
			if len(counts) > 0 {
				t.Errorf("others were chosen: %v", counts)
			}
			e.Load(0, state, nil)
			if _, err := e.Step(nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if tested == 0 {
		t.Error("nothing was tested")
	}
}

// Chance, which gets 100 by any move, does not prefer those that end the game.
func TestChancePrefersNothing(t *testing.T) {
	m, _ := planMachine(t, `(role a) (role random) (init (turn a)) (init (count 0)) (succ 0 1) (succ 1 2) (succ 2 3)
		(<= (legal a (go x)) (true (turn a))) (<= (legal a (go y)) (true (turn a))) (<= (legal a noop) (true (turn random)))
		(<= (legal random end) (true (turn random))) (<= (legal random on) (true (turn random))) (<= (legal random noop) (true (turn a)))
		(<= (next (turn random)) (true (turn a))) (<= (next (turn a)) (true (turn random)))
		(<= (next (count ?n)) (true (count ?m)) (succ ?m ?n)) (<= (next over) (does random end))
		(<= terminal (true over)) (<= terminal (true (count 3)))
		(goal random 100) (<= (goal a 0) (true over)) (<= (goal a 100) (not (true over)))`, "orthodox")
	for _, replies := range []bool{false, true} {
		e := foreseen(t, m, replies).NewEngine(7)
		games, ended := 0, 0 // by chance
		for ; games < 1000; games += e.Lanes() {
			for lane := range e.Lanes() {
				e.Load(lane, m.Initial(), nil)
			}
			for range 3 { // to look, of a, of chance
				over, err := e.Step(nil)
				if err != nil {
					t.Fatal(err)
				}
				if wins := e.Winners(1, nil); wins[0] != 0 {
					t.Fatalf("replies %v: chance wins in %b", replies, wins)
				}
				for _, w := range over {
					ended += bits.OnesCount64(w)
				}
			}
		}
		if ended < games/3 || ended > 2*games/3 {
			t.Errorf("replies %v: chance ends %d games of %d, want half of them", replies, ended, games)
		}
	}
}

// A machine that cannot foresee says why, each time; and its engines see nothing.
func TestBlind(t *testing.T) {
	m, _ := planMachine(t, bundled(t, "goofspiel"), "orthodox")
	for range 2 {
		if _, err := m.Foresee(context.Background(), false); !errors.Is(err, propnet.ErrBlind) {
			t.Error(err)
		}
	}
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	if _, err := e.Step(nil); err != nil {
		t.Fatal(err)
	}
	if e.Sees() || !slices.Equal(e.Winners(0, nil), make([]uint64, e.Lanes()/64)) {
		t.Error("it sees something")
	}
}
