package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"semisplit/protocol"
)

// registerCmd makes the player known to servers.
type registerCmd struct {
	Tiltyard registerTiltyardCmd `cmd:"" help:"At a server like tiltyard.ggp.org, which pings the player and schedules its matches."`
	Local    registerLocalCmd    `cmd:"" help:"In the list of players of ggp-base's own server on this machine."`
	Poll     registerPollCmd     `cmd:"" help:"Run the player for a server from which it fetches its messages."`
}

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

func (c *registerTiltyardCmd) Run(s *session) error {
	if c.Every <= 0 || c.Wait <= 0 {
		return usagef("--every and --wait must be above 0")
	}
	r := protocol.Registration{
		Name: c.Name, Address: c.Address, Enabled: !c.Disable, Pingable: !c.Disable, Tournaments: c.Tourney,
		GDLVersion: "GDLv1", Email: c.Email, Website: c.Website, Country: c.Country,
	}
	if err := r.Validate(); err != nil {
		return usagef("%v", err)
	}
	server, err := protocol.NewTiltyard(c.Server, c.Cookie, nil)
	if err != nil {
		return err
	}
	if !c.Disable {
		if err := answers(s, c.Address, c.Server); err != nil {
			return err
		}
	}
	status, err := server.Register(s.ctx, r)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "registered: %v\n", status)
	if c.Disable {
		return nil
	}
	return server.Watch(s.ctx, c.Name, protocol.WatchOptions{
		Every: c.Every, Wait: c.Wait, Once: c.Once,
		Tell: func(line string) { fmt.Fprintf(s.out, "%s %s\n", time.Now().Format(time.TimeOnly), line) },
	})
}

// answers asks the player that is to be registered, and tells what speaks
// against the server's reaching it. An address that leads back to this machine
// only through a router may not answer from here, so that is told, and the
// server has the last word.
func answers(s *session, address, server string) error {
	here := protocol.OnlyHere(address)
	if here != "" {
		fmt.Fprintf(s.errout, "ggp: %s: a server elsewhere cannot reach the player there\n", here)
	}
	remote, err := protocol.ParseRemote(address)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.ctx, 5*time.Second)
	defer cancel()
	info, err := protocol.NewClient(protocol.ClientOptions{}).Info(ctx, remote)
	switch {
	case err == nil:
		fmt.Fprintf(s.out, "the player at %s answers: %s, %s\n", address, cmp.Or(info.Name, "(no name)"), info.Status)
		return nil
	case here != "":
		_, port, _ := net.SplitHostPort(address)
		return fmt.Errorf("no player answers at %s: start it first, with ggp serve --port %s: %w", address, port, err)
	}
	fmt.Fprintf(s.errout, "ggp: no player answers at %s from here (%v): is ggp serve running, is the port open? %s will tell whether it can reach it\n", address, err, server)
	return nil
}

// registerLocalCmd keeps the list of ggp-base.
type registerLocalCmd struct {
	Address string `default:"127.0.0.1:9147" placeholder:"HOST:PORT" help:"Where the player listens."`
	File    string `type:"path" placeholder:"FILE" help:"The list; default: .ggpserver-playerlist.json in the home folder."`
	Remove  bool   `help:"Take the player out of the list."`
}

func (c *registerLocalCmd) Run(s *session) error {
	host, port, err := net.SplitHostPort(c.Address)
	if err != nil || host == "" || port == "" {
		return usagef("--address %q: HOST:PORT was expected", c.Address)
	}
	path := c.File
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return fmt.Errorf("no home folder: %w; --file names the list", err)
		}
		path = filepath.Join(home, protocol.PlayerListFile)
	}
	change, done, was := protocol.AddToPlayerList, "added to", "already in"
	if c.Remove {
		change, done, was = protocol.RemoveFromPlayerList, "removed from", "not in"
	}
	changed, err := change(path, c.Address)
	if err != nil {
		return err
	}
	if !changed {
		done = was
	}
	fmt.Fprintf(s.out, "%s %s %s\n", c.Address, done, path)
	if c.Remove {
		return nil
	}
	remote, err := protocol.ParseRemote(c.Address)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.ctx, 2*time.Second)
	defer cancel()
	info, err := protocol.NewClient(protocol.ClientOptions{}).Info(ctx, remote)
	if err != nil {
		return errors.Join(fmt.Errorf("the player does not answer: start it with ggp serve --port %s", port), err)
	}
	fmt.Fprintf(s.out, "it answers as %s, %s; a server that runs already reads the list when it starts again\n", cmp.Or(info.Name, "(no name)"), info.Status)
	return nil
}
