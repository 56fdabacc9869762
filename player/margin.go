package player

import (
	"math"
	"time"
)

// Bounds of the part of a clock that is kept back. A second allows for 150
// ms of it, since on a busy machine replies were seen to leave 60 ms after they
// were due; long clocks for what a bad network costs.
const (
	leastMargin   = 40 * time.Millisecond
	mostMargin    = 500 * time.Millisecond
	marginPercent = 15 // of the clock
	marginAtMost  = 2  // of the clock: search gets at least half
	// latenessHalf is the time in which half of a lateness is forgotten. Replies are no
	// measure: those to a manager that asks all the time would drown one that mattered.
	latenessHalf = 2 * time.Minute
)

// margin is the time before a deadline at which a reply is due. It grows with
// what is learned: how long after they were due replies left, and whether the
// manager played other moves than those sent.
type margin struct {
	buffer   time.Duration // as configured; 0: by the clock
	lateness time.Duration // how late replies left, at the time since
	since    time.Duration
	replaced int // moves that did not arrive, less those that did
}

// of is the margin for a clock, at a time.
func (m *margin) of(now, clock time.Duration) time.Duration {
	wire := m.buffer
	if wire == 0 {
		wire = min(max(clock*marginPercent/100, leastMargin), mostMargin)
	}
	wire += time.Duration(m.replaced) * wire / 2
	return min(wire+2*m.remembered(now).Round(time.Millisecond), clock/marginAtMost)
}

// left learns from a reply that left now, so much later than it was due.
func (m *margin) left(now, late time.Duration) {
	m.lateness, m.since = max(late, m.remembered(now)), now
}

// remembered is what is left of the lateness.
func (m *margin) remembered(now time.Duration) time.Duration {
	halves := max(0, now-m.since).Seconds() / latenessHalf.Seconds()
	return time.Duration(float64(m.lateness) * math.Exp2(-halves))
}

// arrived learns whether the manager played the move that was sent.
func (m *margin) arrived(ok bool) {
	const most = 8
	if !ok {
		m.replaced = min(m.replaced+2, most)
	} else if m.replaced > 0 {
		m.replaced--
	}
}
