// Package joint joins trees of the same search near their roots: each goes by what all of
// them have learned there.
package joint

import (
	"slices"
	"sync"

	"semisplit/search/encoding"
	"semisplit/search/internal/hashing"
)

// Statistics are what the trees of a forest know together of the states near the
// root. It holds no tree's numbers of nodes and edges but in the views, one for
// each tree, which also say how much of the tree's statistics it has counted.
type Statistics struct {
	mu     sync.Mutex // guards everything below, and what it points to, while a search runs
	trees  int
	levels []int
	top    *node             // the root of all trees
	wholes []*encoding.Paths // by role: the joint numbers of whole moves; nil: semimoves are labels of the game
	paths  int64             // bytes of those
	edges  int               // held by all nodes
	limit  int               // of edges; there is no new node beyond
	named  uint32            // nodes made, ever

	transposes bool             // in the trees, nodes may move to other places
	past       map[uint32]*node // by name: those of now and of before; with transpositions only
	kept       int              // edges that are held by those of before
}

// node is a nodal state, as all trees know it.
type node struct {
	name     uint32   // a number of its own
	brought  []uint32 // names of nodes whose visits came here with a tree's
	visits   uint32
	shared   uint16             // tree.FlagShared and FlagPartial, if a tree has it
	numbered uint32             // edges in its tries
	views    []nodeView         // by tree
	tries    []*trieNode        // by role; nil: no tree has one
	leaves   []uint32           // by role: number of the parent's last edge
	children map[uint64][]*node // by leavesKey
}

// nodeView is a tree's node of the same state. It is good as long as the tree says that this
// one is where it has joined: see Member.joined.
type nodeView struct{ node, visits uint32 }

// trieNode is a trie node, with an edge for each semimove, in rising order.
type trieNode struct {
	edges []edge
	views []trieView // by tree
}

type edge struct {
	sum      float64
	semimove uint32
	visits   uint32
	number   uint32 // among the edges of the node
	below    *trieNode
}

// trieView is a tree's trie node of the same semimoves.
type trieView struct {
	trie, count uint32     // its name, and its edges when the names below were found
	edges       []edgeView // as trie.edges
}

// edgeView is a tree's edge, 0 if it has none, and how much of it was counted.
type edgeView struct {
	sum        float64
	id, visits uint32
}

// edgeBytes is about what an edge costs with the views of so many trees,
// and its part of what holds it.
func edgeBytes(trees int) int64 { return int64(48 + 24*trees) }

// New makes statistics for so many trees, in so much memory: with transpositions half of it
// is for what Advance has left behind.
func New(trees int, encodings []encoding.Moves, memory int64, transposes bool) *Statistics {
	if transposes {
		memory /= 2
	}
	j := &Statistics{trees: trees, levels: encoding.Levels(encodings), limit: int(memory / edgeBytes(trees)), transposes: transposes}
	for _, s := range encodings {
		var whole *encoding.Paths
		if s.Whole != nil {
			whole = encoding.NewPaths(s.EngineLevels)
			whole.CountTo(func(bytes int64) { j.paths += bytes })
		}
		j.wholes = append(j.wholes, whole)
	}
	j.Clear()
	return j
}

// Clear forgets everything; the roots of the trees must be new.
func (j *Statistics) Clear() {
	j.top, j.edges = j.newNode(nil), 0
	j.past, j.kept = nil, 0
}

func (j *Statistics) newNode(leaves []uint32) *node {
	j.named++
	return &node{
		name: j.named, views: make([]nodeView, j.trees), tries: make([]*trieNode, len(j.levels)), leaves: slices.Clone(leaves),
	}
}

// bring adds to a node what is known of another, of the same state.
func (j *Statistics) bring(past, to *node) {
	to.brought = append(append(to.brought, past.name), past.brought...)
	to.visits += past.visits
	to.shared |= past.shared
	for r, trie := range past.tries {
		j.bringTrie(trie, to, &to.tries[r])
	}
}

func (j *Statistics) bringTrie(past *trieNode, at *node, to **trieNode) {
	if past == nil {
		return
	}
	if *to == nil {
		semimoves := make([]uint32, len(past.edges))
		for i, e := range past.edges {
			semimoves[i] = e.semimove
		}
		*to = j.newTrie(at, semimoves)
	}
	for _, e := range past.edges {
		if i, ok := (*to).place(e.semimove); ok {
			into := &(*to).edges[i]
			into.visits, into.sum = into.visits+e.visits, into.sum+e.sum
			j.bringTrie(e.below, at, &into.below)
		}
	}
}

