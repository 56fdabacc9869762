package search

import "math/bits"

type outcome uint8

const (
	picked   outcome = iota // worker.picked is a joint move
	needLook                // a trie must grow: the engine has to look at the state
	full                    // a trie must grow and memory is out
	over                    // a role has no legal move: the game ends here
)

// random is a draw below n.
func (w *worker) random(n uint32) uint32 {
	hi, _ := bits.Mul64(w.rng.Uint64(), uint64(n))
	return uint32(hi)
}

// pick chooses a joint move in node n, each role for itself (decoupled UCT),
// into w.picked and w.pickedTries. lane is one that is at the state of n, or
// -1 if none is. Tries may grow, but no visits change.
func (w *worker) pick(n uint32, lane int) outcome {
	w.picked, w.pickedTries = w.picked[:0], w.pickedTries[:0]
	w.sole, w.choosers = true, 0
	key := int(w.t.nodes.At(n).key)
	for r := range w.t.levels {
		w.choice = false
		if out := w.pickRole(n, r, lane); out != picked {
			return out
		}
		w.sole = w.sole && (!w.choice || r == key)
		if w.choice {
			w.choosers++
		}
	}
	return picked
}

// pickRole walks down the trie of one role. A prefix that turns out to be
// dead is marked and the walk starts again at the top.
func (w *worker) pickRole(n uint32, r, lane int) outcome {
	t := w.t
	nd := t.nodes.At(n)
	base := len(w.picked)
	w.together = nd.flags&flagTogether != 0
	for {
		w.choice = false
		w.picked, w.pickedTries, w.prefix = w.picked[:base], w.pickedTries[:base], w.prefix[:0]
		link := &t.tries(n)[r]
		if *link&forced != 0 {
			return w.pickForced(*link)
		}
		visits := nd.visits + nd.virtual
		complete := true
		for len(w.prefix) < t.levels[r] {
			if *link == 0 {
				if lane < 0 {
					return needLook
				}
				w.offersAfter(lane, r)
				if len(w.offers) == 0 {
					complete = false
					break
				}
				if len(w.prefix) == 0 && t.mayForce(n, r, w.offers) {
					*link = forced | w.offers[0]
					return w.pickForced(*link)
				}
				if !w.expand(link, n == t.root) {
					return full
				}
				if len(w.prefix) == 0 {
					t.measure(n)
				}
			}
			id := edgeID(*link, 0)
			if t.chunks.At(*link).total() > 1 {
				w.choice = true
				if t.options.RollUp && t.chunks.At(*link).left == 0 && !t.options.Chance[r] {
					id = w.pickRolled(*link, r, len(w.prefix), visits)
					link = w.takeChain(link)
				} else {
					id = w.pickEdge(*link, r, visits)
				}
				if id == 0 && lane < 0 {
					return needLook // to play on from there
				} else if id == 0 {
					return full
				}
			}
			e := t.edge(id)
			w.picked = append(w.picked, id)
			w.pickedTries = append(w.pickedTries, *link)
			w.prefix = append(w.prefix, e.semimove)
			link, visits = &e.child, t.taken(id)
			if t.options.Raw && visits == 0 && len(w.prefix) < t.levels[r] {
				if lane < 0 {
					return needLook
				}
				if complete = w.completeLoose(lane, r); !complete {
					break
				}
			}
		}
		if complete {
			return picked
		}
		if !w.bury(base) {
			return over
		}
	}
}

// takeChain picks the edges of w.chain, and returns the link to the last of its
// trie nodes, in which the choice is.
func (w *worker) takeChain(link *uint32) *uint32 {
	for _, id := range w.chain.edges {
		w.picked = append(w.picked, id)
		w.pickedTries = append(w.pickedTries, *link)
		e := w.t.edge(id)
		w.prefix = append(w.prefix, e.semimove)
		link = &e.child
	}
	return link
}

func (w *worker) pickForced(id uint32) outcome {
	w.picked = append(w.picked, id)
	w.pickedTries = append(w.pickedTries, id)
	return picked
}

// expand makes a trie node of w.offers. The semimoves are shuffled: they are
// tried in the order in which they lie.
func (w *worker) expand(link *uint32, force bool) bool {
	for i := len(w.offers) - 1; i > 0; i-- {
		j := w.random(uint32(i + 1))
		w.offers[i], w.offers[j] = w.offers[j], w.offers[i]
	}
	trie, ok := w.t.newTrie(w.offers, force)
	if ok {
		*link = trie
	}
	return ok
}

// bury marks the edge that led to a dead prefix, and those above it that have
// no other edge below them; false if that reaches the top.
func (w *worker) bury(base int) bool {
	for i := len(w.picked) - 1; i >= base; i-- {
		if isLoose(w.picked[i]) {
			continue
		}
		w.t.edge(w.picked[i]).child = dead
		w.t.refresh(w.picked[i])
		if w.t.ranked {
			w.t.ruffle(w.pickedTries[i])
		}
		alive := w.t.chunks.At(w.pickedTries[i]).left > 0
		if alive {
			return true
		}
		w.t.edgesOf(w.pickedTries[i], func(_ uint32, e *edge) bool {
			alive = e.child != dead
			return !alive
		})
		if alive {
			return true
		}
		// The trie node above will hold dead in place of this one.
		w.t.dropChain(w.pickedTries[i])
		if i == base {
			// The top goes on living empty-handed: the next visit looks again.
			w.t.tries(w.at)[w.roleOf[i]] = 0
			w.t.measure(w.at)
		}
	}
	return false
}
