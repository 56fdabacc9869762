package main

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// whoHelp says what readWho reads.
const whoHelp = "human, random, legal (the first move), level:N (from 1 to 10), an agent (NAME or agent:NAME, a preset of ggp agents or a file), or the URL of a player"

// who is somebody who can play a role.
type who struct {
	kind   whoKind
	agent  agent.Agent     // of whoAgent
	remote protocol.Remote // of whoRemote

	mistakes float64 // of whoAgent: part of its moves that are random ones
}

type whoKind int

const (
	whoManager whoKind = iota // nobody: the manager moves at random
	whoHuman
	whoRandom
	whoLegal
	whoAgent
	whoRemote
)

// readWho reads who plays, for all flags that name a player of a match. A
// file or a preset goes before an address of the same spelling.
func readWho(text string) (who, error) {
	switch text {
	case "human":
		return who{kind: whoHuman}, nil
	case "random":
		return who{kind: whoRandom}, nil
	case "legal":
		return who{kind: whoLegal}, nil
	case "mcts":
		return who{kind: whoAgent, agent: agent.Default()}, nil
	}
	if number, found := strings.CutPrefix(text, "level:"); found {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > local.MostLevel {
			return who{}, console.Usagef("player %q: levels are from 1 to %d", text, local.MostLevel)
		}
		return opponentOf(n), nil
	}
	if isAddress(text) {
		remote, err := protocol.ParseRemote(text)
		if err != nil {
			return who{}, console.Usagef("player %q: %v", text, err)
		}
		return who{kind: whoRemote, remote: remote}, nil
	}
	agent, err := agent.Find(text)
	if err != nil && !isAgentFile(text) {
		err = console.Usagef("%v; players are %s", err, whoHelp)
	}
	return who{kind: whoAgent, agent: agent}, err
}

func isAgentFile(text string) bool {
	return strings.HasPrefix(text, "agent:") || filepath.Ext(text) == ".json"
}

// isAddress tells whether a text names a player on the wire, and no agent.
func isAddress(text string) bool {
	if strings.Contains(text, "://") {
		return true
	}
	if isAgentFile(text) || !strings.ContainsAny(text, ".:/") {
		return false
	}
	_, err := os.Stat(text)
	return err != nil
}

// thinkAgainstPeople bounds the thinking of our agents in a match with a
// person, whose clock may be long.
const thinkAgainstPeople = 3 * time.Second

// seatBuilder makes seats and remembers what they hold.
type seatBuilder struct {
	session  *console.Session
	seed     uint64
	people   bool // somebody at the terminal takes part
	terminal *referee.Terminal
	made     []referee.Seat // by role, where all are made at once
	players  []*player.Player
	client   *protocol.Client
	thoughts *thoughts // of the agents; nil: they are not kept
	watch    func(any) // is told what our players think; nil: nobody is
	screen   io.Writer // for people
}

func newSeatBuilder(s *console.Session, seed uint64, players []who) *seatBuilder {
	people := slices.ContainsFunc(players, func(w who) bool { return w.kind == whoHuman })
	return &seatBuilder{session: s, seed: seed, people: people, screen: s.Out}
}

func (b *seatBuilder) release() {
	for _, p := range b.players {
		p.Close()
	}
}

// seat is that of the n-th role; nil for the manager.
func (b *seatBuilder) seat(w who, n uint64) referee.Seat {
	switch w.kind {
	case whoHuman:
		if b.terminal == nil {
			b.terminal = referee.NewTerminal(b.session.In, b.screen)
			b.terminal.Columns = terminalColumns(b.session)
			b.terminal.Hint = (&hinter{session: b.session, seed: b.seed}).hint
		}
		return b.terminal.Person()
	case whoRandom:
		return referee.Random(b.seed + n)
	case whoLegal:
		return referee.Legal()
	case whoAgent:
		config := b.config(w.agent, n)
		if b.thoughts != nil {
			config.Log = slog.New(thoughtLog{b.thoughts, int(n)})
		}
		p := player.New(config)
		b.players = append(b.players, p)
		seat := referee.InProcess(w.agent.Name, p)
		if b.thoughts != nil {
			seat = thinkingSeat{seat, p, b.thoughts, int(n)}
		}
		if w.mistakes > 0 {
			seat = referee.Careless(seat, w.mistakes, b.seed+n)
		}
		return seat
	case whoRemote:
		return referee.HTTP(b.http(), w.remote)
	}
	return nil
}

// http is the client of all players on the wire.
func (b *seatBuilder) http() *protocol.Client {
	if b.client == nil {
		b.client = protocol.NewClient(protocol.ClientOptions{})
	}
	return b.client
}

// config is that of a player of ours for one match.
func (b *seatBuilder) config(agent agent.Agent, n uint64) player.Config {
	c := player.Config{Agent: agent, Matches: 1, Seed: b.seed + n, Log: slog.New(slog.DiscardHandler), Knowledge: knowledgeOf(b.session), Watch: b.watch}
	if b.people {
		c.Prompt, c.Think = true, thinkAgainstPeople
	}
	return c
}
