package reasoner

import (
	"context"
	"fmt"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/prover"
)

// Limits bounds the work that the stages may do for one game.
type Limits struct {
	Prover prover.Limits
	Ground ground.Limits
}

// DefaultLimits suit a machine with a few gigabytes to spare.
var DefaultLimits = Limits{Prover: prover.DefaultLimits, Ground: ground.DefaultLimits}

// Read reads a game description. The program is nil if the diagnostics hold
// an error.
func Read(src string) (*gdl.Program, gdl.Diagnostics) { return gdl.Read(src) }

// Analyze is Read for a description that has been parsed already, as it
// arrives in a START message.
func Analyze(rules []kif.Term) (*gdl.Program, gdl.Diagnostics) { return gdl.Analyze(rules) }

// NewProver makes the machine that plays straight from the rules. It is ready
// at once and slow.
func NewProver(p *gdl.Program) (Machine, error) {
	return newProver(p, DefaultLimits)
}

func newProver(p *gdl.Program, l Limits) (Machine, error) {
	m, err := prover.New(p, l.Prover)
	if err != nil {
		return nil, fmt.Errorf("prover: %w", err)
	}
	return proverMachine{m}, nil
}

// NewLanes grounds the rules into a circuit and makes the machine that runs
// it in lanes. An error that wraps ground.ErrLimit means that the game is too
// large for the limits, not that it is wrong.
func NewLanes(ctx context.Context, p *gdl.Program, l Limits) (Machine, error) {
	net, err := ground.Ground(ctx, p, l.Ground)
	if err != nil {
		return nil, err
	}
	m, err := lanes.New(net)
	if err != nil {
		return nil, fmt.Errorf("lanes: %w", err)
	}
	return lanesMachine{m}, nil
}

// The stages below the door return their own engine types; these two give
// them the door's interface.

type proverMachine struct{ *prover.Machine }

func (m proverMachine) NewEngine(seed uint64) Engine { return m.Machine.NewEngine(seed) }

type lanesMachine struct{ *lanes.Machine }

func (m lanesMachine) NewEngine(seed uint64) Engine { return m.Machine.NewEngine(seed) }
