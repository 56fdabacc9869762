package main

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"semisplit/games"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// publishFlags say where the record of a match is shown.
type publishFlags struct {
	Publish string `placeholder:"URL" help:"Publish the record, signed, to this spectator server while the match goes on. The game must be of a repository (ROOT#KEY)."`
	HostKey string `type:"path" placeholder:"FILE" help:"Key to sign records with (PEM); default: host-key.pem in the user's configuration, made at the first use. Given alone, it signs the record that --record writes."`
}

// publisher signs the record of one match and publishes it. A nil one does
// nothing.
type publisher struct {
	session *session
	to      *protocol.Spectator // nil: the record is signed only
	key     *rsa.PrivateKey
	queue   chan protocol.Record // the newest record that waits, of at most one
	done    chan struct{}
	failed  error // of the last attempt; owned by work until done is closed
}

// publishFor bounds how long the end of a match waits for the server.
const publishFor = 30 * time.Second

// publisher checks that the game can be published, before it is played.
func (f publishFlags) publisher(s *session, game games.Game) (*publisher, error) {
	if f.Publish == "" && f.HostKey == "" {
		return nil, nil
	}
	var to *protocol.Spectator
	if f.Publish != "" {
		if err := protocol.CheckMetaURL(metaURL(game)); err != nil {
			return nil, fmt.Errorf("--publish: %w", err)
		}
		var err error
		if to, err = protocol.NewSpectator(f.Publish, nil); err != nil {
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
		fmt.Fprintf(s.errout, "ggp: records are signed with the new key %s: keep it to yourself\n", path)
	}
	p := &publisher{session: s, to: to, key: key, queue: make(chan protocol.Record, 1), done: make(chan struct{})}
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

// watch makes a match tell the publisher of each state.
func (p *publisher) watch(c *referee.Config) {
	if p == nil || p.to == nil {
		return
	}
	before := c.Observe
	c.Observe = func(e referee.Event) {
		p.offer(e.Record)
		if before != nil {
			before(e)
		}
	}
}

// offer leaves a record for publication; one that still waits is a part of
// it. Only one goroutine offers.
func (p *publisher) offer(r *protocol.Record) {
	select {
	case <-p.queue:
	default:
	}
	p.queue <- *r
}

// work publishes until the queue is closed, and remembers only how the last
// attempt went: it held all that was before.
func (p *publisher) work() {
	defer close(p.done)
	told := false
	for record := range p.queue {
		var key string
		if p.failed = record.Sign(p.key); p.failed == nil {
			// An interrupted match is published as well.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(p.session.ctx), publishFor)
			key, p.failed = p.to.Publish(ctx, &record)
			cancel()
		}
		if p.failed == nil && !told {
			told = true
			fmt.Fprintf(p.session.errout, "ggp: published at %s\n", p.to.MatchURL(key))
		}
	}
}

// finish signs the whole record, publishes it, and waits for that.
func (p *publisher) finish(r *protocol.Record) error {
	if p == nil {
		return nil
	}
	var err error
	if r != nil {
		err = r.Sign(p.key)
	}
	if r != nil && p.to != nil {
		p.offer(r)
	}
	close(p.queue)
	<-p.done
	return errors.Join(err, p.failed)
}
