package mcts

import (
	"math"

	"semisplit/search/tree"
)

// The trees of a forest exchange what they know near the root (slow tree
// parallelisation: Gelly et al., The Parallelization of Monte-Carlo Planning,
// 2008; Bourki et al., Scalability and Parallelization of Monte-Carlo Tree
// Search, 2010). A tree that exchanges adds what it has learned since to the
// joint statistics, node by node from the root, and takes their sums in
// place of its own: its nodes and edges then have the visits and the sums of
// goals of all trees. So selection, roll-up, final choice and principal line go by
// what all know, and need not know of it. Trees exchange when they come to it;
// none waits for another.
const (
	// A tree exchanges after one iteration of its own for each so many visits
	// of the root, but not more often than every leastDue iterations.
	visitsPerDue = 64
	leastDue     = 16
	// Nodes are exchanged from one visit for each so many of the root on, but
	// not with fewer than leastShared.
	visitsPerShared = 512
	leastShared     = 8
	// A tree may pass its bound on memory by one part in so many for what
	// others found; beyond, it takes no more of them, but goes on to give.
	excessShare = 8
)

// member is a tree's part in a forest.
type member struct {
	t     *searcher
	joint *joint
	index int // among the trees
	due   int // iterations of this search at which the tree exchanges

	floor     uint32 // visits from which on nodes are exchanged
	semimoves []uint32
	leaves    []uint32
}

// exchange makes the tree's statistics near the root the joint ones.
func (m *member) exchange() {
	t := m.t
	if t.Root == 0 {
		return
	}
	m.joint.mu.Lock()
	defer m.joint.mu.Unlock()
	visits := max(t.Node(t.Root).Visits, m.joint.top.visits)
	m.floor = max(visits/visitsPerShared, leastShared)
	m.node(m.joint.top, t.Root)
	m.due = t.done + max(int(visits)/visitsPerDue, leastDue)
}

// node exchanges a node and what is below it, unless nothing has changed.
func (m *member) node(at *jointNode, n uint32) {
	nd, v := m.t.Node(n), &at.views[m.index]
	switch {
	case nd.Flags&tree.FlagTerminal != 0:
		return
	case nd.Flags&tree.FlagJoint == 0:
		nd.Flags |= tree.FlagJoint
		*v = nodeView{node: n}
		for _, trie := range at.tries {
			trie.forget(m.index)
		}
	case v.node != n:
		return // counted elsewhere
	}
	if nd.Visits == v.visits && at.visits == v.visits {
		return
	}
	m.push(at, n)
	if t := m.t; t.Bytes < t.Limit+t.Limit/excessShare {
		m.pull(at, n)
	}
	if nd.Children > 0 {
		m.below(at, n, at.tries[nd.Key], int(nd.Key), m.t.Levels[nd.Key])
	}
}

// push adds to a node what the tree has learned there.
func (m *member) push(at *jointNode, n uint32) {
	nd, v := m.t.Node(n), &at.views[m.index]
	at.visits += nd.Visits - v.visits
	at.shared |= nd.Flags & tree.FlagShared
	v.visits = nd.Visits
	for r, trie := range m.t.Tries(n) {
		if trie != 0 {
			m.pushTrie(at, &at.tries[r], n, r, trie, m.t.Levels[r])
		}
	}
}

func (m *member) pushTrie(at *jointNode, of **jointTrie, n uint32, role int, trie uint32, levels int) {
	if *of == nil {
		*of = m.joint.newTrie(at, m.alive(role, trie))
	}
	v := m.refreshView(*of, role, trie)
	for i := range v.edges {
		known, e := &v.edges[i], tree.Edge{}
		switch {
		case known.id == 0:
			continue
		case tree.IsForced(known.id):
			e = m.t.ForcedEdge(n, role)
		default:
			e = *m.t.Edge(known.id)
		}
		if e.Visits <= known.visits {
			continue
		}
		sum := &(*of).edges[i]
		sum.visits += e.Visits - known.visits
		sum.sum += e.Sum() - known.sum
		known.visits, known.sum = e.Visits, e.Sum()
		if levels > 1 && e.Child != 0 && e.Child != tree.Dead {
			m.pushTrie(at, &sum.below, n, role, e.Child, levels-1)
		}
	}
}

// alive are the joint labels of the semimoves of a trie node that may lead
// somewhere. The slice is good until the next call.
func (m *member) alive(role int, trie uint32) []uint32 {
	m.semimoves = m.semimoves[:0]
	if tree.IsForced(trie) {
		m.semimoves = append(m.semimoves, m.t.Semimove(trie))
	} else {
		m.t.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
			if e.Child != tree.Dead {
				m.semimoves = append(m.semimoves, e.Semimove)
			}
			return true
		})
		m.semimoves = m.t.UntriedOf(trie, m.semimoves)
	}
	for i, x := range m.semimoves {
		m.semimoves[i] = m.label(role, x)
	}
	return m.semimoves
}

// label is the joint label for one of the tree. Whole moves are numbered as
// they are met.
func (m *member) label(role int, x uint32) uint32 {
	if whole := m.joint.wholes[role]; whole != nil {
		return whole.Number(m.t.encodings[role].Whole.Path(x))
	}
	return x
}

// toLocal is the tree's label for a joint one.
func (m *member) toLocal(role int, x uint32) uint32 {
	if whole := m.joint.wholes[role]; whole != nil {
		return m.t.encodings[role].Whole.Number(whole.Path(x))
	}
	return x
}

