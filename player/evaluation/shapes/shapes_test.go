package shapes_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"semisplit/kif"
	"semisplit/player/evaluation/shapes"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/reasoner/propnet"
)

// find finds the shapes of a bundled game whose boards count from 1 and from a.
func find(t *testing.T, game string) (reasoner.Machine, *shapes.Set, []string) {
	t.Helper()
	m := gametest.Lanes(t, gametest.Bundled(t, game), "orthodox")
	return findOn(m)
}

func findOn(m reasoner.Machine) (reasoner.Machine, *shapes.Set, []string) {
	letters, numbers := map[string]int{}, map[string]int{}
	for i, name := range strings.Fields("a b c d e f g h i j k l m n o") {
		letters[name] = i
	}
	for i, name := range strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15") {
		numbers[name] = i
	}
	var fluents []kif.Term
	var names []string
	words := len(m.Initial())
	for bit := range 64 * words {
		state := make([]uint64, words)
		state[bit/64] = 1 << (bit % 64)
		var f kif.Term
		if list := m.Fluents(state); len(list) == 1 {
			f = list[0]
		}
		fluents, names = append(fluents, f), append(names, f.String())
	}
	net := m.(interface{ Net() *propnet.Net }).Net()
	return m, shapes.Find(net, fluents, []map[string]int{letters, numbers}), names
}

// counts are the numbers of shapes by family.
func counts(set *shapes.Set) map[string]int {
	n := map[string]int{}
	for _, k := range set.Kinds {
		n[k.Family] += len(k.Shapes)
	}
	return n
}

// On a board of 7 by 6 there are 69 rows of four, and so on; a knight's moves join
// squares that no row does.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		game, family string
		want         int
	}{
		{"connectfour", "rows of 4", 69}, {"connectfour", "squares", 30}, {"connectfour", "rows of 2", 131},
		{"hex", "rows of 2", 420}, {"othello", "rows of 3", 168},
		{"knightthrough", "2 cells of a rule", 168},
	} {
		if _, set, _ := find(t, c.game); counts(set)[c.family] != c.want {
			t.Errorf("%s has %d %s, not %d: %v", c.game, counts(set)[c.family], c.family, c.want, counts(set))
		}
	}
}

const unordered = `
(role x) (role o)
(init (mark p free)) (init (mark q free)) (init (mark r free)) (init (mark s free)) (init (control x))
(<= (legal ?p (take ?c)) (true (control ?p)) (true (mark ?c free)))
(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
(<= (next (mark ?c ?p)) (does ?p (take ?c)))
(<= (next (mark ?c ?w)) (true (mark ?c ?w)) (distinct ?w free))
(<= (next (mark ?c free)) (true (mark ?c free)) (does ?p (take ?d)) (distinct ?c ?d))
(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
(<= (pair ?p) (true (mark p ?p)) (true (mark q ?p)) (role ?p))
(<= (pair ?p) (true (mark q ?p)) (true (mark r ?p)) (true (mark s ?p)) (role ?p))
(<= open (true (mark ?c free)))
(<= terminal (pair ?p)) (<= terminal (not open))
(<= (goal ?p 100) (pair ?p)) (<= (goal ?p 0) (role ?p) (not (pair ?p)))
`

// Where nothing is in order, the rules say which cells belong together.
func TestRules(t *testing.T) {
	_, set, names := findOn(gametest.Lanes(t, gametest.Program(t, unordered), "orthodox"))
	got := counts(set)
	if got["2 cells of a rule"] < 1 || got["3 cells of a rule"] < 1 || got["rows of 2"] != 0 {
		t.Fatalf("%v", got)
	}
	l, err := shapes.NewLayout(*set, len(names))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for entry := range l.Entries {
		all = append(all, l.Name(entry, names))
	}
	if !slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, "(mark q x) (mark r x) (mark s x)") }) {
		t.Errorf("%q", all)
	}
}

// reference is what a state comes to, straight from the meaning of a set.
func reference(set *shapes.Set, l *shapes.Layout, state []uint64, roles int, table, weights []int64) []int64 {
	value := func(c int32) int {
		sum := 0
		for k, bit := range set.Cells[c].Bits {
			if state[bit/64]>>(bit%64)&1 != 0 {
				sum += int(set.Cells[c].Values[k])
			}
		}
		return min(sum, set.Cells[c].States-1)
	}
	sums := make([]int64, roles)
	for k, kind := range set.Kinds {
		for _, shape := range kind.Shapes {
			entry := 0
			for _, c := range shape {
				entry = entry*set.Cells[c].States + value(c)
			}
			for r := range sums {
				sums[r] += table[(l.First(k)+entry)*roles+r]
			}
		}
	}
	for bit := range 64 * len(state) {
		for r := range sums {
			sums[r] += weights[bit*roles+r] * int64(state[bit/64]>>(bit%64)&1)
		}
	}
	return sums
}

