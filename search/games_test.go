package search

import "math/bits"

// ticTacToe: words are x's and o's squares. Two roles; the one not to move
// plays 9 ("noop").
type ticTacToe struct{ start []uint64 }

var lines3 = []uint64{0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

func won(b uint64) bool {
	for _, l := range lines3 {
		if b&l == l {
			return true
		}
	}
	return false
}

func (g ticTacToe) Levels() []int { return []int{1, 1} }
func (g ticTacToe) Initial() []uint64 {
	if g.start != nil {
		return g.start
	}
	return []uint64{0, 0}
}
func (ticTacToe) Terminal(s []uint64) bool {
	return won(s[0]) || won(s[1]) || s[0]|s[1] == 0o777
}
func (ticTacToe) Goals(s []uint64) []float64 {
	switch {
	case won(s[0]):
		return []float64{1, 0}
	case won(s[1]):
		return []float64{0, 1}
	}
	return []float64{0.5, 0.5}
}
func mover(s []uint64) int {
	if bits.OnesCount64(s[0]) > bits.OnesCount64(s[1]) {
		return 1
	}
	return 0
}
func (ticTacToe) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
	if role != mover(s) {
		return []uint32{9}
	}
	for i := range uint32(9) {
		if (s[0]|s[1])>>i&1 == 0 {
			o = append(o, i)
		}
	}
	return o
}
func (ticTacToe) Play(s []uint64, joint []uint32) []uint64 {
	n := []uint64{s[0], s[1]}
	n[mover(s)] |= 1 << joint[mover(s)]
	return n
}

// splitTicTacToe chooses the column, then the row. Every column is offered, so
// that a full one is a dead prefix.
type splitTicTacToe struct{ ticTacToe }

func (splitTicTacToe) Levels() []int { return []int{2, 2} }
func (splitTicTacToe) Offers(s []uint64, role int, prefix []uint32) (o []uint32) {
	if role != mover(s) {
		return []uint32{3}
	}
	if len(prefix) == 0 {
		return []uint32{0, 1, 2}
	}
	for y := range uint32(3) {
		if (s[0]|s[1])>>(3*y+prefix[0])&1 == 0 {
			o = append(o, y)
		}
	}
	return o
}
func (g splitTicTacToe) Play(s []uint64, joint []uint32) []uint64 {
	m := 2 * mover(s)
	square := 3*joint[m+1] + joint[m]
	return g.ticTacToe.Play(s, []uint32{square, square})
}

// verifiedTicTacToe offers every column and every row, and verifies the square
// in the end: prefixes die late, and a full column dies two levels down.
type verifiedTicTacToe struct{ ticTacToe }

func (verifiedTicTacToe) Levels() []int { return []int{3, 3} }
func (verifiedTicTacToe) Offers(s []uint64, role int, prefix []uint32) []uint32 {
	switch {
	case len(prefix) == 2 && prefix[0] < 3 && (s[0]|s[1])>>(3*prefix[1]+prefix[0])&1 != 0:
		return nil
	case len(prefix) == 2:
		return []uint32{0}
	case role != mover(s):
		return []uint32{3}
	}
	return []uint32{0, 1, 2}
}
func (g verifiedTicTacToe) Play(s []uint64, joint []uint32) []uint64 {
	m := 3 * mover(s)
	square := 3*joint[m+1] + joint[m]
	return g.ticTacToe.Play(s, []uint32{square, square})
}

// nim: heaps, then whose turn. A move is 8*heap + number taken, 63 for the
// other. Who takes the last one wins.
type nim struct{ heaps []uint64 }

func (nim) Levels() []int       { return []int{1, 1} }
func (g nim) Initial() []uint64 { return append(append([]uint64(nil), g.heaps...), 0) }
func (nim) Terminal(s []uint64) bool {
	for _, h := range s[:len(s)-1] {
		if h > 0 {
			return false
		}
	}
	return true
}
func (nim) Goals(s []uint64) []float64 {
	g := []float64{0, 0}
	g[1-s[len(s)-1]] = 1
	return g
}
func (nim) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
	if uint64(role) != s[len(s)-1] {
		return []uint32{63}
	}
	for i, h := range s[:len(s)-1] {
		for k := uint64(1); k <= h; k++ {
			o = append(o, uint32(8*uint64(i)+k))
		}
	}
	return o
}
func (nim) Play(s []uint64, joint []uint32) []uint64 {
	n := append([]uint64(nil), s...)
	m := joint[s[len(s)-1]]
	n[m/8] -= uint64(m % 8)
	n[len(n)-1] ^= 1
	return n
}

// matrix is one simultaneous turn.
type matrix struct{ pay [][][2]float64 }

