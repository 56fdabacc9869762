package search

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
)

// looking is a lookahead on toy engines, neither of which may draw a move.
func looking(g toy, holderLanes, scoutLanes int, how Lookahead) (e Engine, holder, scouting *toyEngine) {
	holder, scouting = newToyEngine(g, holderLanes, 1), newToyEngine(g, scoutLanes, 2)
	never := func(int, int, []uint32, []uint32) uint32 { panic("an engine drew a move by itself") }
	holder.Choose, scouting.Choose = never, never
	return NewLookahead(holder, scouting, g.Levels(), how), holder, scouting
}

// ply is what a lane did on its own in a Step.
type ply struct {
	lane          int
	before, after []uint64
	ended         bool
}

// plies are those of so many Steps of an engine. Lanes begin the game anew when
// it ends; what they play is held against the rules.
func plies(t *testing.T, g toy, e Engine, steps int) (all []ply) {
	t.Helper()
	tracer := e.(Tracer)
	tracer.Trace(true)
	states := make([][]uint64, e.Lanes())
	for lane := range states {
		e.Load(lane, g.Initial(), nil)
	}
	goals := make([]float64, len(g.Levels()))
	for range steps {
		ended, err := e.Step(nil)
		if err != nil {
			t.Fatal(err)
		}
		stalled := e.(Staller).Stalled()
		for lane, before := range states {
			after := e.State(lane, nil)
			over := ended[lane/64]>>(lane%64)&1 != 0
			if before != nil && stalled[lane/64]>>(lane%64)&1 == 0 {
				all = append(all, ply{lane, before, after, over})
				if want := g.Play(before, choiceOf(tracer, g.Levels(), lane)); !slices.Equal(after, want) {
					t.Fatalf("from %o to %o by a move to %o", before, after, want)
				}
				if over != g.Terminal(after) {
					t.Fatalf("%o: ended %v", after, over)
				}
			}
			if e.Goals(lane, goals); !slices.Equal(goals, g.Goals(after)) {
				t.Fatalf("%o: goals %v", after, goals)
			}
			if states[lane] = after; over {
				states[lane] = nil
				e.Load(lane, g.Initial(), nil)
			}
		}
	}
	return all
}

// choiceOf reads a joint move of a Tracer.
func choiceOf(tracer Tracer, levels []int, lane int) (joint []uint32) {
	row := tracer.Choices()[lane*tracer.TraceWords():]
	for role, n := range levels {
		for level := range n {
			word, shift, bits := tracer.TraceField(role, level)
			joint = append(joint, uint32(row[word]>>shift&(1<<bits-1)))
		}
	}
	return joint
}

var lookedAt = []struct {
	name   string
	game   toy
	chance []bool
}{
	{"tic-tac-toe", ticTacToe{}, nil},
	{"split tic-tac-toe", splitTicTacToe{}, nil},
	{"verified tic-tac-toe", verifiedTicTacToe{}, nil},
	{"nim", nim{[]uint64{3, 2, 2}}, nil},
	{"nim, two moves a turn", pairs{nim{[]uint64{3, 2, 2}}}, nil},
	{"little nim, two moves a turn", pairs{nim{[]uint64{2, 1}}}, nil},
	{"nim, the last one loses", misere{nim{[]uint64{3, 2, 2}}}, nil},
	{"trio", trio{}, nil},
	{"ladder", ladder{}, nil},
	{"lottery", lottery{}, []bool{false, true}},
	{"dice, nobody is chance", dice{}, nil},
	{"dice", dice{}, []bool{false, true}},
	{"matrix", matrix{[][][2]float64{{{1, 0}, {0, 1}}, {{0, 0}, {1, 1}}}}, nil},
}

