package propnet

import "testing"

// Every gate of a net is some cone's own, and none is of two.
func TestConesAddUp(t *testing.T) {
	n := lamps(t)
	own := 0
	for _, c := range n.Cones() {
		if own += c.Own; c.Own > c.Gates {
			t.Errorf("%v", c)
		}
	}
	if want := n.Stats().Gates(); own != want {
		t.Errorf("%d gates in cones, %d in the net", own, want)
	}
}