// What a state comes to is the same whether all of it is looked at, or what differs from
// another state, and as the meaning of the set has it: also of states that no match
// comes to.
func TestSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, game := range []string{"connectfour", "englishdraughts", "othello"} {
		m, set, _ := find(t, game)
		l, err := shapes.NewLayout(*set, 64*len(m.Initial()))
		if err != nil {
			t.Fatal(err)
		}
		states := gametest.RandomStates(t, m, 30)
		for range 5 {
			wild := make([]uint64, len(m.Initial()))
			for i := range wild {
				wild[i] = random.Uint64()
			}
			states = append(states, wild)
		}
		for _, roles := range []int{1, 2, 3} {
			table, weights := make([]int64, l.Entries*roles), make([]int64, 64*len(m.Initial())*roles)
			for i := range table {
				table[i] = random.Int64N(1 << 40)
			}
			for i := range weights {
				weights[i] = random.Int64N(1 << 40)
			}
			near := shapes.NewNear(l, roles, table, weights)
			for i, state := range states {
				want := reference(set, l, state, roles, table, weights)
				whole, compared := make([]int64, roles), make([]int64, roles)
				shapes.AddFluents(state, roles, weights, whole)
				l.Sum(state, roles, table, whole)
				near.From(states[random.IntN(len(states))])
				near.Sums(states[random.IntN(len(states))], compared) // leaves nothing behind
				near.Sums(state, compared)
				if !slices.Equal(whole, want) || !slices.Equal(compared, want) {
					t.Fatalf("%s, state %d: %v, compared %v, want %v", game, i, whole, compared, want)
				}
			}
		}
	}
}

// Part of a set is laid out as it is in the whole.
func TestOnly(t *testing.T) {
	_, set, names := find(t, "connectfour")
	part := set.Only(func(k *shapes.Kind) bool { return k.Family == "rows of 4" })
	if n := counts(&part); len(n) != 1 || n["rows of 4"] != 69 || len(part.Cells) != 42 {
		t.Errorf("%v of %d cells", n, len(part.Cells))
	}
	if _, err := shapes.NewLayout(part, len(names)); err != nil {
		t.Error(err)
	}
}

// broken are sets that are none, as text.
var broken = []string{
	`{"Cells":[{"Bits":[0],"Values":[1],"States":2}],"Kinds":[{"Shapes":[[0,1]]}]}`,
	`{"Cells":[{"Bits":[0],"Values":[2],"States":2}]}`,
	`{"Cells":[{"Bits":[64],"Values":[1],"States":2}]}`,
	`{"Cells":[{"Bits":[-1],"Values":[1],"States":2}]}`,
	`{"Cells":[{"Bits":[0],"Values":[],"States":2}]}`,
	`{"Cells":[{"Bits":[0],"Values":[0],"States":0}]}`,
	`{"Cells":[{"Bits":[0,0],"Values":[0,1],"States":2}]}`,
	`{"Cells":[{"Bits":[0],"Values":[1],"States":1000}],"Kinds":[{"Shapes":[[0,0]]}]}`,
	`{"Cells":[{"Bits":[0],"Values":[1],"States":2},{"Bits":[1],"Values":[1],"States":3}],"Kinds":[{"Shapes":[[0],[1]]}]}`,
	`{"Cells":[{"Bits":[0],"Values":[1],"States":2}],"Kinds":[{"Shapes":[[0],[0,0]]}]}`,
	`{"Cells":[{"Bits":[0],"Values":[1],"States":2}],"Kinds":[{"Shapes":[[]]}]}`,
}

func TestBroken(t *testing.T) {
	for _, text := range broken {
		var set shapes.Set
		if err := json.Unmarshal([]byte(text), &set); err != nil {
			t.Fatal(err)
		}
		if _, err := shapes.NewLayout(set, 64); !errors.Is(err, shapes.ErrLayout) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A game whose shapes are all of different kinds has no more entries than there is memory for.
func TestManyKinds(t *testing.T) {
	set := shapes.Set{Cells: []shapes.Cell{{States: 32}, {States: 32}}}
	for _, kinds := range []int{1000, 19_000} {
		for len(set.Kinds) < kinds {
			set.Kinds = append(set.Kinds, shapes.Kind{Shapes: [][]int32{{0, 1}}})
		}
		if _, err := shapes.NewLayout(set, 64); (err == nil) != (kinds == 1000) {
			t.Errorf("%d kinds of 1024 contents: %v", kinds, err)
		}
	}
}

// Whatever a stored set says, it is refused or can be read of any state.
func FuzzLayout(f *testing.F) {
	f.Add(`{"Cells":[{"Bits":[0,5],"Values":[1,2],"States":3},{"Bits":[1],"Values":[0],"States":3}],"Kinds":[{"Shapes":[[0,1],[1,0]]}]}`, uint64(33))
	for _, text := range broken {
		f.Add(text, uint64(3))
	}
	f.Fuzz(func(t *testing.T, text string, state uint64) {
		var set shapes.Set
		if json.Unmarshal([]byte(text), &set) != nil {
			return
		}
		l, err := shapes.NewLayout(set, 64)
		if err != nil {
			return
		}
		table := make([]int64, 2*l.Entries)
		for i := range table {
			table[i] = int64(i * i)
		}
		near := shapes.NewNear(l, 2, table, make([]int64, 128))
		near.From([]uint64{^state})
		whole, compared := make([]int64, 2), make([]int64, 2)
		l.Sum([]uint64{state}, 2, table, whole)
		near.Sums([]uint64{state}, compared)
		if !slices.Equal(whole, compared) {
			t.Errorf("%v and %v", whole, compared)
		}
		l.Name(l.Entries-1, nil)
	})
}
