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
	edges  int               // held by all nodes
	limit  int               // of edges; there is no new node beyond
}

// node is a nodal state, as all trees know it.
type node struct {
	visits   uint32
	shared   uint16             // tree.FlagShared, if a tree has it
	numbered uint32             // edges in its tries
	views    []nodeView         // by tree
	tries    []*trieNode        // by role; nil: no tree has one
	leaves   []uint32           // by role: number of the parent's last edge
	children map[uint64][]*node // by leavesKey
}

// nodeView is a tree's node of the same state. It is good as long as that has
// tree.FlagJoint: a node that is made anew has not.
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

// New makes statistics for so many trees, in so much memory.
func New(trees int, encodings []encoding.Moves, memory int64) *Statistics {
	j := &Statistics{trees: trees, levels: encoding.Levels(encodings), limit: int(memory / edgeBytes(trees))}
	for _, s := range encodings {
		var whole *encoding.Paths
		if s.Whole != nil {
			whole = encoding.NewPaths(s.EngineLevels)
		}
		j.wholes = append(j.wholes, whole)
	}
	j.Clear()
	return j
}

// Clear forgets everything; the roots of the trees must be new.
func (j *Statistics) Clear() {
	j.top, j.edges = j.newNode(nil), 0
}

func (j *Statistics) newNode(leaves []uint32) *node {
	return &node{
		views: make([]nodeView, j.trees), tries: make([]*trieNode, len(j.levels)), leaves: slices.Clone(leaves),
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
// forgotten. encodings are those of any of the trees.
func (j *Statistics) Advance(joint []uint32, encodings []encoding.Moves) {
	next := j.after(joint, encodings)
	if next == nil {
		j.Clear()
		return
	}
	j.top, j.edges = next, next.count()
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
func (j *Statistics) Bytes() int64 { return int64(j.edges) * edgeBytes(j.trees) }
