package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
)

// victim is the player, as a process.
type victim struct {
	cmd     *exec.Cmd
	address string
	ended   chan struct{}
	stopped atomic.Bool
	panicky atomic.Bool // it told of a panic
}

// startVictim starts the player and waits until it tells its address.
func startVictim(s setting) (*victim, error) {
	v := &victim{ended: make(chan struct{})}
	v.cmd = exec.Command(s.program, "serve", "--host", "127.0.0.1", "--port", "0", "--log", "json", "--matches", "8",
		"--threads", "1", "--memory", fmt.Sprintf("%dMiB", s.memory), "--metrics", "127.0.0.1:0")
	v.cmd.Env = append(os.Environ(), "GGP_CONFIG=none")
	log, err := os.Create(cmp.Or(s.log, os.DevNull))
	if err != nil {
		return nil, err
	}
	out, err := v.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := v.cmd.Start(); err != nil {
		return nil, err
	}
	address := make(chan string, 1)
	go func() {
		defer close(v.ended)
		defer func() { _ = log.Close() }() // it only helps to look into what went wrong
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			_, _ = fmt.Fprintf(log, "%s\n", lines.Bytes())
			v.hear(lines.Bytes(), address)
		}
		if err := lines.Err(); err != nil {
			_, _ = fmt.Fprintln(log, "reading ended:", err)
		}
		_ = v.cmd.Wait() // that it ended is what matters
	}()
	select {
	case v.address = <-address:
		return v, nil
	case <-v.ended:
		return nil, errors.New("the player did not start")
	case <-time.After(time.Minute):
		_ = v.cmd.Process.Kill()
		return nil, errors.New("the player does not tell its address")
	}
}

// hear reads a line of its log.
func (v *victim) hear(line []byte, address chan<- string) {
	var said struct{ Msg, Address string }
	if json.Unmarshal(line, &said) != nil || strings.Contains(said.Msg, "panic") {
		fmt.Fprintf(os.Stderr, "player: %.2000s\n", line)
		v.panicky.Store(true)
	}
	if strings.HasPrefix(said.Msg, "player is ready") {
		select {
		case address <- said.Address:
		default:
		}
	}
}

// watch looks at its memory until the torture ends.
func (v *victim) watch(ctx context.Context, t *tally) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		t.resident(resident(v.cmd.Process.Pid))
		select {
		case <-tick.C:
		case <-v.ended:
			if !v.stopped.Load() {
				t.fail("the player ended: %v", v.cmd.ProcessState)
			}
			return
		case <-ctx.Done():
			return
		}
	}
}

// stop ends it in order.
func (v *victim) stop(t *tally) {
	t.resident(resident(v.cmd.Process.Pid))
	v.stopped.Store(true)
	_ = v.cmd.Process.Signal(os.Interrupt) // where it has ended, that was told
	select {
	case <-v.ended:
	case <-time.After(time.Minute):
		_ = v.cmd.Process.Kill()
		<-v.ended
		t.fail("the player did not end when it was told to")
	}
	if v.panicky.Load() {
		t.fail("the player told of a panic")
	}
}
