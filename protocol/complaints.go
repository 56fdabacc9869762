package protocol

import (
	"sync"
	"time"
)

// complaints bound what is logged of peers: a kind of fault of a host is told at once, and
// then once in a while with how often it came, so that a flood fills no disk and hides
// nobody else's faults.
type complaints struct {
	mu   sync.Mutex
	seen map[complaint]*recurrence
}

// complaint is a kind of fault of a host.
type complaint struct{ network, kind string }

// recurrence is how often one came since it was told, and when that was.
type recurrence struct {
	times int
	told  time.Time
}

const (
	complaintsKept = 1024        // beyond it all others are one
	complaintPause = time.Minute // between two lines on the same
)

// loud tells whether to log a fault, and how often it came since it was logged, this time
// among them.
func (c *complaints) loud(host, kind string, now time.Time) (times int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := complaint{network(host), kind}
	r := c.seen[key]
	if r == nil {
		if len(c.seen) >= complaintsKept {
			c.sweep(now)
		}
		if len(c.seen) >= complaintsKept {
			key = complaint{kind: kind}
			r = c.seen[key]
		}
	}
	if r == nil {
		if c.seen == nil {
			c.seen = map[complaint]*recurrence{}
		}
		r = new(recurrence)
		c.seen[key] = r
	}
	r.times++
	if now.Sub(r.told) < complaintPause {
		return 0, false
	}
	times, r.times, r.told = r.times, 0, now
	return times, true
}

// sweep forgets what would be told again at once.
func (c *complaints) sweep(now time.Time) {
	for key, r := range c.seen {
		if now.Sub(r.told) >= complaintPause {
			delete(c.seen, key)
		}
	}
}

// complain logs a fault of the peer of a connection, unless the same was logged of its host
// a moment ago.
func (s *Server) complain(c *serverConn, fault, kind string, more ...any) {
	times, ok := s.complaints.loud(c.host, fault+kind, time.Now())
	if !ok {
		return
	}
	more = append([]any{"remote", remote(c)}, more...)
	if times > 1 {
		more = append(more, "times", times)
	}
	s.o.Logger.Warn(fault, more...)
}
