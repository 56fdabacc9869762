package search

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// vectors says whether there is scanAVX2 on this processor.
var vectors = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT

// scanAVX2 is scanPlain in vector instructions, a chunk at a time. pages is the
// address of the list of pages of the arena of chunks.
//
//go:noescape
func scanAVX2(pages unsafe.Pointer, trie uint32, bonus float32) (best, ties uint32)

// scan looks for the edge of a trie node with the highest value + bonus * root:
// the first of them, and how many there are; 0 and 0 if none is to be chosen.
func (s *store) scan(trie uint32, bonus float32) (best, ties uint32) {
	if vectors {
		return scanAVX2(unsafe.Pointer(unsafe.SliceData(s.chunks.pages)), trie, bonus)
	}
	return s.scanPlain(trie, bonus)
}
