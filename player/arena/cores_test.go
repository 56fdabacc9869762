package arena

import (
	"context"
	"errors"
	"slices"
	"testing"

	"semisplit/player/peer"
)

// TestCores: no core is dealt out twice, who asks for more than are free waits, and what
// is given back is dealt out again.
func TestCores(t *testing.T) {
	all := len(peer.Cores())
	if all < 2 {
		t.Skipf("processes can be kept on %d cores", all)
	}
	var c cores
	own, giveBack, err := c.take(t.Context(), all/2)
	if err != nil || len(own[0]) != all/2 || len(own[1]) != all/2 || slices.ContainsFunc(own[0], func(core int) bool { return slices.Contains(own[1], core) }) {
		t.Fatalf("%v, %v", own, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := c.take(ended, all/2); !errors.Is(err, context.Canceled) {
		t.Errorf("the same cores twice: %v", err)
	}
	next := make(chan [2][]int)
	go func() {
		own, giveBack, err := c.take(t.Context(), all) // more than there are
		if err != nil {
			t.Error(err)
		}
		giveBack()
		next <- own
	}()
	giveBack()
	if own := <-next; own[0] != nil || own[1] != nil {
		t.Errorf("sides that share all cores got %v", own)
	}
	again, giveBack, err := c.take(t.Context(), all/2)
	if err != nil || !slices.Equal(again[0], own[0]) || !slices.Equal(again[1], own[1]) {
		t.Errorf("%v, then %v, %v", own, again, err)
	}
	giveBack()
}
