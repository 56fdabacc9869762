package mcts

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"semisplit/search/backup"
	"semisplit/search/encoding"
	"semisplit/search/final"
	"semisplit/search/internal/toys"
	"semisplit/search/tree"
)

// halves divides the moves of ticTacToe into column and row.
var halves = &encoding.Division{Levels: []int{2, 2}, Path: func(_ int, move uint32) []uint32 {
	return []uint32{move % 3, 10 + move/3}
}}

// design is a way to take moves apart, with tic-tac-toe for it.
type design struct {
	name string
	game func(toys.TicTacToe) toy
	path func(square uint32) []uint32 // of the engine
	o    Options
}

// designs are ways to take the moves of tic-tac-toe, from the game as the
// engine has it.
var designs = []design{
	{"orthodox", whole, one, Options{}},
	{"semisplit nodal", halved, two, Options{}},
	{"semisplit nodal, verified", verified, three, Options{}},
	{"semisplit raw", halved, two, Options{Raw: true}},
	{"semisplit raw, verified", verified, three, Options{Raw: true}},
	{"rolled up", halved, two, Options{Backup: rolledUp}},
	{"rolled up, verified", verified, three, Options{Backup: rolledUp}},
	{"rolled up slowly", verified, three, Options{Backup: backup.Options{RollUp: true, MinSimulations: 3}}},
	{"rolled up, raw", verified, three, Options{Backup: rolledUp, Raw: true}},
	{"orthodox tree, semisplit playouts", halved, two, Options{Whole: true}},
	{"orthodox tree, verified playouts", verified, three, Options{Whole: true}},
	{"semisplit tree, orthodox playouts", whole, one, Options{Divide: halves}},
	{"raw tree, orthodox playouts", whole, one, Options{Divide: halves, Raw: true}},
	{"rolled-up tree, orthodox playouts", whole, one, Options{Divide: halves, Backup: rolledUp}},
}

func whole(g toys.TicTacToe) toy    { return g }
func halved(g toys.TicTacToe) toy   { return toys.SplitTicTacToe{TicTacToe: g} }
func verified(g toys.TicTacToe) toy { return toys.VerifiedTicTacToe{TicTacToe: g} }

func one(square uint32) []uint32 { return []uint32{square} }
func two(square uint32) []uint32 {
	if square == 9 {
		return []uint32{3, 3}
	}
	return []uint32{square % 3, square / 3}
}
func three(square uint32) []uint32 { return append(two(square), 0) }

// Every design finds the only good move, by every final choice.
func TestDesigns(t *testing.T) {
	oneThread(t)
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			for i, c := range tactics {
				for n, rule := range []final.Rule{final.Visits, final.Mean, final.RollUp} {
					if rule != final.Visits && strings.Contains(c.name, "block") {
						continue // a few visits may well have a better mean than a draw
					}
					o := d.o
					o.Seed, o.Final = uint64(n)+1, rule
					mc := toyTree(d.game(toys.TicTacToe{Start: c.start}), []int{1, 64}[i%2], o)
					mustSearch(t, mc, 2000)
					wantBest(t, mc, c.role, d.path(c.best)...)
					wantBest(t, mc, 1-c.role, d.path(9)...)
				}
			}
		})
	}
}

// Every design comes to the same value of the empty board, and keeps its tree
// along a match.
func TestDesignsAgree(t *testing.T) {
	oneThread(t)
	for i, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			o := d.o
			o.Seed = 11
			mc := toyTree(d.game(toys.TicTacToe{}), []int{1, 64}[i%2], o)
			r := mustSearch(t, mc, 30000)
			if math.Abs(r.Value[0]-0.5) > 0.1 || math.Abs(r.Value[0]+r.Value[1]-1) > 1e-9 {
				t.Errorf("value %v", r.Value)
			}
			for !mc.terminal() {
				var joint []uint32
				for role := range 2 {
					path, ok := mc.Best(role)
					if !ok {
						t.Fatal("no best move")
					}
					joint = append(joint, path...)
				}
				if !mc.Advance(joint) {
					t.Fatalf("%v is not in the tree", joint)
				}
				if !mc.terminal() {
					mustSearch(t, mc, 2000)
				}
			}
			if v := mc.value(); !reflect.DeepEqual(v, []float64{0.5, 0.5}) {
				t.Errorf("the match ended with %v", v)
			}
		})
	}
}

