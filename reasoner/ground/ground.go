// Package ground turns the rules of a game into a circuit: it finds by
// relaxed reachability which atoms can ever be true, keeps the rule instances
// over them, and makes each atom the gate that its instances describe.
package ground

import (
	"context"
	"fmt"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
)

// grounder is the state of one grounding.
type grounder struct {
	ctx     context.Context
	limits  Limits
	program *gdl.Program
	store   *gdl.Store
	roles   []gdl.TermID

	relations       []relation
	helpers         map[string]int32 // helper relations by the spelling of their rule
	complements     map[string]complement
	static, dynamic []*rule
	atoms           *atomTable
	queue, spare    []atomID
	joiner          joiner
	builder         *propnet.Builder // of the circuit, once it is being made
	epoch           int              // grows when plans should be made anew
	steps           int

	// Instances of an atom are a list through nextInstance; instance i has
	// the body bodies[bodyStart[i]:bodyStart[i+1]].
	firstInstance []int32 // by atom; -1 ends; may be shorter than the atoms
	nextInstance  []int32
	bodyStart     []int32
	bodies        []int32
	instances     int
}

// Ground returns the circuit of the orthodox game: one level of moves for
// each role. The error wraps ErrLimit when the game grows past its limits,
// and the context's error when it ends first.
func Ground(ctx context.Context, p *gdl.Program, l Limits) (*propnet.Net, error) {
	l = l.orDefault()
	g := &grounder{
		ctx: ctx, limits: l, program: p,
		store:       gdl.NewStore(p.Symbols),
		helpers:     make(map[string]int32),
		complements: make(map[string]complement),
		atoms:       newAtomTable(),
		bodyStart:   []int32{0},
	}
	g.joiner.g = g
	for _, r := range p.Roles {
		g.roles = append(g.roles, g.pattern(r).id)
	}
	g.translate()
	if err := g.staticPhase(); err != nil {
		return nil, err
	}
	g.project()
	g.eliminate()
	if err := g.dynamicPhase(); err != nil {
		return nil, err
	}
	net, err := g.circuit()
	if err != nil {
		return nil, err
	}
	*g = grounder{ctx: ctx} // the passes need the memory
	return optimize(ctx, net)
}

// optimize runs the circuit's passes, looking at the context between them.
func optimize(ctx context.Context, net *propnet.Net) (*propnet.Net, error) {
	for _, p := range propnet.Passes() {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("ground: %w", context.Cause(ctx))
		}
		net = p.Apply(net)
	}
	return net, nil
}
