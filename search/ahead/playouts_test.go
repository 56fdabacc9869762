package ahead

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/search/engine"
	"semisplit/search/internal/toys"
)

// looking are playouts on toy engines, neither of which may draw a move.
func looking(g toys.Game, holderLanes, scoutLanes int, how Options) (e engine.Engine, holder, scouting *toys.Engine) {
	holder, scouting = toys.NewEngine(g, holderLanes, 1), toys.NewEngine(g, scoutLanes, 2)
	never := func(int, int, []uint32, []uint32) uint32 { panic("an engine drew a move by itself") }
	holder.Choose, scouting.Choose = never, never
	return New(holder, scouting, g.Levels(), how), holder, scouting
}

// ply is what a lane did on its own in a Step.
type ply struct {
	lane          int
	before, after []uint64
	ended         bool
}

// plies are those of so many Steps of an engine. Lanes begin the game anew when
// it ends; what they play is held against the rules.
func plies(t *testing.T, g toys.Game, e engine.Engine, steps int) (all []ply) {
	t.Helper()
	tracer := e.(engine.Tracer)
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
		stalled := e.(engine.Staller).Stalled()
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
func choiceOf(tracer engine.Tracer, levels []int, lane int) (joint []uint32) {
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
	game   toys.Game
	chance []bool
}{
	{"tic-tac-toe", toys.TicTacToe{}, nil},
	{"split tic-tac-toe", toys.SplitTicTacToe{}, nil},
	{"verified tic-tac-toe", toys.VerifiedTicTacToe{}, nil},
	{"nim", toys.Nim{Heaps: []uint64{3, 2, 2}}, nil},
	{"nim, two moves a turn", pairs{toys.Nim{Heaps: []uint64{3, 2, 2}}}, nil},
	{"little nim, two moves a turn", pairs{toys.Nim{Heaps: []uint64{2, 1}}}, nil},
	{"nim, the last one loses", misere{toys.Nim{Heaps: []uint64{3, 2, 2}}}, nil},
	{"trio", toys.Trio{}, nil},
	{"ladder", toys.Ladder{}, nil},
	{"lottery", toys.Lottery{}, []bool{false, true}},
	{"dice, nobody is chance", toys.Dice{}, nil},
	{"dice", toys.Dice{}, []bool{false, true}},
	{"matrix", toys.Matrix{Pay: [][][2]float64{{{1, 0}, {0, 1}}, {{0, 0}, {1, 1}}}}, nil},
}

// Playouts go where the rules say that they may: to a win at once, else nowhere
// that another role wins at once from, and there to what the evaluation likes.
func TestPlayouts(t *testing.T) {
	lanes := [][2]int{{1, 1}, {5, 3}, {100, 64}, {64, 257}}
	for _, c := range lookedAt {
		t.Run(c.name, func(t *testing.T) {
			for i, how := range []Options{{Decisive: true}, {Greedy: 1, Evaluate: hashes{}}, {Decisive: true, Greedy: 1, Evaluate: hashes{}}} {
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
func liked(g toys.Game, role int, all [][]uint64) (best [][]uint64) {
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
func worthAtRandom(g toys.Game, s []uint64, known map[string]float64) float64 {
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
func spread(g toys.Game, s []uint64, role int, prefix []uint32, p float64, f func(move []uint32, p float64)) {
	if len(prefix) == g.Levels()[role] {
		f(prefix, p)
		return
	}
	var alive [][]uint32
	for _, semimove := range g.Offers(s, role, prefix) {
		if next := append(prefix[:len(prefix):len(prefix)], semimove); len(toys.Moves(g, s, role, next)) > 0 {
			alive = append(alive, next)
		}
	}
	for _, next := range alive {
		spread(g, s, role, next, p/float64(len(alive)), f)
	}
}

// meanOf is the mean goal of role 0 in playouts of an engine.
func meanOf(t *testing.T, g toys.Game, e engine.Engine, playouts int) float64 {
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
func TestForNothing(t *testing.T) {
	const playouts = 20_000
	for _, c := range lookedAt {
		t.Run(c.name, func(t *testing.T) {
			want := worthAtRandom(c.game, c.game.Initial(), map[string]float64{})
			margin := 4.5 * 0.5 / math.Sqrt(playouts)
			e, _, _ := looking(c.game, 64, 64, Options{Seed: 3, Chance: c.chance})
			if got := meanOf(t, c.game, e, playouts); math.Abs(got-want) > margin {
				t.Errorf("role 0 gets %.3f, want %.3f", got, want)
			}
			if c.name != "verified tic-tac-toe" { // the toy engine begins again at the first level
				if got := meanOf(t, c.game, toys.NewEngine(c.game, 64, 5), playouts); math.Abs(got-want) > margin {
					t.Errorf("role 0 gets %.3f from the plain engine, want %.3f", got, want)
				}
			}
		})
	}
}

// Ties go by lot, and Greedy is a probability.
func TestDraws(t *testing.T) {
	g := toys.TicTacToe{}
	first := func(how Options) (counts [9]float64) {
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
	for square, p := range first(Options{Greedy: 1, Evaluate: even{}, Seed: 1}) {
		if math.Abs(p-1.0/9) > margin {
			t.Errorf("square %d: %.3f of the draws", square, p)
		}
	}
	best := slices.Index([]uint64{1, 2, 4, 8, 16, 32, 64, 128, 256}, liked(g, 0, secondStates())[0][0])
	for square, p := range first(Options{Greedy: 0.6, Evaluate: hashes{}, Seed: 1}) {
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
	_, all := nexts(toys.TicTacToe{}, []uint64{0, 0}, nil)
	return all
}

// A random move is uniform level by level, and dead prefixes count for nothing.
func TestLevels(t *testing.T) {
	for _, g := range []toys.Game{toys.SplitTicTacToe{}, toys.VerifiedTicTacToe{}} {
		start := []uint64{0o011, 0o002} // o has one, two and three squares by column
		want := map[uint64]float64{}
		spread(g, start, 1, nil, 1, func(move []uint32, p float64) {
			want[1<<(3*move[1]+move[0])|start[1]] += p
		})
		if len(want) != 6 || math.Abs(want[0o102]-1.0/3) > 1e-9 || math.Abs(want[0o006]-1.0/9) > 1e-9 {
			t.Fatalf("%v", want)
		}
		e, _, _ := looking(g, 64, 64, Options{Seed: 4})
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

func TestRepeats(t *testing.T) {
	run := func(seed uint64) []ply {
		e, _, _ := looking(toys.SplitTicTacToe{}, 64, 50, Options{Decisive: true, Greedy: 0.5, Evaluate: hashes{}, Seed: seed})
		return plies(t, toys.SplitTicTacToe{}, e, 40)
	}
	if !reflect.DeepEqual(run(1), run(1)) {
		t.Error("the same seed, other playouts")
	}
	if reflect.DeepEqual(run(1), run(2)) {
		t.Error("another seed, the same playouts")
	}
}

// Where a role has no move, the lane ends as it is, and stalls.
func TestStranded(t *testing.T) {
	e, _, _ := looking(toys.Narrowing{}, 64, 10, Options{Decisive: true})
	ended := 0
	for _, p := range plies(t, toys.Narrowing{}, e, 30) {
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
}

// A Step ends with an error as soon as one of the engines does, and goes on
// when lanes are loaded again.
func TestStops(t *testing.T) {
	for at := range 12 {
		e, holder, scouting := looking(toys.TicTacToe{}, 64, 20, Options{Decisive: true})
		var stop atomic.Bool
		after := 0
		watch := func(_ *toys.Engine, flag *atomic.Bool) error {
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
		plies(t, toys.TicTacToe{}, e, 20)
	}
	e, _, _ := looking(toys.TicTacToe{}, 64, 20, Options{Decisive: true})
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

func stopped(e engine.Engine, stop *atomic.Bool) bool {
	_, err := e.Step(stop)
	return err != nil
}

func TestAllocates(t *testing.T) {
	e := spinPlayouts(Options{Decisive: true, Greedy: 0.5, Evaluate: even{}})
	for range 20 {
		spinOn(t, e)
	}
	if allocs := testing.AllocsPerRun(20, func() { spinOn(t, e) }); allocs > 0 {
		t.Errorf("%v allocations in ten Steps", allocs)
	}
}

// The moves of a state are looked for until the flag is set, however many beginnings lead
// nowhere.
func TestStopsListing(t *testing.T) {
	var stop atomic.Bool
	asked := 0
	g := toys.Haystack{Asked: func() {
		switch asked++; asked {
		case 1000:
			stop.Store(true)
		case 1_000_000:
			panic("the flag was not heard")
		}
	}}
	e, _, _ := looking(g, 4, 8, Options{Decisive: true})
	e.Load(0, g.Initial(), nil)
	if _, err := e.Step(&stop); err != nil {
		t.Fatal(err)
	}
	if !stopped(e, &stop) {
		t.Error("a Step did not end with an error")
	}
	stop.Store(false)
	asked = 0
	source := toys.NewEngine(g, 1, 1)
	source.Load(0, g.Initial(), nil)
	if _, err := source.Step(nil); err != nil {
		t.Fatal(err)
	}
	var value []float64
	o := NewChildEvaluator(toys.NewEngine(g, 8, 1), g.Levels(), []bool{false}, hashes{}, 1)
	if o.Add(0, &value); o.Find(source, &stop) == nil || value != nil {
		t.Errorf("a node is worth %v", value)
	}
}

// Moves that could not be found do not end the game: the Step ends with the engine's reason.
func TestMovesNotFound(t *testing.T) {
	g := toys.SplitTicTacToe{}
	for _, looks := range []bool{false, true} { // who fails: the one that holds the positions, or the one that looks
		failing := &toys.Failing{Engine: toys.NewEngine(g, 1, 1)}
		var holder, scouting engine.Engine = failing, toys.NewEngine(g, 8, 2)
		if looks {
			holder, scouting = scouting, holder
		}
		e := New(holder, scouting, g.Levels(), Options{Decisive: true})
		for range 2 {
			e.Load(0, g.Initial(), nil)
			if _, err := e.Step(nil); err != nil {
				t.Fatal(err)
			}
			if ended, err := e.Step(nil); !errors.Is(err, toys.ErrOffers) {
				t.Errorf("the one that looks fails: %v; ended %b, error %v", looks, ended, err)
			}
		}
	}
}
