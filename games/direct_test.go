package games_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"semisplit/internal/testenv"
)

// direct is a game written down in Go, without rules: what the description is
// held against.
type direct interface {
	roles() []string
	fluents() []string
	legal(role int) []string // called in states that are not terminal
	play(joint []string)
	terminal() bool
	goal(role int) int
}

func newWalk(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func sorted(words []string) string {
	slices.Sort(words)
	return strings.Join(words, " ")
}

// directs are games of one player, of three, or of moves at the same time, by
// the name of their description.
var directs = map[string]func() direct{
	"nim":         func() direct { return &nim{heaps: [4]int{1, 3, 5, 7}} },
	"eightpuzzle": func() direct { return &puzzle{squares: [9]int{8, 1, 3, 4, 0, 2, 7, 6, 5}} },
	"goofspiel":   func() direct { return newGoofspiel() },
	"trio":        func() direct { return &trio{} },
}

// TestDirect walks at random through the games for which nobody has published
// counts, beside an implementation of their own. Where that can be scattered,
// every other walk begins there.
func TestDirect(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(directs)) {
		t.Run(name, func(t *testing.T) {
			for _, m := range machines(t, name) {
				v, budget := view(m.Whole()), walkWork
				if testenv.Long() {
					budget *= 120
				}
				for seed := uint64(0); seed < 60 && budget > 0; seed++ {
					budget -= compareWalk(t, v, directs[name](), seed)
					if t.Failed() {
						t.Fatalf("%s, walk %d", m.Kind(), seed)
					}
				}
			}
		})
	}
}

// compareWalk walks once, to the end, and returns the work done.
func compareWalk(t *testing.T, v viewer, d direct, seed uint64) (work int) {
	t.Helper()
	random := newWalk(seed)
	start := v.Initial()
	if s, ok := d.(scatterer); ok && seed%2 == 1 {
		s.scatter(random)
		start = encode(t, v, d)
	}
	roles := make([]string, len(v.Roles()))
	for i, r := range v.Roles() {
		roles[i] = r.String()
	}
	if !slices.Equal(roles, d.roles()) {
		t.Fatalf("roles %v, want %v", roles, d.roles())
	}
	state, ended := v.play(t, start, nil)
	for ply := 0; ; ply++ {
		if got, want := spell(v.Fluents(state)), sorted(d.fluents()); got != want {
			t.Fatalf("fluents after %d plies\n got %s\nwant %s", ply, got, want)
		}
		if ended != d.terminal() {
			t.Fatalf("terminal is %v after %d plies in %v", ended, ply, d.fluents())
		}
		// Goals are compared where the direct game has an opinion: at the end.
		if ended {
			for role := range roles {
				if got := v.GoalValues(role, state); !slices.Equal(got, []int{d.goal(role)}) {
					t.Errorf("goals %v of %s, want %d, in %v", got, roles[role], d.goal(role), d.fluents())
				}
			}
			return work
		}
		var joint []uint32
		var words []string
		for role := range roles {
			paths := v.moves(role)
			work += plyWork + len(paths)
			var spelt []string
			for _, path := range paths {
				spelt = append(spelt, v.Move(role, path).String())
			}
			if got, want := sorted(slices.Clone(spelt)), sorted(d.legal(role)); got != want {
				t.Fatalf("moves of %s after %d plies in %v\n got %s\nwant %s", roles[role], ply, d.fluents(), got, want)
			}
			chosen := random.IntN(len(paths))
			joint = append(joint, paths[chosen]...)
			words = append(words, spelt[chosen])
		}
		state, ended = v.play(t, state, joint)
		d.play(words)
	}
}

// nim: heaps of stones, who takes the last one wins.
type nim struct {
	heaps [4]int
	turn  int
}

func (n *nim) roles() []string { return []string{"first", "second"} }

func (n *nim) fluents() []string {
	all := []string{"(control " + n.roles()[n.turn] + ")"}
	for i, stones := range n.heaps {
		all = append(all, fmt.Sprintf("(heap %c %d)", 'a'+i, stones))
	}
	return all
}

func (n *nim) legal(role int) []string {
	if role != n.turn {
		return []string{"noop"}
	}
	var all []string
	for i, stones := range n.heaps {
		for k := range stones {
			all = append(all, fmt.Sprintf("(take %c %d)", 'a'+i, k+1))
		}
	}
	return all
}

func (n *nim) play(joint []string) {
	var heap rune
	var k int
	fmt.Sscanf(joint[n.turn], "(take %c %d)", &heap, &k)
	n.heaps[heap-'a'] -= k
	n.turn = 1 - n.turn
}

func (n *nim) terminal() bool { return n.heaps == [4]int{} }

func (n *nim) goal(role int) int {
	if role == n.turn {
		return 0
	}
	return 100
}

// puzzle: nine squares from the top left, 0 is the free one.
type puzzle struct {
	squares [9]int
	slides  int
}

func (p *puzzle) roles() []string { return []string{"player"} }

func (p *puzzle) name(i int) string { return fmt.Sprintf("%c %d", 'a'+i%3, 3-i/3) }

func (p *puzzle) fluents() []string {
	all := []string{fmt.Sprintf("(slides %d)", p.slides)}
	for i, tile := range p.squares {
		content := fmt.Sprint(tile)
		if tile == 0 {
			content = "free"
		}
		all = append(all, fmt.Sprintf("(cell %s %s)", p.name(i), content))
	}
	return all
}

