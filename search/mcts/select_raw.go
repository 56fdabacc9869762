package mcts

import "semisplit/search/tree"

// completeLoose draws the semimoves of role r after w.prefix, uniformly at each
// level, and picks them as loose ones. False: the prefix is dead.
func (w *selector) completeLoose(lane, r int) bool {
	level := len(w.prefix)
	if level == w.t.tree.Levels[r] {
		return true
	}
	from := len(w.drawn)
	w.offersAfter(lane, r)
	w.drawn = append(w.drawn, w.offers...)
	defer func() { w.drawn = w.drawn[:from] }()
	for n := len(w.drawn) - from; n > 0; n-- {
		i := from + int(w.rng.Below(uint32(n)))
		x := w.drawn[i]
		w.drawn[i] = w.drawn[from+n-1]
		w.prefix = append(w.prefix[:level], x)
		w.picked = append(w.picked, tree.Unstored|x)
		w.pickedTries = append(w.pickedTries, tree.Unstored|x)
		if w.completeLoose(lane, r) {
			return true
		}
		w.picked = w.picked[:len(w.picked)-1]
		w.pickedTries = w.pickedTries[:len(w.pickedTries)-1]
	}
	w.prefix = w.prefix[:level]
	return false
}
