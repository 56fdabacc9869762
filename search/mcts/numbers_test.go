package mcts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"semisplit/search/internal/hashing"
	"slices"
	"testing"

	"semisplit/search"
	"semisplit/search/internal/toys"
	"semisplit/search/proof"
	"semisplit/search/tree"
)

// allNumbers turns everything on.
var allNumbers = proof.PN{Final: true, Solve: true, Select: true, Draws: true, Contempt: 0.5}

// No proof number is wrong, whoever moves, together or in turns, with chance.
func TestNumbersAreRight(t *testing.T) {
	oneThread(t)
	proofs, disproofs := 0, 0
	for _, together := range []int{0, 2} {
		for roles := 1; roles <= 3; roles++ {
			t.Run(fmt.Sprintf("together %d, %d roles", together, roles), func(t *testing.T) {
				eachProofTrial(t, 8, func(rng *rand.Rand) (thicket, []bool) {
					g := someThicket(rng, roles)
					g.together, g.depth = together, min(g.depth, 4)
					chance := make([]bool, roles)
					chance[roles-1] = roles == 3 && rng.IntN(2) == 0
					return g, chance
				}, Options{PN: allNumbers, Solver: roles == 2}, func(t *testing.T, b *truth, mc *searcher, n uint32, s []uint64) {
					for layer, goal := range []float64{1, 1e-9} {
						for r, x := range mc.proofs.NumbersOf(n, layer) {
							if b.chance[r] {
								continue
							}
							if x.Proof == 0 {
								if proofs++; !b.forces(s, r, goal) {
									t.Errorf("state %v: role %d, layer %d: wrong proof", s, r, layer)
								}
							}
							if x.Disproof == 0 {
								if disproofs++; !b.prevents(s, r, goal) {
									t.Errorf("state %v: role %d, layer %d: wrong disproof", s, r, layer)
								}
							}
						}
					}
				}, nil)
			})
		}
	}
	if proofs == 0 || disproofs == 0 {
		t.Errorf("%d proofs, %d disproofs", proofs, disproofs)
	}
}

// In a tree without transpositions the numbers of every node are those that a
// plain recursion finds.
func TestNumbersAgree(t *testing.T) {
	oneThread(t)
	for _, g := range []toy{toys.TicTacToe{}, toys.SplitTicTacToe{}, toys.Nim{Heaps: []uint64{2, 3}}} {
		mc := toyTree(g, 8, Options{Seed: 1, PN: proof.PN{Select: true, Draws: true}})
		for range 4 {
			mustSearch(t, mc, 300)
			var plain func(n uint32, role, layer int) proof.Numbers
			plain = func(n uint32, role, layer int) proof.Numbers {
				if mc.tree.Node(n).Flags&tree.FlagTerminal != 0 {
					if v := mc.tree.Goals(n, nil)[role]; v == 1 || layer == 1 && v > 0 {
						return proof.Numbers{Proof: 0, Disproof: proof.Infinite}
					}
					return proof.Numbers{Proof: proof.Infinite, Disproof: 0}
				}
				if !mc.proofs.ChildSet.Gather(n) {
					return proof.Unknown
				}
				mover, ok := mc.proofs.ChildSet.Sole()
				if !ok {
					t.Fatal("a game in turns")
				}
				least, sum := uint32(proof.Infinite), uint32(0)
				children, missing := slices.Clone(mc.proofs.ChildSet.Children), mc.proofs.ChildSet.MissingSole(mover)
				for range missing {
					least, sum = min(least, 1), sum+1
				}
				for _, c := range children {
					x := plain(c, role, layer)
					if role != mover {
						x.Proof, x.Disproof = x.Disproof, x.Proof
					}
					least = min(least, x.Proof)
					if x.Disproof == proof.Infinite || sum == proof.Infinite {
						sum = proof.Infinite
					} else {
						sum += x.Disproof
					}
				}
				if role != mover {
					return proof.Numbers{Proof: sum, Disproof: least}
				}
				return proof.Numbers{Proof: least, Disproof: sum}
			}
			eachState(mc, func(n uint32, s []uint64) {
				for layer := range 2 {
					for r, x := range mc.proofs.NumbersOf(n, layer) {
						if want := plain(n, r, layer); x != want {
							t.Fatalf("%T, state %v: role %d, layer %d: %v, want %v", g, s, r, layer, x, want)
						}
					}
				}
			})
		}
	}
}

// Equal numbers share a rank and leave a gap after it, the worst has no bonus, and
// the second layer breaks ties.
func TestRanks(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.TicTacToe{}, 1, Options{Seed: 1, PN: proof.PN{Select: true, Draws: true}})
	mustSearch(t, mc, 200)
	trie := mc.tree.Tries(mc.tree.Root)[0]
	keys := []uint64{5<<32 | 7, 5<<32 | 7, 2<<32 | 9, 2<<32 | 1, 9<<32 | 1, 5<<32 | 7, 9<<32 | 1, proof.Infinite<<32 | proof.Infinite, 5<<32 | 6}
	want := []float64{5. / 9, 5. / 9, 7. / 9, 8. / 9, 2. / 9, 5. / 9, 2. / 9, 0, 6. / 9}
	var ids []uint32
	mc.tree.Edges.EdgesOf(trie, func(id uint32, _ *tree.Edge) bool {
		ids = append(ids, id)
		return true
	})
	for i, key := range keys {
		chunk, place := ids[i]>>tree.PlaceBits, ids[i]&tree.PlaceMask
		mc.proofs.Ranks.EdgeNumbers[0].At(chunk).Own[place].Proof = uint32(key >> 32)
		mc.proofs.Ranks.EdgeNumbers[1].At(chunk).Own[place].Proof = uint32(key)
	}
	mc.proofs.Ranks.MarkRanksDirty(trie)
	mc.proofs.Ranks.Rank(trie)
	for i, x := range want {
		if got := bonusOf(mc, ids[i]) / proof.DefaultConstant; math.Abs(got-x) > 1e-6 {
			t.Errorf("edge %d with key %x: %g, want %g", i, keys[i], got, x)
		}
	}
}

