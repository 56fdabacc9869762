package player

import "time"

// Bounds of the part of a clock that is kept back. A second allows for 150
// ms of it, since on a busy machine replies were seen to leave 60 ms after they
// were due; long clocks for what a bad network costs.
const (
	leastMargin   = 40 * time.Millisecond
	mostMargin    = 500 * time.Millisecond
	marginPercent = 15 // of the clock
	marginAtMost  = 2  // of the clock: search gets at least half
	latenessDecay = 8  // an eighth is forgotten with each reply
)

// margin is the time before a deadline at which a reply is due. It grows with
// what is learned: how late replies left that should have left at the margin,
// and whether the manager played other moves than those sent.
type margin struct {
	buffer   time.Duration // as configured; 0: by the clock
	lateness time.Duration // how late replies left, recently
	replaced int           // moves that did not arrive, less those that did
}

// of is the margin for a clock.
func (m *margin) of(clock time.Duration) time.Duration {
	wire := m.buffer
	if wire == 0 {
		wire = min(max(clock*marginPercent/100, leastMargin), mostMargin)
	}
	wire += time.Duration(m.replaced) * wire / 2
	return min(wire+2*m.lateness, clock/marginAtMost)
}

// left learns from a reply that was due at the margin and left so much later.
func (m *margin) left(late time.Duration) {
	m.lateness = max(late, m.lateness-m.lateness/latenessDecay)
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
