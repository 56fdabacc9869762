package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/referee"
	"semisplit/protocol"
	"semisplit/reasoner/gdl"
)

// clockFlags are the clocks of a match, in seconds.
type clockFlags struct {
	Start float64 `default:"10" help:"Start clock in seconds."`
	Play  float64 `default:"5" help:"Play clock in seconds."`
}

func (c clockFlags) check() error {
	for _, v := range []float64{c.Start, c.Play} {
		if !(v > 0) || v > 1e6 || math.IsNaN(v) {
			return usagef("--start and --play are seconds above 0")
		}
	}
	return nil
}

// matchCmd manages one match.
type matchCmd struct {
	Game   string   `arg:"" help:"Bundled name, path to a description, or folder with one."`
	Player []string `sep:"none" placeholder:"WHO" help:"Who plays, once for each role in the order of the rules: the URL of a player, random, legal, mcts, human, or agent:NAME. Roles left over are played by mcts, a role called random by the manager."`
	clockFlags
	Record string `type:"path" placeholder:"FILE" help:"Write the record of the match (JSON)."`
	publishFlags
	Seed  uint64 `help:"Seed of everything random on this side; default: another one each time."`
	Steps int    `default:"1000" help:"Abort a match that is longer."`
	Quiet bool   `help:"Print the result only."`
}

// thinkAgainstPeople bounds the thinking of our agents in a match with a
// person, whose clock may be long.
const thinkAgainstPeople = 3 * time.Second

func (c *matchCmd) Run(s *session) error {
	if err := c.check(); err != nil {
		return err
	}
	game, program, _, err := readGame(s, c.Game)
	if err != nil {
		return err
	}
	publisher, err := c.publisher(s, game)
	if err != nil {
		return err
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	seats, release, err := c.seats(s, program)
	if err != nil {
		return err
	}
	defer release()
	config, err := newMatch(s, game, c.clockFlags, c.Quiet)
	if err != nil {
		return err
	}
	config.Seats, config.Seed, config.MaxSteps = seats, c.Seed, c.Steps
	publisher.watch(&config)
	result, err := referee.Run(s.ctx, config)
	return finishMatch(s, program, result, err, c.Record, publisher)
}

// newMatch is what all matches at the terminal have in common.
func newMatch(s *session, game games.Game, clocks clockFlags, quiet bool) (referee.Config, error) {
	rules, err := kif.Parse(game.Rules)
	if err != nil {
		return referee.Config{}, err
	}
	c := referee.Config{
		Game: game.Name, MetaURL: metaURL(game), Rules: rules,
		StartClock: seconds(clocks.Start), PlayClock: seconds(clocks.Play),
	}
	if !quiet {
		view := newLiveView(s, game, rules)
		c.Observe = view.show
	}
	return c, nil
}

// finishMatch writes the record, prints the result, and fails if the match
// did not end as its rules say.
func finishMatch(s *session, program *gdl.Program, result referee.Result, err error, record string, publisher *publisher) error {
	kept := publisher.finish(result.Record)
	if result.Record != nil && record != "" {
		kept = errors.Join(kept, saveRecord(result.Record, record))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("the match did not end: %w", err), kept)
	}
	if result.Aborted {
		return errors.Join(fmt.Errorf("the match was aborted: %s", result.Reason), kept)
	}
	fmt.Fprintf(s.out, "ended after %d steps:", result.Steps)
	faults := 0
	for i, role := range roleNames(program) {
		fmt.Fprintf(s.out, " %s %d", role, result.Goals[i])
		faults += result.FaultCount(i)
	}
	fmt.Fprintf(s.out, " (%d faults, slowest reply %.2f s)\n", faults, slices.Max(result.Slowest).Seconds())
	return kept
}

func roleNames(program *gdl.Program) []string {
	names := make([]string, len(program.Roles))
	for i, role := range program.Roles {
		names[i] = program.Symbols.Name(role.Name)
	}
	return names
}

// saveRecord replaces the file whole, so that a reader never sees half of it.
func saveRecord(r *protocol.Record, path string) error {
	data, err := r.MarshalJSON()
	if err != nil {
		return fmt.Errorf("match record: %w", err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".record-*")
	if err != nil {
		return fmt.Errorf("match record: %w", err)
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(append(data, '\n'))
	if err = errors.Join(err, temporary.Chmod(0o644), temporary.Close()); err != nil {
		return fmt.Errorf("match record: %w", err)
	}
	return os.Rename(temporary.Name(), path)
}

// seats makes the seats that are asked for; release frees them.
func (c *matchCmd) seats(s *session, program *gdl.Program) (seats []referee.Seat, release func(), err error) {
	roles := roleNames(program)
	who := slices.Clone(c.Player)
	if len(who) > len(roles) {
		return nil, nil, usagef("%d players for %d roles (%s)", len(who), len(roles), strings.Join(roles, ", "))
	}
	for len(who) < len(roles) {
		next := "mcts"
		if strings.EqualFold(roles[len(who)], "random") {
			next = "" // the manager plays it
		}
		who = append(who, next)
	}
	b := &seatBuilder{session: s, seed: c.Seed, people: slices.Contains(who, "human")}
	for i, name := range who {
		seat, err := b.seat(name, uint64(i))
		if err != nil {
			b.release()
			return nil, nil, err
		}
		seats = append(seats, seat)
	}
	return seats, b.release, nil
}

// seatBuilder makes seats and remembers what they hold.
type seatBuilder struct {
	session *session
	seed    uint64
	people  bool // somebody at the terminal takes part
	players []*player.Player
	client  *protocol.Client
}

func (b *seatBuilder) release() {
	for _, p := range b.players {
		p.Close()
	}
}

func (b *seatBuilder) seat(who string, n uint64) (referee.Seat, error) {
	file, isAgent := strings.CutPrefix(who, "agent:")
	switch {
	case who == "":
		return nil, nil
	case who == "random":
		return referee.Random(b.seed + n), nil
	case who == "legal":
		return referee.Legal(), nil
	case who == "human":
		return referee.Human(b.session.in, b.session.out), nil
	case who == "mcts":
		return b.agent(player.DefaultAgent(), n), nil
	case isAgent:
		agent, err := player.FindAgent(file)
		if err != nil {
			return nil, err
		}
		return b.agent(agent, n), nil
	case strings.ContainsAny(who, ".:/"):
		remote, err := protocol.ParseRemote(who)
		if err != nil {
			return nil, usagef("player %q: %v", who, err)
		}
		if b.client == nil {
			b.client = protocol.NewClient(protocol.ClientOptions{})
		}
		return referee.HTTP(b.client, remote), nil
	}
	return nil, usagef("player %q: it is none of random, legal, mcts, human, agent:NAME (a preset or a file), or a URL such as http://127.0.0.1:9147", who)
}

func (b *seatBuilder) agent(agent player.Agent, n uint64) referee.Seat {
	p := player.New(player.Config{Agent: agent, Matches: 1, Seed: b.seed + n, Prompt: b.people, Log: slog.New(slog.DiscardHandler)})
	b.players = append(b.players, p)
	if b.people {
		return referee.InProcess(agent.Name, hurried{p})
	}
	return referee.InProcess(agent.Name, p)
}
