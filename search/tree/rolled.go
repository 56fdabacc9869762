package tree

// rolledUp stands in place of Chunk.untried, when nothing is left.
const rolledUp = ^uint32(0)

// IsRolled says whether there is a trie node that is marked as rolled up: who chooses
// above it sees its edges as its own.
func (s *Edges) IsRolled(trie uint32) bool {
	return IsTrie(trie) && s.chunks.At(trie).left == 0 && s.chunks.At(trie).untried == rolledUp
}

// MarkRolled marks a trie node in which nothing is untried.
func (s *Edges) MarkRolled(trie uint32) { s.chunks.At(trie).untried = rolledUp }