// Playouts go where the rules say that they may: to a win at once, else nowhere
// that another role wins at once from, and there to what the evaluation likes.
func TestLookahead(t *testing.T) {
	lanes := [][2]int{{1, 1}, {5, 3}, {100, 64}, {64, 257}}
	for _, c := range lookedAt {
		t.Run(c.name, func(t *testing.T) {
			for i, how := range []Lookahead{{Decisive: true}, {Greedy: 1, Evaluate: hashes{}}, {Decisive: true, Greedy: 1, Evaluate: hashes{}}} {
				how.Chance, how.Seed = c.chance, uint64(i)
				for _, n := range lanes {
					e, _, _ := looking(c.game, n[0], n[1], how)
					chosen, taken := 0, map[string]map[string]int{}
					for _, p := range plies(t, c.game, e, 20+200/n[0]) {
						mover, all := nexts(c.game, p.before, c.chance)
						if mover < 0 {
							continue
						}
						may := all
						if how.Decisive {
							may = decisive(c.game, mover, all, c.chance)
						}
						if how.Greedy == 1 && !(how.Decisive && wonBy(c.game, may[0], mover)) {
							may = liked(c.game, mover, may)
						}
						if chosen++; !slices.ContainsFunc(may, func(s []uint64) bool { return slices.Equal(s, p.after) }) {
							t.Fatalf("%+v, %v lanes: role %d went from %o to %o; to choose from were %o", how, n, mover, p.before, p.after, may)
						}
						slices.SortFunc(may, slices.Compare)
						may = slices.CompactFunc(may, slices.Equal)
						from := fmt.Sprint(p.before)
						if taken[from] == nil {
							taken[from] = map[string]int{}
						}
						taken[from][fmt.Sprint(p.after)]++
						if taken[from][""]++; taken[from][""] == 40*len(may) && len(taken[from])-1 < len(may) && !wonBy(c.game, may[0], mover) {
							t.Fatalf("%+v: from %o to %v only, not to all of %o", how, p.before, taken[from], may)
						}
					}
					if chosen == 0 && c.name != "matrix" {
						t.Error("nobody chose")
					}
				}
			}
		})
	}
}

// liked are the states of most value to a role.
func liked(g toy, role int, all [][]uint64) (best [][]uint64) {
	most, values := -1.0, make([]float64, len(g.Levels()))
	for _, s := range all {
		hashes{}.Values(s, values)
		if g.Terminal(s) {
			values = g.Goals(s)
		}
		if values[role] > most {
			most, best = values[role], nil
		}
		if values[role] == most {
			best = append(best, s)
		}
	}
	return best
}

// worthAtRandom is the mean goal of role 0 if semimoves are uniform, at each
// level, among those that a legal move goes on from.
func worthAtRandom(g toy, s []uint64, known map[string]float64) float64 {
	if g.Terminal(s) {
		return g.Goals(s)[0]
	}
	key := fmt.Sprint(s)
	if v, ok := known[key]; ok {
		return v
	}
	joints := map[string]float64{"": 1}
	for role := range g.Levels() {
		longer := map[string]float64{}
		for joint, p := range joints {
			spread(g, s, role, nil, p, func(move []uint32, p float64) { longer[joint+string(runes(move))] += p })
		}
		joints = longer
	}
	sum := 0.0
	for joint, p := range joints {
		var semimoves []uint32
		for _, r := range joint {
			semimoves = append(semimoves, uint32(r))
		}
		sum += p * worthAtRandom(g, g.Play(s, semimoves), known)
	}
	known[key] = sum
	return sum
}

func runes(move []uint32) (text []rune) {
	for _, semimove := range move {
		text = append(text, rune(semimove))
	}
	return text
}

// spread calls f for each move of a role, with its probability.
func spread(g toy, s []uint64, role int, prefix []uint32, p float64, f func(move []uint32, p float64)) {
	if len(prefix) == g.Levels()[role] {
		f(prefix, p)
		return
	}
	var alive [][]uint32
	for _, semimove := range g.Offers(s, role, prefix) {
		if next := append(prefix[:len(prefix):len(prefix)], semimove); len(movesOf(g, s, role, next)) > 0 {
			alive = append(alive, next)
		}
	}
	for _, next := range alive {
		spread(g, s, role, next, p/float64(len(alive)), f)
	}
}

// meanOf is the mean goal of role 0 in playouts of an engine.
func meanOf(t *testing.T, g toy, e Engine, playouts int) float64 {
	t.Helper()
	for lane := range e.Lanes() {
		e.Load(lane, g.Initial(), nil)
	}
	sum, goals := 0.0, make([]float64, len(g.Levels()))
	begun, done := e.Lanes(), 0
	for done < begun {
		ended, err := e.Step(nil)
		if err != nil {
			t.Fatal(err)
		}
		for lane := range e.Lanes() {
			if ended[lane/64]>>(lane%64)&1 == 0 {
				continue
			}
			e.Goals(lane, goals)
			sum += goals[0]
			if done++; begun < playouts {
				e.Load(lane, g.Initial(), nil)
				begun++
			} else {
				e.Unload(lane)
			}
		}
	}
	return sum / float64(done)
}

