package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/metrics"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/protocol"
	"semisplit/reasoner"
)

// serveCmd runs the player as a server.
type serveCmd struct {
	Host     string           `default:"" help:"Address to listen on; empty: every address of this machine."`
	Port     int              `default:"9147" help:"Port to listen on; 0 picks a free one."`
	Name     string           `help:"Name that managers are told; default: the agent's."`
	Agent    string           `predictor:"agent" placeholder:"AGENT" help:"Preset or agent file (JSON) that says how to search; see ggp agents."`
	Threads  int              `help:"Threads of the search, for each match; default: the agent's, or one for each core."`
	Memory   console.ByteSize `default:"2GiB" help:"Bound on the memory of the process: search trees, machines, messages, for all matches together."`
	Remember bool             `help:"Keep what is learned at the start of matches for later ones, see ggp knowledge."`
	Matches  int              `default:"2" help:"Matches at a time; beyond it the player says busy."`
	Log      string           `enum:"text,json" default:"text" help:"Form of the log on standard error: ${enum}."`
	Metrics  string           `placeholder:"HOST:PORT" help:"Serve /metrics (Prometheus) and /healthz there, at :PORT for this machine alone; default: nowhere."`
	Drain    time.Duration    `default:"0" help:"After SIGTERM, take no new match and play those in play to their end, for so long at most; default: they end at once, and a move that is asked for is answered."`
	webFlag
}

// leastMemory is what the process itself takes, about.
const leastMemory = 32 << 20

func (c *serveCmd) Run(s *console.Session) error {
	if c.Port < 0 || c.Port > 65535 {
		return console.Usagef("--port must be from 0 to 65535, not %d", c.Port)
	}
	if c.Memory < leastMemory {
		return console.Usagef("--memory must be at least %d MiB: no game could be played with less", leastMemory>>20)
	}
	agent, err := c.agent()
	if err != nil {
		return err
	}
	defer c.bound()()
	measured := metrics.New(version())
	told, end := s.LogBeside(c.Log)
	defer end()
	log := slog.New(measured.Log(told.Handler()))
	listener, err := net.Listen("tcp", net.JoinHostPort(c.Host, strconv.Itoa(c.Port)))
	if err != nil {
		return fmt.Errorf("%w (is another player running? --port chooses another port)", err)
	}
	view, err := c.openPages(s)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer view.close()
	node := newNode(listener, player.Config{Agent: agent, Matches: c.Matches, Seed: uint64(time.Now().UnixNano()), Log: log, Limits: c.limits(), Knowledge: knowledgeOf(s), Remember: c.Remember, Watch: view.watch()},
		protocol.ServerOptions{Logger: log, Memory: c.messages()}, measured.Match)
	if c.Metrics != "" {
		stop, err := measured.Serve(s.Ctx, c.Metrics, log, node.health)
		if err != nil {
			return errors.Join(err, node.close())
		}
		defer stop()
	}
	s.Serving(timeToClose + c.Drain)
	outliveLog()
	log.Info("player is ready for game managers", "name", agent.Name, "address", listener.Addr().String(), "matches", c.Matches)
	select {
	case <-s.Ctx.Done():
		c.drain(node, log)
		log.Info("player stops")
		return node.close()
	case err := <-node.failed:
		return errors.Join(err, node.close())
	}
}

// outliveLog keeps matches in play when whoever reads the log has ended, which would end
// this process as well.
func outliveLog() { signal.Ignore(syscall.SIGPIPE) }

// drain waits for the matches in play, if that is wanted.
func (c *serveCmd) drain(n *node, log *slog.Logger) {
	empty := n.gate.close()
	if c.Drain <= 0 {
		return
	}
	log.Info("player takes no new match", "for", c.Drain)
	end := time.After(c.Drain)
	often := time.NewTicker(time.Second)
	defer often.Stop()
	for {
		select {
		case <-empty:
			return
		case <-often.C:
			n.gate.sweep()
		case <-end:
			log.Warn("matches in play are given up")
			return
		case <-n.failed:
			return
		}
	}
}

// agent is the agent file with the flags laid over it.
func (c *serveCmd) agent() (agent.Agent, error) {
	a := agent.Automatic()
	if c.Agent != "" {
		var err error
		if a, err = agent.Find(c.Agent); err != nil {
			return a, err
		}
	}
	if c.Matches < 1 || c.Matches > mostMatches {
		return a, console.Usagef("--matches must be from 1 to %d", mostMatches)
	}
	if c.Threads < 0 || c.Threads > agent.MostThreads {
		return a, console.Usagef("--threads must be from 0 to %d", agent.MostThreads)
	}
	if c.Name != "" {
		a.Name = c.Name
	}
	if c.Threads > 0 {
		a.General.Threads = c.Threads
	}
	if share := c.trees() / int64(c.Matches); a.General.Memory == 0 || a.General.Memory > share {
		a.General.Memory = share
	}
	return a, nil
}

const mostMatches = 1000

// messages is the part of the memory that messages in flight may take. A
// description and its terms take less than 10 MiB.
func (c *serveCmd) messages() int64 {
	const least, most = 16 << 20, 256 << 20
	return min(max(int64(c.Memory)/8, least), int64(c.Memory)/2, most)
}

// trees is the part of the memory that search trees may take. What is left beside them
// and the messages is for machines, learning and the garbage of all, of which there is
// more where there is more memory.
func (c *serveCmd) trees() int64 {
	const mostBeside = 768 << 20
	rest := int64(c.Memory) - c.messages()
	return rest - min(rest/2, mostBeside)
}

// limits bound the work on a game. Circuits of two plans may be in the making at a time, and
// what has no circuit within the limits is played without.
func (c *serveCmd) limits() reasoner.Limits {
	l := reasoner.DefaultLimits
	l.Ground.Bytes = min(l.Ground.Bytes, int64(c.Memory)/4)
	return l
}

// bound tells the collector of garbage the bound of the process. The program itself and
// what the system keeps for it are no part of what Go counts.
func (c *serveCmd) bound() (restore func()) {
	const beside = 64 << 20
	was := debug.SetMemoryLimit(int64(c.Memory) - min(int64(c.Memory)/4, beside))
	return func() { debug.SetMemoryLimit(was) }
}

// node is a player that serves on a listener.
type node struct {
	server *protocol.Server
	player *player.Player
	gate   *gate
	failed chan error // gets one value if serving ends by itself
}

// newNode serves a new player. count is told of its matches; it may be nil.
func newNode(l net.Listener, c player.Config, o protocol.ServerOptions, count func(how string, inPlay int)) *node {
	n := &node{player: player.New(c), failed: make(chan error, 1)}
	n.gate = newGate(n.player, count)
	o.MaxConns = max(256, 16*c.Matches) // most of them free when all matches wait for moves
	n.server = protocol.NewServer(n.gate, o)
	go func() {
		if err := n.server.Serve(l); !errors.Is(err, protocol.ErrServerClosed) {
			n.failed <- err
		}
	}()
	return n
}

// health tells whether the player answers.
func (n *node) health(ctx context.Context) error {
	answered := make(chan struct{})
	go func() {
		n.player.Info()
		close(answered)
	}()
	select {
	case <-answered:
		return nil
	case <-ctx.Done():
		return errors.New("the player does not answer")
	}
}

// timeToClose is more than close needs: rules may hold up the end of a match.
const timeToClose = 10 * time.Second

// close ends the matches and then the server.
func (n *node) close() error {
	n.player.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	return n.server.Shutdown(ctx)
}
