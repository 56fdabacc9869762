package toys

// Lottery: role 0 chooses a square, role 1, which is chance, draws one of nine
// numbers; one below the square's share wins. So every move has a known mean,
// and the results of its visits are independent of each other. Moves are
// numbered as those of TicTacToe, 9 is the move of who waits.
type Lottery struct{ TicTacToe }

// Shares are the ninths of the draws that win, by square.
var Shares = [9]uint64{4, 6, 1, 0, 5, 9, 3, 7, 2}

// States of Lottery: the number of moves made, the square, the draw.

func (Lottery) Initial() []uint64        { return []uint64{0, 0, 0} }
func (Lottery) Terminal(s []uint64) bool { return s[0] == 2 }
func (Lottery) Goals(s []uint64) []float64 {
	if s[0] == 2 && s[2] < Shares[s[1]] {
		return []float64{1, 0}
	}
	return []float64{0, 1}
}
func (Lottery) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
	if uint64(role) != s[0] {
		return []uint32{9}
	}
	for i := range uint32(9) {
		o = append(o, i)
	}
	return o
}
func (Lottery) Play(s []uint64, joint []uint32) []uint64 {
	if s[0] == 0 {
		return []uint64{1, uint64(joint[0]), 0}
	}
	return []uint64{2, s[1], uint64(joint[1])}
}
