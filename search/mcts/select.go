package mcts

import (
	"semisplit/search/encoding"
	"semisplit/search/engine"
	"semisplit/search/internal/random"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

type outcome uint8

const (
	picked   outcome = iota // worker.picked is a joint move
	needLook                // a trie must grow: the engine has to look at the state
	full                    // a trie must grow and memory is out
	over                    // a role has no legal move: the game ends here
)

// selector chooses joint moves for the lanes of one engine, and grows tries by what the
// engine offers there.
type selector struct {
	t       *searcher
	engine  engine.Engine
	lists   engine.Lister // the engine, where the tree takes moves whole that it splits; nil: prefix by prefix
	rng     *random.Source
	lanes   []lane
	learner stats.Learner
	roleOf  []uint16 // by semimove of a joint move

	moveEvaluator engine.MoveEvaluator // of nodes; nil: they are worth what their states are
	unread        []uint64             // a bit for each lane whose offers are to be read

	at          uint32 // node where pick works
	together    bool   // more than one role chooses there
	choice      bool   // the role that pick looks at has a choice
	singleMover bool   // none has but perhaps the key of the node
	choosers    int    // roles that have a choice

	picked, pickedTries, prefix, offers []uint32 // of the joint move that is chosen
	walk, walked, drawn                 []uint32 // scratch
	leafBuf, labels                     []uint32
	chain                               chain
	flat                                flat
}

// pick chooses a joint move in node n, each role for itself (decoupled UCT),
// into w.picked and w.pickedTries. lane is one that is at the state of n, or
// -1 if none is. Tries may grow, but no visits change.
func (w *selector) pick(n uint32, lane int) outcome {
	w.picked, w.pickedTries = w.picked[:0], w.pickedTries[:0]
	w.singleMover, w.choosers = true, 0
	key := int(w.t.tree.Node(n).Key)
	for r := range w.t.tree.Levels {
		w.choice = false
		if out := w.pickRole(n, r, lane); out != picked {
			return out
		}
		w.singleMover = w.singleMover && (!w.choice || r == key)
		if w.choice {
			w.choosers++
		}
	}
	return picked
}

// pickRole walks down the trie of one role. A prefix that turns out to be
// dead is marked and the walk starts again at the top.
func (w *selector) pickRole(n uint32, r, lane int) outcome {
	t := w.t
	nd := t.tree.Node(n)
	base := len(w.picked)
	w.together = nd.Flags&tree.FlagTogether != 0
	for {
		w.choice = false
		w.picked, w.pickedTries, w.prefix = w.picked[:base], w.pickedTries[:base], w.prefix[:0]
		link := &t.tree.Tries(n)[r]
		if tree.IsForced(*link) {
			return w.pickForced(*link)
		}
		visits := nd.Visits + nd.Virtual
		complete := true
		for len(w.prefix) < t.tree.Levels[r] {
			if *link == 0 {
				if lane < 0 {
					return needLook
				}
				w.offersAfter(lane, r)
				if len(w.offers) == 0 {
					complete = false
					break
				}
				if len(w.prefix) == 0 && t.tree.MayForce(n, r, w.offers) {
					*link = tree.Forced | w.offers[0]
					return w.pickForced(*link)
				}
				if !w.expand(link, n == t.tree.Root) {
					return full
				}
				if len(w.prefix) == 0 {
					tree.UpdateSimultaneousFlag(&t.tree, n, t.options.Chance)
				}
			}
			id := tree.EdgeID(*link, 0)
			if t.tree.Edges.SemimovesOf(*link) > 1 {
				w.choice = true
				if t.options.RollUp && t.tree.Edges.Left(*link) == 0 && !t.options.Chance[r] {
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
			e := t.tree.Edges.Edge(id)
			w.picked = append(w.picked, id)
			w.pickedTries = append(w.pickedTries, *link)
			w.prefix = append(w.prefix, e.Semimove)
			link, visits = &e.Child, t.tree.Edges.VisitsInclVirtual(id)
			if t.options.Raw && visits == 0 && len(w.prefix) < t.tree.Levels[r] {
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
		if !w.pruneDeadPrefix(base) {
			return over
		}
	}
}

// takeChain picks the edges of w.chain, and returns the link to the last of its
// trie nodes, in which the choice is.
func (w *selector) takeChain(link *uint32) *uint32 {
	for _, id := range w.chain.edges {
		w.picked = append(w.picked, id)
		w.pickedTries = append(w.pickedTries, *link)
		e := w.t.tree.Edges.Edge(id)
		w.prefix = append(w.prefix, e.Semimove)
		link = &e.Child
	}
	return link
}

func (w *selector) pickForced(id uint32) outcome {
	w.picked = append(w.picked, id)
	w.pickedTries = append(w.pickedTries, id)
	return picked
}

// expand makes a trie node of w.offers. The semimoves are shuffled: they are
// tried in the order in which they lie.
func (w *selector) expand(link *uint32, force bool) bool {
	for i := len(w.offers) - 1; i > 0; i-- {
		j := w.rng.Below(uint32(i + 1))
		w.offers[i], w.offers[j] = w.offers[j], w.offers[i]
	}
	trie, ok := w.t.tree.Edges.NewTrie(w.offers, force)
	if ok {
		*link = trie
	}
	return ok
}

// pruneDeadPrefix marks the edge that led to a dead prefix, and those above it that have
// no other edge below them; false if that reaches the top.
func (w *selector) pruneDeadPrefix(base int) bool {
	for i := len(w.picked) - 1; i >= base; i-- {
		if tree.IsUnstored(w.picked[i]) {
			continue
		}
		w.t.tree.Edges.Edge(w.picked[i]).Child = tree.Dead
		w.t.tree.Edges.Refresh(w.picked[i])
		if w.t.tree.Edges.HasBonuses {
			w.t.proofs.Ranks.MarkRanksDirty(w.pickedTries[i])
		}
		if w.t.tree.Edges.HasFuture(w.pickedTries[i]) {
			return true
		}
		// The trie node above will hold dead in place of this one.
		w.t.tree.Edges.DropTrie(w.pickedTries[i])
		if i == base {
			// The top goes on living empty-handed: the next visit looks again.
			w.t.tree.Tries(w.at)[w.roleOf[i]] = 0
			tree.UpdateSimultaneousFlag(&w.t.tree, w.at, w.t.options.Chance)
		}
	}
	return false
}

// leavesOf gives the last edge of each role in a joint move of edges.
func (w *selector) leavesOf(edges []uint32) []uint32 {
	w.leafBuf = w.leafBuf[:0]
	i := 0
	for _, levels := range w.t.tree.Levels {
		i += levels
		w.leafBuf = append(w.leafBuf, edges[i-1])
	}
	return w.leafBuf
}

// jointOf appends the engine's joint move for a joint move of edges.
func (w *selector) jointOf(edges, dst []uint32) []uint32 {
	w.labels = w.t.tree.Semimoves(edges, w.labels[:0])
	return encoding.AppendJoint(w.t.encodings, dst, w.labels)
}
