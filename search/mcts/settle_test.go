package mcts

import (
	"testing"

	"semisplit/search"
	"semisplit/search/final"
	"semisplit/search/proof"
	"semisplit/search/tree"
)

// What is solved leaves the selection after five visits; without the solver it
// does not.
func TestSettledLeaves(t *testing.T) {
	oneThread(t)
	g := chooser{[]float64{0, 0.4, 0.2, -1}}
	for _, o := range []Options{
		{Solver: true}, {PN: proof.PN{Solve: true}}, {PN: proof.PN{Solve: true, Draws: true}}, {},
	} {
		o.Seed, o.Selection.Exploration = 1, 2
		mc := toyTree(g, 1, o)
		mustSearchOn(t, mc, 300)
		for _, e := range mc.RootEdges(0) {
			// Goals of 0.2 and 0.4 are proven neither lost nor won, unless one
			// layer knows wins only; in two, they are proven not to be lost.
			settled := e.Path[0] < 3 && (o.Solver || o.PN.Solve)
			if settled && e.Visits > tree.ProvenVisits || !settled && e.Visits <= tree.ProvenVisits {
				t.Errorf("%+v: %+v", o, e)
			}
		}
	}
}

// Selection by proof numbers finds proofs with fewer iterations: so many times
// as without.
func TestSelectionFindsProofs(t *testing.T) {
	oneThread(t)
	const most = 0.9
	var total [2]int
	for seed := range uint64(12) {
		for i, pn := range []proof.PN{{Solve: true, Final: true}, {Solve: true, Final: true, Select: true}} {
			mc := toyTree(connect{5, 4, 3}, 1, Options{Seed: seed, PN: pn})
			r, err := mc.Search(nil, search.Budget{Iterations: 100_000})
			if err != nil {
				t.Fatal(err)
			}
			total[i] += r.Iterations
		}
	}
	if float64(total[1]) > most*float64(total[0]) {
		t.Errorf("%d iterations without, %d with", total[0], total[1])
	}
	t.Logf("%d iterations without, %d with", total[0], total[1])
}

// A move that is sure to bring more than the others bring on average is played,
// and one that surely loses is not, whatever the visits say.
func TestFinalBounds(t *testing.T) {
	oneThread(t)
	for _, c := range []struct {
		goals []float64
		want  uint32
	}{
		{[]float64{0.9, -1, 0}, 0},
		{[]float64{0, -1}, 1},
		{[]float64{0, 0.3, -1}, 2},
		{[]float64{0, 0.3, 0.2}, 1},
	} {
		mc := toyTree(chooser{c.goals}, 1, Options{Seed: 1, Solver: true})
		mustSearchOn(t, mc, 500)
		wantBest(t, mc, 0, c.want)
	}
	// What is lost stays barred though it has all the visits.
	mc := toyTree(chooser{[]float64{0, -1}}, 1, Options{Seed: 1, Solver: true})
	mustSearchOn(t, mc, 500)
	for id := range uint32(2) {
		if e := mc.tree.Edges.Edge(tree.EdgeID(mc.tree.Tries(mc.tree.Root)[0], id)); e.Semimove == 0 {
			e.Visits = 10000
			e.SetSum(10000)
		}
	}
	wantBest(t, mc, 0, 1)
	// What is proven is worth that, whatever its visits from before have brought.
	mc = toyTree(chooser{[]float64{0.5, -1}}, 1, Options{Seed: 1, Solver: true, Final: final.Mean})
	mustSearchOn(t, mc, 500)
	for id := range uint32(2) {
		e := mc.tree.Edges.Edge(tree.EdgeID(mc.tree.Tries(mc.tree.Root)[0], id))
		if e.Semimove == 0 {
			e.Visits = 1000
			e.SetSum(700)
		} else {
			e.Visits = 5000
			e.SetSum(3000)
		}
	}
	wantBest(t, mc, 0, 1)
	mc.final.Avoid([]uint32{tree.EdgeID(mc.tree.Tries(mc.tree.Root)[0], 0), tree.EdgeID(mc.tree.Tries(mc.tree.Root)[0], 1)})
	wantBest(t, mc, 0, 0) // the other one was found to be lost
}