// A node that is not marked has the ranks that its numbers ask for, after pruning
// too. Between the rounds all nodes are ranked, so that many are unmarked when the
// next round changes numbers below them, whatever the threads have come to select.
func TestRanksUpToDate(t *testing.T) {
	oneThread(t)
	for _, g := range []toy{toys.TicTacToe{}, toys.SplitTicTacToe{}, toys.VerifiedTicTacToe{}} {
		for _, o := range []Options{{}, {Memory: 200 << 10}} {
			o.Seed, o.PN = 1, proof.PN{Select: true, Solve: true, Draws: true}
			mc := toyTree(g, 1, o)
			looked := 0
			var look func(s []uint64, trie uint32, levels int)
			look = func(s []uint64, trie uint32, levels int) {
				if !tree.IsTrie(trie) {
					return
				}
				unmarked := !*mc.proofs.Ranks.Dirty.At(trie)
				before := bonuses(mc, trie)
				mc.proofs.Ranks.MarkRanksDirty(trie)
				mc.proofs.Ranks.Rank(trie)
				if unmarked {
					looked++
					if now := bonuses(mc, trie); !slices.Equal(now, before) {
						t.Errorf("%T, memory %d, state %v, %d levels: %g, want %g", g, o.Memory, s, levels, before, now)
					}
				}
				if levels == 1 {
					return
				}
				mc.tree.Edges.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
					look(s, e.Child, levels-1)
					return true
				})
			}
			for range 15 {
				mustSearch(t, mc, 200)
				eachState(mc, func(n uint32, s []uint64) {
					for role, trie := range mc.tree.Tries(n) {
						look(s, trie, g.Levels()[role])
					}
				})
			}
			if looked < 100 {
				t.Errorf("%T: %d nodes looked at", g, looked)
			}
		}
	}
}

// bonuses lists what a trie node's edges have by their ranks.
func bonuses(mc *searcher, trie uint32) []float64 {
	var all []float64
	mc.tree.Edges.EdgesOf(trie, func(id uint32, _ *tree.Edge) bool {
		all = append(all, bonusOf(mc, id))
		return true
	})
	return all
}

// What is proven is played, whatever the visits say; a proven draw only if the
// root looks worse than the contempt.
func TestFinalProven(t *testing.T) {
	oneThread(t)
	// Role 0 chooses: 0 wins at once, 1 draws at once, 2 is open.
	open := chooser{[]float64{1, 0.5, -1}}
	mc := toyTree(open, 1, Options{Seed: 1, PN: proof.PN{Final: true}})
	mustSearchOn(t, mc, 20)
	wantBest(t, mc, 0, 0)
	for _, c := range []struct {
		contempt float64
		want     uint32
	}{{0, 1}, {0.5, 1}, {0.9, 0}} {
		// Without the win: the open one is worth 0.7 on the whole.
		mc := toyTree(chooser{[]float64{0.5, -1}}, 1, Options{Seed: 1, PN: proof.PN{Final: true, Draws: true, Contempt: c.contempt}})
		mustSearchOn(t, mc, 400)
		wantBest(t, mc, 0, c.want)
	}
}

func mustSearchOn(t *testing.T, mc *searcher, iterations int) {
	t.Helper()
	if _, err := mc.Search(nil, search.Budget{Iterations: iterations}); err != nil {
		t.Fatal(err)
	}
	if err := mc.check(); err != nil {
		t.Fatal(err)
	}
}

// chooser: role 0 picks a goal; -1 leads to a long game of random moves of
// both, of which role 0 wins seven in ten.
type chooser struct{ goal []float64 }

func (chooser) Levels() []int     { return []int{1, 1} }
func (chooser) Initial() []uint64 { return []uint64{0, 0} }
func (g chooser) Terminal(s []uint64) bool {
	return s[0] == 1 && g.goal[s[1]] >= 0 || s[0] == 20
}
func (g chooser) Goals(s []uint64) []float64 {
	v := 0.0
	if s[0] == 1 {
		v = g.goal[s[1]]
	} else if hashing.Of(s[1])%10 < 7 {
		v = 1
	}
	return []float64{v, 1 - v}
}
func (g chooser) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
	n := 1
	if s[0] == 0 && role == 0 {
		n = len(g.goal)
	} else if s[0] > 0 && s[0]%2 == uint64(role) {
		n = 5
	}
	for i := range n {
		o = append(o, uint32(i))
	}
	return o
}
func (chooser) Play(s []uint64, j []uint32) []uint64 {
	if s[0] == 0 {
		return []uint64{1, uint64(j[0])}
	}
	return []uint64{s[0] + 1, hashing.Of(s[1]*10 + uint64(j[0]+j[1]))}
}
