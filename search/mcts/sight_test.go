package mcts

import (
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/search"
	"semisplit/search/final"
	"semisplit/search/heuristic"
	"semisplit/search/internal/toys"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// A state that is won at once is solved when it is reached first, without children, and
// still played out where it is the root.
func TestSeenWinsAreSolved(t *testing.T) {
	oneThread(t)
	mc := seeingTree(toys.TicTacToe{}, 8, Options{Seed: 1, Solver: true})
	if _, err := mc.Search(nil, search.Budget{Iterations: 400}); err != nil {
		t.Fatal(err)
	}
	if err := mc.check(); err != nil {
		t.Fatal(err)
	}
	bare := 0
	eachState(mc, func(n uint32, s []uint64) {
		if nd := mc.tree.Node(n); nd.Flags&tree.FlagSolved != 0 && nd.Children == 0 {
			if bare++; mc.proofs.Bounds.Distance(n) != 1 {
				t.Errorf("state %o: distance %d", s, mc.proofs.Bounds.Distance(n))
			}
		}
	})
	if bare == 0 {
		t.Error("no state was solved by what was seen")
	}
	// x has 0 and 1, o has 3: x wins by 2.
	if err := mc.SetRoot([]uint64{0o003, 0o110}); err != nil {
		t.Fatal(err)
	}
	if _, err := mc.Search(nil, search.Budget{Iterations: 1000}); err != nil {
		t.Fatal(err)
	}
	if path, ok := mc.Best(0); !ok || path[0] != 2 {
		t.Errorf("plays %v", path)
	}
}

// The child that lets the opponent win at once becomes the root: the win is found.
func TestSolvedByWhatWasSeenAsRoot(t *testing.T) {
	oneThread(t)
	g := toys.TicTacToe{}
	mc := seeingTree(g, 4, Options{Seed: 2, Solver: true})
	if err := mc.SetRoot([]uint64{0o003, 0o010}); err != nil { // o is to move, and must take 2
		t.Fatal(err)
	}
	if _, err := mc.Search(nil, search.Budget{Iterations: 300}); err != nil {
		t.Fatal(err)
	}
	joint := g.Offers([]uint64{0o003, 0o010}, 0, nil)[:1:1]
	joint = append(joint, 8)
	if !mc.Advance(joint) {
		t.Fatal("the tree does not hold what o could play")
	}
	r, err := mc.Search(nil, search.Budget{Iterations: 300})
	if err != nil {
		t.Fatal(err)
	}
	if path, ok := mc.Best(0); !ok || path[0] != 2 || r.Low[0] != 1 {
		t.Errorf("plays %v, sure of %v", path, r.Low)
	}
}

// So it is where a single semimove is offered first, and a raw tree does not know yet what
// follows it.
func TestSolvedByWhatWasSeenAsRawRoot(t *testing.T) {
	oneThread(t)
	for i := range 60 {
		first, seed := 4+i%6, uint64(i/6)
		// x is to move; after 1 only the squares of the first column are free, and o wins by 0.
		g := toys.SplitTicTacToe{TicTacToe: toys.TicTacToe{Start: []uint64{0o144, 0o620}}}
		mc := seeingTree(g, 4, Options{Seed: seed, Solver: true, Raw: true})
		if _, err := mc.Search(nil, search.Budget{Iterations: first}); err != nil {
			t.Fatal(err)
		}
		if !mc.Advance([]uint32{1, 0, 3, 3}) {
			continue // nobody has come there yet
		}
		r, err := mc.Search(nil, search.Budget{Iterations: 300})
		if err != nil {
			t.Fatal(err)
		}
		if path, ok := mc.Best(1); !ok || path[0] != 0 || path[1] != 0 || r.Low[1] != 1 {
			t.Errorf("seed %d, after %d iterations: plays %v, sure of %v, after %d more", seed, first, path, r.Low, r.Iterations)
		}
	}
}

// Who must answer a threat loses at once by all other moves. These are closed when they are
// played first, and no result of the threat, with transpositions and an evaluation or without.
func TestRepliesThatLoseAreTakenBack(t *testing.T) {
	oneThread(t)
	for _, transpose := range []bool{false, true} {
		for _, evaluate := range []bool{false, true} {
			o := Options{Seed: 1, Solver: true, Transpositions: transpose}
			if evaluate {
				o.Knowledge = heuristic.Knowledge{Evaluate: guess{}, Alpha: 0.4}
			}
			g := toys.TicTacToe{}
			mc := seeingTree(g, 8, o)
			// x has 0, o has 5, and x is to move: by 1 it threatens 2.
			if err := mc.SetRoot([]uint64{0o001, 0o040}); err != nil {
				t.Fatal(err)
			}
			mustSearchOn(t, mc, 1500)
			answered, taken := uint32(0), 0
			eachState(mc, func(n uint32, s []uint64) {
				if s[0] != 0o003 || s[1] != 0o040 {
					return
				}
				for _, e := range edgesOf(mc, n, 1) {
					switch own := mc.tree.Edges.Edge(e); {
					case own.Semimove == 2:
						answered = own.Visits
					case own.Visits > 0 || !mc.tree.Edges.IsProven(e):
						t.Errorf("transpositions %v, evaluation %v: the reply %d has %d visits, proven: %v", transpose, evaluate, own.Semimove, own.Visits, mc.tree.Edges.IsProven(e))
					default:
						taken++
					}
				}
				if visits := mc.tree.Node(n).Visits; answered+1 < visits {
					t.Errorf("transpositions %v, evaluation %v: %d of %d visits go to the answer", transpose, evaluate, answered, visits)
				}
			})
			if taken == 0 || answered == 0 {
				t.Errorf("transpositions %v, evaluation %v: %d replies were taken back, %d visits of the answer", transpose, evaluate, taken, answered)
			}
		}
	}
}

// Replies that lose at once get no node where they are seen and others do not, once a win was
// always the other's loss. What is proven is the same.
func TestRepliesThatLoseAreNoChildren(t *testing.T) {
	oneThread(t)
	g := toys.TicTacToe{}
	e := toys.Preferring{Seeing: toys.NewSeeing(g, 8, 100)}
	var mc *searcher
	root := []uint64{0o001, 0o040} // x has 0, o has 5, and x is to move
	for _, begin := range [][]uint64{g.Initial(), root} {
		rivals := 0
		if mc != nil {
			rivals = mc.worker.winSight.rivals
		}
		mc = newSearcher(e, g.Levels(), usual(Options{Seed: 1, Solver: true}), 0)
		mc.worker.winSight.rivals = rivals
		if err := mc.SetRoot(begin); err != nil {
			t.Fatal(err)
		}
		mustSearchOn(t, mc, 1500)
		if !mc.worker.winSight.losesAll() {
			t.Fatalf("after %d wins", mc.worker.winSight.rivals)
		}
	}
	narrow := 0
	eachState(mc, func(n uint32, s []uint64) {
		if n == mc.tree.Root || mc.tree.Node(n).Children == 0 {
			return
		}
		for role := range 2 {
			all := g.Offers(s, role, nil)
			loses := func(move uint32) bool {
				joint := []uint32{g.Offers(s, 0, nil)[0], g.Offers(s, 1, nil)[0]}
				joint[role] = move
				next := g.Play(s, joint)
				return !g.Terminal(next) && e.Wins(next, 1-role)
			}
			if len(all) == 1 || !slices.ContainsFunc(all, func(m uint32) bool { return !loses(m) }) || !slices.ContainsFunc(all, loses) {
				continue
			}
			narrow++
			for _, id := range edgesOf(mc, n, role) {
				if move := mc.tree.Edges.Edge(id).Semimove; loses(move) {
					t.Errorf("state %o: role %d may play %d", s, role, move)
				}
			}
		}
	})
	if narrow < 5 {
		t.Errorf("%d nodes have replies that lose, and others", narrow)
	}
	if err := mc.check(); err != nil {
		t.Error(err)
	}
	plain := seeingTree(g, 8, Options{Seed: 1, Solver: true})
	if err := plain.SetRoot(root); err != nil {
		t.Fatal(err)
	}
	for _, tree := range []*searcher{mc, plain} {
		mustSearchOn(t, tree, 100_000)
	}
	if a, b := mc.proofs.Bounds.Lows(mc.tree.Root), plain.proofs.Bounds.Lows(plain.tree.Root); !slices.Equal(a, b) || !mc.proofs.Decided(mc.tree.Root) {
		t.Errorf("proven: %v, with all replies %v", a, b)
	}
}

// threat is a game for two: the first role threatens, and wins by one more move unless the
// second one answers with 0, which ends the game.
type threat struct{}

const threatened = 9 // the move that wins

func (threat) Levels() []int            { return []int{1, 1} }
func (threat) Initial() []uint64        { return []uint64{0, 0} }
func (threat) Terminal(s []uint64) bool { return s[1] != 0 }
func (threat) Goals(s []uint64) []float64 {
	v := float64(s[1]) / 2
	return []float64{v, 1 - v}
}
func (threat) Offers(s []uint64, role int, _ []uint32) []uint32 {
	switch {
	case s[0] == 1 && role == 1:
		return []uint32{0, 1, 2, 3, 4, 5, 6, 7}
	case s[0] == 2 && role == 0:
		return []uint32{threatened}
	}
	return []uint32{0}
}
func (threat) Play(s []uint64, j []uint32) []uint64 {
	switch {
	case j[0] == threatened:
		return []uint64{3, 2}
	case s[0] == 1 && j[1] == 0:
		return []uint64{2, 1}
	}
	return []uint64{s[0] + 1, 0}
}

// tracingSeer is a steeredEngine that sees wins.
type tracingSeer struct {
	*steeredEngine
	sight toys.Seeing
}

func (tracingSeer) Sees() bool { return true }
func (e tracingSeer) Winners(role int, dst []uint64) []uint64 {
	return e.sight.Winners(role, dst)
}

// The playout after a reply that is taken back is learned from once, though the lane goes on
// and may come to the end of the game in the tree.
func TestTakenBackIsLearnedOnce(t *testing.T) {
	for seed := range uint64(8) {
		e := newSteered(threat{}, 1, 0, seed)
		wins, record := 0, e.OnPlay
		e.OnPlay = func(lane int, joint []uint32) {
			if record(lane, joint); joint[0] == threatened {
				wins++
			}
		}
		o := Options{Seed: seed, Solver: true, Mast: stats.Mast{Kind: stats.Split}}
		mc := newSearcher(tracingSeer{e, toys.Seeing{Engine: e.Engine}}, threat{}.Levels(), usual(o), 0)
		if err := mc.SetRoot(threat{}.Initial()); err != nil {
			t.Fatal(err)
		}
		if _, err := mc.Search(nil, search.Budget{Iterations: 100}); err != nil {
			t.Fatal(err)
		}
		if learned := mc.worker.flight.learner.Mast.Split[0][0][threatened].N; learned != float64(wins) || wins < 7 {
			t.Errorf("seed %d: the winning move was played %d times, and learned from %v times", seed, wins, learned)
		}
	}
}

// What is valued by all that was played after a node, as by GRAVE, does not count the replies
// that are taken back either.
func TestTakenBackIsNoResult(t *testing.T) {
	for seed := range uint64(8) {
		e := newSteered(threat{}, 1, 0, seed)
		o := Options{Seed: seed, Solver: true, Grave: stats.Grave{Reference: 1}, Final: final.Visits}
		mc := newSearcher(tracingSeer{e, toys.Seeing{Engine: e.Engine}}, threat{}.Levels(), usual(o), 0)
		if err := mc.SetRoot(threat{}.Initial()); err != nil {
			t.Fatal(err)
		}
		won, taken := float32(0), 0
		for {
			r, err := mc.Search(nil, search.Budget{Iterations: 1})
			if err != nil {
				t.Fatal(err)
			}
			if r.Iterations == 0 {
				break
			}
			if mc.worker.flight.iteration.Values[0] == 1 {
				won++
			}
		}
		eachState(mc, func(n uint32, s []uint64) {
			for _, id := range edgesOf(mc, n, 1) {
				if own := mc.tree.Edges.Edge(id); own.Semimove > 0 && own.Visits == 0 {
					taken++
				}
			}
		})
		got := tree.EvidenceOf(mc.grave.Of(mc.grave.Table(mc.tree.Root), 0), threatened)
		if math.Abs(float64(got.N-won)) > 1e-3 || taken < 6 {
			t.Errorf("seed %d: %v iterations were won, %v count for the winning move; %d replies taken back", seed, won, got.N, taken)
		}
	}
}

// doomed is a game for two: the second role loses by each of its many moves.
type doomed struct{}

func (doomed) Levels() []int                        { return []int{1, 1} }
func (doomed) Initial() []uint64                    { return []uint64{0} }
func (doomed) Terminal(s []uint64) bool             { return s[0] == 2 }
func (doomed) Goals([]uint64) []float64             { return []float64{1, 0} }
func (doomed) Play(s []uint64, _ []uint32) []uint64 { return []uint64{s[0] + 1} }
func (doomed) Offers(s []uint64, role int, _ []uint32) (all []uint32) {
	for i := range [2][2]uint32{{2, 1}, {1, 700}}[s[0]][role] {
		all = append(all, i)
	}
	return all
}

// Where memory has no room for all replies that lose, those that were taken back are forgotten
// and taken back again. That comes to an end: a lane counts one of them.
func TestTakenBackForEver(t *testing.T) {
	oneThread(t)
	mc := toyTree(doomed{}, 8, Options{Seed: 1, Solver: true, Memory: 64 << 10})
	var stop atomic.Bool
	steps := 0
	mc.worker.engine.(*toyEngine).OnStep = func(*toyEngine, *atomic.Bool) error {
		if steps++; steps > 20_000 {
			stop.Store(true)
		}
		return nil
	}
	if r, err := mc.Search(&stop, search.Budget{Iterations: 10}); err != nil || r.Iterations != 10 || r.Pruned == 0 {
		t.Errorf("%d iterations in %d Steps, %d nodes given up: %v", r.Iterations, steps, r.Pruned, err)
	}
	if err := mc.check(); err != nil {
		t.Error(err)
	}
}

// What a win that was seen is worth is what its goals are, not what the evaluation says.
func TestSeenWinsAreValued(t *testing.T) {
	oneThread(t)
	mc := seeingTree(toys.TicTacToe{}, 8, Options{Seed: 1, Solver: true, Knowledge: heuristic.Knowledge{Evaluate: guess{}, Alpha: 0.4}})
	mustSearchOn(t, mc, 1000)
	bare := 0
	eachState(mc, func(n uint32, s []uint64) {
		if nd := mc.tree.Node(n); nd.Flags&tree.FlagSolved != 0 && nd.Children == 0 {
			bare++
			for r, goal := range mc.proofs.Bounds.ExactGoals(n, nil) {
				if worth := mc.values.Of(n)[r]; worth != float32(goal) {
					t.Errorf("state %o brings %v to role %d, and is worth %v", s, goal, r, worth)
				}
			}
		}
	})
	if bare == 0 {
		t.Error("no state was solved by what was seen")
	}
}

// edgesOf are the edges of a role in a node where it alone has a choice, of one level.
func edgesOf(mc *searcher, n uint32, role int) (ids []uint32) {
	if trie := mc.tree.Tries(n)[role]; tree.IsTrie(trie) {
		mc.tree.Edges.EdgesOf(trie, func(id uint32, _ *tree.Edge) bool {
			ids = append(ids, id)
			return true
		})
	}
	return ids
}
