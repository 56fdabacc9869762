package web

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/internal/guard"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/choice"
	"semisplit/player/local"
	"semisplit/reasoner"
	"semisplit/search"
)

// thinker thinks about the positions of one match for people: for the player that they
// play against, for hints, and for analyses. It belongs to one goroutine.
type thinker struct {
	game    *game
	agent   agent.Agent
	machine reasoner.Machine // nil: the quickest that is ready
	seed    uint64
	stop    *atomic.Bool
	random  *rand.Rand

	player  *local.Player
	on      reasoner.Machine // what player plays on
	history [][]kif.Term     // that player has followed
}

// mostMemory bounds the tree of a match with a person, in bytes.
const mostMemory = 256 << 20

func newThinker(g *game, threads int, seed uint64) *thinker {
	a := agent.Default()
	a.General.Threads, a.General.Memory = threads, mostMemory
	return &thinker{game: g, agent: a, seed: seed, stop: new(atomic.Bool), random: rand.New(rand.NewPCG(seed, 7))}
}

// adopt plays on as was chosen.
func (t *thinker) adopt(c *choice.Choice) {
	if c.Machine == nil {
		return
	}
	threads := t.agent.General.Threads
	t.agent, t.machine, t.player = c.Agent, c.Machine, nil
	t.agent.General.Threads, t.agent.General.Memory = threads, mostMemory
}

// follow goes to the state after the moves of a match. A state that was taken back is
// reached from the start.
func (t *thinker) follow(history [][]kif.Term) error {
	m := t.machine
	if m == nil {
		m = t.game.quickest(t.on)
	}
	same := func(a, b []kif.Term) bool { return slices.EqualFunc(a, b, kif.Equal) }
	if t.player == nil || t.on != m || len(t.history) > len(history) || !slices.EqualFunc(t.history, history[:len(t.history)], same) {
		p, err := local.NewPlayer(m, t.agent, 0, t.seed, t.stop)
		if err != nil {
			return err
		}
		t.player, t.on, t.history = p, m, nil
	}
	for _, joint := range history[len(t.history):] {
		if err := t.player.Advance(joint); err != nil {
			t.player = nil
			return err
		}
		t.history = append(t.history, joint)
	}
	return nil
}

// slice is how often a thought is shown.
const slice = 250 * time.Millisecond

// think searches the state after the moves of a match within a budget, which needs a
// time, and shows what it thinks as it goes on; it ends early when stop is set or there
// is nothing left to find.
func (t *thinker) think(history [][]kif.Term, b search.Budget, show func(local.Mind)) error {
	return guard.Run(func() error {
		if err := t.follow(history); err != nil {
			return err
		}
		begun, total := time.Now(), 0
		for !t.stop.Load() {
			left := b.Time - time.Since(begun)
			part := search.Budget{Time: min(slice, left)}
			if left <= 0 {
				return nil
			}
			if b.Iterations > 0 {
				part.Iterations = b.Iterations - total
			}
			r, err := t.player.Prepare(part)
			if err != nil {
				t.player = nil
				if t.stop.Load() {
					return nil
				}
				return err
			}
			total += r.Iterations
			mind := t.player.Mind(r, mostMoves)
			show(mind)
			if r.Iterations == 0 || b.Iterations > 0 && total >= b.Iterations || r.Elapsed < part.Time/2 && part.Iterations == 0 {
				return nil
			}
		}
		return nil
	})
}

// mostMoves is how many candidate moves are shown.
const mostMoves = 12

// best is what is recommended to a role at a step; false: nothing has been thought there.
func (t *thinker) best(role, step int) (kif.Term, bool) {
	if t.player == nil || len(t.history) != step {
		return kif.Term{}, false
	}
	return t.player.Best(role)
}

// errNoChoice says that the way to play was not chosen by measurement.
var errNoChoice = errors.New("no choice")

// choose chooses how to play a game, as at the start of a match.
func choose(ctx context.Context, g *game, within, play time.Duration, threads int, seed uint64) (c *choice.Choice, err error) {
	if within < time.Second {
		return nil, errNoChoice
	}
	err = guard.Run(func() error {
		c, err = choice.Choose(ctx, g.program, agent.Automatic(), g.limits, choice.Options{Time: within, Play: play, Threads: threads, Seed: seed})
		return err
	})
	return c, err
}