// With the memory full, every design goes on and stays whole.
func TestDesignsInLittleMemory(t *testing.T) {
	oneThread(t)
	for _, d := range designs {
		for _, lanes := range []int{1, 64} {
			o := d.o
			o.Seed, o.Memory = 1, 350<<10
			mc := toyTree(d.game(toys.TicTacToe{}), lanes, o)
			for range 4 {
				mustSearch(t, mc, 3000)
			}
			if _, ok := mc.Best(0); !ok {
				t.Errorf("%s: no best move", d.name)
			}
		}
	}
}

// Rolled up, a tree chooses among whole moves: each square of the empty board
// is visited about as often as in an orthodox tree with the same results.
func TestRollUpIsOrthodoxInTheEnd(t *testing.T) {
	oneThread(t)
	const seeds = 8
	share := func(g toy, o Options) map[string]float64 {
		shares := map[string]float64{}
		for o.Seed = range uint64(seeds) {
			mc := toyTree(g, 1, o)
			mustSearch(t, mc, 20000)
			if o.Backup.RollUp && !mc.tree.Edges.IsRolled(mc.tree.Edges.Edge(tree.EdgeID(mc.tree.Tries(mc.tree.Root)[0], 0)).Child) {
				t.Error("nothing was rolled up")
			}
			for _, e := range mc.RootEdges(0) {
				if len(e.Path) == mc.encodings[0].EngineLevels {
					path := e.Path
					if len(path) == 1 {
						path = two(path[0])
					}
					shares[fmt.Sprint(path)] += float64(e.Visits) / (20000 * seeds)
				}
			}
		}
		return shares
	}
	orthodox, rolled := share(toys.TicTacToe{}, Options{}), share(toys.SplitTicTacToe{}, Options{Backup: rolledUp})
	if len(orthodox) != 9 || len(rolled) != 9 {
		t.Fatalf("%v\n%v", orthodox, rolled)
	}
	for path, x := range orthodox {
		// The middle is best, and the others share the rest.
		if y := rolled[path]; math.Abs(x-y) > 0.15 || (path == "[1 1]") != (y > 0.3) {
			t.Errorf("%s: %.3f orthodox, %.3f rolled up", path, x, y)
		}
	}
}

// The raw variant adds an edge in an iteration, the nodal one a whole path.
func TestRawAddsOneEdge(t *testing.T) {
	oneThread(t)
	for iterations := range 9 {
		for _, raw := range []bool{false, true} {
			mc := toyTree(toys.VerifiedTicTacToe{}, 1, Options{Seed: 1, Raw: raw})
			mustSearch(t, mc, iterations+1)
			edges := 0
			for _, e := range mc.RootEdges(0) {
				if e.Visits > 0 {
					edges++
				}
			}
			if raw && edges > iterations+1 {
				t.Errorf("raw: %d edges after %d iterations", edges, iterations+1)
			}
			if !raw && edges < 3 {
				t.Errorf("nodal: %d edges after %d iterations", edges, iterations+1)
			}
			if path, ok := mc.Best(0); !ok || len(path) != 3 {
				t.Errorf("raw %v: best %v", raw, path)
			}
		}
	}
}

