// Package lanes runs the circuit of a game for 64 positions at once: a
// proposition is one machine word, and bit k of it belongs to lane k.
//
// A net is compiled into straight programs of fused two- and three-operand
// instructions over an array of word slots, one program for each cone of the
// circuit that is needed at another moment. Random joint moves are drawn in
// the same form, for all lanes together.
package lanes

import (
	"fmt"
	"slices"
	"strings"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
)

// Machine is a compiled net. It is not changed after New, so that any number
// of goroutines may use it.
type Machine struct {
	net       *propnet.Net
	plan      *plan
	words     int // of a state
	semimoves int // in a joint move
	gates     int
	initial   []uint64
	fluents   map[gdl.TermID]int32
	moves     [][]map[gdl.TermID]uint32 // by role and level
}

// New compiles a net, which must not change afterwards and must have passed
// its own check. It fails if the net asks for something that lanes cannot do.
func New(net *propnet.Net) (*Machine, error) {
	p, err := compile(net)
	if err != nil {
		return nil, err
	}
	m := &Machine{
		net: net, plan: p,
		words:   (len(net.Fluents) + 63) / 64,
		fluents: make(map[gdl.TermID]int32, len(net.Fluents)),
	}
	m.initial = make([]uint64, m.words)
	for i, id := range net.Fluents {
		m.fluents[id] = int32(i)
		if net.Initial[i] {
			m.initial[i/64] |= 1 << (i % 64)
		}
	}
	for r := range net.Roles {
		var levels []map[gdl.TermID]uint32
		for _, lv := range net.Roles[r].Levels {
			codes := make(map[gdl.TermID]uint32, len(lv.Codes))
			for k, id := range lv.Codes {
				codes[id] = uint32(k)
			}
			levels = append(levels, codes)
		}
		m.moves = append(m.moves, levels)
		m.semimoves += len(levels)
	}
	for _, o := range net.Ops {
		if o == propnet.And || o == propnet.Or || o == propnet.Not {
			m.gates++
		}
	}
	return m, nil
}

// Kind is "lanes".
func (m *Machine) Kind() string { return "lanes" }

// Net is the circuit that the machine runs.
func (m *Machine) Net() *propnet.Net { return m.net }

// Gates is the number of gates of the net: what is not a constant or input.
func (m *Machine) Gates() int { return m.gates }

// Roles are the roles in the order of the rules.
func (m *Machine) Roles() []kif.Term {
	roles := make([]kif.Term, len(m.net.Roles))
	for r := range roles {
		roles[r] = m.net.Terms.KIF(m.net.Roles[r].Name)
	}
	return roles
}

// Levels is the number of semimoves in a move of the role.
func (m *Machine) Levels(role int) int { return len(m.net.Roles[role].Levels) }

// Initial is the initial state: fluent i of the net is bit i%64 of word i/64.
func (m *Machine) Initial() []uint64 { return slices.Clone(m.initial) }

// NewEngine makes an engine whose random choices follow from seed.
func (m *Machine) NewEngine(seed uint64) *Engine { return newEngine(m, seed) }

// Fluents spells the fluents of a state, in the order of the net.
func (m *Machine) Fluents(state []uint64) []kif.Term {
	var out []kif.Term
	for i, id := range m.net.Fluents {
		if w := i / 64; w < len(state) && state[w]>>(i%64)&1 != 0 {
			out = append(out, m.net.Terms.KIF(id))
		}
	}
	return out
}

// Encode is the inverse of Fluents. It fails for a fluent that the net does
// not have.
func (m *Machine) Encode(fluents []kif.Term) ([]uint64, error) {
	state := make([]uint64, m.words)
	for _, t := range fluents {
		id, ok := m.net.Terms.Find(t)
		if !ok {
			return nil, fmt.Errorf("lanes: encode: no fluent %s", t)
		}
		i, ok := m.fluents[id]
		if !ok {
			return nil, fmt.Errorf("lanes: encode: no fluent %s", t)
		}
		state[i/64] |= 1 << (i % 64)
	}
	return state, nil
}

