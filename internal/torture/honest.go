package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// managers is how many matches are played at a time that are as they should be.
const managers = 2

// played are the games of the honest matches, in turn.
var played = []string{"tictactoe", "connectfour", "goofspiel", "breakthrough", "trio", "eightpuzzle", "knightthrough", "othello"}

// honest plays matches with the player until the time has passed. Every other opponent
// is one of those that misbehave.
func honest(ctx context.Context, s setting, t *tally, player, trap string, manager int) {
	opponents, stop, err := listenOpponents(t, trap)
	if err != nil {
		t.fail("no opponents: %v", err)
		return
	}
	defer stop()
	for n := manager; ctx.Err() == nil; n += managers {
		err := honestMatch(ctx, s, t, player, opponents, n)
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, referee.ErrStart):
			t.mu.Lock()
			t.busy++
			t.mu.Unlock()
			n -= managers
			wait(ctx, 500*time.Millisecond)
		case err != nil:
			t.fail("an honest match: %v", err)
		default:
			t.mu.Lock()
			t.matches++
			t.mu.Unlock()
		}
	}
}

func honestMatch(ctx context.Context, s setting, t *tally, player string, opponents []string, n int) error {
	name := played[n%len(played)]
	game, err := games.Load(name)
	if err != nil {
		return err
	}
	rules, err := kif.Parse(game.Rules)
	if err != nil {
		return err
	}
	c := referee.Config{Game: name, Rules: rules, StartClock: s.start, PlayClock: s.play, Seed: uint64(n)}
	client := protocol.NewClient(protocol.ClientOptions{})
	roles := 0
	for _, r := range rules {
		if r.IsList() && len(r.Items) == 2 && strings.EqualFold(r.Items[0].Name, "role") {
			roles++
		}
	}
	own := n / len(played) % roles
	for role := range roles {
		at := player
		switch opponent := opponents[n/2%len(opponents)]; {
		case role == own:
		case n/managers%2 == 0:
			c.Seats = append(c.Seats, referee.Random(uint64(n)))
			continue
		default:
			at = opponent
		}
		remote, err := protocol.ParseRemote(at)
		if err != nil {
			return err
		}
		seat := referee.HTTP(client, remote)
		if role != own {
			seat = lenient{seat}
		}
		c.Seats = append(c.Seats, seat)
	}
	c.Observe = func(e referee.Event) {
		if e.Step > 0 {
			fault := e.Faults[own]
			if fault != "" && fault != protocol.FaultTimeout {
				fault = fmt.Sprintf("%s (%v)", fault, e.Why[own])
			}
			t.reply(fmt.Sprintf("%s step %d", name, e.Step), fault, e.Elapsed[own], s.play)
		}
		for role, fault := range e.Faults {
			if role != own && fault != "" {
				t.survive("turns in which an opponent was late, gone, illegal or unreadable")
			}
		}
	}
	result, err := referee.Run(ctx, c)
	if err == nil && result.Aborted {
		err = errors.New(result.Reason)
	}
	return err
}

// lenient is the seat of a player that misbehaves: the match begins whatever it says.
type lenient struct{ referee.Seat }

func (l lenient) Start(ctx context.Context, m protocol.Start) error {
	short, end := context.WithTimeout(ctx, 2*time.Second)
	defer end()
	_ = l.Seat.Start(short, m) // it has had its chance
	return nil
}

// wait waits, or ends with ctx.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
