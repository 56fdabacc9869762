package protocol

import (
	"fmt"
	"testing"
	"time"
)

// A fault is told at once, then once a minute with how often it came; other faults and other
// hosts are told beside it, and a flood of hosts takes no more memory than the table.
func TestComplaints(t *testing.T) {
	var c complaints
	now := time.Unix(1e9, 0)
	told := func(host, kind string, want int) {
		t.Helper()
		if times, ok := c.loud(host, kind, now); ok != (want > 0) || times != want {
			t.Errorf("%s of %s: told %v, %d times, want %d", kind, host, ok, times, want)
		}
	}
	told("192.0.2.1", "400", 1)
	for range 5 {
		told("192.0.2.1", "400", 0)
	}
	told("192.0.2.1", "413", 1)
	told("192.0.2.2", "400", 1)
	now = now.Add(complaintPause)
	told("192.0.2.1", "400", 6)
	told("192.0.2.1", "400", 0)
	lines := 0
	for i := range 10 * complaintsKept {
		if _, ok := c.loud(fmt.Sprint("203.0.113.", i), "400", now); ok {
			lines++
		}
	}
	if lines > complaintsKept || len(c.seen) > complaintsKept+1 {
		t.Errorf("%d lines, %d kept, of %d hosts", lines, len(c.seen), 10*complaintsKept)
	}
	told("192.0.2.1", "400", 0)
	now = now.Add(complaintPause)
	told("198.51.100.7", "400", 1)
}
