package search

// loose marks a semimove on a lane's path that is not in the tree: in the raw
// variant an iteration adds one edge, and what is missing to a whole move is
// drawn at random.
const loose = forced | 1<<30

func isLoose(id uint32) bool { return id&loose == loose }

// completeLoose draws the semimoves of role r after w.prefix, uniformly at each
// level, and picks them as loose ones. False: the prefix is dead.
func (w *worker) completeLoose(lane, r int) bool {
	level := len(w.prefix)
	if level == w.t.levels[r] {
		return true
	}
	from := len(w.drawn)
	w.offersAfter(lane, r)
	w.drawn = append(w.drawn, w.offers...)
	defer func() { w.drawn = w.drawn[:from] }()
	for n := len(w.drawn) - from; n > 0; n-- {
		i := from + int(w.random(uint32(n)))
		x := w.drawn[i]
		w.drawn[i] = w.drawn[from+n-1]
		w.prefix = append(w.prefix[:level], x)
		w.picked = append(w.picked, loose|x)
		w.pickedTries = append(w.pickedTries, loose|x)
		if w.completeLoose(lane, r) {
			return true
		}
		w.picked = w.picked[:len(w.picked)-1]
		w.pickedTries = w.pickedTries[:len(w.pickedTries)-1]
	}
	w.prefix = w.prefix[:level]
	return false
}
