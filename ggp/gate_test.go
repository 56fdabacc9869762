package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/protocol"
)

// willing is a player that takes every match but those called full. Of those called late
// the manager does not wait for the answer.
type willing struct{}

func (willing) Info() (string, string)                    { return "willing", "available" }
func (willing) Admits(_ protocol.Kind, match string) bool { return match != "full" && match != "c" }

func (willing) Preview(context.Context, []kif.Term, time.Duration) {}

func (willing) Start(_ context.Context, m protocol.Start) string {
	if m.Match == "full" || m.Match == "late" {
		return "busy"
	}
	return "ready"
}
func (willing) Play(context.Context, protocol.Play) (kif.Term, bool) { return kif.Symbol("noop"), true }
func (willing) Stop(context.Context, protocol.Play) string           { return "done" }
func (willing) Abort(context.Context, string) string                 { return "aborted" }

// TestGate: a closed gate refuses new matches, and waits for those in play.
func TestGate(t *testing.T) {
	var told []string
	g := newGate(willing{}, func(how string, n int) { told = append(told, fmt.Sprint(how, n)) })
	ctx := t.Context()
	for _, id := range []string{"a", "b", "full", "late"} {
		g.Start(ctx, protocol.Start{Match: id})
	}
	g.Abort(ctx, "never")
	empty := g.close()
	if _, status := g.Info(); status != "busy" || g.Admits(protocol.KindStart, "c") || !g.Admits(protocol.KindPlay, "a") || g.Start(ctx, protocol.Start{Match: "c"}) != "busy" {
		t.Error("a closed gate lets matches in, or none out")
	}
	g.Start(ctx, protocol.Start{Match: "a"}) // told again: it stays in play
	g.Stop(ctx, protocol.Play{Match: "a"})
	g.Abort(ctx, "b")
	select {
	case <-empty:
		t.Error("a match is in play")
	default:
	}
	g.Stop(ctx, protocol.Play{Match: "late"})
	<-empty
	<-g.close()
	if want := "[started1 started2 refused2 started3 refused3 refused3 stopped2 aborted1 stopped0]"; fmt.Sprint(told) != want {
		t.Errorf("%v, not %s", told, want)
	}
}

// forgetful is a player that gives its matches up when it is told so.
type forgetful struct {
	willing
	gone map[string]bool
}

func (f forgetful) Admits(_ protocol.Kind, match string) bool { return !f.gone[match] }

// TestGateGivenUp: nobody waits for a match that the player has given up, though no
// manager asks for it.
func TestGateGivenUp(t *testing.T) {
	var told []string
	p := forgetful{gone: map[string]bool{}}
	g := newGate(p, func(how string, n int) { told = append(told, fmt.Sprint(how, n)) })
	for _, id := range []string{"a", "b"} {
		g.Start(t.Context(), protocol.Start{Match: id})
	}
	p.gone["a"] = true
	g.Start(t.Context(), protocol.Start{Match: "c"})
	g.Stop(t.Context(), protocol.Play{Match: "c"})
	empty := g.close()
	p.gone["b"] = true
	g.sweep()
	select {
	case <-empty:
	default:
		t.Error("a match that was given up is waited for")
	}
	if want := "[started1 started2 started3 dropped2 stopped1 dropped0]"; fmt.Sprint(told) != want {
		t.Errorf("%v, not %s", told, want)
	}
}
