package lanes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/reasoner/propnet"
)

// TestRandomNets holds the programs of random nets against propnet's plain
// evaluation, in every width, with every way to ask for things: goals before
// and after deeper offers, lanes loaded with and without a joint move, one by
// one and all together, dead prefixes with and without a bound on passes, with
// choosers and policies, and a trace of what was played.
func TestRandomNets(t *testing.T) {
	nets := uint64(150)
	if testing.Short() {
		nets = 60
	}
	met := &seen{}
	for seed := range nets {
		rng := rand.New(rand.NewPCG(seed, 1))
		net := randomNet(rng)
		m, err := New(net)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		widths := Widths()
		if m, err = m.WithLanes(widths[seed%uint64(len(widths))]); err != nil {
			t.Fatal(err)
		}
		w := &netWalk{t: t, seed: seed, rng: rng, m: m, e: m.NewEngine(seed), met: met, joints: map[int][]uint32{}, last: map[int][]uint32{}}
		w.e.Trace(true)
		w.e.SetPasses(rng.IntN(4) - 1) // AutoPasses is among them
		for range 6 {
			w.steer()
			w.round()
			if t.Failed() {
				return
			}
		}
	}
	if met.stalled == 0 || met.dead == 0 || met.stuck == 0 || met.immovable == 0 || met.moved == 0 || met.asked == 0 || met.without == 0 || met.kept == 0 || met.factored == 0 || met.bound == 0 {
		t.Errorf("the nets do not show everything: %+v", *met)
	}
}

// seen counts what a test has met, so that it does not pass for want of cases.
type seen struct{ stalled, stuck, immovable, moved, dead, asked, without, kept, factored, bound int }

// netWalk compares an engine with the plain evaluation of its net.
type netWalk struct {
	t    *testing.T
	seed uint64
	rng  *rand.Rand
	m    *Machine
	e    *Engine
	met  *seen

	joints map[int][]uint32 // by lane: loaded since the last Step
	last   map[int][]uint32 // by lane: the joint move that led to its state, where there was one
}

func (w *netWalk) randomState() []uint64 {
	s := make([]uint64, w.m.words)
	for i := range w.m.net.Fluents {
		s[i/64] |= uint64(w.rng.IntN(2)) << (i % 64)
	}
	return s
}

// joint is any semimoves, offered or not.
func (w *netWalk) joint() []uint32 {
	joint := []uint32{}
	for _, r := range w.m.plan.roles {
		for _, lv := range r.levels {
			joint = append(joint, uint32(w.rng.IntN(lv.count)))
		}
	}
	return joint
}

func bools(state []uint64, n int) []bool {
	out := make([]bool, n)
	for i := range out {
		out[i] = state[i/64]>>(i%64)&1 != 0
	}
	return out
}

// selected is the input of the plain evaluation for a path of each role, or
// the beginning of one.
func selected(n *propnet.Net, paths [][]uint32) []bool {
	sel := make([]bool, n.Moves())
	at := 0
	for r, role := range n.Roles {
		for i, lv := range role.Levels {
			if r < len(paths) && i < len(paths[r]) {
				sel[at+int(paths[r][i])] = true
			}
			at += len(lv.Codes)
		}
	}
	return sel
}

// truth is what the plain evaluation says of a state.
type truth struct {
	movable  []bool
	paths    [][][]uint32 // by role: the completed ones
	terminal bool
	goals    []float64
}

func (w *netWalk) truth(state []uint64) truth {
	n := w.m.net
	fluents := bools(state, len(n.Fluents))
	var out truth
	for r := range n.Roles {
		paths := completed(n, fluents, r, nil)
		out.paths = append(out.paths, paths)
		out.movable = append(out.movable, len(paths) > 0)
	}
	v := n.EvalInputs(propnet.Inputs{Fluents: fluents, HasLegalMove: out.movable})
	out.terminal = v[n.Terminal]
	for r := range n.Roles {
		out.goals = append(out.goals, highest(v, n.Roles[r].Goals))
	}
	return out
}

func completed(n *propnet.Net, fluents []bool, role int, prefix []uint32) [][]uint32 {
	if len(prefix) == len(n.Roles[role].Levels) {
		return [][]uint32{prefix}
	}
	var out [][]uint32
	for _, k := range offered(n, fluents, role, prefix) {
		out = append(out, completed(n, fluents, role, append(slices.Clone(prefix), k))...)
	}
	return out
}

