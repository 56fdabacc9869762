package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"semisplit/protocol"
	"strings"
	"time"
)

// WatchOptions say how a player is watched. The zero value of each field
// stands for its default.
type WatchOptions struct {
	Every time.Duration // between two looks; 30 s
	// Wait is how long the server may take to reach the player for the first
	// time. It pings every two minutes; 5 min.
	Wait time.Duration
	// Once ends the watch when the server has reached the player.
	Once bool
	// Tell is told each change, for people; nil: nobody is.
	Tell func(line string)
}

// Watch follows how the server sees a player, until it is disabled
// (ErrDisabled), has not been reached in time (ErrUnseen), is gone
// (ErrNoPlayer), or ctx ends, which is no error; with Once until it is reached. A
// server that does not answer for a while is asked on.
func (t *Tiltyard) Watch(ctx context.Context, name string, o WatchOptions) error {
	o.Every = cmp.Or(o.Every, 30*time.Second)
	o.Wait = cmp.Or(o.Wait, 5*time.Minute)
	if o.Tell == nil {
		o.Tell = func(string) {}
	}
	w := watch{o: o, began: time.Now()}
	ticks := time.NewTicker(o.Every)
	defer ticks.Stop()
	for {
		status, err := t.Player(ctx, name)
		if ctx.Err() != nil {
			return nil
		}
		if done, err := w.look(status, err, time.Now()); done || err != nil {
			return err
		}
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// watch is what was seen so far; it knows no clock and no network.
type watch struct {
	o     WatchOptions
	began time.Time
	seen  bool   // the server has reached the player
	last  string // what was told last
}

// look takes one look into account. done is set when there is no more to see.
func (w *watch) look(s PlayerStatus, err error, now time.Time) (done bool, _ error) {
	var status *StatusError
	switch {
	case errors.Is(err, ErrNoPlayer):
		return true, err
	case errors.Is(err, protocol.ErrConnection), errors.Is(err, protocol.ErrTimeout), errors.Is(err, protocol.ErrReply), errors.As(err, &status):
		w.tell("the server cannot be asked: " + err.Error())
		return false, nil
	case err != nil:
		return true, err
	case !s.Enabled:
		return true, disabled(s)
	}
	w.seen = w.seen || s.Seen()
	w.tell(s.String())
	switch {
	case w.o.Once && s.Seen():
		return true, nil
	case !w.seen && now.Sub(w.began) >= w.o.Wait:
		return true, unseen(s)
	}
	return false, nil
}

func (w *watch) tell(line string) {
	if line != w.last {
		w.o.Tell(line)
	}
	w.last = line
}

// String is a line for people.
func (s PlayerStatus) String() string {
	line := s.Name + " is enabled"
	if !s.Enabled {
		line = s.Name + " is disabled"
	}
	switch {
	case s.InfoError != "":
		return line + ", but the server's last ping failed: " + s.InfoError
	case s.InfoStatus == "":
		return line + "; the server has not pinged it yet"
	}
	return line + "; the server sees it " + s.InfoStatus
}

func disabled(s PlayerStatus) error {
	why := "too many pings went unanswered, or too many matches had errors in most turns"
	if s.InfoError != "" {
		why = "its last ping failed: " + s.InfoError
	}
	return fmt.Errorf("%w %s (%s): see that it runs and can be reached, then register it again", ErrDisabled, s.Name, why)
}

func unseen(s PlayerStatus) error {
	why := "it has not pinged it"
	switch {
	case s.InfoError != "":
		why = "its ping failed: " + s.InfoError
	case s.InfoStatus != "":
		why = "its ping brought " + s.InfoStatus
	}
	return fmt.Errorf("%w %s (%s): is the port open from outside? Open it in the firewall, forward it at the router to this machine, and register an address that the server can reach", ErrUnseen, s.Name, why)
}

// OnlyHere tells why an address can be reached from this machine or its local
// network at best; empty if nothing speaks against it.
func OnlyHere(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip := net.ParseIP(host)
	switch {
	case strings.EqualFold(host, "localhost"), ip != nil && ip.IsLoopback():
		return host + " means this very machine, to the server its own"
	case ip != nil && ip.IsUnspecified():
		return host + " is no address that anybody can reach"
	case ip != nil && (ip.IsPrivate() || ip.IsLinkLocalUnicast()):
		return host + " is an address of a local network"
	case ip == nil && !strings.Contains(host, "."):
		return host + " is a name of a local network"
	}
	return ""
}
