// Command torture plays matches of two proper managers with a ggp serve of its own, on
// loopback, while others do there what they should not: hostile managers, players and
// servers, a tournament that is killed, a disk that is full. It prints what was seen as
// a table, and ends with status 1 if the player was late, broke the rules of a game or
// its bound of memory, or if anything did not survive.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"time"

	"semisplit/internal/wholefile"
)

func main() {
	var s setting
	flag.StringVar(&s.program, "ggp", "bin/ggp", "the program")
	flag.DurationVar(&s.duration, "duration", time.Hour, "how long it is tortured")
	flag.DurationVar(&s.start, "start", 20*time.Second, "start clock of the honest matches")
	flag.DurationVar(&s.play, "play", 5*time.Second, "their play clock")
	flag.Int64Var(&s.memory, "memory", 1024, "bound of the player, in MiB")
	out := flag.String("out", "", "a document, between whose marks the table goes; default: none")
	flag.StringVar(&s.log, "log", "", "file for the log of the player; default: none")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	t, err := torture(ctx, s)
	if err == nil && t != nil {
		fmt.Print(t.table(s))
		if *out != "" {
			err = publish(*out, t.table(s))
		}
	}
	if t != nil {
		err = errors.Join(err, t.verdict(s))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

// setting is what is tortured, and for how long.
type setting struct {
	program     string
	duration    time.Duration
	start, play time.Duration
	memory      int64 // MiB
	dir, log    string
}

// torture does all at once until the time has passed.
func torture(ctx context.Context, s setting) (*tally, error) {
	var err error
	if s.program, err = filepath.Abs(s.program); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "torture"); err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(s.dir) }() // what stays lies among temporary files
	victim, err := startVictim(s)
	if err != nil {
		return nil, err
	}
	t := newTally()
	t.begun = time.Now()
	whole, end := context.WithTimeout(ctx, s.duration)
	defer end()
	trap, err := newTrap(t)
	if err != nil {
		return nil, err
	}
	defer trap.close()
	var group sync.WaitGroup
	for n := range managers {
		group.Go(func() { honest(whole, s, t, victim.address, trap.address, n) })
	}
	for n, p := range peers {
		group.Go(func() { p.act(&peer{ctx: whole, tally: t, to: victim.address, number: n}) })
	}
	group.Go(func() { askServers(whole, s, t, victim.address, trap.address) })
	group.Go(func() { killTournament(whole, s, t) })
	group.Go(func() { fillDisk(whole, s, t) })
	group.Go(func() { victim.watch(whole, t) })
	group.Wait()
	t.took = time.Since(t.begun)
	victim.stop(t)
	return t, nil
}

// publish replaces what stands between the marks of a document.
func publish(path, table string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := between(string(text), table)
	return cmp.Or(err, wholefile.Write(path, []byte(changed), 0o666))
}
