package reasoner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/invariant"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/propnet"
	"semisplit/reasoner/prover"
	"semisplit/reasoner/split"
)

// Analysis is what the rules of a game tell before anything is compiled, found
// once for all plans: how moves can be split, and what holds in every state.
type Analysis struct {
	program    *gdl.Program
	plans      []*split.Plan
	notes      []string
	invariants func(context.Context) []invariant.Invariant
}

// NewAnalysis derives the plans of a game.
func NewAnalysis(p *gdl.Program) *Analysis { return newAnalysis(context.Background(), p) }

// newAnalysis ends with the context, with the plans that were found by then.
func newAnalysis(ctx context.Context, p *gdl.Program) *Analysis {
	a := &Analysis{program: p}
	a.plans, a.notes = split.Plans(ctx, p)
	var once sync.Once
	var found []invariant.Invariant
	a.invariants = func(ctx context.Context) []invariant.Invariant {
		once.Do(func() { found = invariant.Prove(ctx, p) })
		return found
	}
	return a
}

// Prepare finds what holds in every state, which all circuits rest on: without
// it, the first of them does so within its own time. Proofs that the context
// cuts short are missing for good.
func (a *Analysis) Prepare(ctx context.Context) { a.invariants(ctx) }

// Plans are the plans that differ from each other, orthodox first. The notes
// say which were left out, and why.
func (a *Analysis) Plans() (plans []*split.Plan, notes []string) { return a.plans, a.notes }

// ErrNoPlan says that a game has no such plan: its moves cannot be split that
// way.
var ErrNoPlan = errors.New("no such plan")

// Named is the name under which a plan is among the plans: its own, that of
// the plan that splits alike, or what split.Coarsest stands for. False: there
// is none.
func (a *Analysis) Named(plan string) (string, bool) {
	for _, q := range a.plans {
		if q.Name == plan || slices.Contains(q.SameAs, plan) || plan == split.Coarsest && q.Name != split.WholeMoves {
			return q.Name, true
		}
	}
	return "", false
}

// Game is the game split by a plan.
func (a *Analysis) Game(plan string) (*split.Game, error) {
	return a.game(context.Background(), plan)
}

func (a *Analysis) game(ctx context.Context, plan string) (*split.Game, error) {
	var names []string
	named, _ := a.Named(plan)
	for _, q := range a.plans {
		if q.Name == named {
			return split.Rewrite(ctx, a.program, q)
		}
		names = append(names, q.Name)
	}
	return nil, fmt.Errorf("%w: %s (this game has %s)", ErrNoPlan, plan, strings.Join(names, ", "))
}

// Prover makes the machine that plays straight from rules that were split by
// a plan.
func (a *Analysis) Prover(plan string, l Limits) (Machine, error) {
	return a.prover(context.Background(), plan, l)
}

func (a *Analysis) prover(ctx context.Context, plan string, l Limits) (Machine, error) {
	game, err := a.game(ctx, plan)
	if err != nil {
		return nil, err
	}
	plan = game.Plan.Name
	stop, free := stopWith(ctx)
	defer free()
	l.Prover.Stop = stop
	m, err := prover.NewSplit(game, l.Prover)
	if err != nil {
		return nil, fmt.Errorf("prover, plan %s: %w", plan, err)
	}
	return proverMachine{m, plan}, nil
}

// Circuit grounds the game under a plan. An error that wraps ErrLimit means
// that it is too large for the limits under this plan, not that it is wrong.
func (a *Analysis) Circuit(ctx context.Context, plan string, l Limits) (*Circuit, error) {
	game, err := a.game(ctx, plan)
	if err != nil {
		return nil, err
	}
	plan = game.Plan.Name
	net, err := ground.Ground(ctx, game, a.invariants(ctx), l.Ground)
	if err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("ground: %w", context.Cause(ctx))
		}
		return nil, fmt.Errorf("plan %s: %w", plan, err)
	}
	whole, err := lanes.New(net)
	if err != nil {
		return nil, fmt.Errorf("plan %s: lanes: %w", plan, err)
	}
	machine := whole
	if essential := propnet.Essential(net); essential != net {
		if machine, err = lanes.New(essential); err != nil {
			return nil, fmt.Errorf("plan %s: lanes: %w", plan, err)
		}
	}
	return &Circuit{plan, machine, whole}, nil
}

// ErrLimit is wrapped by the errors of games that are too large to be
// grounded within the limits.
var ErrLimit = ground.ErrLimit
