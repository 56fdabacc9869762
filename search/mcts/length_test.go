package mcts

import (
	"semisplit/search/backup"
	"testing"
)

// fate is a game that is decided from the start: role 0 chooses how many joint
// moves are to come, few or many, and then both wait until the winner has won.
type fate struct{ winner, few, many uint64 }

func (fate) Levels() []int              { return []int{1, 1} }
func (fate) Initial() []uint64          { return []uint64{0} } // joint moves to come and one more; 0: not chosen
func (fate) Terminal(s []uint64) bool   { return s[0] == 1 }
func (g fate) Goals([]uint64) []float64 { return []float64{float64(1 - g.winner), float64(g.winner)} }

func (fate) Offers(s []uint64, role int, _ []uint32) []uint32 {
	if s[0] == 0 && role == 0 {
		return []uint32{0, 1}
	}
	return []uint32{0}
}

func (g fate) Play(s []uint64, joint []uint32) []uint64 {
	switch {
	case s[0] > 0:
		return []uint64{s[0] - 1}
	case joint[0] == 0:
		return []uint64{g.few}
	}
	return []uint64{g.many}
}

// TestLengthBonus: of two sure wins the earlier is taken, of two sure losses
// the later. Without the bonus they are the same.
func TestLengthBonus(t *testing.T) {
	for _, c := range []struct {
		winner uint64
		bonus  float64
		want   int // -1: equal
	}{{0, 0.25, 0}, {1, 0.25, 1}, {0, 0, -1}, {1, 0, -1}} {
		mc := toyTree(fate{c.winner, 6, 20}, 4, Options{Seed: 1, Backup: backup.Options{LengthBonus: c.bonus}})
		mustSearch(t, mc, 400)
		values := map[uint32]float64{}
		for _, e := range mc.RootEdges(0) {
			values[e.Path[0]] = e.Value
		}
		switch early, late := values[0], values[1]; {
		case c.want < 0 && early != late, c.want == 0 && early <= late+0.02, c.want == 1 && late <= early+0.02:
			t.Errorf("%+v: an early end is worth %.3f, a late one %.3f", c, early, late)
		}
	}
}
