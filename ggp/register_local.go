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

	"semisplit/ggp/internal/console"
	"semisplit/protocol"
	"semisplit/protocol/servers"
)

// registerLocalCmd keeps the list of ggp-base.
type registerLocalCmd struct {
	Address string `default:"127.0.0.1:9147" placeholder:"HOST:PORT" help:"Where the player listens."`
	File    string `type:"path" placeholder:"FILE" help:"The list; default: .ggpserver-playerlist.json in the home folder."`
	Remove  bool   `help:"Take the player out of the list."`
}

func (c *registerLocalCmd) Run(s *console.Session) error {
	host, port, err := net.SplitHostPort(c.Address)
	if err != nil || host == "" || port == "" {
		return console.Usagef("--address %q: HOST:PORT was expected", c.Address)
	}
	path := c.File
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return fmt.Errorf("no home folder: %w; --file names the list", err)
		}
		path = filepath.Join(home, servers.PlayerListFile)
	}
	change, done, was := servers.AddToPlayerList, "added to", "already in"
	if c.Remove {
		change, done, was = servers.RemoveFromPlayerList, "removed from", "not in"
	}
	changed, err := change(path, c.Address)
	if err != nil {
		return err
	}
	if !changed {
		done = was
	}
	fmt.Fprintf(s.Out, "%s %s %s\n", c.Address, done, path)
	if c.Remove {
		return nil
	}
	remote, err := protocol.ParseRemote(c.Address)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.Ctx, 2*time.Second)
	defer cancel()
	info, err := protocol.NewClient(protocol.ClientOptions{}).Info(ctx, remote)
	if err != nil {
		return errors.Join(fmt.Errorf("the player does not answer: start it with ggp serve --port %s", port), err)
	}
	fmt.Fprintf(s.Out, "it answers as %s, %s; a server that runs already reads the list when it starts again\n", cmp.Or(info.Name, "(no name)"), info.Status)
	return nil
}
