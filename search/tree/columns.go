package tree

import (
	"unsafe"

	"semisplit/search/internal/arena"
)

// A column is memory beside the nodes or the chunks of a tree: a statistic that
// some searches keep. Whoever wants one adds it once, before the tree has nodes.
// It grows with the tree and counts into its bytes; what it holds is set back
// when the node or the edge that it belongs to is made.
type column struct {
	bytes int64           // beside one node or chunk
	grow  func(pages int) // as arena.Of.Grow
}

// Rows are the values of a column that holds so many for each node.
type Rows[T any] struct {
	pages [][]T
	Width int
}

// Of are the values of a node, to be read and written.
func (r *Rows[T]) Of(n uint32) []T {
	i := int(n&arena.PageMask) * r.Width
	return r.pages[n>>arena.PageBits][i : i+r.Width : i+r.Width]
}

// AddRows puts rows beside the nodes. reset is called with each node that is made.
func AddRows[T any](m *Memory, r *Rows[T], width int, reset func(n uint32)) {
	r.Width = width
	var one T
	grow := func(pages int) {
		for range pages {
			r.pages = append(r.pages, make([]T, arena.PageSize*width))
		}
	}
	m.addColumn(nodeKind, column{int64(width) * int64(unsafe.Sizeof(one)), grow})
	m.resetNode = append(m.resetNode, reset)
}

// AddNodes puts an element beside each node. reset is called with each node that is
// made.
func AddNodes[T any](m *Memory, a *arena.Of[T], reset func(n uint32)) {
	m.addColumn(nodeKind, columnOf(a))
	m.resetNode = append(m.resetNode, reset)
}

// AddChunks puts an element beside each chunk. reset is called with each edge that is
// made, and its trie node.
func AddChunks[T any](m *Memory, a *arena.Of[T], reset func(trie, id uint32)) {
	m.addColumn(chunkKind, columnOf(a))
	m.resetEdge = append(m.resetEdge, reset)
}

func columnOf[T any](a *arena.Of[T]) column {
	var one T
	return column{int64(unsafe.Sizeof(one)), a.Grow}
}
