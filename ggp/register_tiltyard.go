package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/protocol"
	"semisplit/protocol/servers"
)

// registerTiltyardCmd registers at a Tiltyard.
type registerTiltyardCmd struct {
	Server  string        `required:"" placeholder:"URL" help:"The server, such as http://tiltyard.ggp.org."`
	Name    string        `required:"" help:"Name of the player: 2 to 49 letters, digits, - or _."`
	Address string        `required:"" placeholder:"HOST:PORT" help:"Where the server reaches the player (ggp serve), from outside."`
	Cookie  string        `env:"GGP_GTOKEN" placeholder:"VALUE" help:"The cookie gtoken of a browser that is logged in at the server."`
	Tourney bool          `help:"Take part in tournaments."`
	Disable bool          `help:"Register the player as one that takes no part, and end."`
	Email   string        `help:"Shown to everybody."`
	Website string        `help:"Shown to everybody."`
	Country string        `placeholder:"XX" help:"Two letters, shown to everybody."`
	Every   time.Duration `default:"30s" help:"Time between two looks at what the server says."`
	Wait    time.Duration `default:"5m" help:"How long the server may take to reach the player for the first time."`
	Once    bool          `help:"End when the server has reached the player, instead of watching on."`
}

func (c *registerTiltyardCmd) Run(s *console.Session) error {
	if err := cmp.Or(console.AboveZero("--every", c.Every), console.AboveZero("--wait", c.Wait)); err != nil {
		return err
	}
	r := servers.Registration{
		Name: c.Name, Address: c.Address, Enabled: !c.Disable, Pingable: !c.Disable, Tournaments: c.Tourney,
		GDLVersion: "GDLv1", Email: c.Email, Website: c.Website, Country: c.Country,
	}
	if err := r.Validate(); err != nil {
		return console.Usagef("%v", err)
	}
	server, err := servers.NewTiltyard(c.Server, c.Cookie, nil)
	if err != nil {
		return err
	}
	if !c.Disable {
		if err := answers(s, c.Address, c.Server); err != nil {
			return err
		}
	}
	status, err := server.Register(s.Ctx, r)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "registered: %v\n", status)
	if c.Disable {
		return nil
	}
	s.Serving(console.UsualGrace)
	return server.Watch(s.Ctx, c.Name, servers.WatchOptions{
		Every: c.Every, Wait: c.Wait, Once: c.Once,
		Tell: func(line string) { fmt.Fprintf(s.Out, "%s %s\n", time.Now().Format(time.TimeOnly), line) },
	})
}

// answers asks the player that is to be registered, and tells what speaks
// against the server's reaching it. An address that leads back to this machine
// only through a router may not answer from here, so that is told, and the
// server has the last word.
func answers(s *console.Session, address, server string) error {
	here := servers.OnlyHere(address)
	if here != "" {
		fmt.Fprintf(s.Errout, "ggp: %s: a server elsewhere cannot reach the player there\n", here)
	}
	remote, err := protocol.ParseRemote(address)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.Ctx, 5*time.Second)
	defer cancel()
	info, err := protocol.NewClient(protocol.ClientOptions{}).Info(ctx, remote)
	switch {
	case err == nil:
		fmt.Fprintf(s.Out, "the player at %s answers: %s, %s\n", address, cmp.Or(info.Name, "(no name)"), info.Status)
		return nil
	case here != "":
		_, port, _ := net.SplitHostPort(address)
		return fmt.Errorf("no player answers at %s: start it first, with ggp serve --port %s: %w", address, port, err)
	}
	fmt.Fprintf(s.Errout, "ggp: no player answers at %s from here (%v): is ggp serve running, is the port open? %s will tell whether it can reach it\n", address, err, server)
	return nil
}
