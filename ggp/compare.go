package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/player/arena"
)

// compareCmd is an experiment of two players in one line.
type compareCmd struct {
	A     string        `arg:"" predictor:"player" help:"An agent (a preset or a file), the URL of a player, or command:COMMAND, which starts a player of others for each match; {port} stands for its port."`
	B     string        `arg:"" predictor:"player" help:"Who it is compared with, named alike."`
	Games []string      `required:"" predictor:"game" placeholder:"GAME,..." help:"Bundled names, or paths to descriptions."`
	Start time.Duration `default:"20" help:"Time before the first move."`
	Play  time.Duration `default:"2" help:"Time for each move."`
	Plays int           `default:"20" help:"Plays of each game, at most, rounded up so that each seat is taken alike."`
	Elo   float64       `default:"50" help:"The test decides between A being so much stronger than B, and so much weaker."`
	Cores int           `help:"Cores of each side. The plays are then matches over HTTP between new processes; so they are with players of others. Default: 1 for these, else all plays are made in this process."`
	DB    string        `type:"path" placeholder:"FILE" help:"Database of the plays, for ggp report and to go on after a stop; default: nothing is kept."`
	queueFlags
}

func (c *compareCmd) Run(s *console.Session) error {
	spec, err := c.spec()
	if err != nil {
		return err
	}
	plan, err := arena.Read(spec, ".", func(name string) (games.Game, error) { return load.Game(s, name) })
	if err != nil {
		return err
	}
	test, err := arena.NewSPRT(-c.Elo, c.Elo)
	if err != nil {
		return console.Usagef("--elo: %v", err)
	}
	base := strings.TrimSuffix(c.DB, filepath.Ext(c.DB))
	path, logs, queue := c.DB, base+"-logs", base+"-queue"
	if path == "" {
		dir, err := os.MkdirTemp("", "compare-*")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // nobody asked for it
		path, logs = filepath.Join(dir, "compare.db"), ""
		queue = filepath.Join(dir, "queue")
	}
	store, err := arena.Create(path)
	if err != nil {
		return err
	}
	m := comparison{session: s, plan: plan, test: test, field: fieldFlags{queueFlags: c.queueFlags, Cores: -1}, queue: queue, kept: c.DB != ""}
	return errors.Join(m.run(store, logs), store.Close())
}

// spec is the experiment that the flags describe.
func (c *compareCmd) spec() (arena.Spec, error) {
	spec := arena.Spec{
		Name: "compare", Plays: c.Plays, Cores: c.Cores, Seed: 1,
		Settings: []arena.Setting{{Kind: arena.Timed, Seconds: c.Play.Seconds(), Start: c.Start.Seconds()}},
	}
	for _, game := range c.Games {
		spec.Games = append(spec.Games, arena.GameEntry{Game: game})
	}
	a, errA := sideEntry("A", c.A)
	b, errB := sideEntry("B", c.B)
	if err := cmp.Or(errA, errB); err != nil {
		return spec, err
	}
	spec.Agents, spec.Baselines = []arena.AgentEntry{a}, []arena.AgentEntry{b}
	if err := spec.Check(); err != nil {
		return spec, console.Usagef("%v", err)
	}
	return spec, nil
}

// sideEntry is a player of that name.
func sideEntry(name, text string) (arena.AgentEntry, error) {
	if strings.HasPrefix(text, "level:") {
		return arena.AgentEntry{}, console.Usagef("player %q: levels play matches with people; name an agent, an address or a command", text)
	}
	if command, ok := strings.CutPrefix(text, "command:"); ok {
		return arena.AgentEntry{Name: name, Peer: arena.Peer{Command: strings.Fields(command)}}, nil
	}
	if isAddress(text) {
		return arena.AgentEntry{Name: name, Peer: arena.Peer{URL: text}}, nil
	}
	return arena.AgentEntry{Agent: text, Label: name}, nil
}

