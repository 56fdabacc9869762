package reasoner

import (
	"context"

	"semisplit/reasoner/gdl"
)

// Auto, as a plan, stands for what measures best.
const Auto = "auto"

// Variant is one way of playing a game.
type Variant struct {
	Engine string // "prover" or "lanes"
	Plan   string // how moves are split; "" or Auto: on lanes the quickest, on the prover orthodox
	Lanes  int    // 64, 256 or 512; 0: the quickest. The prover has one lane.
}

// Build makes the machine of a variant. An error that wraps ErrLimit means
// that the game is too large for the limits under this plan, not that it is
// wrong.
func Build(ctx context.Context, p *gdl.Program, v Variant, l Limits) (Machine, error) {
	auto := v.Plan == "" || v.Plan == Auto
	switch {
	case v.Engine == "prover" && auto:
		return newProver(ctx, p, l)
	case v.Engine == "prover":
		return newAnalysis(ctx, p).prover(ctx, v.Plan, l)
	case auto:
		return quickest(ctx, p, v.Lanes, l)
	}
	c, err := newAnalysis(ctx, p).Circuit(ctx, v.Plan, l)
	if err != nil {
		return nil, err
	}
	if v.Lanes != 0 {
		return c.Machine(v.Lanes)
	}
	return c.Quickest()
}

// NewLanes is the quickest machine in lanes that the limits allow.
func NewLanes(ctx context.Context, p *gdl.Program, l Limits) (Machine, error) {
	return quickest(ctx, p, 0, l)
}