func (p *puzzle) legal(int) []string {
	free := slices.Index(p.squares[:], 0)
	var all []string
	for i := range p.squares {
		dx, dy := i%3-free%3, i/3-free/3
		if dx*dx+dy*dy == 1 {
			all = append(all, "(slide "+p.name(i)+")")
		}
	}
	return all
}

func (p *puzzle) play(joint []string) {
	free := slices.Index(p.squares[:], 0)
	for i := range p.squares {
		if joint[0] == "(slide "+p.name(i)+")" {
			p.squares[free], p.squares[i] = p.squares[i], 0
			break
		}
	}
	p.slides++
}

func (p *puzzle) solved() bool { return p.squares == [9]int{1, 2, 3, 4, 5, 6, 7, 8, 0} }

func (p *puzzle) terminal() bool { return p.slides == 30 || p.solved() }

func (p *puzzle) goal(int) int {
	if p.solved() {
		return 100
	}
	value := 0
	for i, tile := range p.squares {
		if tile == i+1 {
			value += 10
		}
	}
	return value
}

// TestPuzzleSolvable finds the shortest solution, which the game's text
// promises to be 14 slides long.
func TestPuzzleSolvable(t *testing.T) {
	start := puzzle{squares: [9]int{8, 1, 3, 4, 0, 2, 7, 6, 5}}
	seen := map[[9]int]bool{start.squares: true}
	level := []puzzle{start}
	for depth := 0; len(level) > 0; depth++ {
		var following []puzzle
		for _, p := range level {
			if p.solved() {
				if depth != 14 {
					t.Errorf("solved in %d slides, want 14", depth)
				}
				return
			}
			for _, move := range p.legal(0) {
				q := p
				q.play([]string{move})
				if !seen[q.squares] {
					seen[q.squares] = true
					following = append(following, q)
				}
			}
		}
		level = following
	}
	t.Error("the puzzle has no solution")
}

// goofspiel: both bid a card for the prize of the round.
type goofspiel struct {
	hands  [2]map[int]bool
	points [2]int
	round  int
}

func newGoofspiel() *goofspiel {
	g := &goofspiel{round: 1}
	for i := range g.hands {
		g.hands[i] = map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true}
	}
	return g
}

func (g *goofspiel) roles() []string { return []string{"left", "right"} }

func (g *goofspiel) fluents() []string {
	round := fmt.Sprint(g.round)
	if g.terminal() {
		round = "over"
	}
	all := []string{"(round " + round + ")"}
	for i, who := range g.roles() {
		all = append(all, fmt.Sprintf("(points %s %d)", who, g.points[i]))
		for card := range g.hands[i] {
			all = append(all, fmt.Sprintf("(holds %s %d)", who, card))
		}
	}
	return all
}

func (g *goofspiel) legal(role int) []string {
	var all []string
	for card := range g.hands[role] {
		all = append(all, fmt.Sprintf("(bid %d)", card))
	}
	return all
}

func (g *goofspiel) play(joint []string) {
	var bid [2]int
	for i := range bid {
		fmt.Sscanf(joint[i], "(bid %d)", &bid[i])
		delete(g.hands[i], bid[i])
	}
	worth := [6]int{4, 1, 6, 3, 5, 2}[g.round-1]
	if bid[0] > bid[1] {
		g.points[0] += worth
	}
	if bid[1] > bid[0] {
		g.points[1] += worth
	}
	g.round++
}

func (g *goofspiel) terminal() bool { return g.round == 7 }

func (g *goofspiel) goal(role int) int {
	mine, other := g.points[role], g.points[1-role]
	switch {
	case mine > other:
		return 100
	case mine == other:
		return 50
	}
	return 0
}

// trio: three players, three stones side by side on five by five squares. A
// square holds 0 for empty or the number of its owner from 1.
type trio struct {
	board [5][5]int // [x][y]
	turn  int
}

func (g *trio) roles() []string { return []string{"red", "green", "blue"} }

func (g *trio) fluents() []string {
	all := []string{"(control " + g.roles()[g.turn] + ")"}
	for x := range 5 {
		for y := range 5 {
			content := append([]string{"empty"}, g.roles()...)[g.board[x][y]]
			all = append(all, fmt.Sprintf("(cell %c %d %s)", 'a'+x, y+1, content))
		}
	}
	return all
}

func (g *trio) legal(role int) []string {
	if role != g.turn {
		return []string{"noop"}
	}
	var all []string
	for x := range 5 {
		for y := range 5 {
			if g.board[x][y] == 0 {
				all = append(all, fmt.Sprintf("(put %c %d)", 'a'+x, y+1))
			}
		}
	}
	return all
}

func (g *trio) play(joint []string) {
	var x rune
	var y int
	fmt.Sscanf(joint[g.turn], "(put %c %d)", &x, &y)
	g.board[x-'a'][y-1] = g.turn + 1
	g.turn = (g.turn + 1) % 3
}

func (g *trio) winner() int {
	for x := range 5 {
		for y := range 5 {
			for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				endX, endY := x+2*d[0], y+2*d[1]
				if endX > 4 || endY > 4 || endY < 0 {
					continue
				}
				owner := g.board[x][y]
				if owner != 0 && owner == g.board[x+d[0]][y+d[1]] && owner == g.board[endX][endY] {
					return owner
				}
			}
		}
	}
	return 0
}

func (g *trio) terminal() bool {
	full := true
	for _, column := range g.board {
		full = full && !slices.Contains(column[:], 0)
	}
	return full || g.winner() != 0
}

func (g *trio) goal(role int) int {
	switch g.winner() {
	case 0:
		return 33
	case role + 1:
		return 100
	}
	return 0
}
