package mcts

import (
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/search"
	"semisplit/search/internal/toys"
	"semisplit/search/stats"
)

// ending is how a game of two in turns ends, for role 0, and after how many
// moves if the winner hurries and the loser holds out.
type ending struct {
	value float64
	moves int
}

// endingOf finds it by trying everything.
func endingOf(g toy, s []uint64, known map[position]ending) ending {
	if g.Terminal(s) {
		return ending{g.Goals(s)[0], 0}
	}
	var key position
	copy(key[:], s)
	if e, ok := known[key]; ok {
		return e
	}
	mover := toys.Mover(s)
	own := func(v float64) float64 { return []float64{v, 1 - v}[mover] }
	var best ending
	for i, m := range toys.Moves(g, s, mover, nil) {
		joint := []uint32{99, 99}
		joint[mover] = m[0]
		e := endingOf(g, g.Play(s, joint), known)
		e.moves++
		switch {
		case i == 0 || own(e.value) > own(best.value):
			best = e
		case own(e.value) == own(best.value) && (e.moves < best.moves) == (own(e.value) == 1):
			best = e
		}
	}
	known[key] = best
	return best
}

// lostPositions are some in which the role to move loses, by moves that last for
// different times.
func lostPositions(g toy, count int, known map[position]ending) (lost [][]uint64) {
	rng := rand.New(rand.NewPCG(3, 3))
	for tries := 0; len(lost) < count && tries < 100_000; tries++ {
		s := g.Initial()
		for range 2 + rng.IntN(5) {
			moves := toys.Moves(g, s, toys.Mover(s), nil)
			if g.Terminal(s) {
				break
			}
			joint := []uint32{99, 99}
			joint[toys.Mover(s)] = moves[rng.IntN(len(moves))][0]
			s = g.Play(s, joint)
		}
		if g.Terminal(s) || endingOf(g, s, known).value != float64(toys.Mover(s)) {
			continue
		}
		lengths := map[int]bool{}
		for _, m := range toys.Moves(g, s, toys.Mover(s), nil) {
			joint := []uint32{99, 99}
			joint[toys.Mover(s)] = m[0]
			lengths[endingOf(g, g.Play(s, joint), known).moves] = true
		}
		if n := endingOf(g, s, known).moves; len(lengths) > 1 && n > 2 && n < 10 {
			lost = append(lost, s)
		}
	}
	return lost
}

// Where the loss is proven the search goes on until the budget is spent, and the
// move that is played then lasts as long as any; who wins comes nearer to the
// end with each move.
func TestLongestDefence(t *testing.T) {
	oneThread(t)
	g := connect{5, 4, 3}
	known := map[position]ending{}
	lost := lostPositions(g, 4, known)
	if len(lost) < 4 {
		t.Fatalf("only %d positions", len(lost))
	}
	for _, o := range []Options{{}, {Transpositions: true}, {PN: allNumbers}, {Backup: rolledUp, Rave: stats.Rave{Kind: stats.Join}}} {
		for _, s := range lost {
			o.Solver, o.Seed = true, 1
			mc := toyTree(g, 8, o)
			if err := mc.SetRoot(s); err != nil {
				t.Fatal(err)
			}
			solveTree(t, mc, 100_000)
			mover := toys.Mover(s)
			const more = 3000
			r, err := mc.Search(nil, search.Budget{Iterations: more})
			if err != nil || r.Iterations != more || r.High[mover] != 0 {
				t.Fatalf("%+v, state %v: %+v, %v", o, s, r, err)
			}
			if err := mc.check(); err != nil {
				t.Fatal(err)
			}
			for !mc.terminal() {
				a, _ := mc.Best(0)
				b, _ := mc.Best(1)
				joint := slices.Concat(a, b)
				before, distance := endingOf(g, s, known), mc.proofs.Bounds.Distance(mc.tree.Root)
				loses := toys.Mover(s) == mover
				s = g.Play(s, joint)
				if after := endingOf(g, s, known); after.value != before.value || loses && after.moves != before.moves-1 {
					t.Errorf("%v: %v leads to %v, which lasts %d more moves, not %d", o.PN, joint, s, after.moves, before.moves-1)
				}
				if !mc.Advance(joint) {
					t.Fatal("lost the tree")
				}
				if d := mc.proofs.Bounds.Distance(mc.tree.Root); d >= distance {
					t.Errorf("%v leads from %d to %d joint moves from the end", joint, distance, d)
				}
				if _, err := mc.Search(nil, search.Budget{Iterations: more}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