func (matrix) Levels() []int            { return []int{1, 1} }
func (matrix) Initial() []uint64        { return []uint64{0} }
func (matrix) Terminal(s []uint64) bool { return s[0] != 0 }
func (g matrix) Goals(s []uint64) []float64 {
	if s[0] == 0 {
		return []float64{0, 0}
	}
	p := g.pay[(s[0]-1)/8][(s[0]-1)%8]
	return p[:]
}
func (g matrix) Offers(_ []uint64, role int, _ []uint32) (o []uint32) {
	n := len(g.pay)
	if role == 1 {
		n = len(g.pay[0])
	}
	for i := range n {
		o = append(o, uint32(i))
	}
	return o
}
func (matrix) Play(_ []uint64, j []uint32) []uint64 { return []uint64{1 + uint64(8*j[0]+j[1])} }

// ladder is a single-player puzzle: from 1, in six moves of +1 (0) or *2 (1),
// reach exactly 22; less is worth less.
type ladder struct{}

func (ladder) Levels() []int            { return []int{1} }
func (ladder) Initial() []uint64        { return []uint64{1, 0} }
func (ladder) Terminal(s []uint64) bool { return s[1] == 6 }
func (ladder) Goals(s []uint64) []float64 {
	if s[0] == 22 {
		return []float64{1}
	}
	return []float64{0.2}
}
func (ladder) Offers([]uint64, int, []uint32) []uint32 { return []uint32{0, 1} }
func (ladder) Play(s []uint64, j []uint32) []uint64 {
	if j[0] == 0 {
		return []uint64{s[0] + 1, s[1] + 1}
	}
	return []uint64{s[0] * 2, s[1] + 1}
}

// trio: three roles in turn put 0, 1 or 2 on a pile (3 for the others); role r
// gets 1 if the pile modulo 3 is r in the end. The last to move decides.
type trio struct{}

func (trio) Levels() []int            { return []int{1, 1, 1} }
func (trio) Initial() []uint64        { return []uint64{0, 0} }
func (trio) Terminal(s []uint64) bool { return s[1] == 6 }
func (trio) Goals(s []uint64) []float64 {
	g := make([]float64, 3)
	g[s[0]%3] = 1
	return g
}
func (trio) Offers(s []uint64, role int, _ []uint32) []uint32 {
	if uint64(role) != s[1]%3 {
		return []uint32{3}
	}
	return []uint32{0, 1, 2}
}
func (trio) Play(s []uint64, j []uint32) []uint64 {
	return []uint64{s[0] + uint64(j[s[1]%3]), s[1] + 1}
}

// dice: role 0 bets low (0: 0.6 for sure) or high (1), role 1 rolls one of
// four; high pays 1 for one outcome, else 0. A role 1 that moved by its own
// goals would always let high win.
type dice struct{}

func (dice) Levels() []int            { return []int{1, 1} }
func (dice) Initial() []uint64        { return []uint64{0, 0} }
func (dice) Terminal(s []uint64) bool { return s[0] == 2 }
func (dice) Goals(s []uint64) []float64 {
	if s[1] == 99 {
		return []float64{0.6, 0}
	}
	if s[1] == 10 {
		return []float64{1, 1}
	}
	return []float64{0, 0}
}
func (dice) Offers(s []uint64, role int, _ []uint32) []uint32 {
	switch {
	case s[0] == 0 && role == 0:
		return []uint32{0, 1}
	case s[0] == 1 && role == 1:
		return []uint32{0, 1, 2, 3}
	}
	return []uint32{9}
}
func (dice) Play(s []uint64, j []uint32) []uint64 {
	if s[0] == 0 {
		return []uint64{1, uint64(j[0])}
	}
	if s[1] == 0 {
		return []uint64{2, 99}
	}
	return []uint64{2, 10 + uint64(j[1])}
}

// counting never ends: both roles add 1 or 2 to a sum for ever. Its states
// have 1 to 40 words, so that their lengths differ.
type counting struct{ width int }

func (counting) Levels() []int          { return []int{1, 1} }
func (counting) Initial() []uint64      { return []uint64{0} }
func (counting) Terminal([]uint64) bool { return false }
func (counting) Goals(s []uint64) []float64 {
	return []float64{float64(s[0]%7) / 7, float64(s[0]%5) / 5}
}
func (g counting) Offers([]uint64, int, []uint32) (o []uint32) {
	for i := range uint32(g.width) {
		o = append(o, i)
	}
	return o
}
func (counting) Play(s []uint64, j []uint32) []uint64 {
	sum := s[0]*31 + uint64(j[0])*7 + uint64(j[1]) + 1
	n := make([]uint64, 1+sum%40)
	n[0] = sum
	return n
}
