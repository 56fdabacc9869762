package mcts

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"semisplit/search/heuristic"
	"semisplit/search/internal/toys"
	"semisplit/search/selection"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// guess is an evaluator that knows nothing: a number made of the state, one
// minus it for the second role.
type guess struct{}

func (guess) Values(state []uint64, values []float64) {
	h := fnv.New32a()
	fmt.Fprint(h, state)
	values[0] = float64(h.Sum32()%1000) / 1000
	for r := 1; r < len(values); r++ {
		values[r] = 1 - values[0]
	}
}

// In every design of the tree worths are what they are defined to be, also
// where the tree has been pruned and moved on.
func TestWorthIsMinimax(t *testing.T) {
	oneThread(t)
	for name, o := range map[string]Options{
		"nodal": {}, "whole": {Whole: true}, "rolled up": {Backup: rolledUp}, "rave": {Rave: stats.Rave{Kind: stats.Split}}, "small": {Memory: 400 << 10},
		"transpositions": {Transpositions: true}, "whole, transpositions": {Whole: true, Transpositions: true}, "small, transpositions": {Memory: 400 << 10, Transpositions: true},
	} {
		t.Run(name, func(t *testing.T) {
			variants(t, func(t *testing.T, lanes int) {
				o.Seed, o.Knowledge = 3, heuristic.Knowledge{Alpha: 0.4, Evaluate: guess{}}
				mc := toyTree(toys.SplitTicTacToe{}, lanes, o)
				mustSearch(t, mc, 4000)
				best, _ := mc.Best(0)
				if !mc.Advance(append(best, 3, 3)) {
					t.Skip("the move is not in the tree")
				}
				mustSearch(t, mc, 1000)
			})
		})
	}
}

// Where the tree reaches all ends of the game, the worth of the root is the
// game's value, whatever the evaluator says.
func TestWorthOfASolvedGame(t *testing.T) {
	oneThread(t)
	for _, c := range []struct {
		heaps []uint64
		value float32 // for who moves first
	}{{[]uint64{1, 2}, 1}, {[]uint64{2, 2}, 0}, {[]uint64{1, 2, 3}, 0}, {[]uint64{1, 1, 2}, 1}} {
		mc := toyTree(toys.Nim{Heaps: c.heaps}, 8, Options{Seed: 2, Selection: selection.Options{Exploration: 3}, Knowledge: heuristic.Knowledge{Alpha: 0.5, Evaluate: guess{}}})
		mustSearch(t, mc, 30000)
		if got := mc.values.Of(mc.tree.Root); got[0] != c.value || got[1] != 1-c.value {
			t.Errorf("nim %v is worth %v", c.heaps, got)
		}
	}
}

// A tree that goes by worth alone and by an evaluator that knows the value plays
// the best move after few iterations.
func TestWorthGuidesSelection(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.Nim{Heaps: []uint64{2, 3, 4}}, 1, Options{Seed: 1, Knowledge: heuristic.Knowledge{Alpha: 1, Evaluate: nimValue{}}})
	mustSearch(t, mc, 300)
	wantBest(t, mc, 0, 19)
	plain := toyTree(toys.Nim{Heaps: []uint64{2, 3, 4}}, 1, Options{Seed: 1})
	mustSearch(t, plain, 300)
	share := func(mc *searcher) float64 {
		most, all := 0, 0
		for _, e := range mc.RootEdges(0) {
			most, all = max(most, e.Visits), all+e.Visits
		}
		return float64(most) / float64(all)
	}
	if with, without := share(mc), share(plain); with < without+0.2 || math.IsNaN(with) {
		t.Errorf("the best move has %.2f of the visits, %.2f without worth", with, without)
	}
}

// nimValue is the value of a state of Nim.
type nimValue struct{}

func (nimValue) Values(state []uint64, values []float64) {
	sum := uint64(0)
	for _, h := range state[:len(state)-1] {
		sum ^= h
	}
	mover := int(state[len(state)-1])
	values[mover] = 0
	if sum != 0 {
		values[mover] = 1
	}
	values[1-mover] = 1 - values[mover]
}

// Where several roles choose, worth is the mean of what a tree itself has seen, also where
// joined trees count the visits of others on its nodes and edges.
func TestWorthIsTheMeanOfOwnVisits(t *testing.T) {
	for _, others := range []uint32{0, 7} {
		var s tree.Tree
		var values heuristic.Values
		s.Init([]int{1, 1}, 1<<20)
		values.Keep(&s, heuristic.Knowledge{Alpha: 0.4, Evaluate: guess{}}, []bool{false, false})
		s.NewRoot([]uint64{0}, 0)
		var edges [2][2]uint32 // by role and semimove
		for r := range edges {
			trie, _ := s.Edges.NewTrie([]uint32{0, 1}, true)
			s.Tries(s.Root)[r] = trie
			edges[r] = [2]uint32{tree.EdgeID(trie, 0), s.Edges.Open(trie, true)}
		}
		var children [2]uint32 // by the second role's semimove
		for i := range children {
			children[i] = s.NewNode([]uint64{1 + uint64(i)}, 0, true)
			s.Adopt(s.Root, children[i], []uint32{edges[0][0], edges[1][i]})
			values.Set(children[i], []float64{float64(i), 1 - float64(i)})
		}
		values.Set(s.Root, []float64{0, 1})
		const visits = 100
		for visit := range visits {
			i := min(visit, 1) // the first child once
			joint := []uint32{edges[0][0], edges[1][i]}
			s.Node(s.Root).Visits += 1 + others
			for _, id := range joint {
				s.Edges.Edge(id).Visits += 1 + others
			}
			values.BackUp([]uint32{s.Root, children[i]}, joint)
		}
		edge, root := float64(*values.EdgeOf(edges[0][0])), float64(values.Of(s.Root)[0])
		if want := 1 - 1.0/visits; math.Abs(edge-want) > 1e-3 || math.Abs(root-want) > 1.0/visits+1e-3 {
			t.Errorf("%d visits of others for each: the edge is worth %v and the node %v, of %d values all but one are 1", others, edge, root, visits)
		}
	}
}
