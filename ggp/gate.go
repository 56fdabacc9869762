package main

import (
	"context"
	"sync"

	"semisplit/protocol"
)

// gate stands before a player: it knows which matches are in play, counts them, and
// can be closed to new ones.
type gate struct {
	protocol.Player
	count func(how string, inPlay int) // is told of each match; may be nil

	mu     sync.Mutex
	inPlay map[string]bool // false until START has been answered
	closed bool
	empty  chan struct{} // closed when the gate is closed and nothing is in play
}

func newGate(p protocol.Player, count func(string, int)) *gate {
	if count == nil {
		count = func(string, int) {}
	}
	return &gate{Player: p, count: count, inPlay: map[string]bool{}, empty: make(chan struct{})}
}

// close lets no new match in. The channel is closed when those in play have ended.
func (g *gate) close() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.closed = true
		g.check()
	}
	return g.empty
}

// check tells who waits for the last match. The lock is held.
func (g *gate) check() {
	if !g.closed || len(g.inPlay) > 0 {
		return
	}
	select {
	case <-g.empty:
	default:
		close(g.empty)
	}
}

func (g *gate) isClosed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// Info implements protocol.Player.
func (g *gate) Info() (name, status string) {
	name, status = g.Player.Info()
	if g.isClosed() {
		status = "busy"
	}
	return name, status
}

// Admits implements protocol.Player.
func (g *gate) Admits(kind protocol.Kind, match string) bool {
	if (kind == protocol.KindStart || kind == protocol.KindPreview) && g.isClosed() {
		return false
	}
	admits := g.Player.Admits(kind, match)
	if (kind == protocol.KindPlay || kind == protocol.KindStop) && !admits {
		g.leave(match, "dropped") // the player has given it up
	}
	return admits
}

// Start implements protocol.Player.
func (g *gate) Start(ctx context.Context, m protocol.Start) string {
	g.mu.Lock()
	closed := g.closed
	if _, again := g.inPlay[m.Match]; !closed && !again {
		g.inPlay[m.Match] = false // before it is answered: its first move may be asked for at once
	}
	g.mu.Unlock()
	reply := "busy"
	if !closed {
		reply = g.Player.Start(ctx, m)
	}
	// A manager that does not wait for the answer hears that too, and its match is in play.
	known := reply != "busy" || g.Player.Admits(protocol.KindPlay, m.Match)
	how := "started"
	if closed || !known {
		how = "refused"
	}
	g.mu.Lock()
	switch {
	case !known:
		delete(g.inPlay, m.Match)
		g.check()
	case !closed:
		g.inPlay[m.Match] = true
	}
	n := len(g.inPlay)
	g.mu.Unlock()
	g.count(how, n)
	g.sweep()
	return reply
}

// sweep takes note of matches that the player has given up: their managers may be gone,
// and then nobody asks for them any more.
func (g *gate) sweep() {
	g.mu.Lock()
	var started []string
	for match, answered := range g.inPlay {
		if answered {
			started = append(started, match)
		}
	}
	g.mu.Unlock()
	for _, match := range started {
		if !g.Player.Admits(protocol.KindPlay, match) {
			g.leave(match, "dropped")
		}
	}
}

// Stop implements protocol.Player.
func (g *gate) Stop(ctx context.Context, m protocol.Play) string {
	defer g.leave(m.Match, "stopped")
	return g.Player.Stop(ctx, m)
}

// Abort implements protocol.Player.
func (g *gate) Abort(ctx context.Context, match string) string {
	defer g.leave(match, "aborted")
	return g.Player.Abort(ctx, match)
}

// leave takes note of the end of a match.
func (g *gate) leave(match, how string) {
	g.mu.Lock()
	_, known := g.inPlay[match]
	delete(g.inPlay, match)
	g.check()
	n := len(g.inPlay)
	g.mu.Unlock()
	if known {
		g.count(how, n)
	}
}
