package minimax

import (
	"slices"

	"semisplit/search/encoding"
	"semisplit/search/internal/hashing"
	"semisplit/search/internal/roles"
)

// tree is what a best-first search has found: the states whose moves were all played, and
// for each move what it is worth. The states that moves lead to are not kept until their
// moves are played as well.
//
// Two lines of play of the same length that lead to the same state share its node, so
// there are no cycles.
type tree struct {
	roles, width int
	levels       []int
	rivals       []int        // by role: the only player beside it; -1: there is none, or several
	nodes        blocks[node] // from 1 on, in the order in which they were made
	joints       blocks[uint32]
	edges        blocks[edge]
	worths       blocks[float32] // of the edge i of a node for role r: worth+i*roles+r
	states       blocks[uint64]
	paths        []*encoding.Paths // by role: numbers of moves of several semimoves
	pathBytes    int64             // of those
	buckets      []uint32          // open addressing: nodes by hash; 0: empty
	made         uint32            // nodes
	root         uint32
}

// node is a state whose moves were played.
type node struct {
	hash   uint64
	state  uint32 // first of its words
	words  uint32
	edges  uint32 // first
	worths uint32 // first
	count  uint32 // edges, at least 1
	visits uint32 // descents that went through it
	joint  uint32 // first semimove of a joint move, with any move of the mover
	ply    uint32 // joint moves from the first root on
	mover  int16
	offset uint16 // of the mover's semimoves in joint

	distance uint16 // as of an edge that leads here
	part     bool   // there are more moves than edges
	marked   bool   // stays when the tree is narrowed
}

// edge is a move of the role that chooses in its node.
type edge struct {
	child    uint32 // node; 0: the moves there were not played
	visits   uint32 // descents that took it
	move     uint32 // semimove, or number of the path
	flying   uint16 // descents that took it and have not come back; shut: nothing is found there
	distance uint16 // joint moves to the end, and one, if it is solved: what it is worth is proven then; 0: it is open
}

const (
	shut        = 1<<16 - 1
	mostFlying  = shut - 1
	mostDistant = 1<<16 - 1
)

func newTree(levels []int, chance []bool) *tree {
	t := &tree{roles: len(levels), levels: levels, rivals: make([]int, len(levels))}
	for role, n := range levels {
		t.width += n
		t.rivals[role] = roles.Rival(role, chance)
	}
	t.reset()
	return t
}

// reset forgets all nodes.
func (t *tree) reset() {
	t.nodes.used, t.joints.used, t.edges.used, t.worths.used, t.states.used = 0, 0, 0, 0, 0
	t.nodes.take(1)
	t.made, t.root = 0, 0
	t.paths, t.pathBytes = t.paths[:0], 0
	for _, n := range t.levels {
		paths := encoding.NewPaths(n)
		paths.CountTo(func(bytes int64) { t.pathBytes += bytes })
		t.paths = append(t.paths, paths)
	}
	t.buckets = t.buckets[:min(len(t.buckets), 1<<10)]
	clear(t.buckets)
}

func (t *tree) node(n uint32) *node { return t.nodes.at(n) }

func (t *tree) edgesOf(n *node) []edge { return t.edges.run(n.edges, int(n.count)) }

func (t *tree) worthsOf(n *node) []float32 { return t.worths.run(n.worths, int(n.count)*t.roles) }

func (t *tree) stateOf(n *node) []uint64 { return t.states.run(n.state, int(n.words)) }

// bytes is the memory held.
func (t *tree) bytes() int64 {
	return t.nodes.bytes() + t.joints.bytes() + t.edges.bytes() + t.worths.bytes() + t.states.bytes() + 4*int64(cap(t.buckets)) + t.pathBytes
}

// usedBytes is the memory that nodes take.
func (t *tree) usedBytes() int64 {
	return t.nodes.usedBytes() + t.joints.usedBytes() + t.edges.usedBytes() + t.worths.usedBytes() + t.states.usedBytes() + 4*int64(len(t.buckets)) + t.pathBytes
}

// moveOf numbers a move of a role.
func (t *tree) moveOf(role int, path []uint32) uint32 {
	if len(path) == 1 {
		return path[0]
	}
	return t.paths[role].Number(path)
}

