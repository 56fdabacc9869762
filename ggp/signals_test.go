//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"semisplit/ggp/internal/console"
)

// heldUp is a game whose only rule for a second move takes the prover hours:
// it looks for more different digits than there are.
func heldUp() string {
	const digits = 14
	var b strings.Builder
	b.WriteString("(role me) (init (at start)) (legal me stay) (<= terminal (true (at end))) (goal me 0)\n")
	for i := range digits {
		fmt.Fprintf(&b, "(init (digit %d)) ", i)
	}
	b.WriteString("\n(<= (legal me go)")
	for i := range digits + 1 {
		fmt.Fprintf(&b, " (true (digit ?v%d))", i)
		for j := range i {
			fmt.Fprintf(&b, " (distinct ?v%d ?v%d)", i, j)
		}
	}
	b.WriteString(")\n")
	return b.String()
}

// TestVerifyInterrupted: verify begins no file after a signal, and tells what it has.
func TestVerifyInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	run(&console.Session{Ctx: ctx, Out: &out, Errout: &out}, []string{"verify", "one.jsonl", "other.jsonl"})
	if want := "0 states compared: 0 replays agree, 0 differ, 0 beyond the limits of grounding, 0 errors\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
}

// TestInterrupt interrupts commands that would go on for long, as processes of
// their own.
func TestInterrupt(t *testing.T) {
	// Where these tests run in the background, they are deaf to the signal, and so
	// would be what they start until it has set itself up.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, os.Interrupt)
	t.Cleanup(func() { signal.Stop(heard) })
	dir := t.TempDir()
	game, fifo, deaf := filepath.Join(dir, "held-up.kif"), filepath.Join(dir, "fifo"), filepath.Join(dir, "deaf")
	if err := errors.Join(os.WriteFile(game, []byte(heldUp()), 0o666), syscall.Mkfifo(fifo, 0o666), syscall.Mkfifo(deaf, 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		told string
	}{
		{"bench breakthrough --seconds 600", console.ExitInterrupted, "ggp: interrupted"},
		{"bench " + game + " --engine prover --seconds 600", console.ExitInterrupted, "ggp: interrupted"},
		{"bench --plans --seconds 600 nim", console.ExitInterrupted, "ggp: interrupted"},
		{"games --table --seconds 600 nim", console.ExitInterrupted, "ggp: interrupted: nim: "},
		{"perf " + game + " " + filepath.Join(dir, "result") + " 600", console.ExitInterrupted, "ggp: interrupted"},
		{"match " + game + " --player random --quiet", console.ExitInterrupted, "cancelled: interrupted"},
		{"match " + game + " --quiet", console.ExitInterrupted, "cancelled: interrupted"},
		{"explain nim --start 600 --threads 1", console.ExitInterrupted, "ggp: interrupted"},
		{"agents " + fifo, console.ExitInterrupted, "not done after 2s"},
		{"serve --port 0 --agent " + deaf, console.ExitInterrupted, "not done after 2s"},
		{"serve --port 0", console.ExitOK, "player stops"},
		{"web 127.0.0.1:0", console.ExitOK, "the pages end"},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			code, errout := interrupt(t, strings.Fields(c.args))
			if code != c.code || !strings.Contains(errout, c.told) {
				t.Errorf("exit %d, want %d: %s", code, c.code, errout)
			}
		})
	}
}

// interrupt runs a command and sends it a signal. One that comes before the
// command has set itself up for signals ends it without an exit code: then it
// is tried again, later.
func interrupt(t *testing.T, args []string) (code int, errout string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for wait := 200 * time.Millisecond; ; wait *= 2 {
		var told bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		command := exec.CommandContext(ctx, self)
		command.Args = append([]string{"ggp"}, args...)
		command.Stdout, command.Stderr = io.Discard, &told
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		if err := command.Process.Signal(os.Interrupt); err != nil {
			t.Errorf("%v: it has ended by itself: %v", args, err)
		}
		_ = command.Wait() // the exit code tells
		late := ctx.Err()
		cancel()
		if late != nil {
			t.Fatalf("%v: it goes on after the signal: %s", args, told.String())
		}
		if code = command.ProcessState.ExitCode(); code >= 0 {
			return code, told.String()
		}
	}
}

// TestLogIsNotRead: a player outlives whoever reads its log.
func TestLogIsNotRead(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), self)
	command.Args = []string{"ggp", "serve", "--host", "127.0.0.1", "--port", "0"}
	log, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = command.Process.Kill(); _ = command.Wait() }()
	line, err := bufio.NewReader(log).ReadString('\n')
	address := regexp.MustCompile(`address=(\S+)`).FindStringSubmatch(line)
	if err != nil || address == nil {
		t.Fatalf("%q, %v", line, err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	for _, message := range []string{"(PLAY", "(INFO)"} { // the first one is logged
		reply, err := http.Post("http://"+address[1], "text/acl", strings.NewReader(message))
		if err != nil {
			t.Fatalf("%s: %v", message, err)
		}
		_ = reply.Body.Close()
	}
}
