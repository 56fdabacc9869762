package tree

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// vectors says whether there are these functions on this processor.
var vectors = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT

// scanAVX2 is scanPlain in vector instructions, a chunk at a time, where there
// are no ranks; scanRankedAVX2 where there are. pages and ranks are the addresses
// of the lists of pages of the arenas.
//
//go:noescape
func scanAVX2(pages unsafe.Pointer, trie uint32, bonus float32) (best, ties uint32)

//go:noescape
func scanRankedAVX2(pages, ranks unsafe.Pointer, trie uint32, bonus, constant float32) (best, ties uint32)

// Scan looks for the edge of a trie node with the highest score: the first of
// them, and how many there are; 0 and 0 if none is to be chosen.
func (s *Edges) Scan(trie uint32, by Weights) (best, ties uint32) {
	pages := unsafe.Pointer(unsafe.SliceData(s.chunks.Pages))
	switch {
	case !vectors:
		return s.scanPlain(trie, by)
	case s.HasBonuses:
		return scanRankedAVX2(pages, unsafe.Pointer(unsafe.SliceData(s.bonuses.Pages)), trie, by.Exploration, by.Bonus)
	}
	return scanAVX2(pages, trie, by.Exploration)
}
