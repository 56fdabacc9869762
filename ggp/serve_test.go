package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/internal/testenv"
	"semisplit/reasoner"
	"semisplit/reasoner/reasonertest"
)

// Search trees and messages together stay within --memory, and leave room for machines:
// a part of a small bound, what is enough of a large one.
func TestServeSharesMemory(t *testing.T) {
	for _, memory := range []console.ByteSize{1 << 20, 64 << 20, 256 << 20, 2 << 30, 64 << 30} {
		for _, matches := range []int{1, 2, 50} {
			c := serveCmd{Memory: memory, Matches: matches}
			agent, err := c.agent()
			if err != nil {
				t.Fatal(err)
			}
			total := agent.General.Memory*int64(matches) + c.messages()
			if left := int64(memory) - total; left < min(int64(memory)/4, 700<<20) || left > int64(memory)/2 || c.messages() <= 0 {
				t.Errorf("%d for %d matches: %d for each, %d for messages", memory, matches, agent.General.Memory, c.messages())
			}
		}
	}
}

// The circuit of a game takes no more than a part of the memory, and never more than where
// nothing is bounded.
func TestServeBoundsCircuits(t *testing.T) {
	usual := reasoner.DefaultLimits.Ground.Bytes
	for memory, want := range map[console.ByteSize]int64{64 << 20: 16 << 20, 2 << 30: 512 << 20, 64 << 30: usual} {
		c := serveCmd{Memory: memory, Matches: 1}
		if l := c.limits(); l.Ground.Bytes != want || l.Ground.Atoms != reasoner.DefaultLimits.Ground.Atoms {
			t.Errorf("%d: %+v", memory, l.Ground)
		}
	}
	p, diagnostics := reasoner.Read(reasonertest.Crowd())
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	c := serveCmd{Memory: 64 << 20, Matches: 1}
	if _, err := reasoner.NewAnalysis(p).Circuit(t.Context(), "orthodox", c.limits()); !errors.Is(err, reasoner.ErrLimit) {
		t.Errorf("%v", err)
	}
}

// With the memory that is usual, the circuits of whole moves of all published games are within
// the limits but that of Chess.
func TestServeHasRoomForPublishedCircuits(t *testing.T) {
	if !testenv.Long() {
		t.Skip("minutes")
	}
	folder := testenv.Corpus(t, "gdl")
	c := serveCmd{Memory: 2 << 30, Matches: 2}
	for _, name := range testenv.Published(t) {
		rules, err := os.ReadFile(filepath.Join(folder, name+".kif"))
		if err != nil {
			t.Fatal(err)
		}
		p, _ := reasoner.Read(string(rules))
		if p == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err = reasoner.NewAnalysis(p).Circuit(ctx, "orthodox", c.limits())
		cancel()
		if (err != nil) != (name == "chess") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The collector of garbage knows the bound while the player serves, and the old one
// afterwards.
func TestServeBoundsTheProcess(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	c := serveCmd{Memory: 1 << 30}
	restore := c.bound()
	if limit := debug.SetMemoryLimit(-1); limit >= 1<<30 || limit < 900<<20 {
		t.Errorf("the limit is %d", limit)
	}
	restore()
	if after := debug.SetMemoryLimit(-1); after != before {
		t.Errorf("the limit was %d and is %d", before, after)
	}
}
