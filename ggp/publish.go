package main

import (
	"context"
	"crypto/rsa"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/protocol"
	"semisplit/protocol/servers"
)

// publishFlags say where the record of a match is shown.
type publishFlags struct {
	Publish string `placeholder:"URL" help:"Publish the record, signed, to this spectator server while the match goes on. The game must be of a repository (ROOT#KEY)."`
	HostKey string `type:"path" placeholder:"FILE" help:"Key to sign records with (PEM); default: host-key.pem in the user's configuration, made at the first use. It signs what --record writes as well."`
}

// publisher signs the record of one match and publishes it. A nil one does
// nothing.
type publisher struct {
	session *console.Session
	to      *servers.Spectator // nil: the record is signed only
	key     *rsa.PrivateKey
	queue   newest
	done    chan struct{}
	failed  error // of the last attempt; owned by work until done is closed
}

// publishFor bounds how long the end of a match waits for the server.
const publishFor = 30 * time.Second

// publisher checks that the game can be published, before it is played.
func (f publishFlags) publisher(s *console.Session, game games.Game) (*publisher, error) {
	if f.Publish == "" && f.HostKey == "" {
		return nil, nil
	}
	var to *servers.Spectator
	if f.Publish != "" {
		s.NeedsToEnd(console.UsualGrace + publishFor) // the end of the match is published as well
		if err := servers.CheckMetaURL(load.MetaURL(game)); err != nil {
			return nil, fmt.Errorf("--publish: %w", err)
		}
		var err error
		if to, err = servers.NewSpectator(f.Publish, nil); err != nil {
			return nil, fmt.Errorf("--publish: %w", err)
		}
	}
	path, err := f.keyPath()
	if err != nil {
		return nil, err
	}
	key, made, err := protocol.LoadHostKey(path)
	if err != nil {
		return nil, err
	}
	if made {
		fmt.Fprintf(s.Errout, "ggp: records are signed with the new key %s: keep it to yourself\n", path)
	}
	p := &publisher{session: s, to: to, key: key, queue: make(newest, 1), done: make(chan struct{})}
	go p.work()
	return p, nil
}

func (f publishFlags) keyPath() (string, error) {
	if f.HostKey != "" {
		return f.HostKey, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no place for the key to sign records with: %w; --host-key names one", err)
	}
	return filepath.Join(dir, "ggp", "host-key.pem"), nil
}

func (p *publisher) offer(r *protocol.Record) {
	if p != nil && p.to != nil {
		p.queue.offer(r)
	}
}

// work publishes until the queue is closed, and remembers only how the last
// attempt went: it held all that was before.
func (p *publisher) work() {
	defer close(p.done)
	told := false
	for record := range p.queue {
		var key string
		record.Comments = nil // which the schema does not have
		if p.failed = record.Sign(p.key); p.failed == nil {
			// An interrupted match is published as well.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(p.session.Ctx), publishFor)
			key, p.failed = p.to.Publish(ctx, &record)
			cancel()
		}
		if p.failed == nil && !told {
			told = true
			fmt.Fprintf(p.session.Errout, "ggp: published at %s\n", p.to.MatchURL(key))
		}
	}
}

// finish publishes the whole record, and waits for that.
func (p *publisher) finish(r *protocol.Record) error {
	if p == nil {
		return nil
	}
	if r != nil {
		p.offer(r)
	}
	close(p.queue)
	<-p.done
	return p.failed
}