// newTrie makes a trie node of semimoves, which it sorts.
func (j *Statistics) newTrie(at *node, semimoves []uint32) *trieNode {
	slices.Sort(semimoves)
	t := &trieNode{edges: make([]edge, len(semimoves)), views: make([]trieView, j.trees)}
	for i, x := range semimoves {
		t.edges[i] = edge{semimove: x, number: at.numbered}
		at.numbered++
	}
	for i := range t.views {
		t.views[i].edges = make([]edgeView, len(semimoves))
	}
	j.edges += len(semimoves)
	return t
}

// place is that of a semimove among the edges.
func (t *trieNode) place(semimove uint32) (int, bool) {
	return slices.BinarySearchFunc(t.edges, semimove, func(e edge, x uint32) int {
		return int(int64(e.semimove) - int64(x))
	})
}

func (t *trieNode) visited() bool {
	return slices.ContainsFunc(t.edges, func(e edge) bool { return e.visits > 0 })
}

// forget makes a view of a tree's trie nodes empty.
func (t *trieNode) forget(mc int) {
	if t == nil {
		return
	}
	v := &t.views[mc]
	v.trie, v.count = 0, 0
	clear(v.edges)
	for i := range t.edges {
		t.edges[i].below.forget(mc)
	}
}

// inherit makes a tree's view of a trie node, of which it had none, the one of another with
// the same semimoves.
func (t *trieNode) inherit(past *trieNode, mc int) {
	t.forget(mc)
	if t == nil || past == nil {
		return
	}
	from, v := &past.views[mc], &t.views[mc]
	v.trie, v.count = from.trie, from.count
	for i, e := range past.edges {
		if k, ok := t.place(e.semimove); ok {
			v.edges[k] = from.edges[i]
			t.edges[k].below.inherit(e.below, mc)
		}
	}
}

func leavesKey(leaves []uint32) uint64 {
	key := uint64(0)
	for _, x := range leaves {
		key = hashing.Of(key ^ uint64(x))
	}
	return key
}

// child is the node below these edges; nil: there is none.
func (n *node) child(leaves []uint32) *node {
	for _, c := range n.children[leavesKey(leaves)] {
		if slices.Equal(c.leaves, leaves) {
			return c
		}
	}
	return nil
}

func (n *node) adopt(child *node) {
	if n.children == nil {
		n.children = map[uint64][]*node{}
	}
	key := leavesKey(child.leaves)
	n.children[key] = append(n.children[key], child)
}

// Advance makes the node after a joint move the top. What lies beside it is
// forgotten, with transpositions when that has become too much: till then
// nodes may come from there. encodings are those of any of the trees.
func (j *Statistics) Advance(joint []uint32, encodings []encoding.Moves) {
	if j.past == nil || j.kept+j.edges > j.limit {
		j.past, j.kept = map[uint32]*node{}, 0
	}
	if j.transposes {
		j.top.list(j.past)
	}
	past, kept, edges, next := j.past, j.kept, j.edges, j.after(joint, encodings)
	if j.Clear(); next != nil {
		j.top, j.edges = next, next.count()
	}
	if j.past = past; j.transposes {
		j.kept = kept + edges - j.edges
	}
}

// list puts a node and what is below it into a map, by name.
func (n *node) list(into map[uint32]*node) {
	into[n.name] = n
	for _, list := range n.children {
		for _, c := range list {
			c.list(into)
		}
	}
}

func (j *Statistics) after(joint []uint32, encodings []encoding.Moves) *node {
	var leaves []uint32
	for r := range encodings {
		s := &encodings[r]
		if len(joint) < s.EngineLevels {
			return nil
		}
		var labels []uint32
		known := true
		if j.wholes[r] != nil {
			var n uint32
			n, known = j.wholes[r].Find(joint[:s.EngineLevels])
			labels = []uint32{n}
		} else {
			labels, known = s.Labels(joint[:s.EngineLevels])
		}
		leaf, found := j.top.tries[r].leaf(labels)
		if !known || !found {
			return nil
		}
		leaves, joint = append(leaves, leaf), joint[s.EngineLevels:]
	}
	return j.top.child(leaves)
}

// leaf is the number of the last edge of a path.
func (t *trieNode) leaf(labels []uint32) (number uint32, found bool) {
	for _, x := range labels {
		if t == nil {
			return 0, false
		}
		i, ok := t.place(x)
		if !ok {
			return 0, false
		}
		number, t = t.edges[i].number, t.edges[i].below
	}
	return number, true
}

// count is the number of edges of a node and of what is below it.
func (n *node) count() int {
	edges := int(n.numbered)
	for _, list := range n.children {
		for _, c := range list {
			edges += c.count()
		}
	}
	return edges
}

// Bytes is about the memory that is held.
func (j *Statistics) Bytes() int64 { return int64(j.edges+j.kept)*edgeBytes(j.trees) + j.paths }

// isFull says whether there is no room for another node.
func (j *Statistics) isFull() bool { return j.edges+int(j.paths/edgeBytes(j.trees)) >= j.limit }
