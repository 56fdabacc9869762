// Package selection chooses joint moves in the nodes of a tree: each role for itself
// (decoupled UCT), semimove by semimove. It makes tries grow by what an engine offers,
// and changes no visits.
package selection

import (
	"semisplit/search/heuristic"
	"semisplit/search/internal/random"
	"semisplit/search/offers"
	"semisplit/search/proof"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// Outcome says what came of a choice.
type Outcome uint8

// The outcomes.
const (
	Picked   Outcome = iota // Selector.Edges is a joint move
	NeedLook                // a trie must grow: an engine has to look at the state
	Full                    // a trie must grow and cannot: memory is out, no moves could be listed, or many prefixes were dead
	Over                    // a role has no legal move: the game ends here

	dead // the prefix leads to no legal move; inside this package only
)

// Options say how to choose.
type Options struct {
	// Exploration is the factor C of UCB1, mean + C*sqrt(ln N / n), for means
	// in [0, 1]. 0: no exploration at all.
	Exploration float64
}

// Setup is what a selector works on.
type Setup struct {
	Options
	PNConstant float64 // C of UCT-PN, where proof numbers rank the edges
	Chance     []bool  // by role: it moves at random
	Raw        bool    // a joint move brings one new semimove of a role; the rest is drawn
	RollUp     bool    // trie nodes may be rolled up

	Tree    *tree.Tree
	Proofs  *proof.Prover
	Values  *heuristic.Values
	Rave    *stats.EdgeRave
	Grave   *stats.NodeGrave
	Learner *stats.Learner // says which untried semimoves come first
	Offers  *offers.Reader
	Rng     *random.Source
}

// Selector chooses for the lanes of one engine.
type Selector struct {
	Setup

	// Reference is the table that the next choice goes by; 0: none. See stats.NodeGrave.
	Reference uint32

	// Of the choice that was made last.
	Edges       []uint32 // of the joint move, by role and level
	SingleMover bool     // nobody has a choice but perhaps the key of the node
	Choosers    int      // roles that have a choice

	node     uint32 // where it is made
	together bool   // more than one role chooses there
	choice   bool   // the role at hand has a choice
	vain     int    // prefixes that were found to be dead

	tries, prefix, offered []uint32 // of the role's move, as far as it is chosen
	drawn                  []uint32 // scratch
	chain                  []uint32 // edges of rolled-up trie nodes that come before the one that was chosen
	flat                   flat
}

// Pick chooses a joint move in a node. lane is one of the engine that is at its state and
// was read (see offers.Reader), or -1 if none is.
func (s *Selector) Pick(n uint32, lane int) Outcome {
	s.node = n
	s.Edges, s.tries = s.Edges[:0], s.tries[:0]
	s.SingleMover, s.Choosers, s.vain = true, 0, 0
	key := int(s.Tree.Node(n).Key)
	for r := range s.Tree.Levels {
		if out := s.pickRole(r, lane); out != Picked {
			return out
		}
		s.SingleMover = s.SingleMover && (!s.choice || r == key)
		if s.choice {
			s.Choosers++
		}
	}
	return Picked
}

// mostVain is how many prefixes may be found dead in one choice. There may be any number of
// them, and nobody looks at a clock meanwhile. The next choice goes on with those that are left.
const mostVain = 1 << 8

// pickRole chooses for one role. A prefix that turns out to be dead is marked and the walk
// starts again at the top.
func (s *Selector) pickRole(role, lane int) Outcome {
	base := len(s.Edges)
	s.together = s.Tree.Node(s.node).Flags&tree.FlagTogether != 0
	for {
		s.choice = false
		s.Edges, s.tries, s.prefix = s.Edges[:base], s.tries[:base], s.prefix[:0]
		if out := s.walk(role, lane); out != dead {
			return out
		}
		if !s.pruneDeadPrefix(base) {
			return Over
		}
		if s.vain++; s.vain > mostVain {
			return Full
		}
	}
}

// walk goes down the trie of a role from its top.
func (s *Selector) walk(role, lane int) Outcome {
	nd, levels := s.Tree.Node(s.node), s.Tree.Levels[role]
	link := &s.Tree.Tries(s.node)[role]
	visits := nd.Visits + nd.Virtual
	for len(s.prefix) < levels {
		if *link == 0 {
			if out := s.grow(link, role, lane); out != Picked {
				return out
			}
		}
		if len(s.prefix) == 0 && tree.IsForced(*link) {
			return s.pickForced(*link)
		}
		id := tree.EdgeID(*link, 0)
		if s.Tree.Edges.SemimovesOf(*link) > 1 {
			s.choice = true
			if id, link = s.choose(link, role, visits); id == 0 {
				if lane < 0 {
					return NeedLook // to play on from there
				}
				return Full
			}
		}
		e := s.Tree.Edges.Edge(id)
		s.take(id, *link, e.Semimove)
		link, visits = &e.Child, s.Tree.Edges.VisitsInclVirtual(id)
		if s.Raw && visits == 0 && len(s.prefix) < levels {
			if lane < 0 {
				return NeedLook
			}
			if !s.drawRest(lane, role) {
				if s.vain > mostVain {
					return Full
				}
				return s.nothing(role, lane)
			}
		}
	}
	return Picked
}

// take adds an edge of a trie node to the role's move.
func (s *Selector) take(id, trie, semimove uint32) {
	s.Edges = append(s.Edges, id)
	s.tries = append(s.tries, trie)
	s.prefix = append(s.prefix, semimove)
}

// grow makes the trie node that is missing after the prefix, or the forced edge in its
// place. Picked: it is there.
func (s *Selector) grow(link *uint32, role, lane int) Outcome {
	if lane < 0 {
		return NeedLook
	}
	s.offered = s.Offers.After(lane, role, s.prefix, s.offered[:0])
	if len(s.offered) == 0 {
		return s.nothing(role, lane)
	}
	if len(s.prefix) == 0 && s.Tree.MayForce(s.node, role, s.offered) {
		*link = tree.Forced | s.offered[0]
		return Picked
	}
	if !s.expand(link) {
		return Full
	}
	if len(s.prefix) == 0 {
		tree.UpdateSimultaneousFlag(s.Tree, s.node, s.Chance)
		if s.Offers.Partial(lane, role) {
			s.Tree.Node(s.node).Flags |= tree.FlagPartial
		}
	}
	return Picked
}

// nothing is what comes of a prefix after which nothing is offered.
func (s *Selector) nothing(role, lane int) Outcome {
	if !s.Offers.Found(lane, role) {
		return Full
	}
	return dead
}

// choose chooses among several semimoves after the prefix, and of rolled-up trie nodes
// below; last is the link to the trie node of the edge that is chosen. 0: memory is out.
func (s *Selector) choose(link *uint32, role int, visits uint32) (id uint32, last *uint32) {
	if s.RollUp && s.Tree.Edges.Left(*link) == 0 && !s.Chance[role] {
		id = s.pickRolled(*link, role, len(s.prefix), visits)
		return id, s.takeChain(link)
	}
	return s.pickEdge(*link, role, visits), link
}

// takeChain picks the edges of the chain, and returns the link to the last of its
// trie nodes, in which the choice is.
func (s *Selector) takeChain(link *uint32) *uint32 {
	for _, id := range s.chain {
		e := s.Tree.Edges.Edge(id)
		s.take(id, *link, e.Semimove)
		link = &e.Child
	}
	return link
}

func (s *Selector) pickForced(id uint32) Outcome {
	s.Edges = append(s.Edges, id)
	s.tries = append(s.tries, id)
	return Picked
}

// expand makes a trie node of what is offered. The semimoves are shuffled: they are
// tried in the order in which they lie.
func (s *Selector) expand(link *uint32) bool {
	for i := len(s.offered) - 1; i > 0; i-- {
		j := s.Rng.Below(uint32(i + 1))
		s.offered[i], s.offered[j] = s.offered[j], s.offered[i]
	}
	trie, ok := s.Tree.Edges.NewTrie(s.offered, s.node == s.Tree.Root)
	if ok {
		*link = trie
	}
	return ok
}

// pruneDeadPrefix marks the edge that led to a dead prefix, and those above it that have
// no other edge below them; false if that reaches the top.
func (s *Selector) pruneDeadPrefix(base int) bool {
	for i := len(s.Edges) - 1; i >= base; i-- {
		if tree.IsUnstored(s.Edges[i]) {
			continue
		}
		s.Tree.Edges.Edge(s.Edges[i]).Child = tree.Dead
		s.Tree.Edges.Refresh(s.Edges[i])
		if s.Tree.Edges.HasBonuses {
			s.Proofs.Ranks.MarkRanksDirty(s.tries[i])
		}
		if s.Tree.Edges.HasFuture(s.tries[i]) {
			return true
		}
		// The trie node above will hold dead in place of this one.
		s.Tree.Edges.DropTrie(s.tries[i])
		if i == base {
			// The top goes on living empty-handed: the next visit looks again.
			s.Tree.Tries(s.node)[s.Tree.RoleOf[i]] = 0
			tree.UpdateSimultaneousFlag(s.Tree, s.node, s.Chance)
		}
	}
	return false
}
