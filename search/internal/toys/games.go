package toys

import "math/bits"

// TicTacToe: words are x's and o's squares. Two roles; the one not to move
// plays 9 ("noop").
type TicTacToe struct{ Start []uint64 }

var lines3 = []uint64{0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

func won(b uint64) bool {
	for _, l := range lines3 {
		if b&l == l {
			return true
		}
	}
	return false
}

func (g TicTacToe) Levels() []int { return []int{1, 1} }
func (g TicTacToe) Initial() []uint64 {
	if g.Start != nil {
		return g.Start
	}
	return []uint64{0, 0}
}
func (TicTacToe) Terminal(s []uint64) bool {
	return won(s[0]) || won(s[1]) || s[0]|s[1] == 0o777
}
func (TicTacToe) Goals(s []uint64) []float64 {
	switch {
	case won(s[0]):
		return []float64{1, 0}
	case won(s[1]):
		return []float64{0, 1}
	}
	return []float64{0.5, 0.5}
}
func Mover(s []uint64) int {
	if bits.OnesCount64(s[0]) > bits.OnesCount64(s[1]) {
		return 1
	}
	return 0
}
func (TicTacToe) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
	if role != Mover(s) {
		return []uint32{9}
	}
	for i := range uint32(9) {
		if (s[0]|s[1])>>i&1 == 0 {
			o = append(o, i)
		}
	}
	return o
}
func (TicTacToe) Play(s []uint64, joint []uint32) []uint64 {
	n := []uint64{s[0], s[1]}
	n[Mover(s)] |= 1 << joint[Mover(s)]
	return n
}

// SplitTicTacToe chooses the column, then the row. Every column is offered, so
// that a full one is a dead prefix.
type SplitTicTacToe struct{ TicTacToe }

