//go:build !amd64

package search

// scan looks for the edge of a trie node with the highest value + bonus * root:
// the first of them, and how many there are; 0 and 0 if none is to be chosen.
func (s *store) scan(trie uint32, bonus float32) (best, ties uint32) {
	return s.scanPlain(trie, bonus)
}
