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
