package lanes

import (
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
)

// netMaker builds nets by hand for tests.
type netMaker struct {
	net *propnet.Net
}

// newNet has the given numbers of fluents, and of semimoves by role and level.
// Selections that nothing may read are left out where keep says so.
func newNet(fluents int, roles [][]int, keep func(i int) bool) *netMaker {
	m := &netMaker{net: &propnet.Net{}}
	m.node(propnet.Const)
	m.node(propnet.Const)
	m.net.Fluents = nil
	for range fluents {
		m.node(propnet.Input)
	}
	i := 0
	for _, levels := range roles {
		var role propnet.Role
		for _, n := range levels {
			var lv propnet.Level
			for range n {
				s := propnet.False
				if keep(i) {
					s = m.node(propnet.Input)
				}
				lv.Select = append(lv.Select, s)
				lv.Offer = append(lv.Offer, propnet.False)
				lv.Codes = append(lv.Codes, 0)
				i++
			}
			role.Levels = append(role.Levels, lv)
		}
		m.net.Roles = append(m.net.Roles, role)
	}
	m.net.Fluents = append(m.net.Fluents, make([]gdl.TermID, fluents)...)
	m.net.Initial = make([]bool, fluents)
	m.net.Next = make([]propnet.Node, fluents)
	return m
}

func (m *netMaker) node(o propnet.Op, args ...propnet.Node) propnet.Node {
	n := m.net
	if len(n.First) == 0 {
		n.First = []int32{0}
	}
	n.Ops = append(n.Ops, o)
	n.Args = append(n.Args, args...)
	n.First = append(n.First, int32(len(n.Args)))
	return propnet.Node(len(n.Ops) - 1)
}

// randomNet has gates of every kind over random operands, and cycles.
func randomNet(rng *rand.Rand) *propnet.Net {
	roles := [][]int{{3 + rng.IntN(20)}, {1 + rng.IntN(9)}}
	deep := rng.IntN(2) == 0
	if deep {
		roles[1] = []int{4, 3}
	}
	fluents := 1 + rng.IntN(90)
	m := newNet(fluents, roles, func(int) bool { return rng.IntN(8) != 0 })
	inputs := len(m.net.Ops)
	free := propnet.Node(2 + fluents) // nodes below do not read selections
	var late []propnet.Node           // gates that may
	pick := func(all bool) propnet.Node {
		if all && rng.IntN(3) == 0 && inputs > 2+fluents {
			return propnet.Node(2 + fluents + rng.IntN(inputs-2-fluents))
		}
		if all && len(late) > 0 && rng.IntN(2) == 0 {
			return late[rng.IntN(len(late))]
		}
		if n := len(m.net.Ops); n > inputs && rng.IntN(2) == 0 {
			g := propnet.Node(inputs + rng.IntN(n-inputs))
			if all || !slices.Contains(late, g) {
				return g
			}
		}
		return propnet.Node(rng.IntN(int(free)))
	}
	for range 20 + rng.IntN(300) {
		all := rng.IntN(2) == 0
		if rng.IntN(25) == 0 {
			first := len(m.net.Ops)
			m.cycle(rng, func() propnet.Node { return pick(all) })
			for n := first; all && n < len(m.net.Ops); n++ {
				late = append(late, propnet.Node(n))
			}
			continue
		}
		var n propnet.Node
		switch rng.IntN(5) {
		case 0:
			n = m.node(propnet.Not, pick(all))
		default:
			args := make([]propnet.Node, 1+rng.IntN(4)*rng.IntN(4))
			for i := range args {
				args[i] = pick(all)
			}
			n = m.node(propnet.And+propnet.Op(rng.IntN(2)), args...)
		}
		if all {
			late = append(late, n)
		}
	}
	m.connect(rng, pick)
	return m.net
}