// Without anything to look for, playouts are those of the engine itself; an
// evaluation that likes all states the same changes nothing.
func TestLookaheadForNothing(t *testing.T) {
	const playouts = 20_000
	for _, c := range lookedAt {
		t.Run(c.name, func(t *testing.T) {
			want := worthAtRandom(c.game, c.game.Initial(), map[string]float64{})
			margin := 4.5 * 0.5 / math.Sqrt(playouts)
			e, _, _ := looking(c.game, 64, 64, Lookahead{Seed: 3, Chance: c.chance})
			if got := meanOf(t, c.game, e, playouts); math.Abs(got-want) > margin {
				t.Errorf("role 0 gets %.3f, want %.3f", got, want)
			}
			if c.name != "verified tic-tac-toe" { // the toy engine begins again at the first level
				if got := meanOf(t, c.game, newToyEngine(c.game, 64, 5), playouts); math.Abs(got-want) > margin {
					t.Errorf("role 0 gets %.3f from the plain engine, want %.3f", got, want)
				}
			}
		})
	}
}

// Ties go by lot, and Greedy is a probability.
func TestLookaheadDraws(t *testing.T) {
	g := ticTacToe{}
	first := func(how Lookahead) (counts [9]float64) {
		e, _, _ := looking(g, 64, 64, how)
		const rounds = 200
		for range rounds {
			for lane := range e.Lanes() {
				e.Load(lane, g.Initial(), nil)
			}
			for range 2 {
				if _, err := e.Step(nil); err != nil {
					t.Fatal(err)
				}
			}
			for lane := range e.Lanes() {
				counts[slices.Index([]uint64{1, 2, 4, 8, 16, 32, 64, 128, 256}, e.State(lane, nil)[0])] += 1.0 / rounds / float64(e.Lanes())
			}
		}
		return counts
	}
	const margin = 4.5 * 0.5 / 113 // of 12,800 draws
	for square, p := range first(Lookahead{Greedy: 1, Evaluate: fixed{0.5}, Seed: 1}) {
		if math.Abs(p-1.0/9) > margin {
			t.Errorf("square %d: %.3f of the draws", square, p)
		}
	}
	best := slices.Index([]uint64{1, 2, 4, 8, 16, 32, 64, 128, 256}, liked(g, 0, secondStates())[0][0])
	for square, p := range first(Lookahead{Greedy: 0.6, Evaluate: hashes{}, Seed: 1}) {
		want := 0.4 / 9
		if square == best {
			want += 0.6
		}
		if math.Abs(p-want) > margin {
			t.Errorf("square %d: %.3f of the draws, want %.3f", square, p, want)
		}
	}
}

func secondStates() [][]uint64 {
	_, all := nexts(ticTacToe{}, []uint64{0, 0}, nil)
	return all
}

// A random move is uniform level by level, and dead prefixes count for nothing.
func TestLookaheadLevels(t *testing.T) {
	for _, g := range []toy{splitTicTacToe{}, verifiedTicTacToe{}} {
		start := []uint64{0o011, 0o002} // o has one, two and three squares by column
		want := map[uint64]float64{}
		spread(g, start, 1, nil, 1, func(move []uint32, p float64) {
			want[1<<(3*move[1]+move[0])|start[1]] += p
		})
		if len(want) != 6 || math.Abs(want[0o102]-1.0/3) > 1e-9 || math.Abs(want[0o006]-1.0/9) > 1e-9 {
			t.Fatalf("%v", want)
		}
		e, _, _ := looking(g, 64, 64, Lookahead{Seed: 4})
		const rounds = 200
		for range rounds {
			for lane := range e.Lanes() {
				e.Load(lane, start, nil)
			}
			for range 2 {
				if _, err := e.Step(nil); err != nil {
					t.Fatal(err)
				}
			}
			for lane := range e.Lanes() {
				want[e.State(lane, nil)[1]] -= 1.0 / rounds / float64(e.Lanes())
			}
		}
		for o, off := range want {
			if math.Abs(off) > 4.5*0.5/113 {
				t.Errorf("%T: o at %o is drawn too seldom by %.3f", g, o, off)
			}
		}
	}
}

func TestLookaheadRepeats(t *testing.T) {
	run := func(seed uint64) []ply {
		e, _, _ := looking(splitTicTacToe{}, 64, 50, Lookahead{Decisive: true, Greedy: 0.5, Evaluate: hashes{}, Seed: seed})
		return plies(t, splitTicTacToe{}, e, 40)
	}
	if !reflect.DeepEqual(run(1), run(1)) {
		t.Error("the same seed, other playouts")
	}
	if reflect.DeepEqual(run(1), run(2)) {
		t.Error("another seed, the same playouts")
	}
}

