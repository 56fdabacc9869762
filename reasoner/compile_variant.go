package reasoner

import (
	"context"
	"fmt"

	"semisplit/internal/guard"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// CompileVariant is Compile for one way of playing the game, with the prover on
// whole moves until it is ready. A plan that the game does not have gives way
// to the one that splits alike, or else to a coarser one, and so does a plan
// that is too large to be grounded; if nothing can be grounded, the prover
// plays the game as it is split.
//
// An empty Engine stands for lanes, or the prover where there can be none; an
// empty Plan or Auto for the quickest. Compile does the same as CompileVariant
// of the zero Variant.
func CompileVariant(ctx context.Context, p *gdl.Program, v Variant, l Limits) (*Compilation, error) {
	auto := v.Plan == "" || v.Plan == Auto
	if auto && v.Engine != "prover" && v.Lanes == 0 {
		return Compile(ctx, p, l)
	}
	first, err := newProver(ctx, p, l)
	if err != nil {
		return nil, err
	}
	c := &Compilation{best: first, better: make(chan Machine, maxBetter), done: make(chan struct{})}
	go func() {
		defer close(c.done)
		defer close(c.better)
		err := guard.Run(func() error { return c.variant(ctx, p, v, l) })
		c.mu.Lock()
		c.err = err
		c.mu.Unlock()
	}()
	return c, nil
}

func (c *Compilation) variant(ctx context.Context, p *gdl.Program, v Variant, l Limits) error {
	auto := v.Plan == "" || v.Plan == Auto
	if auto && v.Engine == "prover" {
		return nil
	}
	if auto {
		m, err := quickest(ctx, p, v.Lanes, l)
		if err == nil {
			c.publish(m)
		}
		return err
	}
	return compileSlots.do(ctx, func() error {
		o := newAnalysis(ctx, p)
		plan := o.present(v.Plan)
		err := fmt.Errorf("plan %s: %w", v.Plan, ErrNoPlan)
		for named := plan; v.Engine != "prover" && named != "" && ctx.Err() == nil; named = o.present(split.Coarser(named)) {
			var circuit *Circuit
			var m Machine
			if circuit, err = o.Circuit(give(ctx), named, l); err == nil {
				if v.Lanes != 0 {
					m, err = circuit.Machine(v.Lanes)
				} else {
					m, err = circuit.Quickest()
				}
			}
			t := Trial{Plan: named, Err: err}
			if err == nil {
				t.Lanes, t.Machine, t.Circuit = m.Lanes(), m, circuit
				c.note(t)
				c.publish(m)
				return nil
			}
			c.note(t)
		}
		if plan == "" || plan == split.WholeMoves || ctx.Err() != nil {
			return err
		}
		m, failed := o.prover(ctx, plan, l)
		if failed == nil {
			c.publish(m)
		}
		return err
	})
}

// present is a plan that the game has: the named one, one that splits alike,
// or a coarser one; "" if there is none.
func (a *Analysis) present(plan string) string {
	for ; plan != ""; plan = split.Coarser(plan) {
		if named, ok := a.Named(plan); ok {
			return named
		}
	}
	return ""
}
