package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// practiceCmd plays one match over HTTP on this machine.
type practiceCmd struct {
	Game     string        `arg:"" predictor:"game" optional:"" default:"connectfour" help:"Bundled name, path to a description, or folder with one."`
	Start    time.Duration `default:"3" help:"Start clock."`
	Play     time.Duration `default:"1" help:"Play clock."`
	Agent    string        `predictor:"agent" placeholder:"WHO" help:"Who plays the first role that is not chance, named as for ggp match; default: the player, auto."`
	Opponent string        `placeholder:"WHO" help:"Who plays the other roles, named alike; default: the player's search, cut off after a thousand iterations a move."`
	keepFlags
	jsonFlag
	webFlag
	Seed uint64 `help:"Seed of everything random; default: another one each time."`
}

// opponentIterations keeps the default opponent beatable.
const opponentIterations = 1000

func (c *practiceCmd) Run(s *console.Session) error {
	if err := (clockFlags{Start: c.Start, Play: &c.Play}).check(); err != nil {
		return err
	}
	game, program, _, err := load.Read(s, c.Game)
	if err != nil {
		return err
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	setup, err := newMatch(s, game, c.Start, c.jsonFlag)
	if err != nil {
		return err
	}
	setup.config.PlayClock = c.Play
	config := &setup.config
	config.Seed = c.Seed
	players, err := c.players(load.RoleNames(program))
	if err != nil {
		return err
	}
	if setup.pages, err = c.openPages(s); err != nil {
		return err
	}
	defer setup.pages.close()
	b := newSeatBuilder(s, c.Seed, players)
	b.screen = setup.screen(s)
	b.watch = setup.pages.watch()
	defer b.release()
	for i, role := range load.RoleNames(program) {
		if players[i].kind != whoAgent {
			config.Seats = append(config.Seats, b.seat(players[i], uint64(i)))
			continue
		}
		server, remote, err := onLoopback(b.config(players[i].agent, uint64(i)), slog.New(thoughtLog{setup.thoughts, i}))
		if err != nil {
			return err
		}
		defer func() { _ = server.close() }() // the match is over, nothing depends on it
		info, err := b.http().Info(s.Ctx, remote)
		if err != nil {
			return fmt.Errorf("the player at %s does not answer: %w", remote.URL, err)
		}
		if !c.JSON && !s.Tell.Quiet {
			fmt.Fprintf(s.Out, "%s: %s at %s, %s\n", role, info.Name, remote.URL, info.Status)
		}
		var seat referee.Seat = thinkingSeat{referee.HTTP(b.http(), remote), server.player, setup.thoughts, i}
		if players[i].mistakes > 0 {
			seat = referee.Careless(seat, players[i].mistakes, c.Seed+uint64(i))
		}
		config.Seats = append(config.Seats, seat)
	}
	return setup.play(s, game, program, c.keepFlags, b)
}

// players is who plays each role.
func (c *practiceCmd) players(roles []string) ([]who, error) {
	first, others := who{kind: whoAgent, agent: agent.Automatic()}, who{kind: whoAgent, agent: agent.Default()}
	others.agent.Name = "opponent"
	others.agent.General.SimulateDuringOppTurn = false
	others.agent.Algorithm.Parameters.Iterations = opponentIterations
	var errs [2]error
	if c.Agent != "" {
		first, errs[0] = readWho(c.Agent)
	}
	if c.Opponent != "" {
		others, errs[1] = readWho(c.Opponent)
	}
	players := make([]who, len(roles))
	next := first
	for i, role := range roles {
		if !strings.EqualFold(role, "random") { // which the manager plays
			players[i], next = next, others
		}
	}
	return players, errors.Join(errs[:]...)
}

// onLoopback starts a player as a real server on a free port.
func onLoopback(c player.Config, log *slog.Logger) (*node, protocol.Remote, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, protocol.Remote{}, fmt.Errorf("start a player: %w", err)
	}
	c.Log = log
	server := newNode(listener, c, protocol.ServerOptions{Logger: slog.New(slog.DiscardHandler)}, nil)
	remote, err := protocol.ParseRemote(listener.Addr().String())
	if err != nil {
		return nil, remote, errors.Join(err, server.close())
	}
	remote.Name = c.Agent.Name
	return server, remote, nil
}
