package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/ggp/internal/console"
)

// heard is a buffer that several goroutines write to, and that calls told with
// all that was written.
type heard struct {
	mu   sync.Mutex
	text strings.Builder
	told func(text string)
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Write(p)
	if h.told != nil {
		h.told(h.text.String())
	}
	return len(p), nil
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// TestCheckInterrupted: whoever interrupts the command need not wait until the
// prover is measured, and is not told that all is well.
func TestCheckInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	out := &heard{told: func(text string) {
		if strings.Contains(text, "role black") {
			cancel(errors.New("the user is tired of it"))
		}
	}}
	var errout bytes.Buffer
	code := run(&console.Session{Ctx: ctx, Out: out, Errout: &errout}, []string{"check", "breakthrough", "--seconds", "3"})
	if code != console.ExitFailed || !strings.Contains(errout.String(), "not checked to the end: the user is tired of it") {
		t.Errorf("exit status %d, %q", code, errout.String())
	}
	if text := out.String(); strings.Contains(text, "states/s") || !strings.Contains(text, "not reached: the speed of the prover, the plans") {
		t.Errorf("output:\n%s", text)
	}
}

// TestLeaveBehind: work that does not hear the context is left behind, and work
// that does has a moment to tell what it found.
func TestLeaveBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("over"))
		defer cancel()
		never := make(chan struct{})
		defer close(never)
		begin := time.Now()
		_, err := leaveBehind(ctx, func(context.Context) (func(), error) { <-never; return nil, nil })
		if took := time.Since(begin); err == nil || err.Error() != "over" || took != time.Minute+lastMoment {
			t.Errorf("deaf work: %v after %v", err, took)
		}
		found := ""
		report, err := leaveBehind(ctx, func(ctx context.Context) (func(), error) {
			<-ctx.Done()
			return func() { found = "something" }, nil
		})
		if err != nil || report == nil {
			t.Fatalf("work that hears: %v", err)
		}
		if report(); found != "something" {
			t.Error("the report is not that of the work")
		}
	})
}

// TestCheckCleans: what a description holds cannot steer a terminal.
func TestCheckCleans(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evil.kif")
	rules := "(role \x1b[31mred) (init (s \u202e1)) (legal \x1b[31mred \x1bc) (<= (next (s \u202e2)) (true (s \u202e1)))\n" +
		"(<= terminal (true (s \u202e2))) (goal \x1b[31mred \x1bfoo) (\u202eunused 1)"
	if err := os.WriteFile(path, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errout bytes.Buffer
	if code := run(&console.Session{Ctx: t.Context(), Out: &out, Errout: &errout}, []string{"check", path, "--seconds", "0", "--plans"}); code != console.ExitOK {
		t.Errorf("exit status %d, %s", code, errout.String())
	}
	if text := out.String(); strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, `\x1bfoo is no goal value`) {
		t.Errorf("output:\n%q", text)
	}
}

// TestCheckSpare: an empty heap of Nim is a fluent that no rule needs; in Tic-Tac-Toe all are
// needed.
func TestCheckSpare(t *testing.T) {
	for game, spare := range map[string]bool{"nim": true, "tictactoe": false} {
		var out bytes.Buffer
		if code := run(&console.Session{Ctx: t.Context(), Out: &out, Errout: &out}, []string{"check", game, "--seconds", "0"}); code != console.ExitOK {
			t.Errorf("exit status %d", code)
		}
		if strings.Contains(out.String(), "no end, goal or move depends on") != spare {
			t.Errorf("%s:\n%s", game, out.String())
		}
	}
}

// TestDotFile: the file is there when it is whole, and what it replaces stays
// until then.
func TestDotFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "net.dot")
	if err := os.WriteFile(path, []byte("what was there"), 0o640); err != nil {
		t.Fatal(err)
	}
	d, err := createDot(path)
	if err != nil {
		t.Fatal(err)
	}
	d.fail(errors.New("too large"))
	if err := d.missing(); err == nil || !strings.Contains(err.Error(), "net.dot was not written: too large") {
		t.Errorf("missing: %v", err)
	}
	d.drop()
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "what was there" {
		t.Errorf("the file is %q, %v", text, err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	if _, err := createDot(folder); err == nil {
		t.Error("a folder can be written")
	}
	if d, err := createDot(""); d != nil || err != nil || d.missing() != nil {
		t.Error("no file was asked for")
	}
}
