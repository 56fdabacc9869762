package tree

// IsAlias says whether a node is an alias.
func (s *Tree) IsAlias(n uint32) bool { return s.nodes.At(n).Flags&FlagAlias != 0 }

// Target is the node that an alias stands for; 0 if that is gone.
func (x *Index) Target(a uint32) uint32 { return x.tree.nodes.At(a).state }

// Resolve is the node that stands at a place; 0 if it is gone.
func (s *Tree) Resolve(n uint32) uint32 {
	if n != 0 && s.IsAlias(n) {
		return s.Index.Target(n)
	}
	return n
}

// newAlias makes an alias of a node in the tree, which is linked to no parent
// yet; 0 when memory is out.
func (x *Index) newAlias(target uint32) uint32 {
	t := x.tree.nodes.At(target)
	t.Virtual++ // keeps it from the sweep
	a := x.tree.takeNode(false)
	t.Virtual--
	if a == 0 {
		return 0
	}
	x.tree.nodes.At(a).Flags = FlagUsed | FlagAlias
	x.crossings.At(a).epoch = x.epoch
	x.tree.Live++
	x.tree.Created++
	x.Aliases++
	x.linkAlias(a, target)
	return a
}

// linkAlias makes an alias stand for a node.
func (x *Index) linkAlias(a, target uint32) {
	t, c := x.crossings.At(target), x.crossings.At(a)
	if t.first != 0 {
		x.crossings.At(t.first).hash = a
	}
	c.hash, c.next, t.first = 0, t.first, a
	x.tree.nodes.At(a).state = target
	x.tree.nodes.At(target).Flags |= FlagShared
}

// unlinkAlias makes an alias stand for nothing.
func (x *Index) unlinkAlias(a uint32) {
	target := x.Target(a)
	if target == 0 {
		return
	}
	c := x.crossings.At(a)
	if c.hash == 0 {
		x.crossings.At(target).first = c.next
	} else {
		x.crossings.At(c.hash).next = c.next
	}
	if c.next != 0 {
		x.crossings.At(c.next).hash = c.hash
	}
	c.hash, c.next = 0, 0
	x.tree.nodes.At(a).state = 0
}

// AliasToNode makes an alias that stands for nothing the node of a state; false when
// memory is out.
func (x *Index) AliasToNode(a uint32, state []uint64, hash uint32) bool {
	nd := x.tree.nodes.At(a)
	nd.Virtual++ // keeps it from the sweep
	first, ok := x.tree.Edges.cells.add(state, false)
	nd.Virtual--
	if ok {
		nd.state, nd.words, nd.Flags = first, uint32(len(state)), nd.Flags&^FlagAlias
		x.Insert(a, hash)
	}
	return ok
}

// InTree says whether a node is in the tree and not in a discarded part.
func (x *Index) InTree(n uint32) bool {
	top := n
	for top != x.tree.Root && x.crossings.At(top).epoch != x.epoch {
		nd := x.tree.nodes.At(top)
		if nd.Flags&FlagDiscarded != 0 || nd.parent == 0 {
			return false
		}
		top = nd.parent
	}
	for ; n != top; n = x.tree.nodes.At(n).parent {
		x.crossings.At(n).epoch = x.epoch
	}
	return true
}

// detach takes a node, with what is below it, out of its place: from its parent
// or from the discard list.
func (s *Tree) detach(n uint32) {
	nd := s.nodes.At(n)
	switch {
	case nd.Flags&FlagDiscarded != 0:
		before := nd.parent
		if before == 0 {
			s.discarded = nd.Next
		} else {
			s.nodes.At(before).Next = nd.Next
		}
		if nd.Next != 0 {
			s.nodes.At(nd.Next).parent = before
		}
		nd.Flags &^= FlagDiscarded
		nd.parent, nd.Next = 0, 0
	case nd.parent != 0:
		s.orphan(n)
	}
}

// TakePlace moves a node of a discarded part, with what is below it, to the
// place of one of its aliases in the tree, which is no more then.
func (x *Index) TakePlace(n, a uint32) {
	x.tree.detach(n)
	parent := x.tree.nodes.At(a).parent
	leaves := x.tree.LastEdges(a)
	link := &x.tree.Edges.Edge(leaves[x.tree.nodes.At(parent).Key]).Child
	for *link != a {
		link = &x.tree.nodes.At(*link).Next
	}
	nd := x.tree.nodes.At(n)
	nd.parent, nd.Next, *link = parent, x.tree.nodes.At(a).Next, n
	copy(x.tree.LastEdges(n), leaves)
	x.crossings.At(n).epoch = x.epoch
	x.Moved++
	x.tree.free(a)
}

// reattach moves a node that is to be reclaimed to an alias in the tree, if it
// has one that no lane is about to enter.
func (x *Index) reattach(n uint32) bool {
	for a := x.crossings.At(n).first; a != 0; a = x.crossings.At(a).next {
		if x.InTree(a) && !x.tree.approached(a) {
			x.TakePlace(n, a)
			return true
		}
	}
	return false
}

// leaveIndex undoes what links a node to others by its state, before it is freed.
func (x *Index) leaveIndex(n uint32) {
	switch nd := x.tree.nodes.At(n); {
	case nd.Flags&FlagAlias != 0:
		x.unlinkAlias(n)
		return
	case nd.Flags&FlagTerminal == 0:
		x.remove(n)
	}
	for a := x.crossings.At(n).first; a != 0; a = x.crossings.At(n).first {
		x.unlinkAlias(a)
	}
}

// Transpose gives the state with the node n a further place below a parent, and
// returns what is there then: an alias, or n itself if it was in no other place; 0 when
// memory is out. alias stands for nothing, and is in the place; 0: nothing is there.
func (x *Index) Transpose(parent uint32, leaves []uint32, alias, n uint32) uint32 {
	switch kept := x.InTree(n); {
	case alias != 0:
		if x.linkAlias(alias, n); !kept {
			x.TakePlace(n, alias)
			return n
		}
	case kept:
		if alias = x.newAlias(n); alias != 0 {
			x.tree.Adopt(parent, alias, leaves)
		}
	default:
		x.tree.detach(n)
		x.tree.nodes.At(n).Flags |= FlagShared
		x.tree.Adopt(parent, n, leaves)
		x.crossings.At(n).epoch = x.epoch
		return n
	}
	return alias
}

// EachIndexed calls visit with each node in the index.
func (x *Index) EachIndexed(visit func(n uint32)) {
	for _, n := range x.buckets {
		for ; n != 0; n = x.crossings.At(n).next {
			visit(n)
		}
	}
}
