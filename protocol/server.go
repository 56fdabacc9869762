package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/emirpasic/gods/sets/linkedhashset"
)

// ErrServerClosed is returned by Serve and ListenAndServe after Shutdown.
var ErrServerClosed = http.ErrServerClosed

// ServerOptions are the limits of a Server. The zero value of each field
// stands for its default.
type ServerOptions struct {
	Logger        *slog.Logger  // messages at debug, broken requests at warn; nil: silent
	BodyLimit     int64         // bytes of a body; 16 MiB
	HeaderLimit   int           // bytes of the request line and all headers (and so of a GET); 1 MiB
	HeaderCount   int           // number of headers; 100
	HeaderTimeout time.Duration // from the connection to the end of the headers; 10 s
	BodyTimeout   time.Duration // from there to the end of the body; 60 s
	WriteTimeout  time.Duration // for the reply; 10 s
	Grace         time.Duration // wait for text beyond the announced length; 1 s
	Linger        time.Duration // wait for the manager to close after the reply; 500 ms
	MaxConns      int           // connections at a time; beyond it silent ones are dropped, or new ones told 503; 256
}

func (o ServerOptions) withDefaults() ServerOptions {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	orElse(&o.BodyLimit, 16<<20)
	orElse(&o.HeaderLimit, 1<<20)
	orElse(&o.HeaderCount, 100)
	orElse(&o.HeaderTimeout, 10*time.Second)
	orElse(&o.BodyTimeout, 60*time.Second)
	orElse(&o.WriteTimeout, 10*time.Second)
	orElse(&o.Grace, time.Second)
	orElse(&o.Linger, 500*time.Millisecond)
	orElse(&o.MaxConns, 256)
	return o
}

func orElse[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// A Server speaks HTTP with game managers on behalf of a Player: one message
// a connection, which is closed after the reply, because some managers read
// a reply to the end of the stream. Requests overlap freely; the player puts
// them in order by their time of receipt.
type Server struct {
	player Player
	o      ServerOptions
	ctx    context.Context // ends when Shutdown has run out of patience
	cancel context.CancelFunc

	mu       sync.Mutex
	listener net.Listener
	conns    *linkedhashset.Set // of *serverConn, in order of arrival
	closed   bool
	idle     chan struct{} // closed when closed is set and the last connection has gone
}

// A serverConn is one connection.
type serverConn struct {
	net.Conn
	reading atomic.Bool // its request has not been read in full
	replied atomic.Bool
}

// NewServer makes a server of p; Serve or ListenAndServe starts it.
func NewServer(p Player, o ServerOptions) *Server {
	s := &Server{
		player: p,
		o:      o.withDefaults(),
		conns:  linkedhashset.New(),
		idle:   make(chan struct{}),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// ListenAndServe listens on the TCP address ("host:port"; port 0 picks a
// free one, see Addr) and serves until Shutdown.
func (s *Server) ListenAndServe(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listening for game managers: %w", err)
	}
	return s.Serve(l)
}

// Addr returns the address that is being served, nil before Serve.
func (s *Server) Addr() net.Addr {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener == nil {
		return nil
	}
	return s.listener.Addr()
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
	pause := time.Duration(0)
	for {
		c, err := l.Accept()
		if err == nil {
			pause = 0
			s.admit(c)
			continue
		}
		if s.isClosed() {
			return ErrServerClosed
		}
		if errors.Is(err, net.ErrClosed) || pause >= 5*time.Second {
			return fmt.Errorf("accepting game managers: %w", err)
		}
		// Out of file descriptors, most likely: others will be closed soon.
		pause = max(5*time.Millisecond, 2*pause)
		s.o.Logger.Warn("cannot accept a connection", "err", err, "again in", pause)
		select {
		case <-time.After(pause):
		case <-s.ctx.Done():
		}
	}
}

func (s *Server) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// admit starts the service of a connection, or turns it away.
func (s *Server) admit(c net.Conn) {
	sc := &serverConn{Conn: c}
	sc.reading.Store(true)
	s.mu.Lock()
	full := s.conns.Size() >= s.o.MaxConns && !s.evict()
	closed := s.closed
	if !closed && !full {
		s.conns.Add(sc)
	}
	s.mu.Unlock()
	if !closed && !full {
		go s.serve(sc)
		return
	}
	if full {
		s.o.Logger.Warn("too many connections", "remote", remote(c), "limit", s.o.MaxConns)
		_ = c.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
		_, _ = c.Write(reply{status: 503, text: "too many connections at a time"}.bytes())
	}
	_ = c.Close()
}

// evict makes room by dropping the connection that has been silent for
// longest, so that nobody can lock the managers out by connections without
// requests. It is called with mu held and reports whether there was one.
func (s *Server) evict() bool {
	_, oldest := s.conns.Find(func(_ int, c any) bool { return c.(*serverConn).reading.Load() })
	if oldest == nil {
		return false
	}
	s.conns.Remove(oldest)
	_ = oldest.(*serverConn).Close()
	return true
}

func (s *Server) forget(c *serverConn) {
	_ = c.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.conns.Contains(c) {
		return // it had to make room
	}
	s.conns.Remove(c)
	if s.closed && s.conns.Empty() {
		close(s.idle)
	}
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
		if c := c.(*serverConn); c.reading.Load() {
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
	br := bufio.NewReader(c)
	req, err := (&requestReader{conn: c, br: br, o: &s.o}).read()
	received := time.Now()
	c.reading.Store(false)
	if s.isClosed() || errors.Is(err, errNothing) {
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		s.watch(c, br, cancel)
	}()
	var r reply
	if err != nil {
		r = s.broken(c, err)
	} else {
		r = s.answer(ctx, c, req, received)
	}
	c.replied.Store(true)
	s.send(c, r)
	<-gone
}

// watch reads on after the request. Managers say no more, so that all it can
// see is that the manager has gone; then it ends the context of the player's
// call. After the reply it waits for the manager to close first, as a close
// over unread bytes would destroy the reply on its way.
func (s *Server) watch(c *serverConn, br *bufio.Reader, gone context.CancelFunc) {
	n, err := io.Copy(io.Discard, io.LimitReader(br, s.o.BodyLimit))
	if !c.replied.Load() {
		s.o.Logger.Debug("the manager has gone before the reply", "remote", remote(c), "unread", n, "err", err)
	}
	gone()
}

// send writes the reply and closes our direction of the connection.
func (s *Server) send(c *serverConn, r reply) {
	_ = c.SetWriteDeadline(time.Now().Add(s.o.WriteTimeout))
	_, err := c.Write(r.bytes())
	if err != nil {
		s.o.Logger.Debug("the reply was not taken", "remote", remote(c), "reply", r.text, "err", err)
	}
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if err != nil || !ok || half.CloseWrite() != nil {
		_ = c.Close()
		return
	}
	_ = c.SetReadDeadline(time.Now().Add(s.o.Linger))
}

func remote(c net.Conn) string {
	if a := c.RemoteAddr(); a != nil {
		return a.String()
	}
	return ""
}
