// Package ground turns the rules of a game into a circuit: it finds by
// relaxed reachability which atoms can ever be true, keeps the rule instances
// over them, and makes each atom the gate that its instances describe.
package ground

import (
	"context"
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
	"semisplit/reasoner/split"
)

// grounder is the state of one grounding.
type grounder struct {
	ctx     context.Context
	limits  Limits
	game    *split.Game
	known   *Invariants
	program *gdl.Program
	store   *gdl.Store
	roles   []gdl.TermID

	relations    []relation
	helpers      map[string]int32 // helper relations by the spelling of their rule
	complements  map[string]complement
	selects      []int32 // by relation: the selection that an offer makes possible, or -1
	isSelect     map[int32]bool
	functional   map[gdl.Symbol][]functional
	sources      []source
	sourceNumber map[string]int32
	specials     map[string]int32
	demanded     []bool // by relation: it is asked for as it is
	waiting      []special
	rewriting    bool    // the relations that are made now are final
	dynamic      []*rule // rewritten
	sizes        *sizes

	// While static relations are evaluated.
	mayPostpone   bool // the static relations that are being evaluated may be postponed
	postponeAt    int  // number of atoms at which they are
	postponeSteps int  // number of steps at which they are

	atoms        *atomTable
	queue, spare []atomID
	joiner       joiner
	builder      *propnet.Builder // of the circuit, once it is being made
	epoch        int              // grows when plans should be made anew
	steps        int

	// Instances of an atom are a list through nextInstance; instance i has
	// the body bodies[bodyStart[i]:bodyStart[i+1]].
	firstInstance []int32 // by atom; -1 ends; may be shorter than the atoms
	nextInstance  []int32
	bodyStart     []int32
	bodies        []int32
	instances     int
}

// GroundProgram returns the circuit of the orthodox game: one level of moves
// for each role. See Ground.
func GroundProgram(ctx context.Context, p *gdl.Program, l Limits) (*propnet.Net, error) {
	game, err := split.Orthodox(p)
	if err != nil {
		return nil, err
	}
	return Ground(ctx, game, Prove(ctx, p), l)
}

// Ground returns the circuit of a game, of which something may be known (nil:
// nothing is). The error wraps ErrLimit when the game grows past its limits,
// and the context's error when it ends first.
func Ground(ctx context.Context, game *split.Game, known *Invariants, l Limits) (*propnet.Net, error) {
	l = l.orDefault()
	g := &grounder{
		ctx: ctx, limits: l, game: game, known: known, program: game.Program,
		store:        gdl.NewStore(game.Program.Symbols),
		helpers:      make(map[string]int32),
		complements:  make(map[string]complement),
		isSelect:     make(map[int32]bool),
		sourceNumber: make(map[string]int32),
		atoms:        newAtomTable(),
		bodyStart:    []int32{0},
	}
	g.joiner.g = g
	for _, r := range game.Program.Roles {
		g.roles = append(g.roles, g.pattern(r).id)
	}
	g.selections()
	g.learn()
	g.translate()
	if err := g.staticPhase(); err != nil {
		return nil, err
	}
	g.subsume()
	if err := g.measure(); err != nil {
		return nil, err
	}
	g.restrict()
	g.rewriting = true
	if err := g.specialize(); err != nil {
		return nil, err
	}
	g.eliminate()
	g.bundle()
	if err := g.dynamicPhase(); err != nil {
		return nil, err
	}
	net, err := g.circuit()
	if err != nil {
		return nil, err
	}
	net.OneHot = g.oneHot(net)
	*g = grounder{ctx: ctx} // the passes need the memory
	return optimize(ctx, net)
}

// selections notes which relations are selected, and by which offers.
func (g *grounder) selections() {
	g.selects = slices.Repeat([]int32{-1}, len(g.program.Relations))
	for _, role := range g.game.Roles {
		for _, level := range role.Levels {
			for _, c := range level.Choices {
				g.selects[c.Offer] = int32(c.Select)
				g.isSelect[int32(c.Select)] = true
			}
		}
	}
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
