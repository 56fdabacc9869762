package machines

import (
	"testing"

	"semisplit/player/internal/gametest"
)

// What stands for an empty cell is not counted where a captured piece leaves it behind, and
// nowhere else: in Breakthrough no fluent does, in Amazons nothing is taken.
func TestCounted(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	for name, cells := range map[string]int{"englishdraughts": 32, "skirmish": 64, "breakthrough": 0, "connectfour": 0} {
		m := gametest.Lanes(t, gametest.Bundled(t, name), "orthodox")
		mask, left := counted(m), 0
		state := make([]uint64, len(m.Initial()))
		for w, x := range mask {
			for bit := range 64 {
				if x>>bit&1 != 0 {
					continue
				}
				left++
				state[w] = 1 << bit
				f := m.Fluents(state)
				if state[w] = 0; len(f) != 1 || f[0].Items[len(f[0].Items)-1].Name != "empty" {
					t.Errorf("%s: %v is not counted", name, f)
				}
			}
		}
		if left != cells {
			t.Errorf("%s: %d fluents are not counted, want %d", name, left, cells)
		}
	}
}
