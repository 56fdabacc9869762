package toys

// Barren is tic-tac-toe in which a draw brings nobody anything: goals have no fixed sum.
type Barren struct{ TicTacToe }

// Goals are those of a win and a loss, or none.
func (g Barren) Goals(s []uint64) []float64 {
	goals := g.TicTacToe.Goals(s)
	if goals[0] == goals[1] {
		return []float64{0, 0}
	}
	return goals
}
