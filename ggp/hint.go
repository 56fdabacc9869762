package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/internal/printable"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/player/referee"
	"semisplit/reasoner"
	"semisplit/search"
)

// hintTime is how long a hint is thought about, when the game has been made ready.
const hintTime = 2 * time.Second

// hinter thinks for people at the terminal. It belongs to one seat at a time.
type hinter struct {
	session *console.Session
	seed    uint64
	rules   string // of the machine
	machine reasoner.Machine
}

// hint tells the move that the engine would play, and what it expects of it.
func (h *hinter) hint(ctx context.Context, p referee.Position) (string, error) {
	defer console.ShowWork(h.session, "thinking", func() string { return "" })()
	a := agent.Default()
	a.General.Threads = runtime.GOMAXPROCS(0)
	if err := h.prepare(ctx, p, a); err != nil {
		return "", err
	}
	stop, release := stopWith(ctx)
	defer release()
	thinker, err := local.NewPlayer(h.machine, a, p.Role, h.seed, stop)
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

// prepare makes the machine for the rules of a position, unless it is there.
func (h *hinter) prepare(ctx context.Context, p referee.Position, a agent.Agent) error {
	text := fmt.Sprint(p.Rules)
	if h.machine != nil && h.rules == text {
		return nil
	}
	program, diagnostics := reasoner.Analyze(p.Rules)
	if err := diagnostics.Err(); err != nil {
		return err
	}
	m, err := machines.NewCache(program, reasoner.DefaultLimits).ForAgent(ctx, a, a.Variant())
	if err != nil {
		return err
	}
	h.machine, h.rules = m, text
	return nil
}
