package reasonertest

import (
	"fmt"
	"math"
	"slices"

	"semisplit/kif"
	"semisplit/reasoner"
)

// position is what the oracle says of one state.
type position struct {
	state    []uint64
	fluents  []string // sorted
	terminal bool
	goals    []float64
	legal    [][]kif.Term // by role, sorted by spelling
}

// oracle asks a trusted machine in lane 0 of an engine of its own.
type oracle struct {
	m reasoner.Machine
	e reasoner.Engine
}

// at describes a state, or with a joint move the one that follows it. Moves
// are terms by role.
func (o *oracle) at(state []uint64, moves []kif.Term) (*position, error) {
	var joint []uint32
	for r, move := range moves {
		path, ok := o.m.Path(r, move)
		if !ok {
			return nil, fmt.Errorf("the oracle does not know the move %s", move)
		}
		joint = append(joint, path...)
	}
	o.e.Load(0, state, joint)
	ended, err := o.e.Step(nil)
	if err != nil {
		return nil, err
	}
	p := &position{
		state:    o.e.State(0, nil),
		terminal: ended[0]&1 != 0,
		goals:    make([]float64, len(o.m.Roles())),
	}
	p.fluents = sorted(o.m.Fluents(p.state))
	o.e.Goals(0, p.goals)
	for r := range p.goals {
		p.legal = append(p.legal, o.moves(r))
	}
	o.e.Unload(0)
	return p, nil
}

// moves lists the legal moves that the oracle offers a role in lane 0, as
// terms sorted by spelling.
func (o *oracle) moves(role int) []kif.Term {
	f := finder{m: o.m, e: o.e, role: role, levels: o.m.Levels(role), left: math.MaxInt}
	f.all()
	var out []kif.Term
	for _, path := range f.paths {
		out = append(out, o.m.Move(role, path))
	}
	slices.SortFunc(out, func(a, b kif.Term) int { return compareSpelling(a, b.String()) })
	return out
}

// joints is the number of joint moves of a position, at most limit+1.
func (p *position) joints(limit int) int {
	n := 1
	for _, moves := range p.legal {
		n *= len(moves)
		if n > limit {
			return limit + 1
		}
	}
	return n
}

// stuck tells whether some role has no legal move.
func (p *position) stuck() bool {
	return slices.ContainsFunc(p.legal, func(moves []kif.Term) bool { return len(moves) == 0 })
}
