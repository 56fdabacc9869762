package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/kif"
	"semisplit/player/local"
	"semisplit/player/referee"
	"semisplit/protocol"
	"semisplit/reasoner/gdl"
)

// clockFlags are the clocks of a match.
type clockFlags struct {
	Start time.Duration  `default:"10" help:"Start clock."`
	Play  *time.Duration `placeholder:"S" help:"Play clock; default: 5, and 120 where a person plays."`
}

func (c clockFlags) check() error {
	if c.Play != nil {
		if err := console.AboveZero("--play", *c.Play); err != nil {
			return err
		}
	}
	return console.AboveZero("--start", c.Start)
}

// play is the play clock.
func (c clockFlags) play(people bool) time.Duration {
	switch {
	case c.Play != nil:
		return *c.Play
	case people:
		return 120 * time.Second
	}
	return 5 * time.Second
}

// matchCmd manages one match.
type matchCmd struct {
	Game   string   `arg:"" predictor:"game" help:"Bundled name, path to a description, or folder with one."`
	Player []string `predictor:"player" sep:"none" placeholder:"WHO" help:"Who plays, once for each role in the order of the rules: human, random, legal (the first move), level:N (from 1, a beginner, to 10), an agent (NAME or agent:NAME, a preset of ggp agents or a file), or the URL of a player. Roles left over are played by mcts (the preset semisplit), a role called random by the manager."`
	clockFlags
	keepFlags
	jsonFlag
	webFlag
	Level int    `placeholder:"N" help:"How strong the player of the roles left over is, from 1 (a beginner) to 10 (the player auto)."`
	From  string `placeholder:"FILE" help:"Go on with the match of this record: a file, - for standard input, or its address."`
	Step  *int   `help:"With --from: after so many steps; default: at its end."`
	Seed  uint64 `help:"Seed of everything random on this side; default: another one each time."`
	Steps int    `default:"1000" help:"Abort a match that is longer."`
}

