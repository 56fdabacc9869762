package forced

import (
	"math"
	"unsafe"

	"semisplit/search/internal/hashing"
)

// node is a state that was met. Nodes are addressed by number from 1 on.
type node struct {
	hash   uint64
	state  uint32 // where its words begin
	first  uint32 // its first edge
	counts [layers]numbers
	bounds
	count    uint16    // edges; 0: not expanded
	size     uint16    // words of the state
	work     uint32    // expansions below it, as far as they came this way
	killers  [2]uint32 // moves that answered the question of children, the last one first; see learn
	distance uint16    // joint moves to the end, where bounds decide; see measure
	kind     kind
	flying   bool // it is being expanded
}

// kind is who chooses in a state.
type kind uint8

const (
	unknown kind = iota // several roles, or more moves than are listed: nothing is ever proven
	ours                // the role that is asked for, or nobody
	theirs              // another player
	chance
	ended
)

// bounds on what our role gets, in parts of whole.
type bounds struct{ low, high uint16 }

// whole is a goal of 1. Goals of GDL are hundredths, which it counts exactly.
const whole = 10000

func boundsOf(goal float64) bounds {
	x := min(max(goal, 0), 1) * whole
	return bounds{uint16(math.Floor(x + 1e-6)), uint16(math.Ceil(x - 1e-6))}
}

// Questions that are asked of a state: whether we are sure to win, and whether we are
// sure not to lose all. limits are what our goal must be at least.
const (
	toWin = iota
	notToLose
	layers
)

var limits = [layers]uint16{whole, 1}

// answered tells whether bounds answer a question, and how.
func (b bounds) answered(layer int) bool { return b.yes(layer) || b.no(layer) }
func (b bounds) yes(layer int) bool      { return b.low >= limits[layer] }
func (b bounds) no(layer int) bool       { return b.high < limits[layer] }
func (b bounds) closed() bool            { return b.answered(toWin) && b.answered(notToLose) }

// numbers are the proof number and the disproof number of a question: how many states
// must be looked at, at the least, for the answer yes and for the answer no.
type numbers struct{ prove, refute uint32 }

const (
	infinite = math.MaxUint32 // the answer is the other one
	stuck    = 1 << 30        // as far as is known there will be no such answer; sums end here
)

// graph holds nodes, their states and their edges, in bounded memory.
type graph struct {
	nodes  []node
	words  []uint64
	edges  []uint32 // the nodes that moves lead to
	joints []uint32 // the joint move of each edge
	near   []uint8  // by edge; see noteNear
	table  []uint32 // nodes by hash; 0: none
	ends   []uint32 // nodes of states that end the game: one for each goal

	history history
	touched []uint64 // scratch

	semimoves int // of a joint move
	most      int // nodes
	swept     int // times that memory was made free
}

// endless is the number of the node of all that nothing is to be known of.
const endless = 1

// mostEnds bounds the goals that have a node for all ends with them.
const mostEnds = 128

// clear forgets everything; states will have so many words.
func (g *graph) clear(words int, memory int64) {
	perNode := int64(unsafe.Sizeof(node{})) + int64(words)*8 + 2*(1+4*int64(1+g.semimoves)) + 2*4
	g.most = int(min(max(memory/perNode, leastNodes), 1<<30))
	g.nodes = append(g.nodes[:0], node{}, node{kind: unknown, bounds: bounds{0, whole}, counts: [layers]numbers{{stuck, stuck}, {stuck, stuck}}})
	g.words, g.edges, g.joints, g.near, g.ends = g.words[:0], g.edges[:0], g.joints[:0], g.near[:0], g.ends[:0]
	if g.table == nil {
		g.table = make([]uint32, leastNodes)
	}
	clear(g.table)
}

// leastNodes are held whatever the memory.
const leastNodes = 1 << 10