// Move spells a path of semimoves: the code of an orthodox move, the list of
// its semimoves' codes for a role with several levels.
func (m *Machine) Move(role int, path []uint32) kif.Term {
	levels := m.net.Roles[role].Levels
	if len(levels) == 1 && len(path) == 1 {
		return m.net.Terms.KIF(levels[0].Codes[path[0]])
	}
	items := make([]kif.Term, len(path))
	for i, k := range path {
		items[i] = m.net.Terms.KIF(levels[i].Codes[k])
	}
	return kif.List(items...)
}

// Path is the inverse of Move; false if the net does not have the move.
func (m *Machine) Path(role int, move kif.Term) ([]uint32, bool) {
	levels := m.moves[role]
	parts := []kif.Term{move}
	if len(levels) != 1 {
		parts = move.Items
	}
	if len(parts) != len(levels) {
		return nil, false
	}
	path := make([]uint32, len(parts))
	for i, t := range parts {
		id, ok := m.net.Terms.Find(t)
		if !ok {
			return nil, false
		}
		if path[i], ok = levels[i][id]; !ok {
			return nil, false
		}
	}
	return path, true
}

// GoalValues are all the goal values of a role that hold in a state, rising.
// It makes an engine of its own, and is meant for the end of a match.
func (m *Machine) GoalValues(role int, state []uint64) []int {
	e := newEngine(m, 0)
	e.Load(0, state, nil)
	if _, err := e.Step(nil); err != nil {
		return nil
	}
	e.needGoals()
	var values []int
	for i, slot := range m.plan.roles[role].goals {
		if e.slots[slot]&1 != 0 {
			values = append(values, m.net.Roles[role].Goals[i].Value)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// checkJoint tells whether a joint move names a semimove for each level.
func (m *Machine) checkJoint(joint []uint32) error {
	if len(joint) != m.semimoves {
		return fmt.Errorf("lanes: a joint move of %d semimoves instead of %d was loaded", len(joint), m.semimoves)
	}
	at := 0
	for r := range m.plan.roles {
		for i := range m.plan.roles[r].levels {
			if k := joint[at]; int(k) >= m.plan.roles[r].levels[i].count {
				return fmt.Errorf("lanes: role %d has no semimove %d at level %d", r, k, i)
			}
			at++
		}
	}
	return nil
}

// noOffer is the error for a role that has no legal move in a state that is
// not terminal.
func (m *Machine) noOffer(role, level int) error {
	name := fmt.Sprint(role)
	if t := m.net.Terms; t != nil {
		name = t.KIF(m.net.Roles[role].Name).String()
	}
	if level > 0 {
		return fmt.Errorf("lanes: role %s has no semimove at level %d in a state that is not terminal", name, level)
	}
	return fmt.Errorf("lanes: role %s has no legal move in a state that is not terminal", name)
}

// Instructions is the length of the programs that every step runs.
func (m *Machine) Instructions() int {
	n := m.plan.state.size() + m.plan.next.size()
	for i := range m.plan.deeper {
		n += m.plan.deeper[i].size()
	}
	return n
}

// String lists the programs: a line for each run of instructions.
func (m *Machine) String() string {
	var b strings.Builder
	list := func(name string, p *program) {
		fmt.Fprintf(&b, "%s: %d instructions in %d runs\n%s", name, p.size(), p.numRuns(), p)
	}
	fmt.Fprintf(&b, "%d slots, %d of them inputs\n", m.plan.slots, m.plan.inputs)
	list("state", &m.plan.state)
	list("goals", &m.plan.goals)
	for i := range m.plan.deeper {
		list(fmt.Sprintf("level %d", i+1), &m.plan.deeper[i])
	}
	list("next", &m.plan.next)
	list("fresh", &m.plan.fresh)
	return b.String()
}
