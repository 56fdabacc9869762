package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"

	"semisplit/player"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// practiceCmd plays one match over HTTP on this machine.
type practiceCmd struct {
	Game     string  `arg:"" optional:"" default:"connectfour" help:"Bundled name, path to a description, or folder with one."`
	Start    float64 `default:"3" help:"Start clock in seconds."`
	Play     float64 `default:"1" help:"Play clock in seconds."`
	Agent    string  `placeholder:"AGENT" help:"Preset or agent file of the player; see ggp agents."`
	Opponent string  `placeholder:"AGENT" help:"Preset or agent file of the opponents; default: the player's search, cut off after a thousand iterations a move."`
	Record   string  `type:"path" placeholder:"FILE" help:"Write the record of the match (JSON)."`
	publishFlags
	Seed  uint64 `help:"Seed of everything random; default: another one each time."`
	Quiet bool   `help:"Print the result only."`
}

// opponentIterations keeps the default opponent beatable.
const opponentIterations = 1000

func (c *practiceCmd) Run(s *session) error {
	clocks := clockFlags{Start: c.Start, Play: c.Play}
	if err := clocks.check(); err != nil {
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
	agent, opponent, err := c.agents()
	if err != nil {
		return err
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	config, err := newMatch(s, game, clocks, c.Quiet)
	if err != nil {
		return err
	}
	config.Seed = c.Seed

	roles := roleNames(program)
	client := protocol.NewClient(protocol.ClientOptions{})
	for i, role := range roles {
		if role == "random" {
			config.Seats = append(config.Seats, nil)
			continue
		}
		who := opponent
		if i == 0 {
			who = agent
		}
		server, remote, err := onLoopback(who, c.Seed+uint64(i))
		if err != nil {
			return err
		}
		defer func() { _ = server.close() }() // the match is over, nothing depends on it
		info, err := client.Info(s.ctx, remote)
		if err != nil {
			return fmt.Errorf("the player at %s does not answer: %w", remote.URL, err)
		}
		fmt.Fprintf(s.out, "%s: %s at %s, %s\n", role, info.Name, remote.URL, info.Status)
		config.Seats = append(config.Seats, referee.HTTP(client, remote))
	}
	publisher.watch(&config)
	result, err := referee.Run(s.ctx, config)
	return finishMatch(s, program, result, err, c.Record, publisher)
}

// agents are the player's and the opponents'.
func (c *practiceCmd) agents() (agent, opponent player.Agent, err error) {
	agent = player.AutomaticAgent()
	opponent = player.DefaultAgent()
	opponent.Name = "opponent"
	opponent.General.SimulateDuringOppTurn = false
	opponent.Algorithm.Parameters.Iterations = opponentIterations
	if c.Agent != "" {
		agent, err = player.FindAgent(c.Agent)
	}
	if c.Opponent != "" {
		var opponentErr error
		opponent, opponentErr = player.FindAgent(c.Opponent)
		err = errors.Join(err, opponentErr)
	}
	return agent, opponent, err
}

// onLoopback starts a player as a real server on a free port.
func onLoopback(agent player.Agent, seed uint64) (*node, protocol.Remote, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, protocol.Remote{}, fmt.Errorf("start a player: %w", err)
	}
	silent := slog.New(slog.DiscardHandler)
	server := newNode(listener, player.Config{Agent: agent, Matches: 2, Seed: seed, Log: silent}, silent)
	remote, err := protocol.ParseRemote(listener.Addr().String())
	if err != nil {
		return nil, remote, errors.Join(err, server.close())
	}
	remote.Name = agent.Name
	return server, remote, nil
}