// cycle adds a range of gates that read one another.
func (m *netMaker) cycle(rng *rand.Rand, pick func() propnet.Node) {
	from := propnet.Node(len(m.net.Ops))
	size := 2 + rng.IntN(9)
	outside := make([]propnet.Node, 3*size)
	for i := range outside {
		outside[i] = pick()
	}
	for i := range size {
		args := []propnet.Node{from + propnet.Node((i+1)%size), outside[3*i]}
		if rng.IntN(2) == 0 {
			args = append(args, from+propnet.Node(rng.IntN(size)), outside[3*i+1])
		}
		rng.Shuffle(len(args), func(a, b int) { args[a], args[b] = args[b], args[a] })
		op := propnet.Or
		if rng.IntN(3) == 0 {
			op = propnet.And
		}
		m.node(op, args...)
	}
	m.net.Cycles = append(m.net.Cycles, propnet.Cycle{From: from, To: propnet.Node(len(m.net.Ops))})
}

func (m *netMaker) connect(rng *rand.Rand, pick func(all bool) propnet.Node) {
	reads := readsLevels(m.net)
	for i := range m.net.Next {
		m.net.Next[i] = pick(true)
	}
	m.net.Terminal = pick(false)
	for r := range m.net.Roles {
		role := &m.net.Roles[r]
		for i := range role.Levels {
			for k := range role.Levels[i].Offer {
				n := pick(i > 0)
				for int(reads[n]) > i {
					n = pick(true)
				}
				role.Levels[i].Offer[k] = n
			}
		}
		for v := 100; v >= 0; v -= 50 {
			role.Goals = append(role.Goals, propnet.Goal{Value: v, Node: pick(false)})
		}
	}
}

// TestRandomNets holds the programs of random nets against Net.Eval, with
// every way to ask for things: goals before and after deeper offers, lanes
// loaded with and without a joint move, states one by one and all together.
func TestRandomNets(t *testing.T) {
	for seed := range uint64(250) {
		rng := rand.New(rand.NewPCG(seed, 1))
		net := randomNet(rng)
		m, err := New(net)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if seed%4 == 0 { // the kernel for many slots
			widen(m.plan)
		}
		w := &netWalk{t: t, seed: seed, rng: rng, m: m, e: m.NewEngine(seed)}
		if seed%4 == 0 {
			w.e.narrow = nil
		}
		for range 6 {
			if !w.round() {
				break
			}
		}
	}
}

// widen turns the code of a plan back into wide code.
func widen(p *plan) {
	all := []*program{&p.state, &p.goals, &p.next, &p.fresh}
	for i := range p.deeper {
		all = append(all, &p.deeper[i])
	}
	for _, q := range all {
		for _, c := range q.narrow {
			q.wide = append(q.wide, code32{uint32(c.d), uint32(c.a), uint32(c.b), uint32(c.c)})
		}
		q.narrow = nil
	}
}

type netWalk struct {
	t    *testing.T
	seed uint64
	rng  *rand.Rand
	m    *Machine
	e    *Engine
}

func (w *netWalk) randomState() []uint64 {
	s := make([]uint64, w.m.words)
	for i := range w.m.net.Fluents {
		s[i/64] |= uint64(w.rng.IntN(2)) << (i % 64)
	}
	return s
}

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

