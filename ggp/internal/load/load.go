// Package load finds and reads the games that commands name, and builds
// machines that play them.
package load

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/protocol/servers"
)

// Repository opens a game repository; stop ends its progress bars.
func Repository(s *console.Session, root string) (r *servers.Repository, stop func(), err error) {
	p := console.NewDownloads(s)
	r, err = servers.NewRepository(root, servers.RepositoryOptions{
		Context: s.Ctx, Cache: s.Fetch.Folder(), Offline: s.Fetch.Offline, Progress: p.Progress, Logger: s.Log("text"),
	})
	return r, p.Stop, err
}

// Game finds a game wherever a command names one: ROOT#KEY of a
// repository, whose Source is then the address of its metadata in the version
// that was read, or what games.Load finds. The log tells where it was.
func Game(s *console.Session, name string) (games.Game, error) {
	game, err := find(s, name)
	if err == nil {
		s.Log("text").Debug("game", "name", game.Name, "source", game.Source, "bytes", len(game.Rules), "drawing", game.Drawing != "")
	}
	return game, err
}

func find(s *console.Session, name string) (games.Game, error) {
	address, remote, err := servers.ParseGameURL(name)
	if err != nil {
		return games.Game{}, err
	}
	if !remote {
		return games.Load(name)
	}
	r, stop, err := Repository(s, address.Root)
	if err != nil {
		return games.Game{}, err
	}
	defer stop()
	meta, err := r.Game(address.Key, address.Version)
	if errors.Is(err, fs.ErrNotExist) {
		return games.Game{}, fmt.Errorf("%s: %w (ggp games --repo %s lists what there is)", name, err, address.Root)
	}
	if err != nil {
		return games.Game{}, fmt.Errorf("%s: %w", name, err)
	}
	if meta.Rulesheet == "" {
		return games.Game{}, fmt.Errorf("%s: its metadata name no rulesheet", name)
	}
	// The folder of this very version, whatever becomes the newest meanwhile.
	g, err := games.LoadFS(r, address.Key+"/v"+strconv.Itoa(meta.Version))
	if err != nil {
		return games.Game{}, fmt.Errorf("%s: %w", name, err)
	}
	g.Name, g.Source = address.Key, r.MetaURL(address.Key, meta.Version)
	if meta.Name == "" {
		g.Title = address.Key
	} else {
		g.Title = meta.Name
	}
	return g, nil
}

// MetaURL is the address that match records name a game by; empty for a game
// that is of no repository.
func MetaURL(g games.Game) string {
	if _, remote, err := servers.ParseGameURL(g.Source); remote && err == nil {
		return g.Source
	}
	return ""
}
