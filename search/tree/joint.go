package tree

import "unsafe"

// Joint moves of nodes in which several roles choose. Their nodes hang in lists, one for
// each move of the role with the most moves, as long as another role has moves: a search
// in rounds of 165 moves for each spent a third of its time in them. And the edges do not
// tell whether a joint move was played before. So a cache knows of the joint moves that
// were met last which node they lead to, or that they were played without getting one.
//
// An entry may be stale: the node has left its place, or memory was given to another. So
// what an entry says of a node is held against the node, and an entry without one only
// makes a node come at the first visit.

// jointEntry is what is known of a joint move. 16 bytes.
type jointEntry struct {
	key   uint64 // of the node and the last edges of its joint move; 0: nothing
	child uint32 // 0: the joint move was played, and has no node
}

// JointMoves remembers the joint moves that were met last. Each key has one place, and
// takes it from the key that was there.
type JointMoves struct {
	tree    *Tree
	entries []jointEntry // a power of two
	taken   int          // places taken since it has grown
}

const (
	fewestJoint = 1 << 10
	jointShare  = 64 // part of the bound on memory that the cache may take
)

// keyOf names a joint move of a node.
func keyOf(n uint32, leaves []uint32) uint64 {
	key := uint64(n) * 0x9e3779b97f4a7c15
	for _, id := range leaves {
		key = (key ^ uint64(id)) * 0xd6e8feb86659fd93
		key ^= key >> 32
	}
	return key | 1
}

// of is the place of a key; nil: there is none yet.
func (j *JointMoves) of(key uint64) *jointEntry {
	if len(j.entries) == 0 {
		return nil
	}
	return &j.entries[key>>32&uint64(len(j.entries)-1)]
}

// put gives a key its place. The cache grows, and forgets, while half of it was taken.
func (j *JointMoves) put(key uint64, child uint32) {
	m := &j.tree.Edges.Memory
	if size := int64(2*len(j.entries)) * int64(unsafe.Sizeof(jointEntry{})); 2*j.taken >= len(j.entries) && size*jointShare <= m.Limit {
		n := max(2*len(j.entries), fewestJoint)
		m.Bytes += int64(n-len(j.entries)) * int64(unsafe.Sizeof(jointEntry{}))
		j.entries, j.taken = make([]jointEntry, n), 0
	}
	at := j.of(key)
	if at == nil {
		return
	}
	if at.key == 0 {
		j.taken++
	}
	*at = jointEntry{key: key, child: child}
}

// knows says whether the cache has the joint moves of a node.
func (j *JointMoves) knows(n uint32) bool {
	return j.tree.nodes.At(n).Flags&FlagTogether != 0 && !j.tree.Index.Transposes()
}

// child is what Tree.Child finds, for a node that the cache knows.
func (j *JointMoves) child(n uint32, leaves []uint32) uint32 {
	key := keyOf(n, leaves)
	if at := j.of(key); at != nil && at.key == key && (at.child == 0 || j.hangs(at.child, n, leaves)) {
		return at.child
	}
	c := childInList(j.tree, n, leaves)
	if c != 0 {
		j.put(key, c)
	}
	return c
}

// hangs says whether a node is below n by these last edges.
func (j *JointMoves) hangs(child, n uint32, leaves []uint32) bool {
	if j.tree.nodes.At(child).parent != n { // nor has it one, if it was given up
		return false
	}
	for r, e := range j.tree.LastEdges(child) {
		if e != leaves[r] {
			return false
		}
	}
	return true
}

// adopted notes a new child of a node. A node that it does not know may be known later,
// and whatever the cache says of it then is to be true.
func (j *JointMoves) adopted(n uint32, leaves []uint32, child uint32) {
	if j.entries != nil || j.knows(n) {
		j.put(keyOf(n, leaves), child)
	}
}

// IsFirst says whether the joint move of a node in which several roles choose, which has
// no node, is played for the first time, as far as is remembered, and remembers it.
func (j *JointMoves) IsFirst(n uint32, leaves []uint32) bool {
	if !j.knows(n) {
		return false
	}
	key := keyOf(n, leaves)
	if at := j.of(key); at != nil && at.key == key && at.child == 0 {
		return false
	}
	j.put(key, 0)
	return true
}
