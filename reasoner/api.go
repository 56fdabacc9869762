package reasoner

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/propnet"
	"semisplit/reasoner/prover"
	"semisplit/reasoner/split"
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
	return newProver(context.Background(), p, DefaultLimits)
}

// NewStandIn makes a prover that is ready much sooner than the one of NewProver,
// and may be slower: for who needs a single legal move (prover.Engine.FirstMove).
func NewStandIn(ctx context.Context, p *gdl.Program, l Limits) (Machine, error) {
	stop, free := stopWith(ctx)
	defer free()
	l.Prover.Stop = stop
	m, err := prover.NewUntuned(p, l.Prover)
	if err != nil {
		return nil, fmt.Errorf("prover: %w", err)
	}
	return proverMachine{m, split.WholeMoves}, nil
}

func newProver(ctx context.Context, p *gdl.Program, l Limits) (Machine, error) {
	stop, free := stopWith(ctx)
	defer free()
	l.Prover.Stop = stop
	m, err := prover.New(p, l.Prover)
	if err != nil {
		return nil, fmt.Errorf("prover: %w", err)
	}
	return proverMachine{m, split.WholeMoves}, nil
}

// stopWith is a flag that is set when the context ends, until it is freed.
func stopWith(ctx context.Context) (stop *atomic.Bool, free func()) {
	stop = new(atomic.Bool)
	off := context.AfterFunc(ctx, func() { stop.Store(true) })
	return stop, func() { off() }
}

// The stages return their own engine types; these give them the interface of
// this package.

type proverMachine struct {
	*prover.Machine
	plan string
}

func (m proverMachine) Plan() string                 { return m.plan }
func (m proverMachine) Lanes() int                   { return 1 }
func (m proverMachine) NewEngine(seed uint64) Engine { return m.Machine.NewEngine(seed) }
func (m proverMachine) NewSingle(seed uint64) Engine { return m.Machine.NewEngine(seed) }
func (m proverMachine) Spare() []uint64              { return nil }
func (m proverMachine) Whole() Machine               { return m }

type lanesMachine struct {
	*lanes.Machine
	single *lanes.Machine // with the fewest lanes and all fluents
	plan   string
}

func (m lanesMachine) Plan() string { return m.plan }

// Whole is Machine.Whole.
func (m lanesMachine) Whole() Machine {
	if m.Spare() == nil {
		return m
	}
	wide, err := m.single.WithLanes(m.Lanes())
	if err != nil { // it has these lanes itself
		wide = m.single
	}
	return lanesMachine{wide, m.single, m.plan}
}

// Initial is the initial state, with all fluents.
func (m lanesMachine) Initial() []uint64 { return m.single.Initial() }

// NewEngine makes an engine whose lanes may stall: see stalling.
func (m lanesMachine) NewEngine(seed uint64) Engine {
	e := m.Machine.NewEngine(seed)
	e.SetPasses(lanes.AutoPasses)
	return e
}

// ErrBlind is wrapped by Foresee where immediate wins cannot be seen; the reason
// comes before it.
var ErrBlind = propnet.ErrBlind

// Foresee is a machine whose playouts take moves that win at once, and with
// replies avoid those that let another role win at once: see
// lanes.Machine.Foresee. States and semimoves are the same. It fails, with
// ErrBlind, where there is no such circuit; the prover has none.
func Foresee(ctx context.Context, m Machine, replies bool) (Machine, error) {
	base, ok := m.(lanesMachine)
	if !ok {
		return nil, fmt.Errorf("the %s has no circuit: %w", m.Kind(), ErrBlind)
	}
	seeing, err := base.Machine.Foresee(ctx, replies)
	if err != nil {
		return nil, err
	}
	return lanesMachine{seeing, base.single, base.plan}, nil
}

// Sighted is Foresee where there is such a circuit, and the machine itself elsewhere.
func Sighted(ctx context.Context, m Machine, replies bool) (Machine, error) {
	sees, err := Foresee(ctx, m, replies)
	if errors.Is(err, ErrBlind) {
		return m, nil
	}
	return sees, err
}

func (m lanesMachine) NewSingle(seed uint64) Engine { return m.single.NewEngine(seed) }
