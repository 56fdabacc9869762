package arena

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/internal/guard"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/search"
)

const (
	paceTime = 200 * time.Millisecond // of an agent's first move, at most
	makeTime = 10 * time.Second       // for the machines and first moves of a game
)

// stopwatch tells how long agents take for a move of a game, from their first
// one.
type stopwatch struct {
	game     Game
	ctx      context.Context
	end      func()
	machines *machines.Cache
	known    []pace
}

// pace is what was found of an agent in a setting.
type pace struct {
	setting Setting
	agent   agent.Agent
	perMove time.Duration
	err     error
}

func newStopwatch(ctx context.Context, g Game) *stopwatch {
	ctx, cancel := context.WithTimeoutCause(ctx, makeTime, fmt.Errorf("its first moves took more than %v", makeTime))
	return &stopwatch{game: g, ctx: ctx, end: cancel, machines: machines.NewCache(g.Program, reasoner.DefaultLimits)}
}

// perMove is the time of a mean move. A setting by the clock says it itself;
// for a number of states or iterations the error tells why it is not known.
func (w *stopwatch) perMove(s Setting, c Contender) (time.Duration, error) {
	if s.Seconds > 0 {
		return duration(s.Seconds), nil
	}
	i := slices.IndexFunc(w.known, func(p pace) bool { return p.setting == s && reflect.DeepEqual(p.agent, c.Agent) })
	if i < 0 {
		i = len(w.known)
		p := pace{setting: s, agent: c.Agent}
		p.err = guard.Run(func() (err error) {
			p.perMove, err = w.firstMove(s, c.Agent)
			return err
		})
		if cause := context.Cause(w.ctx); p.err != nil && cause != nil {
			p.err = cause
		}
		w.known = append(w.known, p)
	}
	return w.known[i].perMove, w.known[i].err
}

// firstMove thinks about the initial state, and scales what that took to the
// whole budget where it was cut short.
func (w *stopwatch) firstMove(s Setting, a agent.Agent) (time.Duration, error) {
	if a.Automatic() {
		return 0, errors.New("it is chosen when it plays, so its speed is not known before")
	}
	m, err := w.machines.ForAgent(w.ctx, a, a.Variant())
	if err != nil {
		return 0, err
	}
	var stop atomic.Bool
	defer context.AfterFunc(w.ctx, func() { stop.Store(true) })()
	b, err := local.NewPlayer(m, a, w.game.players[0], 1, &stop)
	if err != nil {
		return 0, err
	}
	r, err := b.Prepare(search.Budget{Iterations: s.Iterations, States: s.States, Time: paceTime})
	if err = errors.Join(err, w.ctx.Err()); err != nil {
		return 0, err
	}
	if r.Elapsed < paceTime {
		return r.Elapsed, nil // it used up the budget, or an own bound, or has solved the game
	}
	done, asked := r.Iterations, s.Iterations
	if s.States > 0 {
		done, asked = r.States, s.States
	} else if own := int(a.Algorithm.Parameters.Iterations); own > 0 {
		asked = min(asked, own)
	}
	if done == 0 {
		return 0, fmt.Errorf("it does not get through one iteration in %v", paceTime)
	}
	return time.Duration(float64(r.Elapsed) * max(1, float64(asked)/float64(done))), nil
}
