// Package lanes runs the circuit of a game for 64, 256 or 512 positions at
// once: a proposition is a slot of one, four or eight machine words, and bit k
// of it belongs to lane k.
//
// A net is compiled into straight programs of fused two- and three-operand
// instructions over an array of slots, one program for each cone of the
// circuit that is needed at another moment. Random joint moves are drawn in
// the same form, for all lanes together. The loops over slots are those of
// package kernel, which has them in each width.
//
// A net becomes a plan (compile.go; layout, lower, cycle, schedule and allocate
// are its steps), a plan the code of one width (encode.go), and an Engine runs
// that: turns let lanes choose, a picker makes one choice, a loader brings states
// in, and readers tell what was reached.
package lanes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"semisplit/kif"
	"semisplit/reasoner/lanes/kernel"
	"semisplit/reasoner/propnet"
)

// Machine is a compiled net with the kernels of one width. It is not changed
// after New, so that any number of goroutines may use it.
type Machine struct {
	*compiled
	code *encoded
}

// New compiles a net, which must not change afterwards, for the narrowest
// kernels that there are. It fails for a net that does not pass its own check.
func New(net *propnet.Net) (*Machine, error) {
	c, err := newCompiled(net)
	if err != nil {
		return nil, err
	}
	return (&Machine{compiled: c}).WithLanes(kernel.Sets()[0].Lanes())
}

// WithLanes is the same machine with so many lanes. It fails if there are no
// kernels of that width.
func (m *Machine) WithLanes(lanes int) (*Machine, error) {
	for _, set := range kernel.Sets() {
		if set.Lanes() == lanes {
			return &Machine{compiled: m.compiled, code: m.encodedFor(set)}, nil
		}
	}
	return nil, fmt.Errorf("lanes: no kernels for %d lanes", lanes)
}

// Foresee is the same machine with a larger circuit, whose engines see wins: a
// lane that chooses for itself takes a move that ends the game at once with goal
// 100 for who makes it, where there is one. With replies it also avoids moves
// that let another role do so in the next state, as long as there are others.
// This is about states where no other role has a choice. The choice is as
// without, among the semimoves that are left at each level; an order or a
// chooser chooses among these, too.
//
// States and semimoves are those of this machine. The circuit is made when first
// asked for, in a fraction of a second where the game is small. It fails where
// propnet.Foresee does; the error wraps propnet.ErrBlind then.
func (m *Machine) Foresee(ctx context.Context, replies bool) (*Machine, error) {
	c, err := m.foresee(ctx, replies)
	if err != nil {
		return nil, err
	}
	return &Machine{compiled: c, code: c.encodedFor(m.code.set)}, nil
}

// Widths are the numbers of lanes that WithLanes takes, rising.
func Widths() []int {
	var widths []int
	for _, set := range kernel.Sets() {
		widths = append(widths, set.Lanes())
	}
	return widths
}

// QuickWidths are those of Widths that can be the quickest: all but the ones whose kernels
// are in Go where others are in vector instructions.
func QuickWidths() []int {
	var widths []int
	for _, set := range kernel.Sets() {
		if set.Vectors() {
			widths = append(widths, set.Lanes())
		}
	}
	if widths == nil {
		return Widths()
	}
	return widths
}

// Lanes is the number of positions side by side in each engine.
func (m *Machine) Lanes() int { return m.code.set.Lanes() }

// Kernels names what the machine runs on, as "avx2-256".
func (m *Machine) Kernels() string { return m.code.set.Name() }

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

// Spare are the fluents that the states of engines leave out, as a state; nil: none. The
// net says which: propnet.Essential.
func (m *Machine) Spare() []uint64 { return m.spare }

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

// Move spells a path of semimoves: their codes laid over each other.
func (m *Machine) Move(role int, path []uint32) kif.Term { return m.paths[role].Move(path) }

// Path is the inverse of Move; false if the net does not have the move.
func (m *Machine) Path(role int, move kif.Term) ([]uint32, bool) { return m.paths[role].Path(move) }

// GoalValues are all the goal values of a role that hold in a state, rising.
// It makes an engine of its own, and is meant for the end of a match.
func (m *Machine) GoalValues(role int, state []uint64) []int {
	e := newEngine(m, 0)
	e.Load(0, state, nil)
	if _, err := e.Step(nil); err != nil {
		return nil
	}
	values := e.goals.all(role, 0)
	slices.Sort(values)
	return slices.Compact(values)
}

// Instructions is the length of the programs that every step runs.
func (m *Machine) Instructions() int {
	return m.plan.size()
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