func (c *matchCmd) Run(s *console.Session) error {
	if err := c.clockFlags.check(); err != nil {
		return err
	}
	switch {
	case c.Level < 0 || c.Level > local.MostLevel:
		return console.Usagef("--level must be from 1 to %d", local.MostLevel)
	case c.Steps < 1:
		return console.Usagef("--steps must be above 0")
	case c.From == "" && c.Step != nil:
		return console.Usagef("--step is about a record: --from names it")
	}
	game, program, _, err := load.Read(s, c.Game)
	if err != nil {
		return err
	}
	setup, err := newMatch(s, game, c.Start, c.jsonFlag)
	if err != nil {
		return err
	}
	if c.From != "" {
		if setup.config.Opening, err = readOpening(s, c.From, c.Step); err != nil {
			return err
		}
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	if setup.pages, err = c.openPages(s); err != nil {
		return err
	}
	defer setup.pages.close()
	seats, err := c.seats(s, program, setup)
	if err != nil {
		return err
	}
	defer seats.release()
	setup.config.PlayClock = c.clockFlags.play(seats.people)
	setup.config.Seats, setup.config.Seed, setup.config.MaxSteps = seats.made, c.Seed, c.Steps
	return setup.play(s, game, program, c.keepFlags, seats)
}

// showWork tells that the players get ready, and where nothing else is told, how far
// the match is. A person sees that well enough.
func (m *matchSetup) showWork(s *console.Session, people bool) (stop func()) {
	var steps atomic.Int64
	stop = sync.OnceFunc(console.ShowWork(s, "the match of "+printable.Text(m.config.Game, console.ShownText), func() string {
		if n := steps.Load(); n > 0 {
			return words.Count(int(n), "step", "steps")
		}
		return "the players get ready"
	}))
	before := m.config.Observe
	m.config.Observe = func(e referee.Event) {
		if steps.Store(int64(e.Step)); m.view != nil || people {
			stop()
		}
		if before != nil {
			before(e)
		}
	}
	return stop
}

// readOpening reads the joint moves of a record, up to so many steps; nil: all.
func readOpening(s *console.Session, file string, only *int) ([][]kif.Term, error) {
	data, err := (&recordFile{File: file}).read(s)
	if err != nil {
		return nil, err
	}
	record, err := protocol.ParseRecord(data)
	if err != nil {
		return nil, err
	}
	steps := len(record.Moves)
	if only != nil {
		if *only < 0 || *only > steps {
			return nil, console.Usagef("--step %d: the record has %s", *only, words.Count(steps, "step", "steps"))
		}
		steps = *only
	}
	var joints [][]kif.Term
	for i := range steps {
		joint, err := record.JointMove(i)
		if err != nil {
			return nil, err
		}
		joints = append(joints, joint)
	}
	return joints, nil
}

// matchSetup is what all matches at the terminal have in common.
type matchSetup struct {
	config   referee.Config
	as       jsonFlag
	view     *liveView // nil: only the result is told
	thoughts *thoughts // of the agents in this process
	pages    *webPages
}

func newMatch(s *console.Session, game games.Game, start time.Duration, as jsonFlag) (*matchSetup, error) {
	rules, err := kif.Parse(game.Rules)
	if err != nil {
		return nil, err
	}
	m := &matchSetup{as: as, thoughts: new(thoughts), config: referee.Config{
		Game: game.Name, MetaURL: load.MetaURL(game), Rules: rules,
		StartClock: start,
	}}
	if !s.Tell.Quiet && !as.JSON {
		m.view = newLiveView(s, game, rules)
		m.config.Observe = m.view.show
		if s.Tell.Verbose {
			m.view.think = m.thoughts
		}
	}
	return m, nil
}

// screen is where people read: not where a program reads the result.
func (m *matchSetup) screen(s *console.Session) io.Writer {
	switch {
	case m.as.JSON:
		return s.Errout
	case m.view != nil && m.view.inPlace:
		return m.view
	}
	return s.Out
}

// play plays a match, keeps its record, prints the result, and fails if the match
// did not end as its rules say, or a player failed.
func (m *matchSetup) play(s *console.Session, game games.Game, program *gdl.Program, flags keepFlags, seats *seatBuilder) error {
	kept, err := flags.open(s, game)
	if err != nil {
		return err
	}
	kept.thoughts = m.thoughts
	kept.watch(&m.config)
	m.pages.observe(&m.config, game, program)
	if t := seats.terminal; t != nil {
		t.Save = kept.last.save
		if m.view != nil {
			t.Board = m.view.again
			if m.view.inPlace {
				t.Clock = m.view.clock
			}
		}
		if flags.Publish != "" {
			t.NoUndo = "the match is published as it goes on"
		}
	}
	stop := m.showWork(s, seats.terminal != nil)
	result, err := referee.Run(s.Ctx, m.config)
	m.pages.observed(m.config.Match, result, err)
	stop()
	keeping := errors.Join(tellResult(s, m.as, game.Name, load.RoleNames(program), result, err), kept.finish(result.Record))
	switch {
	case errors.Is(err, referee.ErrStart):
		return errors.Join(err, keeping)
	case err != nil:
		return errors.Join(fmt.Errorf("the match did not end: %w", err), keeping)
	case result.Aborted:
		return errors.Join(fmt.Errorf("the match was aborted: %s", result.Reason), keeping)
	}
	for _, failure := range result.Failed {
		if failure != nil {
			keeping = errors.Join(fmt.Errorf("a player failed, and random moves took the place of its own: %w", failure), keeping)
		}
	}
	return keeping
}

// seats makes the seats that are asked for; who calls releases them.
func (c *matchCmd) seats(s *console.Session, program *gdl.Program, m *matchSetup) (*seatBuilder, error) {
	roles := load.RoleNames(program)
	if len(c.Player) > len(roles) {
		return nil, console.Usagef("%d players for %d roles (%s)", len(c.Player), len(roles), strings.Join(roles, ", "))
	}
	players, left := make([]who, len(roles)), false
	for i := range roles {
		switch {
		case i < len(c.Player):
			var err error
			if players[i], err = readWho(c.Player[i]); err != nil {
				return nil, err
			}
		case !strings.EqualFold(roles[i], "random"):
			players[i], left = opponentOf(c.Level), true
		}
	}
	if c.Level != 0 && !left {
		return nil, console.Usagef("--level is about roles left over, and there is none")
	}
	b := newSeatBuilder(s, c.Seed, players)
	b.thoughts, b.watch = m.thoughts, m.pages.watch()
	b.screen = m.screen(s)
	for i := range players {
		b.made = append(b.made, b.seat(players[i], uint64(i)))
	}
	return b, nil
}
