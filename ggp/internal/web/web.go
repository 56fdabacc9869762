// Package web shows matches in a browser, and lets people play there: pages that are
// part of the program, events as they happen (server-sent events), boards as SVG from
// the drawings of package board. It fetches nothing from anywhere.
//
// What comes from outside, such as rules, records, names and moves, is text here and
// never markup; its size, the time that it takes and how many there are of everything
// are bounded by Limits.
package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"

	"golang.org/x/net/netutil"
)

// Server serves the pages. Its methods may be called by several goroutines.
type Server struct {
	config   Config
	library  *library
	matches  *matches
	listener net.Listener
	http     *http.Server
	open     bool // others than this machine can connect
	done     chan struct{}
	failed   error // why serving ended; set before done is closed

	ctx    context.Context // of everything that was begun; ends with Close
	cancel context.CancelFunc
	work   sync.WaitGroup

	streams  slots
	analyses slots
	records  slots // of others, that are drawn
	games    slots
	trial    *Trial // of an experiment; nil: none
}

// spareConns is how many connections there are beside those of spectators. Browsers open
// several, and drop those that are not used.
const spareConns = 256

// Listen opens the address and serves until Close.
func Listen(c Config) (*Server, error) {
	s, err := New(c)
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(c.Address)
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("the address %q of the pages: %w (it is HOST:PORT, or :PORT for this machine)", c.Address, err)
	}
	s.listener, err = net.Listen("tcp", net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port))
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("the pages: %w", err)
	}
	s.open = !isLoopback(s.listener.Addr())
	s.listener = netutil.LimitListener(s.listener, 2*c.Limits.orDefault().Spectators+spareConns)
	go func() {
		defer close(s.done)
		if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed = fmt.Errorf("the pages: %w", err)
		}
	}()
	return s, nil
}

// New makes a server without an address: its Handler is the caller's to serve.
func New(c Config) (*Server, error) {
	c.Limits = c.Limits.orDefault()
	if c.Token == "" {
		c.Token = newID() + newID()
	}
	if c.Threads <= 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	library, err := newLibrary(c)
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, library: library, matches: newMatches(c.Limits.Matches), done: make(chan struct{})}
	s.streams, s.analyses, s.games = newSlots(c.Limits.Spectators), newSlots(c.Limits.Analyses), newSlots(c.Limits.Games)
	s.records = newSlots(c.Limits.Analyses)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
	}
	return s, nil
}

// URL is where the pages are; it holds the token where one is needed.
func (s *Server) URL() string {
	address := s.listener.Addr().String()
	if !s.open {
		return "http://" + address + "/"
	}
	host, port, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err == nil && ip.IsUnspecified() {
		address = net.JoinHostPort(ownName(), port)
	}
	return "http://" + address + "/?token=" + s.config.Token
}

// Done is closed when serving has ended; Err tells why, nil after Close.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err is the reason, after Done.
func (s *Server) Err() error { return s.failed }

// Looking is how many pages look on.
func (s *Server) Looking() int { return len(s.streams) }

// Close ends all games and connections, and waits for what was begun.
func (s *Server) Close() {
	s.cancel()
	if s.listener != nil {
		_ = s.http.Close() // whoever looks on loses the stream
		<-s.done
	}
	s.work.Wait()
}
