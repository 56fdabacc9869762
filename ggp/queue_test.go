package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/player/arena"
	"semisplit/player/jobs"
	"semisplit/player/queue"
	"semisplit/player/tournament"
)

// startNode starts a queue that others can reach.
func startNode(t *testing.T) *queue.Node {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, "nats.conf")
	if err := os.WriteFile(config, []byte("listen: 127.0.0.1:-1\njetstream {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	node, err := queue.StartNode(queue.NodeOptions{Dir: dir, Config: config})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(node.Close)
	return node
}

// TestJobsOfOthers: where several commands share a queue, the worker of one does the jobs
// of the others.
func TestJobsOfOthers(t *testing.T) {
	node := startNode(t)
	flags := fieldFlags{queueFlags: queueFlags{Queue: node.Address(), QueueReplicas: 1}, Cores: 1}
	x, err := flags.open(t.Context(), slog.New(slog.DiscardHandler), "", func(int) int { return 1 }, false, (&arena.Worker{}).Handlers())
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	put := func(text string) string {
		t.Helper()
		hash, err := x.Put(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return hash
	}
	game, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	payload := fmt.Sprintf(`{"Rules": %q, "Agent": %q, "Setting": {"kind": "iterations", "iterations": 1}}`, put(game.Rules), put(`{"algorithm": {"name": "random"}}`))
	out, err := x.Do(t.Context(), jobs.Job{Group: "g", ID: "j", Kind: tournament.KindSettle, Payload: []byte(payload)})
	var settled tournament.Settled
	if err == nil {
		err = json.Unmarshal(out.Payload, &settled)
	}
	if err != nil || settled.Error != "" {
		t.Errorf("%s, %v", settled.Error, err)
	}
}

// TestQueueStatus: a queue tells of the workers that are there, and of none when they
// have gone; and of jobs that were given up, whatever others say of them.
func TestQueueStatus(t *testing.T) {
	node := startNode(t)
	waitFor := func(want string) {
		t.Helper()
		pattern, text := regexp.MustCompile(want), ""
		for limit := time.Now().Add(time.Minute); time.Now().Before(limit); {
			var out, errout bytes.Buffer
			if code := run(&console.Session{Ctx: t.Context(), Out: &out, Errout: &errout}, []string{"queue", "status", "--queue", node.Address()}); code != console.ExitOK {
				t.Fatalf("status %d: %s", code, errout.String())
			}
			if text = out.String(); pattern.MatchString(text) {
				return
			}
		}
		t.Errorf("%q, want %s", text, want)
	}
	// A comparison that is not kept leaves no jobs that nobody waits for.
	asking, interrupt := context.WithCancel(t.Context())
	compared := make(chan struct{})
	go func() {
		defer close(compared)
		var out bytes.Buffer
		run(&console.Session{Ctx: asking, Out: &out, Errout: &out}, []string{"compare", "random", "orthodox", "--games", "tictactoe", "--queue", node.Address()})
	}()
	waitFor(`^[1-9][0-9]* jobs? in the queue, 0 given up, 0 workers\n$`)
	interrupt()
	<-compared
	waitFor(`^0 jobs in the queue, 0 given up, 0 workers\n$`)

	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		var errout bytes.Buffer
		args := []string{"work", "--queue", node.Address(), "--cores", "2", "--name", "hand"}
		if code := run(&console.Session{Ctx: ctx, Out: &errout, Errout: &errout}, args); code != console.ExitOK {
			t.Errorf("status %d: %s", code, errout.String())
		}
	}()
	waitFor(`^0 jobs in the queue, 0 given up, 1 worker\nworker hand: 2 at a time, .*/s\n$`)
	stop()
	<-done
	waitFor(`^0 jobs in the queue, 0 given up, 0 workers\n$`)
	conn, err := nats.Connect(node.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Publish("ggp.parked.v1.g.j", []byte(`{"group": "g", "id": "j", "kind": "match", "error": "red\u001b[31m\nworker fake"}`)); err != nil {
		t.Fatal(err)
	}
	waitFor(`^0 jobs in the queue, 1 given up, 0 workers\n0001-.* g\.j match: red\\x1b\[31m\\nworker fake\n$`)
}
