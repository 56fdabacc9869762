package player

import (
	"strings"

	"semisplit/kif"
	"semisplit/player/board"
)

// guessMove finds a move for a role without understanding the rules: the
// first ground one that the text offers it, in (input role m) before (legal
// role m) before (does role m), else noop. It is what is sent if nothing
// better is known when a clock runs out.
func guessMove(rules []kif.Term, role kif.Term) kif.Term {
	var found [3]*kif.Term
	var walk func(t kif.Term)
	walk = func(t kif.Term) {
		if rank := guessRank(t); rank >= 0 && found[rank] == nil && kif.EqualFold(board.Plain(t.Items[1]), board.Plain(role)) && ground(t.Items[2]) {
			found[rank] = &t.Items[2]
		}
		for _, item := range t.Items {
			walk(item)
		}
	}
	for _, rule := range rules {
		walk(rule)
	}
	for _, move := range found {
		if move != nil {
			return *move
		}
	}
	return kif.Symbol("noop")
}

// guessRank is the place of a term in the order of guessMove, or -1.
func guessRank(t kif.Term) int {
	if len(t.Items) != 3 {
		return -1
	}
	for rank, name := range []string{"input", "legal", "does"} {
		if strings.EqualFold(t.Items[0].Name, name) {
			return rank
		}
	}
	return -1
}

func ground(t kif.Term) bool {
	if t.IsVar() {
		return false
	}
	for _, item := range t.Items {
		if !ground(item) {
			return false
		}
	}
	return true
}
