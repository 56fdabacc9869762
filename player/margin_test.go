package player

import (
	"testing"
	"time"
)

func TestMargin(t *testing.T) {
	var m margin
	for clock, want := range map[time.Duration]time.Duration{
		0: 0, 50 * time.Millisecond: 25 * time.Millisecond, 200 * time.Millisecond: 40 * time.Millisecond,
		time.Second: 150 * time.Millisecond, time.Minute: 500 * time.Millisecond,
	} {
		if got := m.of(0, clock); got != want {
			t.Errorf("margin of %v: %v, want %v", clock, got, want)
		}
	}
	m.left(0, 20*time.Millisecond)
	for range 100 { // many replies in time soon after
		m.left(time.Millisecond, 0)
	}
	if got := m.of(0, time.Second).Round(time.Millisecond); got != 190*time.Millisecond {
		t.Errorf("after a reply that left 20 ms late: %v", got)
	}
	m.arrived(false)
	if got := m.of(0, time.Second).Round(time.Millisecond); got != 340*time.Millisecond {
		t.Errorf("after a reply that got lost: %v", got)
	}
	for range 100 {
		m.arrived(true)
	}
	if got := m.of(latenessHalf, time.Second).Round(time.Millisecond); got != 170*time.Millisecond {
		t.Errorf("after a hundred good replies and some time: %v", got)
	}
	for range 100 {
		m.arrived(false)
		m.left(latenessHalf, time.Second)
	}
	if got := m.of(latenessHalf, time.Second); got != 500*time.Millisecond {
		t.Errorf("at worst: %v", got)
	}
}