// refreshView brings the tree's view of a trie node up to date.
func (m *member) refreshView(of *jointTrie, role int, trie uint32) *trieView {
	v := &of.views[m.index]
	if v.trie != trie {
		of.forget(m.index)
		v.trie = trie
	}
	if tree.IsForced(trie) {
		if i, ok := of.place(m.label(role, m.t.Semimove(trie))); ok {
			v.edges[i].id = trie
		}
		return v
	}
	if count := m.t.Opened(trie); v.count != count {
		v.count = count
		m.t.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
			if i, ok := of.place(m.label(role, e.Semimove)); ok {
				v.edges[i].id = id
			}
			return true
		})
	}
	return v
}

// pull makes the joint statistics of a node the tree's.
func (m *member) pull(at *jointNode, n uint32) {
	nd, v := m.t.Node(n), &at.views[m.index]
	nd.Flags |= at.shared
	if nd.Visits == at.visits {
		return
	}
	nd.Visits, v.visits = at.visits, at.visits
	for r, of := range at.tries {
		if of != nil && of.visited() {
			m.pullTrie(of, n, r, &m.t.Tries(n)[r], m.t.Levels[r])
		}
	}
	m.t.updateSimultaneousFlag(n)
}

func (m *member) pullTrie(of *jointTrie, n uint32, role int, link *uint32, levels int) {
	t := m.t
	if *link == 0 {
		m.expand(of, n, role, link, levels)
	}
	if *link == tree.Dead || *link == 0 {
		return
	}
	v := m.refreshView(of, role, *link)
	for i := range of.edges {
		sum, known := &of.edges[i], &v.edges[i]
		if sum.visits == known.visits {
			continue
		}
		if known.id == 0 && !tree.IsForced(*link) {
			known.id = t.OpenThis(*link, m.toLocal(role, sum.semimove))
			v.count = t.Opened(*link)
		}
		switch {
		case known.id == 0:
			continue
		case tree.IsForced(known.id):
			t.Node(n).Sums[role] = sum.sum
		default:
			e := t.Edge(known.id)
			if e.Child == tree.Dead && levels > 1 {
				continue
			}
			e.Visits = sum.visits
			e.SetSum(sum.sum)
			t.Refresh(known.id)
			if levels > 1 && sum.below != nil {
				m.pullTrie(sum.below, n, role, &e.Child, levels-1)
			}
		}
		known.visits, known.sum = sum.visits, sum.sum
	}
}

// expand makes a trie node that another tree has. One of the semimoves that were
// taken there becomes its first edge.
func (m *member) expand(of *jointTrie, n uint32, role int, link *uint32, levels int) {
	t, w := m.t, m.t.worker
	w.offers = w.offers[:0]
	for _, e := range of.edges {
		w.offers = append(w.offers, m.toLocal(role, e.semimove))
	}
	if levels == t.Levels[role] && t.MayForce(n, role, w.offers) {
		*link = tree.Forced | w.offers[0]
		return
	}
	for i, e := range of.edges {
		if e.visits > 0 {
			w.offers[0], w.offers[i] = w.offers[i], w.offers[0]
			break
		}
	}
	for i := len(w.offers) - 1; i > 1; i-- {
		j := 1 + w.rng.Below(uint32(i))
		w.offers[i], w.offers[j] = w.offers[j], w.offers[i]
	}
	*link, _ = t.NewTrie(w.offers, true)
}

// below exchanges the children on the edges of a trie node of the role that
// holds them.
func (m *member) below(at *jointNode, n uint32, of *jointTrie, role, levels int) {
	if of == nil {
		return
	}
	t := m.t
	v := &of.views[m.index]
	for i := range of.edges {
		id := v.edges[i].id
		if id == 0 || of.edges[i].visits < m.floor {
			continue
		}
		if levels > 1 {
			m.below(at, n, of.edges[i].below, role, levels-1)
			continue
		}
		for c := t.Edge(id).Child; c != 0; c = t.Node(c).Next {
			if t.IsAlias(c) { // the state is exchanged in its own place
				continue
			}
			if to := m.counterpart(at, c, role, of.edges[i].number); to != nil {
				m.node(to, c)
			}
		}
	}
}

// counterpart is the joint node for a child of the tree's node of at, which
// hangs on the edge of a role with that number; nil: it is not to be exchanged.
func (m *member) counterpart(at *jointNode, c uint32, role int, number uint32) *jointNode {
	m.leaves = m.leaves[:0]
	for r, id := range m.t.LastEdges(c) {
		if r == role {
			m.leaves = append(m.leaves, number)
			continue
		}
		other := at.tries[r].numberOf(m.index, id, m.t.Levels[r])
		if other == math.MaxUint32 {
			return nil
		}
		m.leaves = append(m.leaves, other)
	}
	to, nd := at.child(m.leaves), m.t.Node(c)
	switch enough := nd.Visits >= m.floor; {
	case to != nil && (enough || to.visits >= m.floor):
		return to
	case to != nil || !enough || nd.Flags&tree.FlagTerminal != 0 || m.joint.edges >= m.joint.limit:
		return nil
	}
	to = m.joint.newNode(m.leaves)
	at.adopt(to)
	return to
}

// numberOf is the number of the last edge that a tree calls id; math.MaxUint32
// if it is not there.
func (t *jointTrie) numberOf(mc int, id uint32, levels int) uint32 {
	if t == nil {
		return math.MaxUint32
	}
	for i := range t.edges {
		if levels > 1 {
			if n := t.edges[i].below.numberOf(mc, id, levels-1); n != math.MaxUint32 {
				return n
			}
		} else if t.views[mc].edges[i].id == id {
			return t.edges[i].number
		}
	}
	return math.MaxUint32
}
