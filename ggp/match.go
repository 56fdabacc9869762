package main

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/referee"
	"semisplit/reasoner/gdl"
)

// clockFlags are the clocks of a match.
type clockFlags struct {
	Start time.Duration `default:"10" help:"Start clock."`
	Play  time.Duration `default:"5" help:"Play clock."`
}

func (c clockFlags) check() error {
	return cmp.Or(console.AboveZero("--start", c.Start), console.AboveZero("--play", c.Play))
}

// matchCmd manages one match.
type matchCmd struct {
	Game   string   `arg:"" predictor:"game" help:"Bundled name, path to a description, or folder with one."`
	Player []string `predictor:"player" sep:"none" placeholder:"WHO" help:"Who plays, once for each role in the order of the rules: human, random, legal (the first move), an agent (NAME or agent:NAME, a preset of ggp agents or a file), or the URL of a player. Roles left over are played by mcts (the preset semisplit), a role called random by the manager."`
	clockFlags
	keepFlags
	webFlag
	Seed  uint64 `help:"Seed of everything random on this side; default: another one each time."`
	Steps int    `default:"1000" help:"Abort a match that is longer."`
	Quiet bool   `help:"Print the result only."`
}

func (c *matchCmd) Run(s *console.Session) error {
	if err := c.check(); err != nil {
		return err
	}
	game, program, _, err := load.Read(s, c.Game)
	if err != nil {
		return err
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	view, err := c.openPages(s)
	if err != nil {
		return err
	}
	defer view.close()
	seats, release, err := c.seats(s, program, view)
	if err != nil {
		return err
	}
	defer release()
	config, err := newMatch(s, game, c.clockFlags, c.Quiet)
	if err != nil {
		return err
	}
	config.Seats, config.Seed, config.MaxSteps = seats, c.Seed, c.Steps
	return playMatch(s, config, game, program, c.keepFlags, view)
}

// newMatch is what all matches at the terminal have in common.
func newMatch(s *console.Session, game games.Game, clocks clockFlags, quiet bool) (referee.Config, error) {
	rules, err := kif.Parse(game.Rules)
	if err != nil {
		return referee.Config{}, err
	}
	c := referee.Config{
		Game: game.Name, MetaURL: load.MetaURL(game), Rules: rules,
		StartClock: clocks.Start, PlayClock: clocks.Play,
	}
	if !quiet {
		view := newLiveView(s, game, rules)
		c.Observe = view.show
	}
	return c, nil
}

// playMatch plays a match, keeps its record, prints the result, and fails if
// the match did not end as its rules say, or a player failed.
func playMatch(s *console.Session, config referee.Config, game games.Game, program *gdl.Program, flags keepFlags, view *webPages) error {
	kept, err := flags.open(s, game)
	if err != nil {
		return err
	}
	kept.watch(&config)
	view.observe(&config, game, program)
	result, err := referee.Run(s.Ctx, config)
	view.observed(config.Match, result, err)
	keeping := kept.finish(result.Record)
	switch {
	case errors.Is(err, referee.ErrStart):
		return errors.Join(err, keeping)
	case err != nil:
		return errors.Join(fmt.Errorf("the match did not end: %w", err), keeping)
	case result.Aborted:
		return errors.Join(fmt.Errorf("the match was aborted: %s", result.Reason), keeping)
	}
	fmt.Fprintf(s.Out, "ended after %s:", console.Quantity(result.Steps, "step", "steps"))
	faults := 0
	for i, role := range load.RoleNames(program) {
		fmt.Fprintf(s.Out, " %s %d", printable.Text(role, printable.LogLimit), result.Goals[i])
		faults += result.FaultCount(i)
	}
	fmt.Fprintf(s.Out, " (%s, slowest reply %.2f s)\n", console.Quantity(faults, "fault", "faults"), slices.Max(result.Slowest).Seconds())
	for _, failure := range result.Failed {
		if failure != nil {
			keeping = errors.Join(fmt.Errorf("a player failed, and random moves took the place of its own: %w", failure), keeping)
		}
	}
	return keeping
}

// seats makes the seats that are asked for; release frees them.
func (c *matchCmd) seats(s *console.Session, program *gdl.Program, view *webPages) (seats []referee.Seat, release func(), err error) {
	roles := load.RoleNames(program)
	if len(c.Player) > len(roles) {
		return nil, nil, console.Usagef("%d players for %d roles (%s)", len(c.Player), len(roles), strings.Join(roles, ", "))
	}
	players := make([]who, len(roles))
	for i := range roles {
		switch {
		case i < len(c.Player):
			if players[i], err = readWho(c.Player[i]); err != nil {
				return nil, nil, err
			}
		case !strings.EqualFold(roles[i], "random"):
			players[i] = who{kind: whoAgent, agent: agent.Default()}
		}
	}
	b := newSeatBuilder(s, c.Seed, players)
	b.watch = view.watch()
	for i := range players {
		seats = append(seats, b.seat(players[i], uint64(i)))
	}
	return seats, b.release, nil
}
