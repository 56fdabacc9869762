package proof

import "semisplit/search/tree"

// Resists says whether the search goes on though nothing better can be found in
// the root: several moves are proven to bring the same, which is no win, and
// somebody may answer them wrongly who has not seen that proof. The search then
// goes on in solved nodes as well, and shows which moves are hardest to answer.
func (t *Prover) Resists() bool {
	players := 0
	for _, chance := range t.chance {
		if !chance {
			players++
		}
	}
	if players < 2 || !t.Bounds.On || t.Tree.Root == 0 || t.Tree.Node(t.Tree.Root).Flags&tree.FlagTerminal != 0 {
		return false
	}
	for r := range t.Tree.Levels {
		moves, more := t.BoundsOfMoves(t.Tree.Root, r)
		if low, best := Surest(moves, more); best && low < Certain && len(SureMoves(moves, low)) > 1 {
			return true
		}
	}
	return false
}

// SureMoves are the moves that are sure to bring so much.
func SureMoves(moves []MoveBounds, low uint8) (sure []MoveBounds) {
	for _, o := range moves {
		if o.Low == low {
			sure = append(sure, o)
		}
	}
	return sure
}