// The final roll-up selection prefers a move with a better mean if it has
// visits enough.
func TestFinalRollUp(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.SplitTicTacToe{}, 1, Options{Seed: 1, Final: final.RollUp})
	mustSearch(t, mc, 300)
	top := mc.tree.Tries(mc.tree.Root)[0]
	set := func(id, visits uint32, mean float64) { // the tree is not whole any more
		e := mc.tree.Edges.Edge(id)
		e.Visits = visits
		e.SetSum(mean * float64(visits))
		mc.tree.Edges.Refresh(id)
	}
	// Column a is best on the whole, its best row has 0.6 of 50 visits; a row of
	// column b has 0.9 of 20.
	a, b := tree.EdgeID(top, 0), tree.EdgeID(top, 1)
	set(a, 120, 0.55)
	set(b, 100, 0.4)
	set(tree.EdgeID(top, 2), 80, 0.1)
	for column, means := range map[uint32][3]float64{a: {0.6, 0.5, 0.5}, b: {0.9, 0.2, 0.2}, tree.EdgeID(top, 2): {0.1, 0.1, 0.1}} {
		for i, mean := range means {
			visits := uint32(50)
			if column == b && i == 0 {
				visits = 20
			}
			set(tree.EdgeID(mc.tree.Edges.Edge(column).Child, uint32(i)), visits, mean)
		}
	}
	for _, c := range []struct{ visits, want uint32 }{{20, a}, {49, a}, {50, b}, {80, b}} {
		set(tree.EdgeID(mc.tree.Edges.Edge(b).Child, 0), c.visits, 0.9)
		path, _ := mc.Best(0)
		if want := mc.tree.Edges.Edge(c.want).Semimove; path[0] != want {
			t.Errorf("%d visits: column %d, want %d", c.visits, path[0], want)
		}
	}
	mc.final = final.New(&mc.tree, &mc.proofs, &mc.values, final.Mean, mc.options.PN)
	if path, _ := mc.Best(0); path[0] != mc.tree.Edges.Edge(a).Semimove {
		t.Errorf("by mean: %v", path)
	}
}

func TestPaths(t *testing.T) {
	p := encoding.NewPaths(3)
	for round := range 2 {
		for i := range uint32(500) {
			path := []uint32{i % 7, i / 7, i}
			if _, ok := p.Find(path); ok != (round == 1) {
				t.Fatalf("round %d: %v is known: %v", round, path, ok)
			}
			if n := p.Number(path); n != i || !reflect.DeepEqual(p.Path(n), path) {
				t.Fatalf("%v has number %d", path, n)
			}
		}
	}
}

// grid ends with the first move, to a square of many.
type grid struct{ side uint32 }

func (grid) Levels() []int            { return []int{2} }
func (grid) Initial() []uint64        { return []uint64{0} }
func (grid) Terminal(s []uint64) bool { return s[0] > 0 }
func (grid) Goals([]uint64) []float64 { return []float64{0} }
func (g grid) Offers(_ []uint64, _ int, _ []uint32) (o []uint32) {
	for i := range g.side {
		o = append(o, i)
	}
	return o
}
func (g grid) Play(_ []uint64, j []uint32) []uint64 { return []uint64{uint64(1 + g.side*j[0] + j[1])} }

// The numbers of whole moves count into the memory of trees, and of what joins them.
func TestWholeMovesTakeMemory(t *testing.T) {
	const moves = 150 * 150
	f := toyForest(grid{150}, 1, 2, Options{Seed: 1, Whole: true, Memory: 8 << 20})
	before, joined := f.trees[0].tree.Edges.Memory.Bytes, f.joint.Bytes()
	r := mustSearchForest(t, f, 50)
	if of := f.trees[0].encodings[0].Whole; of.Bytes() < 4*3*moves || f.trees[0].tree.Edges.Memory.Bytes < before+of.Bytes()/2 {
		t.Errorf("%d bytes of %d before, and %d of moves", f.trees[0].tree.Edges.Memory.Bytes, before, of.Bytes())
	}
	if f.joint.Bytes() < joined+4*3*moves || r.Bytes < 3*4*3*moves {
		t.Errorf("%d bytes in all, %d of joint statistics", r.Bytes, f.joint.Bytes())
	}
}