// Where a role has no move, the lane ends as it is, and stalls.
func TestLookaheadStranded(t *testing.T) {
	e, _, _ := looking(narrowing{}, 64, 10, Lookahead{Decisive: true})
	ended := 0
	for _, p := range plies(t, narrowing{}, e, 30) {
		if p.ended {
			t.Fatalf("%o ended with a move", p.after)
		}
		if p.after[0] == 2 {
			ended++
		}
	}
	if ended == 0 {
		t.Error("no playout came to its end")
	}
	tree := New([]Engine{e}, narrowing{}.Levels(), Options{})
	if err := tree.SetRoot(narrowing{}.Initial()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		mustSearch(t, tree, 1000)
		if best, ok := tree.Best(0); !ok || best[0] != 2 {
			t.Errorf("best move %v", best)
		}
	}
}

// A Step ends with an error as soon as one of the engines does, and goes on
// when lanes are loaded again.
func TestLookaheadStops(t *testing.T) {
	for at := range 12 {
		e, holder, scouting := looking(ticTacToe{}, 64, 20, Lookahead{Decisive: true})
		var stop atomic.Bool
		after := 0
		watch := func(_ *toyEngine, flag *atomic.Bool) error {
			if flag != &stop {
				t.Error("an engine got another flag")
			}
			if holder.Steps+scouting.Steps > at {
				stop.Store(true)
			}
			if stop.Load() {
				after++
				return errors.New("stopped")
			}
			return nil
		}
		holder.OnStep, scouting.OnStep = watch, watch
		for lane := range e.Lanes() {
			e.Load(lane, []uint64{1, 2}, nil)
		}
		var err error
		for range 3 {
			if _, err = e.Step(&stop); err != nil {
				break
			}
		}
		if err == nil || after > 1 {
			t.Errorf("%d steps: error %v, %d steps after the flag was set", at, err, after)
		}
		holder.OnStep, scouting.OnStep = nil, nil
		if ended, err := e.Step(nil); err != nil || ended[0] != 0 {
			t.Errorf("without lanes: %x, %v", ended, err)
		}
		plies(t, ticTacToe{}, e, 20)
	}
	e, _, _ := looking(ticTacToe{}, 64, 20, Lookahead{Decisive: true})
	for lane := range e.Lanes() {
		e.Load(lane, []uint64{1, 2}, nil)
	}
	var stop atomic.Bool
	if _, err := e.Step(&stop); err != nil {
		t.Fatal(err)
	}
	if stop.Store(true); !stopped(e, &stop) {
		t.Error("a flag that was set before the Step did not end it")
	}
}

func stopped(e Engine, stop *atomic.Bool) bool {
	_, err := e.Step(stop)
	return err != nil
}

// Trees grow on a lookahead as on other engines, whatever their design; its
// playouts find the best move of tactics.
func TestLookaheadTrees(t *testing.T) {
	for _, i := range someDesigns() {
		d := designs[i]
		t.Run(d.name, func(t *testing.T) {
			for _, c := range tactics {
				g := d.game(ticTacToe{c.start})
				var engines []Engine
				for seed := range uint64(2) {
					e, _, _ := looking(g, 64, 100, Lookahead{Decisive: true, Greedy: 0.5, Evaluate: hashes{}, Seed: seed})
					engines = append(engines, e)
				}
				o := d.o
				o.Rave = Rave{Kind: Context}
				tree := New(engines, g.Levels(), o)
				if err := tree.SetRoot(g.Initial()); err != nil {
					t.Fatal(err)
				}
				mustSearch(t, tree, 1500)
				if err := tree.check(); err != nil {
					t.Fatal(err)
				}
				if best, ok := tree.Best(c.role); !ok || !reflect.DeepEqual(best, d.path(c.best)) {
					t.Errorf("%s: %v", c.name, best)
				}
			}
		})
	}
}

func TestLookaheadAllocates(t *testing.T) {
	e := spinLookahead(Lookahead{Decisive: true, Greedy: 0.5, Evaluate: fixed{0.5}})
	for range 20 {
		spinOn(t, e)
	}
	if allocs := testing.AllocsPerRun(20, func() { spinOn(t, e) }); allocs > 0 {
		t.Errorf("%v allocations in ten Steps", allocs)
	}
}