// appendPath appends the semimoves of the mover's move.
func (t *tree) appendPath(dst []uint32, n *node, e *edge) []uint32 {
	if t.levels[n.mover] == 1 {
		return append(dst, e.move)
	}
	return append(dst, t.paths[n.mover].Path(e.move)...)
}

// jointOf is the joint move of an edge, valid until that of the next edge of the node.
func (t *tree) jointOf(n *node, e *edge) []uint32 {
	joint := t.joints.run(n.joint, t.width)
	t.appendPath(joint[:n.offset], n, e)
	return joint
}

// hashOf names a state at a ply.
func hashOf(state []uint64, ply uint32) uint64 {
	return hashing.Of(hashing.Words(state) + uint64(ply))
}

// find is the node of a state at a ply; 0: there is none.
func (t *tree) find(hash uint64, state []uint64) uint32 {
	if len(t.buckets) == 0 {
		return 0
	}
	mask := uint64(len(t.buckets) - 1)
	for i := hash & mask; t.buckets[i] != 0; i = (i + 1) & mask {
		if n := t.node(t.buckets[i]); n.hash == hash && slices.Equal(t.stateOf(n), state) {
			return t.buckets[i]
		}
	}
	return 0
}

// enter puts a node among those that are found.
func (t *tree) enter(n uint32) {
	mask := uint64(len(t.buckets) - 1)
	i := t.node(n).hash & mask
	for t.buckets[i] != 0 {
		i = (i + 1) & mask
	}
	t.buckets[i] = n
}

// isTooLarge tells whether a state and its moves have no room in a node.
func (t *tree) isTooLarge(of *turn, state []uint64) bool {
	return max(of.n*t.roles, len(state), t.width) > pageSize
}

// make makes a node of a state at a ply, with the moves of a turn. Its edges are worth
// nothing yet.
func (t *tree) make(state []uint64, hash uint64, ply uint32, of *turn) uint32 {
	if 2*int(t.made) >= len(t.buckets) {
		t.rehash(max(4*int(t.made), 1))
	}
	at := t.nodes.take(1)
	n := t.node(at)
	*n = node{
		hash: hash, ply: ply, state: t.states.take(len(state)), words: uint32(len(state)),
		edges: t.edges.take(of.n), worths: t.worths.take(of.n * t.roles), count: uint32(of.n),
		joint: t.joints.take(t.width), mover: int16(of.mover), offset: uint16(of.offset), part: of.part,
	}
	copy(t.stateOf(n), state)
	copy(t.joints.run(n.joint, t.width), of.joint)
	edges, length := t.edgesOf(n), t.levels[of.mover]
	for i := range edges {
		edges[i] = edge{move: t.moveOf(of.mover, of.moves[i*length:(i+1)*length])}
	}
	t.made++
	t.enter(at)
	return at
}

// rehash makes room for at least so many buckets.
func (t *tree) rehash(least int) {
	size := 1 << 10
	for size < least {
		size *= 2
	}
	if size > cap(t.buckets) {
		t.buckets = make([]uint32, size)
	} else {
		t.buckets = t.buckets[:size]
		clear(t.buckets)
	}
	for n := uint32(1); n < t.nodes.used; n++ {
		t.enter(n)
	}
}

// best is the edge that is best for the mover of a node; of equally good ones a proven
// one, then the one that was taken more often.
func (t *tree) best(n *node) int {
	edges, worths := t.edgesOf(n), t.worthsOf(n)
	best, most := 0, worths[n.mover]
	for i := 1; i < len(edges); i++ {
		v := worths[i*t.roles+int(n.mover)]
		if v > most || v == most && t.isBefore(&edges[i], &edges[best]) {
			best, most = i, v
		}
	}
	return best
}

func (t *tree) isBefore(a, b *edge) bool {
	if (a.distance > 0) != (b.distance > 0) {
		return a.distance > 0
	}
	return a.visits > b.visits
}