// comparison is a comparison in progress.
type comparison struct {
	session *console.Session
	field   fieldFlags
	queue   string // folder of the queue
	kept    bool   // the plays stay when the command ends
	plan    *arena.Plan
	test    arena.SPRT
	plays   []arena.Play
	sum     arena.Pooled
}

// run plays until the test has decided, or all has been played. It fails where
// A is weaker, or nothing can be said.
func (m *comparison) run(store *arena.Store, logs string) error {
	err := store.Check(m.plan)
	if err != nil {
		return err
	}
	if m.plays, err = store.Plays(); err != nil {
		return err
	}
	m.sum = arena.Pool(m.plan.Games, m.plan.Spec.Plays, m.plays, m.test)
	ctx, enough := context.WithCancel(m.session.Ctx)
	defer enough()
	m.session.NeedsToEnd(timeToStop)
	if m.sum.Verdict == arena.Undecided {
		err = m.field.run(ctx, m.session, m.plan, store, m.queue, arena.Options{Interleave: true, Serve: serveOne, Logs: logs, Progress: func(p arena.Progress) {
			if p.Play == nil || m.sum.Verdict != arena.Undecided {
				return
			}
			m.plays = append(m.plays, *p.Play)
			m.sum = arena.Pool(m.plan.Games, m.plan.Spec.Plays, m.plays, m.test)
			m.show(*p.Play, p.Total)
			if m.sum.Verdict != arena.Undecided {
				enough()
			}
		}}, func() bool { return m.sum.Verdict != arena.Undecided || !m.kept }) // nobody goes on with what is not kept
	}
	if err != nil && m.sum.Verdict == arena.Undecided {
		return err
	}
	return m.conclude()
}

// show prints a line after a play: what it brought, and how it stands.
func (m *comparison) show(p arena.Play, total int) {
	if m.session.Tell.Quiet {
		return
	}
	outcome := fmt.Sprintf("%s %s: %.3g", p.Game, p.Seats, p.Score)
	if p.Error != "" {
		outcome = fmt.Sprintf("%s %s: counts for nobody: %s", p.Game, p.Seats, p.Error)
	}
	fmt.Fprintf(m.session.Out, "%d of %d  %s  %s\n", len(m.plays), total, printable.Text(outcome, console.ErrorLine), m.standing())
}

// standing is the score of A so far.
func (m *comparison) standing() string {
	elo := "Elo unknown"
	if m.sum.N > 1 { // sets
		elo = eloText(m.sum.Estimate)
	}
	low, high := m.test.Bounds()
	return fmt.Sprintf("A %.4g, B %.4g; %s; LLR %.2f (%.2f to %.2f)", m.sum.Points, float64(m.sum.Plays)-m.sum.Points, elo, m.sum.Ratio, low, high)
}

// conclude prints the verdict.
func (m *comparison) conclude() error {
	out := m.session.Out
	fmt.Fprintf(out, "\n%s counted: %s\n", words.Count(m.sum.Plays, "play", "plays"), m.standing())
	var faults [2]int
	for _, p := range m.plays {
		for side := range faults {
			faults[side] += p.Faults[side].Turns()
		}
	}
	if faults != [2]int{} || m.sum.LeftOut > 0 || m.sum.Failed > 0 {
		fmt.Fprintf(out, "turns at fault: A %d, B %d; peer faults: %s left out; %d failed\n", faults[0], faults[1], words.Count(m.sum.LeftOut, "play", "plays"), m.sum.Failed)
	}
	switch {
	case m.sum.Plays == 0:
		return errors.New("nothing can be said: no play counts")
	case m.sum.Verdict == arena.AcceptRate0:
		fmt.Fprintln(out, "A is weaker than B.")
		return console.ErrQuiet
	case m.sum.Verdict == arena.AcceptRate1:
		fmt.Fprintln(out, "A is stronger than B.")
	default:
		fmt.Fprintln(out, "The test has not decided: more plays, or a larger --elo, would tell.")
	}
	return nil
}
