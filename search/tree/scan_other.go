//go:build !amd64

package tree

// Scan looks for the edge of a trie node with the highest score: the first of
// them, and how many there are; 0 and 0 if none is to be chosen.
func (s *Edges) Scan(trie uint32, by Weights) (best, ties uint32) { return s.scanPlain(trie, by) }