func offered(n *propnet.Net, fluents []bool, role int, prefix []uint32) (out []uint32) {
	paths := make([][]uint32, role+1)
	paths[role] = prefix
	v := n.Eval(fluents, selected(n, paths))
	for k, o := range n.Roles[role].Levels[len(prefix)].Offer {
		if v[o] {
			out = append(out, uint32(k))
		}
	}
	return out
}

func highest(v []bool, goals []propnet.Goal) float64 {
	for _, g := range goals {
		if v[g.Node] {
			return float64(g.Value) / 100
		}
	}
	return 0
}

// after is the state that the net gives after a joint move. Where one is
// played every role has a legal move.
func (w *netWalk) after(state []uint64, joint []uint32) []uint64 {
	n := w.m.net
	var paths [][]uint32
	for _, role := range n.Roles {
		paths = append(paths, joint[:len(role.Levels)])
		joint = joint[len(role.Levels):]
	}
	v := n.Eval(bools(state, len(n.Fluents)), selected(n, paths))
	out := make([]uint64, w.m.words)
	for i, next := range n.Next {
		if v[next] {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return out
}

// round loads some lanes, most with a joint move, takes a step, compares, and
// goes on at random.
func (w *netWalk) round() {
	lanes := w.e.Lanes()
	for lane := range lanes {
		w.e.Unload(lane)
	}
	clear(w.last)
	want := map[int][]uint64{}
	some := w.rng.Perm(lanes)[:3+w.rng.IntN(12)]
	if w.rng.IntN(4) == 0 { // one state in many lanes
		mask := make([]uint64, lanes/64)
		s := w.randomState()
		for _, lane := range some[2:] {
			mask[lane/64] |= 1 << (lane % 64)
			want[lane] = s
		}
		w.e.LoadMany(mask, s)
		some = some[:2+w.rng.IntN(2)]
	}
	for _, lane := range some {
		s := w.randomState()
		if w.rng.IntN(3) == 0 {
			w.e.Load(lane, s, nil)
			want[lane] = s
		} else {
			j := w.joint()
			w.e.Load(lane, s, j)
			w.joints[lane] = j
			want[lane] = w.after(s, j)
		}
	}
	ended, err := w.e.Step(nil)
	if err != nil {
		w.t.Fatalf("seed %d: %v", w.seed, err)
	}
	w.tracedLoads()
	truths := map[int]truth{}
	for range 3 {
		for _, lane := range w.rng.Perm(lanes) {
			if want[lane] != nil && w.e.Stalled()[lane/64]>>(lane%64)&1 == 0 {
				truths[lane] = w.compare(lane, want[lane], ended[lane/64]>>(lane%64)&1 != 0)
			}
		}
		if w.t.Failed() {
			return
		}
		w.sums(truths)
		w.queries(want, truths)
		w.paths(want, truths)
		if ended = w.random(want, truths); ended == nil {
			return
		}
	}
}

func (w *netWalk) compare(lane int, want []uint64, ended bool) truth {
	t, n := w.t, w.m.net
	is := w.truth(want)
	if got := w.e.State(lane, nil); !slices.Equal(got, want) {
		t.Errorf("seed %d lane %d: state %x, want %x", w.seed, lane, got, want)
		return is
	}
	if is.terminal != ended {
		t.Errorf("seed %d lane %d: ended %v", w.seed, lane, ended)
	}
	for r := range n.Roles {
		if n.Roles[r].HasLegalMove != propnet.False && !is.movable[r] {
			w.met.immovable++
		}
	}
	goals := make([]float64, len(n.Roles))
	check := func() {
		w.e.Goals(lane, goals)
		if !slices.Equal(goals, is.goals) {
			t.Errorf("seed %d lane %d: goals %v, want %v", w.seed, lane, goals, is.goals)
		}
	}
	if w.rng.IntN(2) == 0 {
		check()
	}
	fluents := bools(want, len(n.Fluents))
	for r := range n.Roles {
		var prefix []uint32
		for i, lv := range n.Roles[r].Levels {
			got := w.e.Offers(lane, r, prefix, nil)
			var offers []uint32
			if !ended {
				offers = offered(n, fluents, r, prefix)
			}
			if !slices.Equal(got, offers) {
				t.Errorf("seed %d lane %d role %d level %d: offers %v, want %v", w.seed, lane, r, i, got, offers)
			}
			prefix = append(prefix, uint32(w.rng.IntN(len(lv.Offer))))
		}
	}
	check()
	return is
}

// queries compares offers after prefixes that are asked for in many lanes at
// once.
func (w *netWalk) queries(want map[int][]uint64, truths map[int]truth) {
	n := w.m.net
	var queries []query
	for lane := range truths {
		for r, role := range n.Roles {
			if want[lane] == nil || w.e.Stalled()[lane/64]>>(lane%64)&1 != 0 || w.rng.IntN(2) == 0 {
				continue
			}
			q := query{lane: lane, role: r, offers: []uint32{99}}
			for i := range w.rng.IntN(len(role.Levels) + 1) {
				q.prefix = append(q.prefix, uint32(w.rng.IntN(len(role.Levels[i].Offer))))
			}
			queries = append(queries, q)
		}
	}
	w.e.offers.offersMany(queries)
	for _, q := range queries {
		offers := []uint32{99}
		if !truths[q.lane].terminal && len(q.prefix) < len(n.Roles[q.role].Levels) {
			offers = append(offers, offered(n, bools(want[q.lane], len(n.Fluents)), q.role, q.prefix)...)
		}
		if !slices.Equal(q.offers, offers) {
			w.t.Errorf("seed %d lane %d role %d prefix %v: offers %v among many, want %v", w.seed, q.lane, q.role, q.prefix, q.offers, offers)
		}
	}
}

// paths compares the whole moves that are listed for many lanes at once.
func (w *netWalk) paths(want map[int][]uint64, truths map[int]truth) {
	n := w.m.net
	mask := make([]uint64, w.e.Lanes()/64)
	for lane := range truths {
		if want[lane] != nil && w.e.Stalled()[lane/64]>>(lane%64)&1 == 0 && w.rng.IntN(4) > 0 {
			mask[lane/64] |= 1 << (lane % 64)
		}
	}
	for r, role := range n.Roles {
		got := map[int][][]uint32{}
		w.e.Paths(mask, r, math.MaxInt, func(lane int, path []uint32) { got[lane] = append(got[lane], slices.Clone(path)) })
		firsts := make([][]uint32, w.e.Lanes())
		w.e.Firsts(mask, r, firsts)
		factors, rest := map[int][][]uint32{}, slices.Clone(mask)
		w.e.Factors(rest, r, func(lane int, values [][]uint32) {
			for _, v := range values {
				factors[lane] = append(factors[lane], slices.Clone(v))
			}
		})
		for lane, is := range truths {
			if left := rest[lane/64]>>(lane%64)&1 != 0; left != (mask[lane/64]>>(lane%64)&1 != 0 && factors[lane] == nil) {
				w.t.Errorf("seed %d lane %d role %d: %v is left of the mask, with factors %v", w.seed, lane, r, left, factors[lane])
			}
			if mask[lane/64]>>(lane%64)&1 == 0 {
				if got[lane] != nil || firsts[lane] != nil || factors[lane] != nil {
					w.t.Errorf("seed %d lane %d role %d: listed, and nobody asked", w.seed, lane, r)
				}
				continue
			}
			if want := w.e.Offers(lane, r, nil, nil); !slices.Equal(firsts[lane], want) {
				w.t.Errorf("seed %d lane %d role %d: first semimoves %v, want %v", w.seed, lane, r, firsts[lane], want)
			}
			var all [][]uint32
			var walk func(prefix []uint32)
			walk = func(prefix []uint32) {
				if len(prefix) == len(role.Levels) {
					all = append(all, slices.Clone(prefix))
					return
				}
				for _, k := range offered(n, bools(want[lane], len(n.Fluents)), r, prefix) {
					walk(append(prefix, k))
				}
			}
			if !is.terminal {
				walk(nil)
			}
			if fmt.Sprint(got[lane]) != fmt.Sprint(all) {
				w.t.Errorf("seed %d lane %d role %d: moves %v, want %v", w.seed, lane, r, got[lane], all)
			}
			if f := factors[lane]; f != nil {
				w.met.factored++
				if combined := combinations(f); fmt.Sprint(combined) != fmt.Sprint(all) {
					w.t.Errorf("seed %d lane %d role %d: combined moves %v, want %v", w.seed, lane, r, combined, all)
				}
			} else if len(role.Levels) > 1 && len(all) > 0 {
				w.met.bound++
			}
		}
	}
}

// combinations are all moves that have a value of each level.
func combinations(values [][]uint32) (all [][]uint32) {
	all = [][]uint32{nil}
	for _, v := range values {
		var more [][]uint32
		for _, begun := range all {
			for _, k := range v {
				more = append(more, append(slices.Clone(begun), k))
			}
		}
		all = more
	}
	return all
}

// sums compares the goals of many lanes with those of each.
func (w *netWalk) sums(truths map[int]truth) {
	mask := make([]uint64, w.e.Lanes()/64)
	want := make([]float64, len(w.m.net.Roles))
	for lane, is := range truths {
		if w.rng.IntN(2) == 0 || w.e.Stalled()[lane/64]>>(lane%64)&1 != 0 {
			continue
		}
		mask[lane/64] |= 1 << (lane % 64)
		for r, g := range is.goals {
			want[r] += g
		}
	}
	got := make([]float64, len(want))
	w.e.SumGoals(mask, got)
	if !slices.Equal(got, want) {
		w.t.Errorf("seed %d: sums of goals %v, want %v", w.seed, got, want)
	}
}

// random takes a random step. Every lane stalls, or comes to a successor by
// completed paths; it stalls and ends if and only if some role has none. It
// returns the lanes that ended, and what the others hold in want.
func (w *netWalk) random(want map[int][]uint64, truths map[int]truth) []uint64 {
	for lane := range want {
		if is := truths[lane]; is.terminal || is.stuck() && w.rng.IntN(8) != 0 {
			w.e.Unload(lane)
			delete(w.last, lane)
			delete(want, lane)
			delete(truths, lane)
		}
	}
	w.more(want)
	before := w.e.Counters()
	ended, err := w.e.Step(nil)
	w.met.dead += int(w.e.Counters().Dead - before.Dead)
	if err != nil {
		w.t.Errorf("seed %d: %v", w.seed, err)
		return nil
	}
	w.tracedLoads()
	for lane, s := range want {
		got := w.e.State(lane, nil)
		if _, ok := truths[lane]; !ok {
			continue // loaded just now: the next comparison sees it
		}
		stalled := w.e.Stalled()[lane/64]>>(lane%64)&1 != 0
		if is := truths[lane]; is.stuck() && (w.e.turns.passes == 0 || stalled && ended[lane/64]>>(lane%64)&1 != 0) {
			w.met.stuck++
			goals := make([]float64, len(is.goals))
			if w.e.Goals(lane, goals); !stalled || ended[lane/64]>>(lane%64)&1 == 0 || !slices.Equal(got, s) || !slices.Equal(goals, is.goals) {
				w.t.Errorf("seed %d lane %d: a role has no move: stalled %v, ended %x, in state %x instead of %x, goals %v instead of %v",
					w.seed, lane, stalled, ended, got, s, goals, is.goals)
			}
			w.e.Unload(lane)
			delete(w.last, lane)
			delete(want, lane)
			delete(truths, lane)
			continue
		}
		if stalled {
			w.met.stalled++
			if ended[lane/64]>>(lane%64)&1 != 0 {
				w.t.Errorf("seed %d lane %d: stalled and ended, though every role can move", w.seed, lane)
			}
			if w.e.turns.passes == 0 || !w.m.plan.asksForMoves && !slices.Equal(got, s) {
				w.t.Errorf("seed %d lane %d: stalled, %d passes, in state %x instead of %x", w.seed, lane, w.e.turns.passes, got, s)
			}
			w.tracedStall(lane)
			continue
		}
		w.met.moved++
		if !w.leads(s, truths[lane], 0, nil, got) {
			w.t.Errorf("seed %d lane %d: a random step led to a state that no move leads to", w.seed, lane)
		}
		w.traced(lane, s, truths[lane], got)
		want[lane] = got
	}
	return ended
}

// more loads some lanes while others are at play.
func (w *netWalk) more(want map[int][]uint64) {
	for range w.rng.IntN(4) {
		lane := w.rng.IntN(w.e.Lanes())
		if want[lane] != nil {
			continue
		}
		s := w.randomState()
		want[lane] = s
		if w.rng.IntN(3) == 0 {
			w.e.Load(lane, s, nil)
		} else {
			j := w.joint()
			w.e.Load(lane, s, j)
			w.joints[lane] = j
			want[lane] = w.after(s, j)
		}
	}
}

func (is truth) stuck() bool { return slices.Contains(is.movable, false) }

// leads tells whether some joint move leads from a state to another.
func (w *netWalk) leads(from []uint64, is truth, role int, joint []uint32, to []uint64) bool {
	if role == len(is.paths) {
		return slices.Equal(w.after(from, joint), to)
	}
	return slices.ContainsFunc(is.paths[role], func(path []uint32) bool {
		return w.leads(from, is, role+1, slices.Concat(joint, path), to)
	})
}
