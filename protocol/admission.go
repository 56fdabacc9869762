package protocol

import (
	"bufio"
	"net"
	"sync/atomic"
	"time"
)

// A serverConn is one connection.
type serverConn struct {
	net.Conn
	host  string // the peer's address without its port
	stage atomic.Int32
	asked time.Time // when its request had been read; set before it is watched
	end   time.Time // of the reading after the reply; set before stageReplied

	counted bool // its message has been held against its host's allowance
	hasty   bool // which was used up
}

// The stages of a connection. Only while the player is being asked is it more
// than its peer's own business whether it goes on.
const (
	stageReading   = iota // its request has not been read in full
	stageAnswering        // the player is asked
	stageWriting          // the reply is being sent
	stageReplied          // the reply is out, and the peer may close
)

func newServerConn(c net.Conn) *serverConn {
	sc := &serverConn{Conn: c, host: remote(c)}
	if host, _, err := net.SplitHostPort(sc.host); err == nil {
		sc.host = host
	}
	return sc
}

// linger bounds the wait for what comes after the reply.
func (c *serverConn) linger(most time.Duration) {
	limit := time.Now().Add(most)
	if c.end.Before(limit) {
		limit = c.end
	}
	_ = c.SetReadDeadline(limit)
}

// refusalsAtOnce is how many connections beyond the limit are told so at a
// time; more are closed without a word.
const refusalsAtOnce = 32

// admit starts the service of a connection, or turns it away.
func (s *Server) admit(c net.Conn) {
	sc := newServerConn(c)
	s.mu.Lock()
	closed := s.closed
	full := !closed && s.conns.Size() >= s.o.MaxConns && !s.evict(sc.host) && !s.spare(sc.host)
	if !closed && !full {
		s.conns.Add(sc)
	}
	s.mu.Unlock()
	switch {
	case closed:
		_ = c.Close()
	case full:
		s.complain(sc, "too many connections", "", "limit", s.o.MaxConns)
		select {
		case s.refusals <- struct{}{}:
			go s.turnAway(sc)
		default:
			_ = c.Close()
		}
	default:
		go s.serve(sc)
	}
}

// turnAway tells a peer that there is no room. Its request is read and left
// alone: a close over unread bytes would destroy the reply on its way.
func (s *Server) turnAway(c *serverConn) {
	defer func() { _ = c.Close(); <-s.refusals }()
	s.send(c, reply{status: 503, text: "too many connections at a time"}, &claim{budget: s.budget})
	s.watch(c, bufio.NewReader(c), func() {})
}

// spare tells whether a host may go over the limit: one that has no connection,
// as managers between two messages, while all others are being answered.
func (s *Server) spare(host string) bool {
	return s.held()[host] == 0 && s.conns.Size() < s.o.MaxConns+s.o.MaxConns/4+1
}

// held counts the connections of each host.
func (s *Server) held() map[string]int {
	held := map[string]int{}
	s.conns.Each(func(_ int, c any) { held[c.(*serverConn).host]++ })
	return held
}

// evict makes room by dropping a connection, so that nobody can lock the
// managers out: of the host that has the most, one that has had its reply, or
// else the oldest whose request or reply is on its way. No host loses one to a
// newcomer's that has more. It is called with mu held and reports whether there
// was one.
func (s *Server) evict(newcomer string) bool {
	held := s.held()
	held[newcomer]++
	var victim *serverConn
	replied := false
	s.conns.Each(func(_ int, value any) {
		c := value.(*serverConn)
		stage := c.stage.Load()
		if stage == stageAnswering || held[c.host] < held[newcomer] {
			return
		}
		more := 0
		if victim != nil {
			more = held[c.host] - held[victim.host]
		}
		if victim == nil || more > 0 || more == 0 && stage == stageReplied && !replied {
			victim, replied = c, stage == stageReplied
		}
	})
	if victim == nil {
		return false
	}
	s.conns.Remove(victim)
	_ = victim.Close()
	return true
}

// makeRoom drops a connection where the system has none left to give.
func (s *Server) makeRoom() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.closed && s.evict("")
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

// backOff is the pause between attempts to accept a connection.
type backOff struct {
	wait   time.Duration
	warned time.Time
}

// next is the wait before the next attempt, and whether to tell of it: once a
// second. roomy says that a connection was dropped for it, which takes effect
// in a moment.
func (b *backOff) next(roomy bool) (wait time.Duration, loud bool) {
	const least, most = 5 * time.Millisecond, time.Second
	if b.wait = min(most, max(least, 2*b.wait)); roomy {
		b.wait = least
	}
	if loud = time.Since(b.warned) >= time.Second; loud {
		b.warned = time.Now()
	}
	return b.wait, loud
}
