//go:build !amd64

package search

// scan looks for the edge of a trie node with the highest score: the first of
// them, and how many there are; 0 and 0 if none is to be chosen.
func (s *store) scan(trie uint32, by weights) (best, ties uint32) { return s.scanPlain(trie, by) }
