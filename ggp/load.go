package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"semisplit/games"
	"semisplit/protocol"
)

// repositoryFlags say how games of repositories are fetched, by any command.
type repositoryFlags struct {
	Cache   string `env:"GGP_CACHE" placeholder:"FOLDER" help:"Where games of repositories are kept; default: ggp in the user's cache folder. \"none\" keeps nothing."`
	Offline bool   `env:"GGP_OFFLINE" help:"Ask no game repository: use what was fetched before."`
}

// folder is that of the cache; empty for none.
func (f repositoryFlags) folder() string {
	switch f.Cache {
	case "none":
		return ""
	case "":
		if dir, err := os.UserCacheDir(); err == nil {
			return filepath.Join(dir, "ggp", "games")
		}
		return ""
	}
	return f.Cache
}

// repository opens a game repository; stop ends its progress bars.
func (s *session) repository(root string) (r *protocol.Repository, stop func(), err error) {
	p := &downloads{session: s}
	log := slog.New(slog.DiscardHandler)
	if s.errout != nil {
		log = newLogger(s.errout, "text", false)
	}
	r, err = protocol.NewRepository(root, protocol.RepositoryOptions{
		Context: s.ctx, Cache: s.fetch.folder(), Offline: s.fetch.Offline, Progress: p.progress, Logger: log,
	})
	return r, p.stop, err
}

// loadGame finds a game wherever a command names one: ROOT#KEY of a
// repository, whose Source is then the address of its metadata in the version
// that was read, or what games.Load finds.
func loadGame(s *session, name string) (games.Game, error) {
	address, remote, err := protocol.ParseGameURL(name)
	if err != nil {
		return games.Game{}, err
	}
	if !remote {
		return games.Load(name)
	}
	r, stop, err := s.repository(address.Root)
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
	g.Rules, g.Text = withoutControls(g.Rules), withoutControls(g.Text)
	if meta.Name == "" {
		g.Title = address.Key
	} else {
		g.Title = meta.Name
	}
	return g, nil
}

// withoutControls replaces the characters that a terminal would obey, since
// rules are printed in many places. No published description has any.
func withoutControls(text string) string {
	obeyed := func(c rune) bool { return unicode.IsControl(c) && !unicode.IsSpace(c) }
	if !strings.ContainsFunc(text, obeyed) {
		return text
	}
	return strings.Map(func(c rune) rune {
		if obeyed(c) {
			return '_'
		}
		return c
	}, text)
}

// metaURL is the address that match records name a game by; empty for a game
// that is of no repository.
func metaURL(g games.Game) string {
	if _, remote, err := protocol.ParseGameURL(g.Source); remote && err == nil {
		return g.Source
	}
	return ""
}

// downloads shows the progress of downloads that take long, on a terminal.
type downloads struct {
	session *session
	mu      sync.Mutex
	begun   time.Time
	pool    *mpb.Progress
	bar     *mpb.Bar
	url     string
}

// showAfter is how long a download may take without a bar.
const showAfter = 500 * time.Millisecond

func (p *downloads) progress(url string, done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := progressOutput(p.session)
	if out == nil {
		return
	}
	if url != p.url || p.begun.IsZero() {
		p.drop()
		p.url, p.begun = url, time.Now()
	}
	if time.Since(p.begun) < showAfter {
		return
	}
	if p.bar == nil {
		if p.pool == nil {
			p.pool = mpb.NewWithContext(context.WithoutCancel(p.session.ctx), mpb.WithOutput(out))
		}
		p.bar = p.pool.AddBar(max(0, total), mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name("fetching "+filepath.Base(url)+" "), decor.CountersKibiByte("% .1f / % .1f")),
			mpb.AppendDecorators(decor.AverageSpeed(decor.SizeB1024(0), "% .1f")))
	}
	if total < 0 {
		p.bar.SetTotal(done+1, false)
	}
	p.bar.SetCurrent(done)
}

func (p *downloads) drop() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bar = nil
	}
}

func (p *downloads) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop()
	if p.pool != nil {
		p.pool.Wait()
		p.pool = nil
	}
}
