package joint

import (
	"math"
	"slices"

	"semisplit/search/encoding"
	"semisplit/search/internal/random"
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
	// others found; beyond, it takes their results in nodes of which it has all, and goes on to give.
	excessShare = 8
)

// part is the part of the memory for the joint statistics.
const part = 16

// Memory deals a bound on memory out: to the joint statistics, and to each of so many
// trees.
func Memory(bound int64, trees int) (statistics, tree int64) {
	return bound / part, bound * (part - 1) / part * excessShare / (excessShare + 1) / int64(trees)
}

// Member is a tree's part in the joint statistics.
type Member struct {
	Due int // iterations of this search at which the tree exchanges

	tree      *tree.Tree
	encodings []encoding.Moves
	chance    []bool // roles that move at random
	rng       *random.Source
	joint     *Statistics
	index     int // among the trees

	joined tree.Rows[uint32] // beside nodes: the joint node that has counted their visits; 0: none

	floor     uint32   // visits from which on nodes are exchanged
	semimoves []uint32 // scratch
	leaves    []uint32 // scratch
}

// NewMember joins a tree, which is the one with this index. rng is of the tree.
func NewMember(j *Statistics, index int, t *tree.Tree, encodings []encoding.Moves, chance []bool, rng *random.Source) *Member {
	m := &Member{tree: t, encodings: encodings, chance: chance, rng: rng, joint: j, index: index}
	tree.AddRows(&t.Edges.Memory, &m.joined, 1, func(n uint32) { m.joined.Of(n)[0] = 0 })
	return m
}

// Trees is the number of trees that are joined.
func (m *Member) Trees() int { return m.joint.trees }

// Exchange makes the tree's statistics near the root the joint ones, after so many
// iterations of a search.
func (m *Member) Exchange(done int) {
	t := m.tree
	if t.Root == 0 {
		return
	}
	m.joint.mu.Lock()
	defer m.joint.mu.Unlock()
	visits := max(t.Node(t.Root).Visits, m.joint.top.visits)
	m.floor = max(visits/visitsPerShared, leastShared)
	m.exchange(m.joint.top, t.Root)
	m.Due = done + max(int(visits)/visitsPerDue, leastDue)
}

// exchange exchanges a node and what is below it, unless nothing has changed.
func (m *Member) exchange(at *node, n uint32) {
	nd, v := m.tree.Node(n), &at.views[m.index]
	switch {
	case nd.Flags&tree.FlagTerminal != 0:
		return
	case v.node != n || m.joined.Of(n)[0] != at.name:
		if !m.join(at, n) {
			return
		}
	case nd.Visits == v.visits && at.visits == v.visits:
		return
	}
	m.push(at, n)
	if of := &m.tree.Edges.Memory; of.Bytes < of.Limit+of.Limit/excessShare || m.holds(at, n) {
		m.pull(at, n)
	}
	if nd.Children > 0 {
		m.below(at, n, at.tries[nd.Key], int(nd.Key), m.tree.Levels[nd.Key])
	}
}

// join makes a node of the tree the one of a joint node. With transpositions it may come from
// another place, as when an alias becomes the root. What several trees have exchanged there
// comes with the first of them, and what a tree had counted there is counted here. Where that
// is not known any more, the root joins as if nothing had been exchanged, for without it the
// trees would go on alone; a node below it does not join.
func (m *Member) join(at *node, n uint32) bool {
	joined := &m.joined.Of(n)[0]
	past := m.joint.past[*joined]
	if past == nil || past.views[m.index].node != n {
		if *joined != 0 && n != m.tree.Root {
			return false
		}
		*joined, at.views[m.index] = at.name, nodeView{node: n}
		for _, trie := range at.tries {
			trie.forget(m.index)
		}
		return true
	}
	*joined = at.name
	if !slices.Contains(at.brought, past.name) {
		m.joint.bring(past, at)
	}
	at.views[m.index] = past.views[m.index]
	for r, trie := range at.tries {
		trie.inherit(past.tries[r], m.index)
	}
	return true
}

