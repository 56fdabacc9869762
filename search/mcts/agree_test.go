package mcts

import (
	"fmt"
	"math"
	"testing"

	"semisplit/search/internal/toys"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// splitLottery chooses column and row of squares and draws.
type splitLottery struct{ toys.Lottery }

func (splitLottery) Levels() []int { return []int{2, 2} }
func (splitLottery) Offers(s []uint64, role int, _ []uint32) []uint32 {
	if uint64(role) != s[0] {
		return []uint32{3}
	}
	return []uint32{0, 1, 2}
}
func (g splitLottery) Play(s []uint64, joint []uint32) []uint64 {
	m := 2 * s[0]
	square := 3*joint[m+1] + joint[m]
	return g.Lottery.Play(s, []uint32{square, square})
}

// lotteries are the designs of trees, on the engines that they are for.
var lotteries = []struct {
	name string
	game toy
	o    Options
}{
	{"orthodox", toys.Lottery{}, Options{}},
	{"semisplit nodal", splitLottery{}, Options{}},
	{"semisplit raw", splitLottery{}, Options{Raw: true}},
	{"rolled up", splitLottery{}, Options{Backup: rolledUp}},
	{"rolled up, raw", splitLottery{}, Options{Backup: rolledUp, Raw: true}},
	{"orthodox tree, semisplit playouts", splitLottery{}, Options{Whole: true}},
	{"semisplit tree, orthodox playouts", toys.Lottery{}, Options{Divide: halves}},
	{"raw tree, orthodox playouts", toys.Lottery{}, Options{Divide: halves, Raw: true}},
	{"rolled-up tree, orthodox playouts", toys.Lottery{}, Options{Divide: halves, Backup: rolledUp}},
}

// TestDesignsAgreeOnMeans: in every design the mean of each move lies in the
// interval around its known value that its visits give, the mean of a prefix is
// that of the moves below it weighted by their visits, and the value of the
// root is that of all moves. So trees of different designs agree on values, and
// differ in how they share the visits out.
func TestDesignsAgreeOnMeans(t *testing.T) {
	oneThread(t)
	heuristics := []struct {
		mast stats.Mast
		rave stats.Rave
	}{{}, {stats.Mast{Kind: stats.Split}, stats.Rave{Kind: stats.Context}}, {stats.Mast{Kind: stats.Context}, stats.Rave{}}, {stats.Mast{}, stats.Rave{Kind: stats.Mix}}}
	for _, d := range lotteries {
		for i, h := range heuristics {
			t.Run(fmt.Sprint(d.name, i), func(t *testing.T) {
				o := d.o
				o.Seed, o.Selection.Exploration, o.Mast, o.Rave, o.Chance = uint64(i), 1, h.mast, h.rave, []bool{false, true}
				mc := newSearcher(newSteered(d.game, 64, 10, uint64(i)), d.game.Levels(), usual(o), 0)
				if err := mc.SetRoot(d.game.Initial()); err != nil {
					t.Fatal(err)
				}
				r := mustSearch(t, mc, 10000)
				c := means{t: t, tree: mc}
				visits, sum := c.below(mc.tree.Tries(mc.tree.Root)[0], nil)
				if c.moves < 8 || visits != r.Iterations || math.Abs(r.Value[0]-sum/float64(visits)) > 1e-9 {
					t.Errorf("%d moves with %d visits and sum %g; %d iterations with mean %g", c.moves, visits, sum, r.Iterations, r.Value[0])
				}
				if r.Value[0] < 0.85 { // one square always wins
					t.Errorf("value %v", r.Value)
				}
			})
		}
	}
}

// means holds the edges of role 0 in the root of a lottery against what is
// known of them.
type means struct {
	t     *testing.T
	tree  *searcher
	moves int // that were visited
}

// below checks the edges of a trie node and returns their visits and scores.
func (c *means) below(trie uint32, prefix []uint32) (visits int, sum float64) {
	if trie == 0 || trie == tree.Dead {
		return 0, 0
	}
	c.tree.tree.Edges.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
		visits, sum = visits+int(e.Visits), sum+e.Sum()
		labels := append(prefix[:len(prefix):len(prefix)], e.Semimove)
		if len(labels) == c.tree.tree.Levels[0] {
			c.move(c.tree.encodings[0].AppendPath(nil, labels), e)
			return true
		}
		n, s := c.below(e.Child, labels)
		switch loose := int(e.Visits) - n; {
		case !c.tree.options.Raw && (loose != 0 || math.Abs(e.Sum()-s) > 1e-6):
			c.t.Errorf("%v: %d visits, sum %g, but %d and %g below", labels, e.Visits, e.Sum(), n, s)
		case loose < 0 || s > e.Sum()+1e-6 || e.Sum() > s+float64(loose)+1e-6: // a raw tree ends at the prefix at first
			c.t.Errorf("%v: %d visits, sum %g, but %d and %g below", labels, e.Visits, e.Sum(), n, s)
		}
		return true
	})
	return visits, sum
}

// move checks the mean of a whole move, as the engine's semimoves.
func (c *means) move(path []uint32, e *tree.Edge) {
	const deviations = 4.5 // of a mean; some 300 means are looked at
	if e.Visits == 0 {
		return
	}
	c.moves++
	square := path[0]
	if len(path) == 2 {
		square += 3 * path[1]
	}
	n := float64(e.Visits)
	p := float64(toys.Shares[square]) / 9
	if margin := deviations*math.Sqrt(p*(1-p)/n) + 1e-9; math.Abs(e.Sum()/n-p) > margin {
		c.t.Errorf("square %d, worth %.3f: %.3f after %d visits", square, p, e.Sum()/n, e.Visits)
	}
}