// full says whether there is no room for so many more nodes.
func (g *graph) full(more int) bool {
	return len(g.nodes)+more > g.most || len(g.edges)+more > 2*g.most
}

// bytes held.
func (g *graph) bytes() int64 {
	return int64(cap(g.nodes))*int64(unsafe.Sizeof(node{})) + int64(cap(g.words))*8 +
		int64(cap(g.edges)+cap(g.joints)+cap(g.table)+cap(g.ends))*4 + int64(cap(g.near))
}

func (g *graph) at(n uint32) *node         { return &g.nodes[n] }
func (g *graph) stateOf(n uint32) []uint64 { return g.words[g.at(n).state:][:g.at(n).size] }
func (g *graph) edgesOf(n *node) []uint32  { return g.edges[n.first:][:n.count] }
func (g *graph) jointAt(edge uint32) []uint32 {
	return g.joints[int(edge)*g.semimoves:][:g.semimoves]
}

// slot is the place in the table of a hash, or where it would be.
func (g *graph) slot(hash uint64) int {
	mask := len(g.table) - 1
	i := int(hash) & mask
	for g.table[i] != 0 && g.nodes[g.table[i]].hash != hash {
		i = (i + 1) & mask
	}
	return i
}

// find is the node of a state; 0: there is none.
func (g *graph) find(state []uint64) uint32 { return g.table[g.slot(hashing.Words(state))] }

// meet is the node of a state; fresh: it was made now.
func (g *graph) meet(state []uint64) (n uint32, fresh bool) {
	hash := hashing.Words(state)
	i := g.slot(hash)
	if n := g.table[i]; n != 0 {
		return n, false
	}
	n = uint32(len(g.nodes))
	g.nodes = append(g.nodes, node{hash: hash, state: uint32(len(g.words)), size: uint16(len(state)), bounds: bounds{0, whole}})
	g.words = append(g.words, state...)
	g.table[i] = n
	if 2*len(g.nodes) > len(g.table) {
		g.rehash(2 * len(g.table))
	}
	return n, true
}

// rehash makes the table anew.
func (g *graph) rehash(size int) {
	if size == len(g.table) {
		clear(g.table)
	} else {
		g.table = make([]uint32, size)
	}
	for n := endless + 1; n < len(g.nodes); n++ {
		if g.nodes[n].kind != ended {
			g.table[g.slot(g.nodes[n].hash)] = uint32(n)
		}
	}
}

// end is a node of states that end the game with a goal.
func (g *graph) end(b bounds) uint32 {
	for _, n := range g.ends {
		if g.nodes[n].bounds == b {
			return n
		}
	}
	n := uint32(len(g.nodes))
	g.nodes = append(g.nodes, node{kind: ended, bounds: b})
	g.at(n).decide()
	if len(g.ends) < mostEnds {
		g.ends = append(g.ends, n)
	}
	return n
}

// decide sets the numbers of questions that the bounds answer.
func (n *node) decide() {
	for layer := range n.counts {
		switch {
		case n.yes(layer):
			n.counts[layer] = numbers{0, infinite}
		case n.no(layer):
			n.counts[layer] = numbers{infinite, 0}
		}
	}
}

// mark is a place in a graph to go back to.
type mark struct{ nodes, words, edges, joints, ends int }

func (g *graph) mark() mark {
	return mark{len(g.nodes), len(g.words), len(g.edges), len(g.joints), len(g.ends)}
}

// rewind takes back what was added since a mark.
func (g *graph) rewind(m mark) {
	for n := len(g.nodes) - 1; n >= m.nodes; n-- { // the last one that came into the table first
		if g.nodes[n].kind != ended {
			g.table[g.slot(g.nodes[n].hash)] = 0
		}
	}
	g.nodes, g.words, g.ends = g.nodes[:m.nodes], g.words[:m.words], g.ends[:m.ends]
	g.edges, g.joints, g.near = g.edges[:m.edges], g.joints[:m.joints], g.near[:m.edges]
}