// after is the state that the net gives after a joint move.
func (w *netWalk) after(state []uint64, joint []uint32) []uint64 {
	sel := make([]bool, w.m.net.Moves())
	at, i := 0, 0
	for _, r := range w.m.plan.roles {
		for _, lv := range r.levels {
			sel[at+int(joint[i])] = true
			at += lv.count
			i++
		}
	}
	n := w.m.net
	v := n.Eval(bools(state, len(n.Fluents)), sel)
	out := make([]uint64, w.m.words)
	for i, next := range n.Next {
		if v[next] {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return out
}

// round loads every lane, most with a joint move, takes a step, and compares.
func (w *netWalk) round() bool {
	want := [laneCount][]uint64{}
	many := w.rng.IntN(2) == 0
	var ended uint64
	if many {
		for lane := range laneCount {
			s := w.randomState()
			if w.rng.IntN(3) == 0 {
				w.e.Load(lane, s, nil)
				want[lane] = s
			} else {
				j := w.joint()
				w.e.Load(lane, s, j)
				want[lane] = w.after(s, j)
			}
		}
	} else { // a few lanes go on where they are
		for lane := range laneCount {
			w.e.Unload(lane)
		}
		for range 3 {
			lane := w.rng.IntN(laneCount)
			s, j := w.randomState(), w.joint()
			w.e.Load(lane, s, j)
			want[lane] = w.after(s, j)
		}
	}
	words, err := w.e.Step(nil)
	if err != nil {
		w.t.Fatalf("seed %d: %v", w.seed, err)
	}
	ended = words[0]
	for _, lane := range w.rng.Perm(laneCount) {
		if want[lane] != nil {
			w.compare(lane, want[lane], ended>>lane&1 != 0)
		}
	}
	w.random(want, ended)
	return !w.t.Failed()
}

func (w *netWalk) compare(lane int, want []uint64, ended bool) {
	t, n := w.t, w.m.net
	if got := w.e.State(lane, nil); !slices.Equal(got, want) {
		t.Errorf("seed %d lane %d: state %x, want %x", w.seed, lane, got, want)
		return
	}
	fluents := bools(want, len(n.Fluents))
	v := n.Eval(fluents, nil)
	if v[n.Terminal] != ended {
		t.Errorf("seed %d lane %d: ended %v", w.seed, lane, ended)
	}
	goals := make([]float64, len(n.Roles))
	check := func() {
		w.e.Goals(lane, goals)
		for r := range n.Roles {
			if g := highest(v, n.Roles[r].Goals); g != goals[r] {
				t.Errorf("seed %d lane %d role %d: goal %v, want %v", w.seed, lane, r, goals[r], g)
			}
		}
	}
	if w.rng.IntN(2) == 0 {
		check()
	}
	at := 0
	for r := range n.Roles {
		var prefix []uint32
		sel := make([]bool, n.Moves())
		for i, lv := range n.Roles[r].Levels {
			got := w.e.Offers(lane, r, prefix, nil)
			v := n.Eval(fluents, sel)
			var offers []uint32
			for k, o := range lv.Offer {
				if v[o] && !ended {
					offers = append(offers, uint32(k))
				}
			}
			if !slices.Equal(got, offers) {
				t.Errorf("seed %d lane %d role %d level %d: offers %v, want %v", w.seed, lane, r, i, got, offers)
			}
			k := w.rng.IntN(len(lv.Offer))
			prefix = append(prefix, uint32(k))
			sel[at+k] = true
			at += len(lv.Offer)
		}
	}
	check()
}

func highest(v []bool, goals []propnet.Goal) float64 {
	for _, g := range goals {
		if v[g.Node] {
			return float64(g.Value) / 100
		}
	}
	return 0
}

// random takes a random step, which must lead every lane to a successor by
// some joint move that was offered.
func (w *netWalk) random(before [laneCount][]uint64, ended uint64) {
	n := w.m.net
	successors := [laneCount][][]uint64{}
	dead := false
	for lane, s := range before {
		if s == nil || ended>>lane&1 != 0 {
			continue
		}
		fluents := bools(s, len(n.Fluents))
		var walk func(r, i int, joint []uint32, sel []bool, at int)
		walk = func(r, i int, joint []uint32, sel []bool, at int) {
			if r == len(n.Roles) {
				successors[lane] = append(successors[lane], w.after(s, joint))
				return
			}
			if i == len(n.Roles[r].Levels) {
				walk(r+1, 0, joint, sel, at)
				return
			}
			offers := n.Roles[r].Levels[i].Offer
			v := n.Eval(fluents, sel)
			any := false
			for k, o := range offers {
				if v[o] {
					any = true
					next := slices.Clone(sel)
					next[at+k] = true
					walk(r, i+1, append(slices.Clone(joint), uint32(k)), next, at+len(offers))
				}
			}
			dead = dead || !any
		}
		if w.rng.IntN(8) != 0 { // few lanes, since this is slow
			w.e.Unload(lane)
			continue
		}
		walk(0, 0, nil, make([]bool, n.Moves()), 0)
	}
	_, err := w.e.Step(nil)
	if err != nil {
		if !dead {
			w.t.Errorf("seed %d: %v", w.seed, err)
		}
		return
	}
	for lane, all := range successors {
		if all == nil {
			continue
		}
		got := w.e.State(lane, nil)
		if !slices.ContainsFunc(all, func(s []uint64) bool { return slices.Equal(s, got) }) {
			w.t.Errorf("seed %d lane %d: a random step led to a state that no offered move leads to", w.seed, lane)
		}
	}
}
