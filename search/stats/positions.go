package stats

import "semisplit/search/internal/hashing"

// positions numbers the prefixes of moves that were met: trie positions, of all
// nodes together. Those of role r begin at position r+1, which is the empty
// prefix.
type positions struct {
	keys    []uint64 // hash table of parent<<32 | label; 0: empty
	numbers []uint32 // positions, by place in the table
	used    uint32   // positions, those of the roles and 0 included
	limit   uint32
}

// positionLimit bounds the positions: 40 bytes each, statistics included. What
// comes later has no position, and so no statistics.
const positionLimit = 1 << 21

func newPositions(roles int) *positions {
	return &positions{keys: make([]uint64, 256), numbers: make([]uint32, 256), used: uint32(roles) + 1, limit: positionLimit}
}

// Hash spreads the bits of x.
func Hash(x uint64) uint64 { return hashing.Of(x) }

func (p *positions) place(key uint64) int {
	mask := len(p.keys) - 1
	i := int(Hash(key)) & mask
	for p.keys[i] != 0 && p.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// find is the position after a label; 0 if it was never met.
func (p *positions) find(parent, label uint32) uint32 {
	if parent == 0 {
		return 0
	}
	return p.numbers[p.place(uint64(parent)<<32|uint64(label))]
}

// add is find, but makes the position; 0 if there are too many.
func (p *positions) add(parent, label uint32) uint32 {
	if parent == 0 {
		return 0
	}
	key := uint64(parent)<<32 | uint64(label)
	i := p.place(key)
	if p.keys[i] != 0 {
		return p.numbers[i]
	}
	if p.used == p.limit {
		return 0
	}
	n := p.used
	p.used++
	p.keys[i], p.numbers[i] = key, n
	if int(p.used)*2 > len(p.keys) {
		p.grow()
	}
	return n
}

func (p *positions) grow() {
	keys, numbers := p.keys, p.numbers
	p.keys, p.numbers = make([]uint64, 2*len(keys)), make([]uint32, 2*len(numbers))
	for i, key := range keys {
		if key != 0 {
			k := p.place(key)
			p.keys[k], p.numbers[k] = key, numbers[i]
		}
	}
}
