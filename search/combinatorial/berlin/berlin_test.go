package berlin

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"semisplit/search"
	"semisplit/search/combinatorial"
	"semisplit/search/engine"
)

// line is a, b, c, d and e in a row; a and e are the sides'.
const line = `{"name": "line", "text": "", "turns": 3, "nodes": [
	{"name": "a", "points": 1, "gift": 1, "owner": 1, "soldiers": 5},
	{"name": "b", "points": 0, "gift": 0, "owner": 0, "soldiers": 0},
	{"name": "c", "points": 2, "gift": 3, "owner": 0, "soldiers": 0},
	{"name": "d", "points": 0, "gift": 0, "owner": 2, "soldiers": 1},
	{"name": "e", "points": 1, "gift": 1, "owner": 2, "soldiers": 4}],
	"links": [["a", "b"], ["b", "c"], ["c", "d"], ["d", "e"]]}`

func parsed(t testing.TB, text string) *Map {
	t.Helper()
	m, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func loaded(t testing.TB, name string) *Map {
	t.Helper()
	m, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A match by hand, turn by turn: owner and soldiers of each node after it.
func TestRulesByHand(t *testing.T) {
	m := parsed(t, line)
	state := m.Initial()
	for i, c := range []struct {
		orders [Sides][]uint32
		want   [5][2]int
	}{
		// Three of five go to b. Of d's one goes to c and gets it with its gift; two of e's come
		// to d. Links are in the order of their nodes: d's first one is c.
		{[Sides][]uint32{{3, 0, 0, 0, 0}, {0, 0, 0, 1, 2}}, [5][2]int{{1, 3}, {1, 3}, {2, 4}, {2, 2}, {2, 3}}},
		// Three of b attack c, of whose four one goes to b: 3 against 3, nobody is left, c stays
		// theirs and gives three. That one takes b, which is empty.
		{[Sides][]uint32{{0, 3 * base, 0, 0, 0}, {0, 0, 1, 0, 0}}, [5][2]int{{1, 4}, {2, 1}, {2, 3}, {2, 2}, {2, 4}}},
		// Four of a against one on b: three survive; a is empty and keeps its owner.
		{[Sides][]uint32{{4, 0, 0, 0, 0}, {0, 0, 0, 0, 0}}, [5][2]int{{1, 1}, {1, 3}, {2, 6}, {2, 2}, {2, 5}}},
	} {
		m.play(state, c.orders, new(turn))
		for n, want := range c.want {
			if owner, soldiers := at(state, n); owner != want[0] || soldiers != want[1] {
				t.Errorf("turn %d, node %s: owner %d with %d, by hand %v", i+1, m.Nodes[n].Name, owner, soldiers, want)
			}
		}
		if over := m.Over(state); over != (i == 2) {
			t.Errorf("turn %d: over %v", i+1, over)
		}
	}
	goals := make([]float64, Sides)
	if m.Goals(state, goals); m.Points(state, 0) != 1 || m.Points(state, 1) != 3 || goals[0] != 0 || goals[1] != 1 {
		t.Errorf("points %d and %d, goals %v", m.Points(state, 0), m.Points(state, 1), goals)
	}
}

// Orders are the ways to put at most n lots on links: binomial(n+links, links), section 2.2.1.
func TestNumberOfOrders(t *testing.T) {
	for _, c := range []struct{ n, links, want int }{{0, 3, 1}, {1, 3, 4}, {4, 2, 15}, {8, 4, 495}, {8, 6, 3003}} {
		all := orders(c.n, c.links)
		if len(all) != c.want || !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != c.want {
			t.Errorf("%d lots, %d links: %d orders, want %d, each once and rising", c.n, c.links, len(all), c.want)
		}
	}
}

// Lots are as equal as they can be and nothing is lost.
func TestLots(t *testing.T) {
	for soldiers := range 100 {
		l := divide(soldiers)
		least, most := mostSoldiers, 0
		for i := range l.n {
			least, most = min(least, l.size(i, i+1)), max(most, l.size(i, i+1))
		}
		if l.n != min(soldiers, mostLots) || l.size(0, l.n) != soldiers || l.n > 0 && most > least+1 {
			t.Errorf("%d soldiers: %+v", soldiers, l)
		}
	}
}

// plain plays a turn soldier by soldier: where each stands, then who meets whom. It shares
// nothing with play but the maps.
func plain(m *Map, state []uint64, orders [Sides][]uint32) []uint64 {
	next := slices.Clone(state)
	count := map[[2]int]int{} // by side and node
	for side, list := range orders {
		for i, order := range list {
			owner, soldiers := at(state, i)
			if owner != side+1 {
				continue
			}
			var where []int // of each lot
			for k := 0; order > 0; k, order = k+1, order/base {
				for range order % base {
					where = append(where, m.next[i][k])
				}
			}
			for len(where) < mostLots {
				where = append(where, i)
			}
			for s := range soldiers { // dealt to the lots one by one
				count[[2]int{side, where[s%mostLots]}]++
			}
		}
	}
	for i, n := range m.Nodes {
		owner, _ := at(state, i)
		x, y := count[[2]int{0, i}], count[[2]int{1, i}]
		for x > 0 && y > 0 {
			x, y = x-1, y-1
		}
		if x > 0 {
			owner = 1
		}
		if y > 0 {
			owner = 2
		}
		if owner > 0 {
			x += n.Gift
		}
		put(next, i, owner, x+y)
	}
	next[0]++
	return next
}

// Random matches on all maps and in both presentations go as soldier by soldier, moves are in
// the spaces, and matches end.
func TestMatchesArePlain(t *testing.T) {
	for _, name := range []string{"two", "ring"} {
		m := loaded(t, name)
		for _, p := range []Presentation{NodeAsAgent, SoldierAsAgent} {
			rng := rand.New(rand.NewPCG(1, uint64(p)))
			e := NewEngine(m, p, 2, 0, 1)
			for range 5 {
				state := m.Initial()
				for turns := 0; !m.Over(state); turns++ {
					e.Load(0, state, nil)
					e.Step(nil)
					var joint []uint32
					var told [Sides][]uint32
					for side := range Sides {
						space := e.Space(0, side)
						var move []uint32
						for d, values := range space.Values {
							if offers := e.Offers(0, side, move, nil); !slices.Equal(offers, values) || values[0] != space.Null[d] {
								t.Fatalf("dimension %d: %v is offered, the space has %v", d, offers, values)
							}
							move = append(move, values[rng.IntN(len(values))])
						}
						joint = append(joint, move...)
						told[side] = make([]uint32, len(m.Nodes))
						e.Orders(move, told[side])
					}
					want := plain(m, state, told)
					e.Load(1, state, joint)
					e.Step(nil)
					if state = e.State(1, nil); !slices.Equal(state, want) {
						t.Fatalf("%s, turn %d: %x, soldier by soldier %x", name, turns, state, want)
					}
					if turns > m.Turns {
						t.Fatal("it does not end")
					}
				}
			}
		}
	}
}

// Both presentations tell the same orders alike.
func TestPresentationsAgree(t *testing.T) {
	m := loaded(t, "two")
	nodes, soldiers := NewEngine(m, NodeAsAgent, 1, 0, 1), NewEngine(m, SoldierAsAgent, 1, 0, 1)
	orders := make([]uint32, len(m.Nodes))
	orders[0] = 2 + base // two along the first link, one along the second
	move := make([]uint32, soldiers.dims())
	move[0], move[1], move[2] = 2, 1, 1
	joint := func(e *Engine, move []uint32) []uint64 {
		all := append(slices.Clone(move), make([]uint32, e.dims())...)
		e.Load(0, m.Initial(), all)
		e.Step(nil)
		return e.State(0, nil)
	}
	if x, y := joint(nodes, orders), joint(soldiers, move); !slices.Equal(x, y) {
		t.Errorf("%x by node, %x by soldier", x, y)
	}
}

// The heuristic plays legal moves, and beats random play.
func TestHeuristic(t *testing.T) {
	m := loaded(t, "two")
	e := NewEngine(m, NodeAsAgent, 1, 0, 3)
	sum := 0.0
	for game := range 20 {
		state := m.Initial()
		for !m.Over(state) {
			e.Load(0, state, nil)
			e.Step(nil)
			joint := make([]uint32, Sides*e.dims())
			for side := range Sides {
				move := joint[side*e.dims() : (side+1)*e.dims()]
				if side != game%2 {
					e.random(state, side, move)
					continue
				}
				m.Heuristic(state, side, move)
				for d, v := range move {
					if _, ok := slices.BinarySearch(e.values(state, side, d), v); !ok {
						t.Fatalf("node %s: %d is no order", m.Nodes[d].Name, v)
					}
				}
			}
			e.Load(0, state, joint)
			e.Step(nil)
			state = e.State(0, nil)
		}
		goals := make([]float64, Sides)
		m.Goals(state, goals)
		sum += goals[game%2]
	}
	if sum < 18 {
		t.Errorf("the heuristic makes %v of 20 against random moves", sum)
	}
}

// By hand, on the line: a's five go to what lies beyond b, e's four stay but for those that
// nobody threatens; c is two points and three soldiers, two links beyond a.
func TestHeuristicByHand(t *testing.T) {
	m := parsed(t, line)
	dst := make([]uint32, len(m.Nodes))
	m.Heuristic(m.Initial(), 0, dst)
	if !slices.Equal(dst, []uint32{5, 0, 0, 0, 0}) {
		t.Errorf("orders %v", dst)
	}
	m.Heuristic(m.Initial(), 1, dst)
	if dst[4] != 4 || dst[3] != 1 { // d's soldier is nearer to c beyond c than beyond e
		t.Errorf("orders %v", dst)
	}
	front := make([]float64, len(m.Nodes))
	m.Front(m.Initial(), 0, front)
	if !slices.Equal(front, []float64{-3, -2, -1, 0, 0}) {
		t.Errorf("front %v", front)
	}
}

// The maps are the same for both sides when the order of their nodes is turned (two), or the
// ring by half (ring).
func TestMapsAreSymmetric(t *testing.T) {
	for name, turned := range map[string]func(i, n int) int{
		"two": func(i, n int) int { return n - 1 - i }, "ring": func(i, n int) int { return (i + n/2) % n },
	} {
		m := loaded(t, name)
		for i, node := range m.Nodes {
			j := turned(i, len(m.Nodes))
			other := m.Nodes[j]
			if node.Points != other.Points || node.Gift != other.Gift || node.Soldiers != other.Soldiers || node.Owner > 0 && node.Owner != 1+Sides-other.Owner {
				t.Errorf("%s: %s is not as %s", name, node.Name, other.Name)
			}
			for _, k := range m.next[i] {
				if !slices.Contains(m.next[j], turned(k, len(m.Nodes))) {
					t.Errorf("%s: a link of %s is not among those of %s", name, node.Name, other.Name)
				}
			}
		}
	}
}

// Playouts take nothing from the heap once an engine has played some.
func TestPlayoutsDoNotAllocate(t *testing.T) {
	m := loaded(t, "two")
	first := m.Initial()
	for _, p := range []Presentation{NodeAsAgent, SoldierAsAgent} {
		e := NewEngine(m, p, 1, 0.5, 1)
		if n := testing.AllocsPerRun(5, func() {
			e.Load(0, first, nil)
			for ended, _ := e.Step(nil); ended[0] == 0; ended, _ = e.Step(nil) {
			}
		}); n > 0 {
			t.Errorf("presentation %d: %v allocations", p, n)
		}
	}
}

// A search of each kind recommends a legal move in each presentation.
func TestSearches(t *testing.T) {
	m := loaded(t, "ring")
	for _, p := range []Presentation{NodeAsAgent, SoldierAsAgent} {
		for _, method := range []combinatorial.Method{combinatorial.Hierarchical, combinatorial.Dimensional, combinatorial.Naive, combinatorial.Linear, combinatorial.Whole} {
			e := NewEngine(m, p, 4, 0.75, 1)
			s := combinatorial.New([]engine.Engine{e}, e.Levels(), combinatorial.Options{Method: method})
			if err := s.SetRoot(m.Initial()); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Search(nil, search.Budget{Iterations: 300}); err != nil {
				t.Fatal(err)
			}
			move, ok := s.Best(0)
			for d, v := range move {
				if _, legal := slices.BinarySearch(e.values(m.Initial(), 0, d), v); !legal {
					t.Errorf("method %d, dimension %d: %d is no value", method, d, v)
				}
			}
			if !ok || len(move) != e.dims() {
				t.Errorf("method %d: move %v", method, move)
			}
		}
	}
}

// What is no map is refused.
func TestRefused(t *testing.T) {
	for _, change := range [][2]string{
		{`"turns": 3`, `"turns": 0`}, {`"turns": 3`, `"turns": 3, "turn": 4`}, {`"owner": 1`, `"owner": 3`}, {`"soldiers": 5`, `"soldiers": -5`},
		{`["d", "e"]`, `["d", "f"]`}, {`["d", "e"]`, `["d", "d"]`}, {`["d", "e"]`, `["b", "a"]`}, {`"name": "b"`, `"name": "a"`}, {`"owner": 0, "soldiers": 0`, `"owner": 0, "soldiers": 1`},
	} {
		if _, err := Parse([]byte(strings.Replace(line, change[0], change[1], 1))); err == nil {
			t.Errorf("%s is accepted", change[1])
		}
	}
}

// Nothing that is read makes a map on which a turn cannot be played.
func FuzzParse(f *testing.F) {
	f.Add([]byte(line))
	f.Add([]byte(`{"nodes": []}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse(text)
		if err != nil {
			return
		}
		e := NewEngine(m, NodeAsAgent, 1, 0.5, 1)
		e.Load(0, m.Initial(), nil)
		for range 3 {
			if ended, _ := e.Step(nil); ended[0] != 0 {
				return
			}
		}
	})
}

func BenchmarkPlayout(b *testing.B) {
	m, err := Load("two")
	if err != nil {
		b.Fatal(err)
	}
	e := NewEngine(m, NodeAsAgent, 1, 0, 1)
	first := m.Initial()
	b.ReportAllocs()
	for b.Loop() {
		e.Load(0, first, nil)
		for {
			if ended, _ := e.Step(nil); ended[0] != 0 {
				break
			}
		}
	}
}
