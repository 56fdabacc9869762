package lanes

import (
	"math/rand/v2"
	"slices"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
)

// netMaker builds nets by hand for tests.
type netMaker struct {
	net *propnet.Net
}

// newNet has the given numbers of fluents, and of semimoves by role and level.
// Selections that nothing may read are left out where keep says so. The roles
// in movable have a HasLegalMove input.
func newNet(fluents int, roles [][]int, keep func(i int) bool, movable ...int) *netMaker {
	m := &netMaker{net: &propnet.Net{}}
	m.node(propnet.Const)
	m.node(propnet.Const)
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
	for r := range roles {
		if slices.Contains(movable, r) {
			m.net.Roles[r].HasLegalMove = m.node(propnet.Input)
		}
	}
	m.net.Fluents = make([]gdl.TermID, fluents)
	m.net.Initial = make([]bool, fluents)
	m.net.Next = make([]propnet.Node, fluents)
	return m
}

func always(int) bool { return true }

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

// class is what a node of a random net may depend on: the fluents and, with a
// role, its selections of the levels below depth; of everything, all
// selections; with movable, the HasLegalMove inputs.
type class struct {
	role, depth int
	everything  bool
	movable     bool
}

// reads tells whether a node of class c may use one of class d.
func (c class) reads(d class) bool {
	switch {
	case d.movable:
		return c.movable || c.everything
	case c.everything || d.depth == 0 && !d.everything:
		return true
	}
	return !d.everything && c.role == d.role && c.depth >= d.depth
}

// randomMaker makes nets of gates of every kind over random operands.
type randomMaker struct {
	*netMaker
	rng     *rand.Rand
	classes []class // by node
}

// randomNet has roles with one to three levels, some of them with a test at
// the end, cycles, and sometimes HasLegalMove inputs that terminal and goals read.
func randomNet(rng *rand.Rand) *propnet.Net {
	shapes := [][]int{{3 + rng.IntN(20)}, {4, 3}, {3, 2, 4}, {5, 3, 1}, {2, 1}, {1 + rng.IntN(9)}}
	var roles [][]int
	var movable []int
	for r := range 1 + rng.IntN(3) {
		roles = append(roles, shapes[rng.IntN(len(shapes))])
		if rng.IntN(4) == 0 {
			movable = append(movable, r)
		}
	}
	fluents := 1 + rng.IntN(90)
	m := &randomMaker{netMaker: newNet(fluents, roles, func(int) bool { return rng.IntN(8) != 0 }, movable...), rng: rng}
	m.classes = make([]class, len(m.net.Ops))
	for r, role := range m.net.Roles {
		for i, lv := range role.Levels {
			for _, s := range lv.Select {
				if s != propnet.False {
					m.classes[s] = class{role: r, depth: i + 1}
				}
			}
		}
		if role.HasLegalMove != propnet.False {
			m.classes[role.HasLegalMove] = class{movable: true}
		}
	}
	for range 40 + rng.IntN(300) {
		c := m.class()
		if rng.IntN(25) == 0 {
			m.cycle(c)
		} else {
			m.gate(c)
		}
	}
	m.connect()
	return m.net
}

func (m *randomMaker) class() class {
	r := m.rng.IntN(len(m.net.Roles))
	switch m.rng.IntN(6) {
	case 0:
		return class{everything: true}
	case 1:
		return class{movable: true}
	case 2, 3:
		return class{role: r, depth: m.rng.IntN(len(m.net.Roles[r].Levels))}
	}
	return class{}
}

// pick is a node that one of class c may use, if it can those that make use
// of the class.
func (m *randomMaker) pick(c class) propnet.Node {
	for try := 0; ; try++ {
		n := m.rng.IntN(len(m.net.Ops))
		if c.reads(m.classes[n]) && (try > 3 || m.rng.IntN(3) == 0 || m.classes[n] != class{}) {
			return propnet.Node(n)
		}
	}
}

func (m *randomMaker) gate(c class) {
	var args []propnet.Node
	op := propnet.Not
	args = append(args, m.pick(c))
	if m.rng.IntN(5) != 0 {
		op = propnet.And + propnet.Op(m.rng.IntN(2))
		for range m.rng.IntN(4) * m.rng.IntN(4) {
			args = append(args, m.pick(c))
		}
	}
	m.node(op, args...)
	m.classes = append(m.classes, c)
}

// cycle adds a range of gates that read one another.
func (m *randomMaker) cycle(c class) {
	from, rng := propnet.Node(len(m.net.Ops)), m.rng
	size := 2 + rng.IntN(9)
	outside := make([]propnet.Node, 2*size)
	for i := range outside {
		outside[i] = m.pick(c)
	}
	for i := range size {
		args := []propnet.Node{from + propnet.Node((i+1)%size), outside[2*i]}
		if rng.IntN(2) == 0 {
			args = append(args, from+propnet.Node(rng.IntN(size)), outside[2*i+1])
		}
		rng.Shuffle(len(args), func(a, b int) { args[a], args[b] = args[b], args[a] })
		op := propnet.Or
		if rng.IntN(3) == 0 {
			op = propnet.And
		}
		m.node(op, args...)
		m.classes = append(m.classes, c)
	}
	m.net.Cycles = append(m.net.Cycles, propnet.Cycle{From: from, To: propnet.Node(len(m.net.Ops))})
}

func (m *randomMaker) connect() {
	for i := range m.net.Next {
		m.net.Next[i] = m.pick(class{everything: true})
	}
	m.net.Terminal = m.pick(class{movable: true})
	for r := range m.net.Roles {
		role := &m.net.Roles[r]
		for i := range role.Levels {
			for k := range role.Levels[i].Offer {
				role.Levels[i].Offer[k] = m.pick(class{role: r, depth: i})
			}
		}
		for v := 100; v >= 0; v -= 50 {
			role.Goals = append(role.Goals, propnet.Goal{Value: v, Node: m.pick(class{movable: true})})
		}
	}
}
