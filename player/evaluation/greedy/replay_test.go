package greedy

import (
	"math/rand/v2"
	"testing"

	"semisplit/player/evaluation/regression"
)

// Of all positions so many are kept, early ones as well as late ones.
func TestReplayKeeps(t *testing.T) {
	var p replay
	random := rand.New(rand.NewPCG(1, 2))
	for i := range uint32(4 * replayed) {
		p.keep(regression.Sample{Match: i}, random)
	}
	early := 0
	for _, s := range p.kept {
		if s.Match < 2*replayed {
			early++
		}
	}
	if len(p.kept) != replayed || early < 2*replayed/5 || early > 3*replayed/5 {
		t.Errorf("%d are kept, %d of the first half", len(p.kept), early)
	}
}