// push adds to a node what the tree has learned there.
func (m *Member) push(at *node, n uint32) {
	nd, v := m.tree.Node(n), &at.views[m.index]
	at.visits += nd.Visits - v.visits
	at.shared |= nd.Flags & (tree.FlagShared | tree.FlagPartial)
	v.visits = nd.Visits
	for r, trie := range m.tree.Tries(n) {
		if trie != 0 {
			m.pushTrie(at, &at.tries[r], n, r, trie, m.tree.Levels[r])
		}
	}
}

func (m *Member) pushTrie(at *node, of **trieNode, n uint32, role int, trie uint32, levels int) {
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
			e = m.tree.ForcedEdge(n, role)
		default:
			e = *m.tree.Edges.Edge(known.id)
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
func (m *Member) alive(role int, trie uint32) []uint32 {
	m.semimoves = m.semimoves[:0]
	if tree.IsForced(trie) {
		m.semimoves = append(m.semimoves, m.tree.Semimove(trie))
	} else {
		m.tree.Edges.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
			if e.Child != tree.Dead {
				m.semimoves = append(m.semimoves, e.Semimove)
			}
			return true
		})
		m.semimoves = m.tree.Edges.UntriedOf(trie, m.semimoves)
	}
	for i, x := range m.semimoves {
		m.semimoves[i] = m.label(role, x)
	}
	return m.semimoves
}

// label is the joint label for one of the tree. Whole moves are numbered as
// they are met.
func (m *Member) label(role int, x uint32) uint32 {
	if whole := m.joint.wholes[role]; whole != nil {
		return whole.Number(m.encodings[role].Whole.Path(x))
	}
	return x
}

// toLocal is the tree's label for a joint one.
func (m *Member) toLocal(role int, x uint32) uint32 {
	if whole := m.joint.wholes[role]; whole != nil {
		return m.encodings[role].Whole.Number(whole.Path(x))
	}
	return x
}

// refreshView brings the tree's view of a trie node up to date.
func (m *Member) refreshView(of *trieNode, role int, trie uint32) *trieView {
	v := &of.views[m.index]
	if v.trie != trie {
		of.forget(m.index)
		v.trie = trie
	}
	if tree.IsForced(trie) {
		if i, ok := of.place(m.label(role, m.tree.Semimove(trie))); ok {
			v.edges[i].id = trie
		}
		return v
	}
	if count := m.tree.Edges.Opened(trie); v.count != count {
		v.count = count
		m.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
			if i, ok := of.place(m.label(role, e.Semimove)); ok {
				v.edges[i].id = id
			}
			return true
		})
	}
	return v
}

// holds tells whether the tree has all that was visited in a node, so that the joint statistics
// take no memory.
func (m *Member) holds(at *node, n uint32) bool {
	for r, of := range at.tries {
		if of != nil && of.visited() && !m.holdsTrie(of, r, m.tree.Tries(n)[r], m.tree.Levels[r]) {
			return false
		}
	}
	return true
}

func (m *Member) holdsTrie(of *trieNode, role int, trie uint32, levels int) bool {
	if trie == 0 || trie == tree.Dead {
		return trie == tree.Dead
	}
	v := m.refreshView(of, role, trie)
	for i := range of.edges {
		sum, id := &of.edges[i], v.edges[i].id
		switch {
		case sum.visits == 0:
		case id == 0:
			return false
		case levels > 1 && !tree.IsForced(id) && sum.below != nil && !m.holdsTrie(sum.below, role, m.tree.Edges.Edge(id).Child, levels-1):
			return false
		}
	}
	return true
}