func (SplitTicTacToe) Levels() []int { return []int{2, 2} }
func (SplitTicTacToe) Offers(s []uint64, role int, prefix []uint32) (o []uint32) {
	if role != Mover(s) {
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
func (g SplitTicTacToe) Play(s []uint64, joint []uint32) []uint64 {
	m := 2 * Mover(s)
	square := 3*joint[m+1] + joint[m]
	return g.TicTacToe.Play(s, []uint32{square, square})
}

// VerifiedTicTacToe offers every column and every row, and verifies the square
// in the end: prefixes die late, and a full column dies two levels down.
type VerifiedTicTacToe struct{ TicTacToe }

func (VerifiedTicTacToe) Levels() []int { return []int{3, 3} }
func (VerifiedTicTacToe) Offers(s []uint64, role int, prefix []uint32) []uint32 {
	switch {
	case len(prefix) == 2 && prefix[0] < 3 && (s[0]|s[1])>>(3*prefix[1]+prefix[0])&1 != 0:
		return nil
	case len(prefix) == 2:
		return []uint32{0}
	case role != Mover(s):
		return []uint32{3}
	}
	return []uint32{0, 1, 2}
}
func (g VerifiedTicTacToe) Play(s []uint64, joint []uint32) []uint64 {
	m := 3 * Mover(s)
	square := 3*joint[m+1] + joint[m]
	return g.TicTacToe.Play(s, []uint32{square, square})
}

// Nim: heaps, then whose turn. A move is 8*heap + number taken, 63 for the
// other. Who takes the last one wins.
type Nim struct{ Heaps []uint64 }

func (Nim) Levels() []int       { return []int{1, 1} }
func (g Nim) Initial() []uint64 { return append(append([]uint64(nil), g.Heaps...), 0) }
func (Nim) Terminal(s []uint64) bool {
	for _, h := range s[:len(s)-1] {
		if h > 0 {
			return false
		}
	}
	return true
}
func (Nim) Goals(s []uint64) []float64 {
	g := []float64{0, 0}
	g[1-s[len(s)-1]] = 1
	return g
}
func (Nim) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
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
func (Nim) Play(s []uint64, joint []uint32) []uint64 {
	n := append([]uint64(nil), s...)
	m := joint[s[len(s)-1]]
	n[m/8] -= uint64(m % 8)
	n[len(n)-1] ^= 1
	return n
}

// Matrix is one simultaneous turn.
type Matrix struct{ Pay [][][2]float64 }

func (Matrix) Levels() []int            { return []int{1, 1} }
func (Matrix) Initial() []uint64        { return []uint64{0} }
func (Matrix) Terminal(s []uint64) bool { return s[0] != 0 }
func (g Matrix) Goals(s []uint64) []float64 {
	if s[0] == 0 {
		return []float64{0, 0}
	}
	p := g.Pay[(s[0]-1)/8][(s[0]-1)%8]
	return p[:]
}
func (g Matrix) Offers(_ []uint64, role int, _ []uint32) (o []uint32) {
	n := len(g.Pay)
	if role == 1 {
		n = len(g.Pay[0])
	}
	for i := range n {
		o = append(o, uint32(i))
	}
	return o
}
func (Matrix) Play(_ []uint64, j []uint32) []uint64 { return []uint64{1 + uint64(8*j[0]+j[1])} }

// Ladder is a single-player puzzle: from 1, in six moves of +1 (0) or *2 (1),
// reach exactly 22; less is worth less.
type Ladder struct{}

func (Ladder) Levels() []int            { return []int{1} }
func (Ladder) Initial() []uint64        { return []uint64{1, 0} }
func (Ladder) Terminal(s []uint64) bool { return s[1] == 6 }
func (Ladder) Goals(s []uint64) []float64 {
	if s[0] == 22 {
		return []float64{1}
	}
	return []float64{0.2}
}
func (Ladder) Offers([]uint64, int, []uint32) []uint32 { return []uint32{0, 1} }
func (Ladder) Play(s []uint64, j []uint32) []uint64 {
	if j[0] == 0 {
		return []uint64{s[0] + 1, s[1] + 1}
	}
	return []uint64{s[0] * 2, s[1] + 1}
}

// Trio: three roles in turn put 0, 1 or 2 on a pile (3 for the others); role r
// gets 1 if the pile modulo 3 is r in the end. The last to move decides.
type Trio struct{}

func (Trio) Levels() []int            { return []int{1, 1, 1} }
func (Trio) Initial() []uint64        { return []uint64{0, 0} }
func (Trio) Terminal(s []uint64) bool { return s[1] == 6 }
func (Trio) Goals(s []uint64) []float64 {
	g := make([]float64, 3)
	g[s[0]%3] = 1
	return g
}
func (Trio) Offers(s []uint64, role int, _ []uint32) []uint32 {
	if uint64(role) != s[1]%3 {
		return []uint32{3}
	}
	return []uint32{0, 1, 2}
}
func (Trio) Play(s []uint64, j []uint32) []uint64 {
	return []uint64{s[0] + uint64(j[s[1]%3]), s[1] + 1}
}

// Dice: role 0 bets low (0: 0.6 for sure) or high (1), role 1 rolls one of
// four; high pays 1 for one outcome, else 0. A role 1 that moved by its own
// goals would always let high win.
type Dice struct{}

func (Dice) Levels() []int            { return []int{1, 1} }
func (Dice) Initial() []uint64        { return []uint64{0, 0} }
func (Dice) Terminal(s []uint64) bool { return s[0] == 2 }
func (Dice) Goals(s []uint64) []float64 {
	if s[1] == 99 {
		return []float64{0.6, 0}
	}
	if s[1] == 10 {
		return []float64{1, 1}
	}
	return []float64{0, 0}
}
func (Dice) Offers(s []uint64, role int, _ []uint32) []uint32 {
	switch {
	case s[0] == 0 && role == 0:
		return []uint32{0, 1}
	case s[0] == 1 && role == 1:
		return []uint32{0, 1, 2, 3}
	}
	return []uint32{9}
}
func (Dice) Play(s []uint64, j []uint32) []uint64 {
	if s[0] == 0 {
		return []uint64{1, uint64(j[0])}
	}
	if s[1] == 0 {
		return []uint64{2, 99}
	}
	return []uint64{2, 10 + uint64(j[1])}
}

// Counting never ends: both roles add 1 or 2 to a sum for ever. Its states
// have 1 to 40 words, so that their lengths differ.
type Counting struct{ Width int }

func (Counting) Levels() []int          { return []int{1, 1} }
func (Counting) Initial() []uint64      { return []uint64{0} }
func (Counting) Terminal([]uint64) bool { return false }
func (Counting) Goals(s []uint64) []float64 {
	return []float64{float64(s[0]%7) / 7, float64(s[0]%5) / 5}
}
func (g Counting) Offers([]uint64, int, []uint32) (o []uint32) {
	for i := range uint32(g.Width) {
		o = append(o, i)
	}
	return o
}
func (Counting) Play(s []uint64, j []uint32) []uint64 {
	sum := s[0]*31 + uint64(j[0])*7 + uint64(j[1]) + 1
	n := make([]uint64, 1+sum%40)
	n[0] = sum
	return n
}
