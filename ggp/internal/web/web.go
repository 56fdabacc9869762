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
)

// Config is what a Server needs. The zero value of a field means its default.
type Config struct {
	Address string   // to listen on, HOST:PORT; without a host only this machine is served
	Folders []string // of descriptions that the library has as well
	Token   string   // that changes need where others than this machine can connect; a new one
	Limits  Limits
	Threads int    // of a search; one for each processor
	Seed    uint64 // of everything random
	Log     *slog.Logger

	// WatchOnly serves what the program does itself and nothing that takes time from
	// it: no play, no analysis, no pasted games.
	WatchOnly bool
}

// Limits bound what visitors can make the server do.
type Limits struct {
	Rules      int64         // bytes of pasted rules
	Record     int64         // bytes of a record
	Read       time.Duration // to read rules, and to look at their initial state
	Pasted     int           // games that were pasted, at a time; the oldest goes first
	Matches    int           // matches that are kept, those in play among them
	Games      int           // games of people in play
	Idle       time.Duration // after which a game in which nobody does anything is dropped
	Spectators int           // streams of events at a time
	Analyses   int           // at a time
	Analysis   time.Duration // of a position
}

// DefaultLimits suit a server for a room of people.
var DefaultLimits = Limits{
	Rules: 1 << 20, Record: 16 << 20, Read: 10 * time.Second, Pasted: 24, Matches: 64, Games: 8, Idle: 30 * time.Minute,
	Spectators: 500, Analyses: 2, Analysis: 30 * time.Second,
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	return Limits{
		Rules: cmp.Or(l.Rules, d.Rules), Record: cmp.Or(l.Record, d.Record), Read: cmp.Or(l.Read, d.Read), Pasted: cmp.Or(l.Pasted, d.Pasted),
		Matches: cmp.Or(l.Matches, d.Matches), Games: cmp.Or(l.Games, d.Games), Idle: cmp.Or(l.Idle, d.Idle),
		Spectators: cmp.Or(l.Spectators, d.Spectators), Analyses: cmp.Or(l.Analyses, d.Analyses), Analysis: cmp.Or(l.Analysis, d.Analysis),
	}
}

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
	games    slots
	trial    *Trial // of an experiment; nil: none
}

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

// slots are places that can be taken, so many at a time.
type slots chan struct{}

func newSlots(n int) slots { return make(slots, n) }

func (s slots) take() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s slots) give() { <-s }
