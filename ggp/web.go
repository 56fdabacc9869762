package main

import (
	"fmt"
	"log/slog"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/ggp/internal/web"
	"semisplit/player/agent"
	"semisplit/player/referee"
	"semisplit/reasoner/gdl"
)

// webCmd serves the pages until a signal.
type webCmd struct {
	Address string   `arg:"" optional:"" default:"127.0.0.1:8080" help:"Where the pages are: HOST:PORT, or :PORT for this machine alone. Port 0 picks a free one."`
	Games   []string `type:"existingdir" placeholder:"FOLDER" help:"A folder of descriptions (.kif or .gdl) that the library has as well; may be given several times."`
	Threads int      `help:"Threads of each search; default: one for each core."`
	Token   string   `env:"GGP_WEB_TOKEN" placeholder:"TEXT" help:"What visitors of an address that others can reach need to play; default: a new one, in the address that is printed."`
}

// shortestToken is how many characters a token of people's own needs.
const shortestToken = 16

func (c *webCmd) Run(s *console.Session) error {
	switch {
	case c.Threads < 0 || c.Threads > agent.MostThreads:
		return console.Usagef("--threads must be from 0 to %d", agent.MostThreads)
	case c.Token != "" && len(c.Token) < shortestToken:
		return console.Usagef("--token needs %d characters or more", shortestToken)
	}
	log := s.Log("text")
	server, err := web.Listen(web.Config{Address: c.Address, Folders: c.Games, Threads: c.Threads, Token: c.Token, Log: log})
	if err != nil {
		return err
	}
	defer server.Close()
	s.Serving(timeToClose)
	fmt.Fprintf(s.Out, "play and watch at %s (Ctrl-C ends it)\n", server.URL())
	select {
	case <-s.Ctx.Done():
		log.Info("the pages end")
		return nil
	case <-server.Done():
		return server.Err()
	}
}

// webFlag lets a command show in the browser what it does.
type webFlag struct {
	Web string `placeholder:"ADDRESS" help:"Show it in the browser at this address: HOST:PORT, or :PORT for this machine alone."`
}

// webPages are those of a command while it runs. A nil one is nobody's, and does nothing.
type webPages struct {
	session *console.Session
	server  *web.Server
}

// openPages is nil where no pages are asked for.
func (f webFlag) openPages(s *console.Session) (*webPages, error) {
	if f.Web == "" {
		return nil, nil
	}
	server, err := web.Listen(web.Config{Address: f.Web, WatchOnly: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(s.Errout, "watch at %s\n", server.URL())
	return &webPages{s, server}, nil
}

// close waits until nobody looks on any more, or the command is interrupted.
func (p *webPages) close() {
	if p == nil {
		return
	}
	defer p.server.Close()
	if p.server.Looking() > 0 && p.session.Ctx.Err() == nil {
		fmt.Fprintln(p.session.Notes(), "the pages stay as long as somebody looks at them (Ctrl-C ends them)")
	}
	const often = 200 * time.Millisecond
	for p.server.Looking() > 0 && p.session.Ctx.Err() == nil {
		select {
		case <-p.session.Ctx.Done():
		case <-time.After(often):
		}
	}
}

// watch is what players tell their thoughts to; nil: nobody.
func (p *webPages) watch() func(any) {
	if p == nil {
		return nil
	}
	return p.server.Watch
}

func (p *webPages) observe(c *referee.Config, game games.Game, program *gdl.Program) {
	if p != nil {
		p.server.Observe(c, game, load.RoleNames(program))
	}
}

func (p *webPages) observed(id string, r referee.Result, err error) {
	if p != nil {
		p.server.Observed(id, r, err)
	}
}

// experiment is nil for nobody's pages.
func (p *webPages) experiment(name string) *web.Trial {
	if p == nil {
		return nil
	}
	return p.server.Experiment(name)
}
