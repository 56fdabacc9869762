package proof

import (
	"semisplit/search/tree"
	"slices"
)

// ChildSet is what a node and its children are, as a proof sees them: how many
// moves each role has, and which joint moves have a child. Scratch of a tree.
type ChildSet struct {
	tree   *tree.Tree
	chance []bool // roles that move at random

	moves    []int    // by role: moves that are known
	open     []int    // by role: prefixes and semimoves that may lead to more, and one for a list that was cut
	choosers int      // roles that have, or may have, more than one move
	mover    int      // the last of these
	Children []uint32 // nodes that stand below
	places   []uint32 // child nodes, aliases if it is by them; their leaves say by which joint move

	groups    []child
	low, high []uint8
}

// child is a child, under the leaf of a role.
type child struct{ leaf, child uint32 }

// gatherMoves counts the moves of a node. False: they are not known.
func (f *ChildSet) gatherMoves(n uint32) bool {
	f.moves, f.open = f.moves[:0], f.open[:0]
	f.choosers, f.mover = 0, 0
	partial := f.tree.Node(n).Flags&tree.FlagPartial != 0
	for r, trie := range f.tree.Tries(n) {
		moves, open := 1, 0
		switch {
		case trie == 0:
			return false
		case !tree.IsForced(trie):
			moves, open = f.countMoves(trie, f.tree.Levels[r])
		}
		if partial && moves+open > 1 {
			open++ // what was never offered
		}
		f.moves, f.open = append(f.moves, moves), append(f.open, open)
		if moves != 1 || open > 0 {
			f.choosers++
			f.mover = r
		}
	}
	return true
}

// Gather looks at a node and its children. False: its moves are not known.
func (f *ChildSet) Gather(n uint32) bool {
	f.Children, f.places = f.Children[:0], f.places[:0]
	if !f.gatherMoves(n) {
		return false
	}
	f.tree.EachChild(n, func(c uint32) {
		if x := f.tree.Resolve(c); x != 0 {
			f.Children, f.places = append(f.Children, x), append(f.places, c)
		}
	})
	return true
}

// countMoves counts the moves of a trie node with so many levels, and the
// semimoves that may lead to more.
func (f *ChildSet) countMoves(trie uint32, levels int) (moves, open int) {
	open = int(f.tree.Edges.Left(trie))
	if levels == 1 {
		return int(f.tree.Edges.Opened(trie)), open
	}
	f.tree.Edges.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
		switch e.Child {
		case tree.Dead:
		case 0:
			open++
		default:
			m, o := f.countMoves(e.Child, levels-1)
			moves, open = moves+m, open+o
		}
		return true
	})
	return moves, open
}

// Sole is the role that moves, if one alone has a choice and it is a player; with
// none, any stands for it. Else the roles choose together, or chance does.
func (f *ChildSet) Sole() (role int, ok bool) {
	return f.mover, f.choosers == 0 || f.choosers == 1 && !f.chance[f.mover]
}

// knowsAll tells whether so many children are those of all joint moves.
func (f *ChildSet) knowsAll(children int) bool {
	all := 1
	for r, moves := range f.moves {
		if f.open[r] > 0 {
			return false
		}
		all = min(all*moves, Infinite)
	}
	return children >= all
}

// missing is the number of joint moves that have no child, as far as they are
// known: at least one if there may be any.
func (f *ChildSet) missing() int {
	all, open := 1, false
	for r, moves := range f.moves {
		all = min(all*moves, Infinite)
		open = open || f.open[r] > 0
	}
	if n := all - len(f.Children); n > 0 || !open {
		return max(n, 0)
	}
	return 1
}

// MissingSole is missing where one role moves: every prefix and semimove that
// may lead to more counts as one.
func (f *ChildSet) MissingSole(mover int) int {
	return max(f.moves[mover]-len(f.Children), 0) + f.open[mover]
}

// others is the number of joint moves of all roles but one, and whether no
// more are possible.
func (f *ChildSet) others(role int) (n int, complete bool) {
	n, complete = 1, true
	for r, moves := range f.moves {
		if r != role {
			n = min(n*moves, Infinite)
			complete = complete && f.open[r] == 0
		}
	}
	return n, complete
}

// groupBy sorts the children by the leaves of a role.
func (f *ChildSet) groupBy(role int) []child {
	f.groups = f.groups[:0]
	for i, c := range f.Children {
		f.groups = append(f.groups, child{f.tree.LastEdges(f.places[i])[role], c})
	}
	slices.SortFunc(f.groups, func(a, b child) int { return int(int64(a.leaf) - int64(b.leaf)) })
	return f.groups
}

// nextGroup cuts the first group off: the children under one leaf.
func nextGroup(groups []child) (first, rest []child) {
	n := 1
	for n < len(groups) && groups[n].leaf == groups[0].leaf {
		n++
	}
	return groups[:n], groups[n:]
}
