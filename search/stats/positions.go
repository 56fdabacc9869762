package stats

import (
	"semisplit/search/internal/table"
)

// positions numbers the prefixes of moves that were met: trie positions, of all
// nodes together. Those of role r begin at position r+1, which is the empty
// prefix.
type positions struct {
	roles uint32
	known table.Of[struct{}] // by parent<<32 | label; their numbers come after those of the roles
	limit int
}

// positionLimit bounds the positions: 32 bytes each, statistics included. What
// comes later has no position, and so no statistics.
const positionLimit = 1 << 21

func newPositions(roles int) *positions {
	return &positions{roles: uint32(roles), limit: positionLimit}
}

// find is the position after a label; 0 if it was never met.
func (p *positions) find(parent, label uint32) uint32 {
	if parent == 0 {
		return 0
	}
	if n := p.known.Find(uint64(parent)<<32 | uint64(label)); n != 0 {
		return p.roles + n
	}
	return 0
}

// add is find, but makes the position; 0 if there are too many.
func (p *positions) add(parent, label uint32) uint32 {
	if n := p.find(parent, label); n != 0 || parent == 0 || p.known.Len() >= p.limit {
		return n
	}
	return p.roles + p.known.Add(uint64(parent)<<32|uint64(label))
}
