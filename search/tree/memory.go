package tree

import "semisplit/search/internal/arena"

// kind says what an arena holds.
type kind uint8

const (
	nodeKind kind = iota
	chunkKind
	cellKind
	kinds
)

// Memory is what a tree holds, and may hold: pages of its arenas, and of the columns
// beside them.
type Memory struct {
	Limit, Bytes int64           // bound and pages held
	columns      [kinds][]column // the arena itself is the first
	pages        [kinds]int      // of the arena

	resetNode []func(n uint32)        // called when a node is made
	resetEdge []func(trie, id uint32) // called when an edge is made
}

func (m *Memory) addColumn(k kind, c column) { m.columns[k] = append(m.columns[k], c) }

// pageBytes is what a page of an arena takes, with the columns beside it.
func (m *Memory) pageBytes(k kind) int64 {
	size := int64(0)
	for _, c := range m.columns[k] {
		size += c.bytes
	}
	return arena.PageSize * size
}

// slabShare is the part of the bound that a slab may take.
const slabShare = 16

// growth is the number of pages that an arena grows by: one as long as it is
// small, or when the bound is near.
func (m *Memory) growth(k kind) int {
	size := arena.SlabPages * m.pageBytes(k)
	if m.pages[k] < arena.SlabPages || size*slabShare > m.Limit || m.Bytes+size > m.Limit {
		return 1
	}
	return arena.SlabPages
}

func (m *Memory) grow(k kind) {
	n := m.growth(k)
	for _, c := range m.columns[k] {
		c.grow(n)
	}
	m.pages[k] += n
	m.Bytes += int64(n) * m.pageBytes(k)
}
