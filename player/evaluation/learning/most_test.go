package learning

import (
	"testing"
	"time"
)

// Who has asked for an hour of learning gets it.
func TestMost(t *testing.T) {
	if most(12*time.Second) != mostMatches || most(time.Hour) <= 100*mostMatches {
		t.Errorf("%d matches in a start clock, %d in an hour", most(12*time.Second), most(time.Hour))
	}
}
