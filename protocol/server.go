package protocol

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/emirpasic/gods/sets/linkedhashset"
)

// ErrServerClosed is returned by Serve after Shutdown.
var ErrServerClosed = http.ErrServerClosed

// ServerOptions are the limits of a Server. The zero value of each field
// stands for its default.
type ServerOptions struct {
	Logger        *slog.Logger  // messages at debug, broken requests at warn; nil: silent
	BodyLimit     int64         // bytes of a body; 16 MiB
	TurnLimit     int64         // bytes of a body that brings no rules, and of a reply; 256 KiB
	Memory        int64         // bytes of all messages in flight: text, terms, replies; 256 MiB
	HeaderLimit   int           // bytes of the request line and all headers (and so of a GET); 1 MiB
	HeaderCount   int           // number of headers; 100
	HeaderTimeout time.Duration // from the connection to the end of the headers; 10 s
	BodyTimeout   time.Duration // from there to the end of the body; 60 s
	Stall         time.Duration // between two parts of a body; 10 s
	WriteTimeout  time.Duration // for the reply; 10 s
	Grace         time.Duration // how late text beyond the announced length may come, and the end of a stream whose sender still reads; 1 s
	Linger        time.Duration // wait for the manager to close, or to send on, after the reply; 500 ms
	MaxConns      int           // connections at a time; beyond it idle ones are dropped, or new ones told 503; 256
	Rate          int           // messages a second from one host, beside those of matches in play; 100, for a moment 400 (negative: any number)
}

func (o ServerOptions) withDefaults() ServerOptions {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.BodyLimit = cmp.Or(o.BodyLimit, 16<<20)
	o.TurnLimit = cmp.Or(o.TurnLimit, 256<<10)
	o.Memory = cmp.Or(o.Memory, 256<<20)
	o.HeaderLimit = cmp.Or(o.HeaderLimit, 1<<20)
	o.HeaderCount = cmp.Or(o.HeaderCount, 100)
	o.HeaderTimeout = cmp.Or(o.HeaderTimeout, 10*time.Second)
	o.BodyTimeout = cmp.Or(o.BodyTimeout, 60*time.Second)
	o.Stall = cmp.Or(o.Stall, 10*time.Second)
	o.WriteTimeout = cmp.Or(o.WriteTimeout, 10*time.Second)
	o.Grace = cmp.Or(o.Grace, time.Second)
	o.Linger = cmp.Or(o.Linger, 500*time.Millisecond)
	o.MaxConns = cmp.Or(o.MaxConns, 256)
	o.Rate = cmp.Or(o.Rate, 100)
	return o
}

// A Server speaks HTTP with game managers on behalf of a Player: one message
// a connection, which is closed after the reply, because some managers read
// a reply to the end of the stream. Requests overlap freely; the player puts
// them in order by their time of receipt.
type Server struct {
	player Player
	o      ServerOptions
	budget *budget
	rates  *rates

	complaints complaints
	ctx        context.Context // ends when Shutdown has run out of patience
	cancel     context.CancelFunc

	mu       sync.Mutex
	listener net.Listener
	conns    *linkedhashset.Set // of *serverConn, in order of arrival
	closed   bool
	idle     chan struct{} // closed when closed is set and the last connection has gone
	refusals chan struct{} // one for each connection that is being turned away
}

// NewServer makes a server of p; Serve starts it.
func NewServer(p Player, o ServerOptions) *Server {
	s := &Server{
		player: p,
		o:      o.withDefaults(),
		conns:  linkedhashset.New(),
		idle:   make(chan struct{}),

		refusals: make(chan struct{}, refusalsAtOnce),
	}
	s.budget = newBudget(s.o.Memory)
	s.rates = newRates(s.o.Rate)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Serve accepts connections of l until Shutdown, which makes it return
// ErrServerClosed, or until l fails. It closes l.
func (s *Server) Serve(l net.Listener) error {
	defer func() { _ = l.Close() }()
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return ErrServerClosed
	}
	s.listener = l
	s.mu.Unlock()
	var pause backOff
	for {
		c, err := l.Accept()
		if err == nil {
			pause = backOff{}
			s.admit(c)
			continue
		}
		if s.isClosed() {
			return ErrServerClosed
		}
		if errors.Is(err, net.ErrClosed) {
			return fmt.Errorf("accepting game managers: %w", err)
		}
		// Out of file descriptors, most likely. Matches are in play: whatever
		// it is, serving goes on.
		wait, loud := pause.next(s.makeRoom())
		if loud {
			s.o.Logger.Warn("cannot accept a connection", "err", err, "again in", wait)
		}
		select {
		case <-time.After(wait):
		case <-s.ctx.Done():
		}
	}
}

