package search

import (
	"testing"
	"time"
)

// A budget ends with its time or at its deadline, whichever comes first.
func TestUntil(t *testing.T) {
	start := time.Unix(1000, 0)
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	for _, c := range []struct {
		budget Budget
		want   time.Time
	}{
		{Budget{}, time.Time{}},
		{Budget{Time: time.Second}, at(1)},
		{Budget{Deadline: at(2)}, at(2)},
		{Budget{Time: time.Second, Deadline: at(2)}, at(1)},
		{Budget{Time: 3 * time.Second, Deadline: at(2)}, at(2)},
	} {
		if got := c.budget.Until(start); !got.Equal(c.want) {
			t.Errorf("%+v: until %v, want %v", c.budget, got, c.want)
		}
	}
}
