package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"semisplit/player/tournament"
)

// killTournament plays tournaments whose process is killed without a warning, some times,
// and goes on with the same command. In the end every match is there once.
func killTournament(ctx context.Context, s setting, t *tally) {
	for n := 0; ctx.Err() == nil; n++ {
		db := filepath.Join(s.dir, fmt.Sprintf("tournament%d.db", n))
		args := []string{"tournament", "random", "orthodox", "o-s-mod", "--games", "tictactoe,connectfour", "--rounds", "4", "--iterations", "200", "--seed", "7", "--db", db}
		kills, done := 0, false
		for ctx.Err() == nil && !done {
			var killed bool
			if killed, done = runAndKill(ctx, s, t, args, kills < 4); killed {
				kills++
			}
		}
		if !done {
			return // the torture has ended
		}
		const expected = 3 * 2 * 2 * 4 // pairs, seats, games, rounds
		if number, err := matchesIn(db); err != nil || number != expected {
			t.fail("a tournament that was killed %d times has %d of %d matches: %v", kills, number, expected, err)
			return
		}
		for range kills {
			t.survive("kills of a tournament, which went on and had every match once")
		}
	}
}

// runAndKill runs a tournament and kills it after some seconds, if that is wanted.
func runAndKill(ctx context.Context, s setting, t *tally, args []string, kill bool) (killed, done bool) {
	cmd := exec.CommandContext(ctx, s.program, args...)
	cmd.Env = append(os.Environ(), "GGP_CONFIG=none")
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.fail("a tournament: %v", err)
		return false, true
	}
	if kill {
		timer := time.AfterFunc(time.Second+time.Duration(rand.IntN(4000))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	err := cmd.Wait()
	switch {
	case err == nil:
		return false, true
	case cmd.ProcessState.ExitCode() < 0: // by a signal
		return true, false
	}
	if ctx.Err() == nil {
		t.fail("a tournament that was killed does not go on: %v", err)
	}
	return false, true
}

// matchesIn counts the matches of a database, each of which has another name.
func matchesIn(path string) (int, error) {
	store, err := tournament.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = store.Close() }() // it was only read
	played, err := store.Matches()
	if err != nil {
		return 0, err
	}
	names := map[string]bool{}
	for _, m := range played {
		if names[m.ID] || m.Error != "" {
			return len(played), fmt.Errorf("%s is there twice, or failed: %s", m.ID, m.Error)
		}
		names[m.ID] = true
	}
	return len(played), nil
}