// solve says by which edge a node is solved, and at what distance from the end; 0: it is
// not. A win solves it, with one opponent that is left nothing.
func (t *tree) solve(n *node) (by int, distance uint16) {
	edges := t.edgesOf(n)
	open := n.part
	by = -1
	for i := range edges {
		switch {
		case edges[i].distance == 0:
			open = true
		case by < 0 || t.prefers(n, i, by):
			by = i
		}
	}
	if by < 0 || open && !t.isUnbeatable(n, by) {
		return by, 0
	}
	return by, min(edges[by].distance, mostDistant-1) + 1
}

// prefers tells whether the mover of a node takes a solved edge and not another one. Of
// those that are as good for it, it takes with one opponent (chance is none) what is worst for
// that one, as the solver of Monte Carlo tree search has it; then the shortest way to a win, and the
// longest to all else.
func (t *tree) prefers(n *node, edge, to int) bool {
	edges, worths := t.edgesOf(n), t.worthsOf(n)
	a, b, mover := worths[edge*t.roles:], worths[to*t.roles:], n.mover
	rival := t.rivals[mover]
	switch {
	case a[mover] != b[mover]:
		return a[mover] > b[mover]
	case rival >= 0 && a[rival] != b[rival]:
		return a[rival] < b[rival]
	}
	d, e := edges[edge].distance, edges[to].distance
	return d != e && (d < e) == (a[mover] >= top)
}

// isUnbeatable tells whether the mover of a node prefers no edge to a solved one but by its
// distance, whatever others are worth.
func (t *tree) isUnbeatable(n *node, edge int) bool {
	worth, rival := t.worthsOf(n)[edge*t.roles:], t.rivals[n.mover]
	return worth[n.mover] >= top && (rival < 0 || worth[rival] <= 0)
}

// narrow keeps the nodes that can be reached from the root by edges to nodes that were
// visited so often, and gives up the others. Edges to these keep what they are worth.
func (t *tree) narrow(visits uint32) {
	t.mark(visits)
	forward := make([]uint32, t.nodes.used)
	last := t.nodes.used
	t.nodes.used, t.joints.used, t.edges.used, t.worths.used, t.states.used, t.made = 0, 0, 0, 0, 0, 0
	t.nodes.take(1)
	for from := uint32(1); from < last; from++ {
		n := t.node(from)
		if !n.marked {
			continue
		}
		n.marked = false
		moved := *n
		moved.state, moved.joint = t.states.take(int(n.words)), t.joints.take(t.width)
		moved.edges, moved.worths = t.edges.take(int(n.count)), t.worths.take(int(n.count)*t.roles)
		copy(t.stateOf(&moved), t.stateOf(n))
		copy(t.joints.run(moved.joint, t.width), t.joints.run(n.joint, t.width))
		copy(t.edgesOf(&moved), t.edgesOf(n))
		copy(t.worthsOf(&moved), t.worthsOf(n))
		to := t.nodes.take(1)
		*t.node(to) = moved
		forward[from] = to
		t.made++
	}
	t.root = forward[t.root]
	for n := uint32(1); n < t.nodes.used; n++ {
		edges := t.edgesOf(t.node(n))
		for i := range edges {
			edges[i].child = forward[edges[i].child]
		}
	}
	t.rehash(4 * int(t.made))
}

// mark marks what narrow keeps.
func (t *tree) mark(visits uint32) {
	open := []uint32{t.root}
	t.node(t.root).marked = true
	for len(open) > 0 {
		n := t.node(open[len(open)-1])
		open = open[:len(open)-1]
		for _, e := range t.edgesOf(n) {
			if e.child == 0 {
				continue
			}
			if child := t.node(e.child); !child.marked && child.visits >= visits {
				child.marked = true
				open = append(open, e.child)
			}
		}
	}
}

// threshold is a number of visits that no more than half of the nodes have.
func (t *tree) threshold() uint32 {
	var counts [33]int
	for n := uint32(1); n < t.nodes.used; n++ {
		bits := 0
		for v := t.node(n).visits; v > 0; v >>= 1 {
			bits++
		}
		counts[bits]++
	}
	kept := 0
	for bits := 32; bits > 0; bits-- {
		if kept += counts[bits]; kept > int(t.made)/2 {
			return 1 << bits
		}
	}
	return 1
}
