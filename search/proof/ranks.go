package proof

import (
	"math"
	"slices"

	"semisplit/search/internal/arena"
	"semisplit/search/tree"
)

// Ranks ranks the edges of trie nodes by their proof numbers, for UCT-PN.
type Ranks struct {
	tree        *tree.Tree
	Layers      int                           // of numbers
	EdgeNumbers [2]arena.Of[edgeProofNumbers] // beside chunks, by layer
	Dirty       arena.Of[bool]                // beside chunks: the ranks of the trie node are out of date

	keys  []uint64 // of a trie node, each once, in rising order
	ranks []uint32 // of these
}

// proofKeys are what the edges of a chunk are sorted by: the proof numbers of their
// role, the second layer, if there is one, breaking ties.
type proofKeys struct{ first, second *[tree.ChunkEdges]Numbers }

func (t *Ranks) keysOf(c uint32) (of proofKeys) {
	of.first = &t.EdgeNumbers[0].At(c).Own
	if t.Layers > 1 {
		of.second = &t.EdgeNumbers[1].At(c).Own
	}
	return of
}

func (k proofKeys) at(i uint32) uint64 {
	key := uint64(k.first[i].Proof) << 32
	if k.second != nil {
		key |= uint64(k.second[i].Proof)
	}
	return key
}

// MarkRanksDirty marks a trie node, whose ranks are out of date.
func (t *Ranks) MarkRanksDirty(trie uint32) { *t.Dirty.At(trie) = true }

// markAllRanksDirty marks a trie node and those below.
func (t *Ranks) markAllRanksDirty(trie uint32, levels int) {
	t.MarkRanksDirty(trie)
	if levels == 1 {
		return
	}
	t.tree.Edges.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
		if tree.IsTrie(e.Child) {
			t.markAllRanksDirty(e.Child, levels-1)
		}
		return true
	})
}

// Rank ranks the edges of a trie node, if that is due: the rank of an edge is one
// more than the number of edges with lower keys. So as long as many edges were
// taken once, and have numbers of 1, the others fall far behind, and a node takes
// all its moves twice before it goes by what they lead to. Ranks that leave no gap
// after ties made it narrow where moves are many (Lines of Action 8x8, FxU;
// docs/experiments/results/proofs.md). There are few different keys as a rule.
func (t *Ranks) Rank(trie uint32) {
	if !*t.Dirty.At(trie) {
		return
	}
	*t.Dirty.At(trie) = false
	f, count := t, t.tree.Edges.Opened(trie)
	f.keys, f.ranks = f.keys[:0], f.ranks[:0]
	// Neighbours have equal keys more often than not.
	last, place := uint64(math.MaxUint64), 0
	for c, left := trie, count; left > 0; c = t.tree.Edges.Chunk(c).Next {
		m := tree.Held(c == trie, left)
		edges, keys := &t.tree.Edges.Chunk(c).Edges, t.keysOf(c)
		for i := range m {
			if edges[i].Child == tree.Dead {
				continue
			}
			if key := keys.at(i); key != last {
				last, place = key, f.placeFor(key)
			}
			f.ranks[place]++
		}
		left -= m
	}
	step := 1 / float32(f.toRanks())
	last, bonus := uint64(math.MaxUint64), float32(0)
	for c, left := trie, count; left > 0; c = t.tree.Edges.Chunk(c).Next {
		m := tree.Held(c == trie, left)
		edges, keys, bonuses := &t.tree.Edges.Chunk(c).Edges, t.keysOf(c), t.tree.Edges.BonusesOf(c)
		for i := range m {
			if edges[i].Child == tree.Dead {
				continue
			}
			if key := keys.at(i); key != last {
				last, bonus = key, 1-float32(f.ranks[placeOf(f.keys, key)])*step
			}
			bonuses[i] = bonus
		}
		left -= m
	}
}

// placeFor is the place of a key among those that were met, which it joins.
func (f *Ranks) placeFor(key uint64) int {
	place := placeOf(f.keys, key)
	if place == len(f.keys) || f.keys[place] != key {
		f.keys, f.ranks = slices.Insert(f.keys, place, key), slices.Insert(f.ranks, place, 0)
	}
	return place
}

// toRanks turns the numbers of edges with each key into their ranks, and returns
// the largest; 1 if there are no edges.
func (f *Ranks) toRanks() (largest uint32) {
	largest = 1
	next := uint32(1)
	for place, edges := range f.ranks {
		largest = next
		f.ranks[place], next = next, next+edges
	}
	return largest
}

// placeOf is where a key is, or belongs, in a short list in rising order.
func placeOf(keys []uint64, key uint64) int {
	low, high := 0, len(keys)
	for low < high {
		if middle := (low + high) / 2; keys[middle] < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
