package greedy

import (
	"math"
	"testing"

	"semisplit/player/evaluation/regression"
)

// The newest positions are kept.
func TestReplayKeeps(t *testing.T) {
	var p replay
	for i := range uint32(replayed + 100) {
		p.keep(regression.Sample{Match: i})
	}
	least := uint32(math.MaxUint32)
	for _, s := range p.kept {
		least = min(least, s.Match)
	}
	if len(p.kept) != replayed || least != 100 {
		t.Errorf("%d are kept, the oldest is %d", len(p.kept), least)
	}
}
