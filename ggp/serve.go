package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/lmittmann/tint"

	"semisplit/player"
	"semisplit/protocol"
)

// serveCmd runs the player as a server.
type serveCmd struct {
	Host    string   `default:"" help:"Address to listen on; empty: every address of this machine."`
	Port    int      `default:"9147" help:"Port to listen on; 0 picks a free one."`
	Name    string   `help:"Name that managers are told; default: the agent's."`
	Agent   string   `placeholder:"AGENT" help:"Preset or agent file (JSON) that says how to search; see ggp agents."`
	Threads int      `help:"Threads of the search, for each match; default: the agent's, or one for each core."`
	Memory  byteSize `default:"2GiB" help:"Bound on the memory of the search trees, for all matches together."`
	Matches int      `default:"2" help:"Matches at a time; beyond it the player says busy."`
	Log     string   `enum:"text,json" default:"text" help:"Form of the log on standard error: ${enum}."`
	Debug   bool     `help:"Log every message."`
}

func (c *serveCmd) Run(s *session) error {
	agent, err := c.agent()
	if err != nil {
		return err
	}
	log := newLogger(s.errout, c.Log, c.Debug)
	listener, err := net.Listen("tcp", net.JoinHostPort(c.Host, strconv.Itoa(c.Port)))
	if err != nil {
		return fmt.Errorf("%w (is another player running? --port chooses another port)", err)
	}
	node := newNode(listener, player.Config{Agent: agent, Matches: c.Matches, Seed: uint64(time.Now().UnixNano()), Log: log}, log)
	log.Info("player is ready for game managers", "name", agent.Name, "address", listener.Addr().String(), "matches", c.Matches)
	select {
	case <-s.ctx.Done():
		log.Info("player stops")
		return node.close()
	case err := <-node.failed:
		return errors.Join(err, node.close())
	}
}

// agent is the agent file with the flags laid over it.
func (c *serveCmd) agent() (player.Agent, error) {
	agent := player.AutomaticAgent()
	if c.Agent != "" {
		var err error
		if agent, err = player.FindAgent(c.Agent); err != nil {
			return agent, err
		}
	}
	if c.Matches < 1 {
		return agent, usagef("--matches must be at least 1")
	}
	if c.Threads < 0 {
		return agent, usagef("--threads must not be negative")
	}
	if c.Name != "" {
		agent.Name = c.Name
	}
	if c.Threads > 0 {
		agent.General.Threads = c.Threads
	}
	if share := int64(c.Memory) / int64(c.Matches); agent.General.Memory == 0 || agent.General.Memory > share {
		agent.General.Memory = share
	}
	return agent, nil
}

func newLogger(w io.Writer, form string, debug bool) *slog.Logger {
	level := slog.LevelInfo
	if debug {
		level = slog.LevelDebug
	}
	if form == "json" {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !isTerminal(w)}))
}

// node is a player that serves on a listener.
type node struct {
	server *protocol.Server
	player *player.Player
	failed chan error // gets one value if serving ends by itself
}

func newNode(l net.Listener, c player.Config, log *slog.Logger) *node {
	n := &node{player: player.New(c), failed: make(chan error, 1)}
	n.server = protocol.NewServer(n.player, protocol.ServerOptions{Logger: log})
	go func() {
		if err := n.server.Serve(l); !errors.Is(err, protocol.ErrServerClosed) {
			n.failed <- err
		}
	}()
	return n
}

// close ends the matches and then the server.
func (n *node) close() error {
	n.player.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	return n.server.Shutdown(ctx)
}