func (s *Server) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// Shutdown stops accepting, drops connections without a complete request,
// and waits for the replies under way. When ctx ends first, it ends the
// context of the player's calls, closes all connections, and returns the
// error of ctx.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		if s.listener != nil {
			_ = s.listener.Close()
		}
		if s.conns.Empty() {
			close(s.idle)
		}
	}
	s.conns.Each(func(_ int, c any) {
		if c := c.(*serverConn); c.stage.Load() == stageReading {
			_ = c.Close()
		}
	})
	s.mu.Unlock()
	defer s.cancel()
	select {
	case <-s.idle:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns.Each(func(_ int, c any) { _ = c.(*serverConn).Close() })
	return ctx.Err()
}

// serve answers the one request of a connection.
func (s *Server) serve(c *serverConn) {
	defer s.forget(c)
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	claim := &claim{budget: s.budget}
	defer claim.release()
	br := bufio.NewReader(c)
	reader := requestReader{conn: c, br: br, o: &s.o, claim: claim, suffices: func(o opening) bool { return s.suffices(c, o) }}
	req, err := reader.read()
	if err != nil {
		s.hasty(c, "")
	}
	received := arrival(c.Conn, time.Now())
	c.stage.Store(stageAnswering)
	if s.isClosed() || errors.Is(err, errNothing) {
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	c.asked = time.Now()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		s.watch(c, br, cancel)
	}()
	var r reply
	if err != nil {
		r = s.broken(c, err)
	} else {
		r = s.answer(ctx, c, claim, req, received)
	}
	claim.release() // before the reply, as its reader may send the next message at once
	if err := claim.reply(len(r.text)); err != nil {
		r = s.broken(c, err)
	}
	c.stage.Store(stageWriting)
	s.send(c, r, claim)
	<-gone
}

// suffices tells whether a message is answered by its opening, as one is that comes
// too often. A player that fails on the question will be asked again where that is
// caught and told.
func (s *Server) suffices(c *serverConn, o opening) (enough bool) {
	defer func() {
		if recover() != nil {
			enough = false
		}
	}()
	return o.suffices(s.player) || s.hasty(c, o.match)
}

// hasty tells whether the message of a connection, which is of this match or of none,
// comes too often: it takes one from its host's allowance. Messages of matches in play
// take none, so that who plays many can still begin one more.
func (s *Server) hasty(c *serverConn, match string) bool {
	if s.inPlay(match) {
		return false
	}
	if !c.counted {
		c.counted, c.hasty = true, !s.rates.allow(c.host)
	}
	return c.hasty
}

// inPlay tells whether a match is one that the player plays now.
func (s *Server) inPlay(match string) bool {
	return match != "" && s.player.Admits(KindPlay, match)
}

// watch reads on after the request. Managers say no more, so that all it can
// see is that the manager has gone; then it ends the context of the player's
// call. The end of the stream tells that, unless it comes with the request: then it
// may be that of one who has said all and still reads. So the call goes on, and ends
// by its own clock if nobody reads. After the reply it takes in what is still on its
// way, as a close over unread bytes would destroy the reply, and waits for the
// manager to close.
func (s *Server) watch(c *serverConn, br *bufio.Reader, gone context.CancelFunc) {
	n, err := io.Copy(io.Discard, io.LimitReader(&rest{conn: c, br: br, linger: s.o.Linger}, s.o.BodyLimit))
	if ended := err == nil && n < s.o.BodyLimit; ended && time.Since(c.asked) <= s.o.Grace {
		return
	}
	if c.stage.Load() == stageAnswering {
		s.o.Logger.Debug("the manager has gone before the reply", "remote", remote(c), "unread", n, "err", err)
	}
	gone()
}

// rest is what comes after a request. Once there is a reply, the wait for each
// part of it is limited.
type rest struct {
	conn   *serverConn
	br     *bufio.Reader
	linger time.Duration
}

func (r *rest) Read(p []byte) (int, error) {
	if r.conn.stage.Load() == stageReplied {
		r.conn.linger(r.linger)
	}
	return r.br.Read(p)
}

// send writes the reply, gives back what it claimed, and closes our direction of
// the connection.
func (s *Server) send(c *serverConn, r reply, claim *claim) {
	_ = c.SetWriteDeadline(time.Now().Add(s.o.WriteTimeout))
	_, err := c.Write(r.bytes())
	claim.release()
	if err != nil {
		s.o.Logger.Debug("the reply was not taken", "remote", remote(c), "reply", r.text, "err", err)
	}
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if err != nil || !ok || half.CloseWrite() != nil {
		_ = c.Close()
		return
	}
	c.end = time.Now().Add(s.o.BodyTimeout)
	c.stage.Store(stageReplied)
	c.linger(s.o.Linger)
}

func remote(c net.Conn) string {
	if a := c.RemoteAddr(); a != nil {
		return a.String()
	}
	return ""
}
