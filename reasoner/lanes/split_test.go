package lanes_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/lanes/kernel"
	rt "semisplit/reasoner/reasonertest"
)

// frogs jump over each other on a ring of seven stones, and who cannot jump has
// lost; at the same time a wind may blow one stone under water. Most prefixes
// of the second frog are dead.
const frogs = `
	(role left) (role right) (role wind)
	(init (on left 1)) (init (on left 2)) (init (on left 3)) (init (on right 4)) (init (on right 5)) (init (turn left)) (init (time 0))
	(stone 1) (stone 2) (stone 3) (stone 4) (stone 5) (stone 6) (stone 7)
	(then 1 2) (then 2 3) (then 3 4) (then 4 5) (then 5 6) (then 6 7) (then 7 1)
	(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
	(foe left right) (foe right left)
	(<= (hop ?x ?y) (then ?x ?y)) (<= (hop ?x ?z) (then ?x ?y) (then ?y ?z))
	(<= (hop ?y ?x) (then ?x ?y)) (<= (hop ?z ?x) (then ?x ?y) (then ?y ?z))
	(<= (taken ?x) (true (on ?r ?x)))
	(<= (crowded ?x) (then ?x ?y) (taken ?y) (then ?w ?x) (taken ?w))
	(<= (next (turn ?s)) (true (turn ?r)) (foe ?r ?s))
	(<= (next (time ?m)) (true (time ?n)) (succ ?n ?m))
	(<= (next (on ?r ?x)) (true (on ?r ?x)) (not (left-behind ?x)) (not (sinks ?x)))
	(<= (next (on ?r ?y)) (lands ?r ?y) (not (sinks ?y)))
	(<= terminal (true (time 7)))
	(<= terminal (true (turn ?r)) (not (able ?r)))
	(<= (goal ?r 100) (foe ?r ?s) (true (turn ?s)) (not (able ?s)))
	(<= (goal ?r 30) (true (on ?r 6)))
	(<= (goal wind 60) (able left) (not (able right)))
	(<= (goal wind 20) (not (true (on left 1))))`

const frogsWhole = `
	(<= (legal ?r (jump ?x ?y)) (true (turn ?r)) (true (on ?r ?x)) (hop ?x ?y) (not (taken ?y)) (not (crowded ?y)))
	(<= (legal ?r rest) (foe ?r ?s) (not (true (turn ?r))))
	(legal wind calm)
	(<= (legal wind (blow ?x)) (stone ?x) (true (time ?x)))
	(<= (able ?r) (legal ?r ?m) (foe ?r ?s))
	(<= (left-behind ?x) (does ?r (jump ?x ?y)))
	(<= (lands ?r ?y) (does ?r (jump ?x ?y)))
	(<= (sinks ?x) (does wind (blow ?x)))`

const frogsSplit = `
	(<= (from-l ?x) (true (turn left)) (true (on left ?x)))
	(<= rest-l (not (true (turn left))))
	(<= (to-l ?y) (from-l* ?x) (hop ?x ?y) (not (taken ?y)) (not (crowded ?y)))
	(<= none-l rest-l*)
	(<= (from-r ?x) (true (turn right)) (stone ?x))
	(<= rest-r (not (true (turn right))))
	(<= (to-r ?y) (from-r* ?x) (hop ?x ?y) (not (taken ?y)))
	(<= none-r rest-r*)
	(<= test-r (from-r* ?x) (true (on right ?x)) (to-r* ?y) (not (crowded ?y)))
	(<= test-r rest-r*)
	calm
	(<= (blow ?x) (stone ?x) (true (time ?x)))
	(<= (left-behind ?x) (from-l* ?x)) (<= (left-behind ?x) (from-r* ?x))
	(<= (lands left ?y) (to-l* ?y)) (<= (lands right ?y) (to-r* ?y))
	(<= (sinks ?x) (blow* ?x))`

// Whether a frog can jump is for the engine to find out, or for the rules.
const (
	frogsAsk = `
	(<= (able left) movable-l) (<= (able right) movable-r)`
	frogsKnow = `
	(<= (able ?r) (foe ?r ?s) (not (true (turn ?r))))
	(<= (able ?r) (true (on ?r ?x)) (hop ?x ?y) (not (taken ?y)) (not (crowded ?y)))`
)

