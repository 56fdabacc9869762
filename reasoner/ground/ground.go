// Package ground turns the rules of a game into a circuit: it finds by
// relaxed reachability which atoms can ever be true, keeps the rule instances
// over them, and makes each atom the gate that its instances describe.
package ground

import (
	"context"
	"fmt"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/invariant"
	"semisplit/reasoner/propnet"
	"semisplit/reasoner/split"
)

// Ground returns the circuit of a game, of whose states something may be known.
// The error wraps ErrLimit when the game grows past its limits or its first
// state depends on a state, and the context's error when it ends first.
func Ground(ctx context.Context, game *split.Game, known []invariant.Invariant, l Limits) (net *propnet.Net, err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unwind)
			if !ok {
				panic(r)
			}
			net, err = nil, u.err
		}
	}()
	return ground(ctx, game, known, l.orDefault())
}

func ground(ctx context.Context, game *split.Game, known []invariant.Invariant, l Limits) (*propnet.Net, error) {
	if game.Program.Relations[gdl.RelInit].Depends != 0 { // of which a fixpoint knows only what may be
		return nil, fmt.Errorf("%w: what is true at first depends on what is true", ErrLimit)
	}
	net, err := unoptimized(newRuleBase(ctx, game, l), known)
	if err != nil {
		return nil, err
	}
	if l.Progress != nil {
		l.Progress.Grounded.Store(true)
	}
	return optimize(ctx, net) // what else was made is garbage by now
}

// unoptimized makes the circuit as the rules describe it.
func unoptimized(b *ruleBase, known []invariant.Invariant) (*propnet.Net, error) {
	h := newHelpers(b)
	tr := translator{h}
	tr.translate()
	f := newFixpoint(b)
	if err := f.staticPhase(); err != nil {
		return nil, err
	}
	tr.subsume()
	sizes, err := measure(b)
	if err != nil {
		return nil, err
	}
	sizes.restrict()
	// What is made from here on is final. The helpers so far are yet to be
	// rewritten, so that none of them may stand in its own rewritten rule.
	h.final, h.byRule = true, make(map[string]int32)
	if err := newRewriter(h, sizes, known).specialize(); err != nil {
		return nil, err
	}
	h.eliminate()
	h.bundle()
	if err := f.dynamicPhase(h.dynamic); err != nil {
		return nil, err
	}
	return newWiring(b).circuit(known)
}

// optimize runs the circuit's passes, looking at the context between them.
func optimize(ctx context.Context, net *propnet.Net) (*propnet.Net, error) {
	for _, p := range propnet.Passes() {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("ground: %w", context.Cause(ctx))
		}
		net = p.Apply(ctx, net)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("ground: %w", context.Cause(ctx))
	}
	return net, nil
}