// pull makes the joint statistics of a node the tree's.
func (m *Member) pull(at *node, n uint32) {
	nd, v := m.tree.Node(n), &at.views[m.index]
	nd.Flags |= at.shared
	if nd.Visits == at.visits {
		return
	}
	nd.Visits, v.visits = at.visits, at.visits
	for r, of := range at.tries {
		if of != nil && of.visited() {
			m.pullTrie(of, n, r, &m.tree.Tries(n)[r], m.tree.Levels[r])
		}
	}
	tree.UpdateSimultaneousFlag(m.tree, n, m.chance)
}

func (m *Member) pullTrie(of *trieNode, n uint32, role int, link *uint32, levels int) {
	t := m.tree
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
			known.id = t.Edges.OpenThis(*link, m.toLocal(role, sum.semimove))
			v.count = t.Edges.Opened(*link)
		}
		switch {
		case known.id == 0:
			continue
		case tree.IsForced(known.id):
			t.Node(n).Sums[role] = sum.sum
		default:
			e := t.Edges.Edge(known.id)
			if e.Child == tree.Dead && levels > 1 {
				continue
			}
			e.Visits = sum.visits
			e.SetSum(sum.sum)
			t.Edges.Refresh(known.id)
			if levels > 1 && sum.below != nil {
				m.pullTrie(sum.below, n, role, &e.Child, levels-1)
			}
		}
		known.visits, known.sum = sum.visits, sum.sum
	}
}

// expand makes a trie node that another tree has. One of the semimoves that were
// taken there becomes its first edge.
func (m *Member) expand(of *trieNode, n uint32, role int, link *uint32, levels int) {
	t := m.tree
	offers := m.semimoves[:0]
	for _, e := range of.edges {
		offers = append(offers, m.toLocal(role, e.semimove))
	}
	m.semimoves = offers
	if levels == t.Levels[role] && t.MayForce(n, role, offers) {
		*link = tree.Forced | offers[0]
		return
	}
	for i, e := range of.edges {
		if e.visits > 0 {
			offers[0], offers[i] = offers[i], offers[0]
			break
		}
	}
	for i := len(offers) - 1; i > 1; i-- {
		j := 1 + m.rng.Below(uint32(i))
		offers[i], offers[j] = offers[j], offers[i]
	}
	*link, _ = t.Edges.NewTrie(offers, true)
}

// below exchanges the children on the edges of a trie node of the role that
// holds them.
func (m *Member) below(at *node, n uint32, of *trieNode, role, levels int) {
	if of == nil {
		return
	}
	t := m.tree
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
		for c := t.Edges.Edge(id).Child; c != 0; c = t.Node(c).Next {
			if t.IsAlias(c) { // the state is exchanged in its own place
				continue
			}
			if to := m.counterpart(at, c, role, of.edges[i].number); to != nil {
				m.exchange(to, c)
			}
		}
	}
}

// counterpart is the joint node for a child of the tree's node of at, which
// hangs on the edge of a role with that number; nil: it is not to be exchanged.
func (m *Member) counterpart(at *node, c uint32, role int, number uint32) *node {
	m.leaves = m.leaves[:0]
	for r, id := range m.tree.LastEdges(c) {
		if r == role {
			m.leaves = append(m.leaves, number)
			continue
		}
		other := at.tries[r].numberOf(m.index, id, m.tree.Levels[r])
		if other == math.MaxUint32 {
			return nil
		}
		m.leaves = append(m.leaves, other)
	}
	to, nd := at.child(m.leaves), m.tree.Node(c)
	switch enough := nd.Visits >= m.floor; {
	case to != nil && (enough || to.visits >= m.floor):
		return to
	case to != nil || !enough || nd.Flags&tree.FlagTerminal != 0 || m.joint.isFull():
		return nil
	}
	to = m.joint.newNode(m.leaves)
	at.adopt(to)
	return to
}

// numberOf is the number of the last edge that a tree calls id; math.MaxUint32
// if it is not there.
func (t *trieNode) numberOf(mc int, id uint32, levels int) uint32 {
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
