package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// thoughts are what the players of this process thought when they chose their
// last moves, by role. A nil one knows nothing.
type thoughts struct {
	mu     sync.Mutex
	byRole map[int]string
}

// of is what a role thought; empty where nothing is known, as of step 0.
func (t *thoughts) of(role, step int) string {
	if t == nil || step == 0 {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byRole[role]
}

func (t *thoughts) set(role int, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byRole == nil {
		t.byRole = map[int]string{}
	}
	t.byRole[role] = text
}

// comment writes what was thought into a record, as comments on the last turn.
func (t *thoughts) comment(e referee.Event) {
	if t == nil || e.Step == 0 || e.Back > 0 {
		return
	}
	row := make([]string, len(e.Moves))
	for role := range row {
		row[role] = t.of(role, e.Step)
	}
	e.Record.Comment(row)
}

// thinkingSeat is the seat of a player whose thoughts are kept. Its log tells
// them.
type thinkingSeat struct {
	referee.Seat
	player *player.Player
	to     *thoughts
	role   int
}

func (s thinkingSeat) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	s.to.set(s.role, "")
	move, err := s.Seat.Play(ctx, m)
	s.player.Info() // comes back when the player has written its log
	return move, err
}

// thoughtLog is a log that keeps what its player says of its moves.
type thoughtLog struct {
	to   *thoughts
	role int
}

func (l thoughtLog) Enabled(context.Context, slog.Level) bool { return true }

func (l thoughtLog) WithAttrs([]slog.Attr) slog.Handler { return l }

func (l thoughtLog) WithGroup(string) slog.Handler { return l }

// Handle takes the line about a move, if it was searched for.
func (l thoughtLog) Handle(_ context.Context, r slog.Record) error {
	if r.Message != "move" {
		return nil
	}
	said := map[string]slog.Value{}
	r.Attrs(func(a slog.Attr) bool {
		said[a.Key] = a.Value
		return true
	})
	if said["source"].String() != "search" {
		return nil
	}
	text := fmt.Sprintf("value %.1f, %d iterations, %d nodes", said["value"].Float64(), said["iterations"].Int64(), said["nodes"].Int64())
	if line := strings.TrimSpace(said["line"].String()); line != "" {
		text += ", line " + line
	}
	l.to.set(l.role, text)
	return nil
}