func frogGame(t testing.TB, ask bool) (whole rt.Game, parts *lanes.Machine) {
	t.Helper()
	whole, _ = rt.Read(t, "frogs", frogs+frogsWhole)
	rules, left, right := frogs+frogsSplit+frogsKnow, "", ""
	if ask {
		rules, left, right = frogs+frogsSplit+frogsAsk, "movable-l", "movable-r"
	}
	game := rt.Handmade(t, rules,
		rt.HandmadeRole{HasLegalMove: left, Levels: [][]rt.Choice{
			{{"from-l", "from-l*", "(jump ?0 _)"}, {"rest-l", "rest-l*", "rest"}},
			{{"to-l", "to-l*", "(jump _ ?0)"}, {"none-l", "none-l*", "_"}},
		}},
		rt.HandmadeRole{HasLegalMove: right, Levels: [][]rt.Choice{
			{{"from-r", "from-r*", "(jump ?0 _)"}, {"rest-r", "rest-r*", "rest"}},
			{{"to-r", "to-r*", "(jump _ ?0)"}, {"none-r", "none-r*", "_"}},
			{{"test-r", "test-r*", "_"}},
		}},
		rt.HandmadeRole{Levels: [][]rt.Choice{{{"calm", "calm*", "calm"}, {"blow", "blow*", "(blow ?0)"}}}},
	)
	net, err := ground.Ground(context.Background(), game, nil, ground.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	parts, err = lanes.New(net)
	if err != nil {
		t.Fatal(err)
	}
	return whole, parts
}

func TestSplitGame(t *testing.T) {
	g, m := frogGame(t, true)
	_, other := frogGame(t, false)
	for _, wide := range append(inWidths(t, m), inWidths(t, other)...) {
		g.Machines = append(g.Machines, machine{wide})
	}
	g.Seeds, g.Time = []uint64{1, 2, 3}, 100*time.Millisecond
	rt.Run(t, g)
}

// TestStalling lets dead prefixes take several Steps: the lengths of playouts
// and the goals are those of a lane that never stalls, and lanes do stall.
func TestStalling(t *testing.T) {
	for _, ask := range []bool{false, true} {
		_, m := frogGame(t, ask)
		for _, wide := range inWidths(t, m) {
			stalling(t, wide, ask)
		}
	}
}

func stalling(t *testing.T, m *lanes.Machine, ask bool) {
	t.Helper()
	var length, goals [2]float64
	for i, passes := range []int{0, 1} {
		e := m.NewEngine(5)
		e.SetPasses(passes)
		states, stalls, playouts, sums := playSplit(t, e, m.Initial(), 30000/m.Lanes())
		if (stalls > 0) != (passes > 0) {
			t.Errorf("%d lanes, ask %v, %d passes: %d stalls", m.Lanes(), ask, passes, stalls)
		}
		if c := e.Counters(); c.Dead == 0 || c.Tries <= c.Dead {
			t.Errorf("%d lanes, ask %v, %d passes: %+v", m.Lanes(), ask, passes, c)
		}
		length[i], goals[i] = float64(states)/float64(playouts), sums[0]/float64(playouts)
	}
	if math.Abs(length[0]-length[1]) > 0.2 || math.Abs(goals[0]-goals[1]) > 0.03 {
		t.Errorf("%d lanes, ask %v: lengths %v, goals %v", m.Lanes(), ask, length, goals)
	}
}

// playSplit plays for a number of Steps.
func playSplit(t *testing.T, e *lanes.Engine, initial []uint64, steps int) (states, stalls, playouts int, sums []float64) {
	t.Helper()
	w := e.Lanes() / 64
	fresh := make([]uint64, w)
	for i := range fresh {
		fresh[i] = ^uint64(0)
	}
	sums = make([]float64, 3)
	e.LoadMany(fresh, initial)
	for range steps {
		ended, err := e.Step(nil)
		if err != nil {
			t.Fatal(err)
		}
		n := kernel.Popcount(e.Stalled())
		stalls += n
		states += e.Lanes() - kernel.Popcount(fresh) - n
		playouts += kernel.Popcount(ended)
		e.SumGoals(ended, sums)
		copy(fresh, ended)
		e.LoadMany(fresh, initial)
	}
	return states, stalls, playouts, sums
}

// TestLevelwise counts what is chosen in the initial state: uniformly among
// the first semimoves, then among the second ones, taken back where a prefix
// is dead. The frog on stone 3 cannot jump, the one on stone 1 in two ways,
// the one on stone 2 in one way.
func TestLevelwise(t *testing.T) {
	_, m := frogGame(t, false)
	_, asking := frogGame(t, true)
	for _, wide := range append(inWidths(t, m), inWidths(t, asking)...) {
		levelwise(t, wide, wide.NewEngine(9))
	}
}

func levelwise(t *testing.T, m *lanes.Machine, e *lanes.Engine) {
	t.Helper()
	want := map[string]float64{"2 3 7": 0.25, "2 3 6": 0.25, "1 3 7": 0.5}
	seen, total := firstJumps(t, m, e)
	sum := 0.0
	for s, p := range want {
		d := float64(seen[s]) - p*float64(total)
		sum += d * d / (p * float64(total))
		delete(seen, s)
	}
	if f := float64(len(want) - 1); sum > f+5*math.Sqrt(2*f) || len(seen) > 0 {
		t.Errorf("%d lanes: chi-square %.1f for %d outcomes, unforeseen %v", m.Lanes(), sum, len(want), seen)
	}
}

// firstJumps plays the first joint move very often, and counts where the
// first role's frogs are then.
func firstJumps(t *testing.T, m *lanes.Machine, e *lanes.Engine) (seen map[string]int, total int) {
	t.Helper()
	all := make([]uint64, m.Lanes()/64)
	for i := range all {
		all[i] = ^uint64(0)
	}
	seen = map[string]int{}
	for range 40000 / m.Lanes() {
		e.LoadMany(all, m.Initial())
		for range 2 { // the first Step looks
			if _, err := e.Step(nil); err != nil {
				t.Fatal(err)
			}
		}
		for lane := range m.Lanes() {
			seen[leftFrogs(m, e.State(lane, nil))]++
			total++
		}
	}
	return seen, total
}

// leftFrogs are the stones with a frog of the first role.
func leftFrogs(m *lanes.Machine, state []uint64) string {
	var on []string
	for _, f := range m.Fluents(state) {
		if len(f.Items) == 3 && f.Items[1].Name == "left" {
			on = append(on, f.Items[2].Name)
		}
	}
	slices.Sort(on)
	return strings.Join(on, " ")
}

// semimoves are those of a move of the first role.
func semimoves(t *testing.T, m *lanes.Machine, move string) []int32 {
	t.Helper()
	term, err := kif.ParseTerm(move)
	if err != nil {
		t.Fatal(err)
	}
	path, ok := m.Path(0, term)
	if !ok {
		t.Fatalf("no move %s", move)
	}
	return []int32{int32(path[0]), int32(path[1])}
}

// TestPolicy plays by an order that begins with the dead frog on stone 3,
// then that on stone 1, which goes to stone 7: always, or with probability
// epsilon uniformly.
func TestPolicy(t *testing.T) {
	_, m := frogGame(t, false)
	dead, good := semimoves(t, m, "(jump 3 1)"), semimoves(t, m, "(jump 1 7)")
	for _, wide := range inWidths(t, m) {
		for _, epsilon := range []float64{0, 0.25, 1} {
			e := wide.NewEngine(4)
			e.SetPolicy(0, 0, []int32{dead[0], good[0]}, epsilon)
			e.SetPolicy(0, 1, good[1:], 0)
			seen, total := firstJumps(t, wide, e)
			// Once the dead one was tried, half of the random choices are good.
			after := (1 - epsilon) + epsilon/2
			want := (1-epsilon)*after + epsilon*(1+after)/3
			got := float64(seen["2 3 7"]) / float64(total)
			if math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/float64(total)) {
				t.Errorf("%d lanes, epsilon %v: the good jump in %.4f of the choices, want %.4f", wide.Lanes(), epsilon, got, want)
			}
			e.SetPolicy(0, 0, nil, 0)
			e.SetPolicy(0, 1, nil, 0)
			seen, total = firstJumps(t, wide, e)
			if share := float64(seen["2 3 6"]) / float64(total); math.Abs(share-0.25) > 0.015 {
				t.Errorf("%d lanes: %.4f jump to stone 6 without a policy, want 0.25", wide.Lanes(), share)
			}
		}
	}
}
