package search

import "slices"

// family is what a node and its children are, as a proof sees them: how many
// moves each role has, and which joint moves have a child. Scratch of a tree.
type family struct {
	moves    []int    // by role: moves that are known
	open     []int    // by role: prefixes and semimoves that may lead to more
	choosers int      // roles that have, or may have, more than one move
	mover    int      // the last of these
	children []uint32 // nodes that stand below
	places   []uint32 // child nodes, aliases if it is by them; their leaves say by which joint move

	groups    []group
	low, high []uint8
	keys      []uint64 // of a trie node, each once, in rising order
	ranks     []uint32 // of these
}

// group is a child, under the leaf of a role.
type group struct{ leaf, child uint32 }

// meetMoves counts the moves of a node. False: they are not known.
func (t *Tree) meetMoves(n uint32) bool {
	f := &t.family
	f.moves, f.open = f.moves[:0], f.open[:0]
	f.choosers, f.mover = 0, 0
	for r, trie := range t.tries(n) {
		moves, open := 1, 0
		switch {
		case trie == 0:
			return false
		case trie&forced == 0:
			moves, open = t.countMoves(trie, t.levels[r])
		}
		f.moves, f.open = append(f.moves, moves), append(f.open, open)
		if moves+open != 1 {
			f.choosers++
			f.mover = r
		}
	}
	return true
}

// meetFamily looks at a node and its children. False: its moves are not known.
func (t *Tree) meetFamily(n uint32) bool {
	f, nd := &t.family, t.nodes.At(n)
	f.children, f.places = f.children[:0], f.places[:0]
	if !t.meetMoves(n) {
		return false
	}
	if nd.children > 0 {
		t.addChildren(t.tries(n)[nd.key], t.levels[nd.key])
	}
	return true
}

// countMoves counts the moves of a trie node with so many levels, and the
// semimoves that may lead to more.
func (s *store) countMoves(trie uint32, levels int) (moves, open int) {
	h := s.chunks.At(trie)
	open = int(h.left)
	if levels == 1 {
		return int(h.count), open
	}
	s.edgesOf(trie, func(_ uint32, e *edge) bool {
		switch e.child {
		case dead:
		case 0:
			open++
		default:
			m, o := s.countMoves(e.child, levels-1)
			moves, open = moves+m, open+o
		}
		return true
	})
	return moves, open
}

func (t *Tree) addChildren(trie uint32, levels int) {
	f := &t.family
	t.edgesOf(trie, func(_ uint32, e *edge) bool {
		switch {
		case levels == 1:
			for c := e.child; c != 0; c = t.nodes.At(c).next {
				if x := t.resolve(c); x != 0 {
					f.children, f.places = append(f.children, x), append(f.places, c)
				}
			}
		case e.child != dead && e.child != 0:
			t.addChildren(e.child, levels-1)
		}
		return true
	})
}

// sole is the role that moves, if one alone has a choice and it is a player; with
// none, any stands for it. Else the roles choose together, or chance does.
func (t *Tree) sole() (role int, ok bool) {
	f := &t.family
	return f.mover, f.choosers == 0 || f.choosers == 1 && !t.options.Chance[f.mover]
}

// missing is the number of joint moves that have no child, as far as they are
// known: at least one if there may be any.
func (f *family) missing() int {
	all, open := 1, false
	for r, moves := range f.moves {
		all = min(all*moves, never)
		open = open || f.open[r] > 0
	}
	if n := all - len(f.children); n > 0 || !open {
		return max(n, 0)
	}
	return 1
}

// missingSole is missing where one role moves: every prefix and semimove that
// may lead to more counts as one.
func (f *family) missingSole(mover int) int {
	return max(f.moves[mover]-len(f.children), 0) + f.open[mover]
}

// others is the number of joint moves of all roles but one, and whether no
// more are possible.
func (f *family) others(role int) (n int, complete bool) {
	n, complete = 1, true
	for r, moves := range f.moves {
		if r != role {
			n = min(n*moves, never)
			complete = complete && f.open[r] == 0
		}
	}
	return n, complete
}

// groupBy sorts the children by the leaves of a role.
func (t *Tree) groupBy(role int) []group {
	f := &t.family
	f.groups = f.groups[:0]
	for i, c := range f.children {
		f.groups = append(f.groups, group{t.leaves(f.places[i])[role], c})
	}
	slices.SortFunc(f.groups, func(a, b group) int { return int(int64(a.leaf) - int64(b.leaf)) })
	return f.groups
}

// nextGroup cuts the first group off: the children under one leaf.
func nextGroup(groups []group) (first, rest []group) {
	n := 1
	for n < len(groups) && groups[n].leaf == groups[0].leaf {
		n++
	}
	return groups[:n], groups[n:]
}
