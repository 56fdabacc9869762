package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/internal/guard"
	"semisplit/internal/printable"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/player/referee"
	"semisplit/reasoner"
	"semisplit/search"
)

// hintTime is how long a hint is thought about. Before the first one it is also what a
// quick machine may take to be made: without it the prover plays, and the machine
// is there for a later hint.
const hintTime = 2 * time.Second

// hinter thinks for people at the terminal. It belongs to one seat at a time.
type hinter struct {
	session *console.Session
	seed    uint64
	rules   string // of the machines
	standIn reasoner.Machine
	quick   chan madeMachine // holds the quick machine when it is made
}

type madeMachine struct {
	machine reasoner.Machine
	err     error
}

// hint tells the move that the engine would play, and what it expects of it.
func (h *hinter) hint(ctx context.Context, p referee.Position) (string, error) {
	defer console.ShowWork(h.session, "thinking", func() string { return "" })()
	a := agent.Default()
	a.General.Threads = runtime.GOMAXPROCS(0)
	machine, err := h.prepare(ctx, p, a)
	if err != nil {
		return "", err
	}
	stop, release := stopWith(ctx)
	defer release()
	thinker, err := local.NewPlayer(machine, a, p.Role, h.seed, stop)
	if err != nil {
		return "", err
	}
	for _, joint := range p.Moves {
		if err := thinker.Advance(joint); err != nil {
			return "", err
		}
	}
	r, err := thinker.Prepare(search.Budget{Time: hintTime})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return "", err
	}
	best, ok := thinker.Best(p.Role)
	if !ok || r.Value == nil {
		return "", errors.New("nothing was found in time")
	}
	text := fmt.Sprintf("%s, which brings about %.0f of 100", best.Short(printable.LogLimit), 100*r.Value[p.Role])
	if r.Low != nil && r.Low[p.Role] == r.High[p.Role] {
		text = fmt.Sprintf("%s, which brings %.0f of 100: that is proven", best.Short(printable.LogLimit), 100*r.Low[p.Role])
	}
	return text, nil
}

// prepare is the machine for the rules of a position.
func (h *hinter) prepare(ctx context.Context, p referee.Position, a agent.Agent) (reasoner.Machine, error) {
	if text := fmt.Sprint(p.Rules); h.quick == nil || h.rules != text {
		program, diagnostics := reasoner.Analyze(p.Rules)
		if err := diagnostics.Err(); err != nil {
			return nil, err
		}
		standIn, err := reasoner.NewStandIn(ctx, program, reasoner.DefaultLimits)
		if err != nil {
			return nil, err
		}
		quick := make(chan madeMachine, 1)
		h.rules, h.standIn, h.quick = text, standIn, quick
		go func() { // for the session: the person may ask again
			var made madeMachine
			err := guard.Run(func() (err error) {
				made.machine, err = machines.NewCache(program, reasoner.DefaultLimits).ForAgent(h.session.Ctx, a, a.Variant())
				return err
			})
			made.err = err
			quick <- made
		}()
	}
	select {
	case made := <-h.quick:
		h.quick <- made
		if made.err == nil {
			return made.machine, nil
		}
	case <-time.After(hintTime):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return h.standIn, nil
}
