package games_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/internal/testenv"
)

func init() {
	directs["lightsout"] = func() direct { return newLights() }
	directs["pegsolitaire"] = func() direct { return newPegs() }
	directs["knightstour"] = func() direct { return newTour() }
}

// alone is what games for one player have in common.
type alone struct{}

func (alone) roles() []string { return []string{"player"} }

// lights is Lights Out; bit 5y+x stands for the light in column x and row y.
type lights struct {
	alone
	on      uint32
	presses int
}

// lightsStart are the rows of the pattern at the start, from the top.
var lightsStart = [5]string{"#####", "####.", "##.#.", ".####", "#.###"}

func newLights() *lights {
	l := &lights{}
	for i, row := range lightsStart {
		for x, light := range row {
			if light == '#' {
				l.on |= 1 << (5*(4-i) + x)
			}
		}
	}
	return l
}

func (l *lights) scatter(random *rand.Rand) {
	*l = lights{presses: 8 + random.IntN(7)}
	for range random.IntN(4) {
		l.on ^= pressed(random.IntN(25))
	}
}

// pressed are the lights that a button switches.
func pressed(button int) uint32 {
	lit := uint32(1) << button
	if button%5 > 0 {
		lit |= 1 << (button - 1)
	}
	if button%5 < 4 {
		lit |= 1 << (button + 1)
	}
	return (lit | 1<<button<<5 | 1<<button>>5) & (1<<25 - 1)
}

func (l *lights) fluents() []string {
	all := []string{fmt.Sprintf("(presses %d)", l.presses)}
	for i := range 25 {
		all = append(all, fmt.Sprintf("(cell %s %s)", square(i%5, i/5), []string{"off", "on"}[l.on>>i&1]))
	}
	return all
}

func (l *lights) legal(int) []string {
	var all []string
	for i := range 25 {
		all = append(all, "(press "+square(i%5, i/5)+")")
	}
	return all
}

func (l *lights) play(joint []string) {
	l.on ^= pressed(slices.Index(l.legal(0), joint[0]))
	l.presses++
}

func (l *lights) terminal() bool { return l.on == 0 || l.presses == 15 }

func (l *lights) goal(int) int {
	if l.on == 0 {
		return 100
	}
	value := 0
	for i := range 25 {
		value += 2 * int(1-l.on>>i&1)
	}
	return value
}

// TestLightsSolvable finds the smallest set of buttons that puts all lights
// out: the order does not matter, and no button is needed twice. The buttons
// of the first row decide those of the next rows.
func TestLightsSolvable(t *testing.T) {
	fewest := 26
	for first := range uint32(32) {
		on, presses := newLights().on, 0
		for i := range 25 {
			// From the second row on, the light below the button is put out.
			if i < 5 && first>>i&1 == 1 || i >= 5 && on>>(i-5)&1 == 1 {
				on ^= pressed(i)
				presses++
			}
		}
		if on == 0 {
			fewest = min(fewest, presses)
		}
	}
	if fewest != 7 {
		t.Errorf("solved with %d presses, the game's text says 7", fewest)
	}
}

// pegs is Peg Solitaire; bit 7y+x stands for the hole in column x and row y.
type pegs struct {
	alone
	holds uint64
}

func isHole(x, y int) bool {
	return x >= 0 && x < 7 && y >= 0 && y < 7 && (x >= 2 && x < 5 || y >= 2 && y < 5)
}

func newPegs() *pegs {
	p := &pegs{}
	for i := range 49 {
		if isHole(i%7, i/7) && i != 24 {
			p.holds |= 1 << i
		}
	}
	return p
}

// scatter goes back from a single peg, most often the one in the middle.
func (p *pegs) scatter(random *rand.Rand) {
	p.holds = 1 << 24
	if random.IntN(3) == 0 {
		p.holds = 1 << 3
	}
	for range 1 + random.IntN(4) {
		var before []uint64
		everyJump(func(from, over, to int) {
			if p.holds>>from&1 == 0 && p.holds>>over&1 == 0 && p.holds>>to&1 == 1 {
				before = append(before, p.holds^1<<from^1<<over^1<<to)
			}
		})
		p.holds = before[random.IntN(len(before))]
	}
}

func everyJump(visit func(from, over, to int)) {
	for i := range 49 {
		for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			x, y := i%7, i/7
			if isHole(x, y) && isHole(x+2*d[0], y+2*d[1]) {
				step := d[0] + 7*d[1]
				visit(i, i+step, i+2*step)
			}
		}
	}
}

func (p *pegs) jumps() map[string]uint64 {
	all := map[string]uint64{}
	everyJump(func(from, over, to int) {
		if p.holds>>from&1 == 1 && p.holds>>over&1 == 1 && p.holds>>to&1 == 0 {
			move := fmt.Sprintf("(jump %s %s)", square(from%7, from/7), square(to%7, to/7))
			all[move] = p.holds ^ 1<<from ^ 1<<over ^ 1<<to
		}
	})
	return all
}

func (p *pegs) count() int {
	n := 0
	for i := range 49 {
		n += int(p.holds >> i & 1)
	}
	return n
}

func (p *pegs) fluents() []string {
	all := []string{fmt.Sprintf("(pegs %d)", p.count())}
	for i := range 49 {
		if isHole(i%7, i/7) {
			all = append(all, fmt.Sprintf("(cell %s %s)", square(i%7, i/7), []string{"empty", "peg"}[p.holds>>i&1]))
		}
	}
	return all
}

func (p *pegs) legal(int) []string {
	var all []string
	for move := range p.jumps() {
		all = append(all, move)
	}
	return all
}

func (p *pegs) play(joint []string) { p.holds = p.jumps()[joint[0]] }

func (p *pegs) terminal() bool { return len(p.jumps()) == 0 }

func (p *pegs) goal(int) int {
	switch n := p.count(); {
	case p.holds == 1<<24:
		return 100
	case n == 1:
		return 90
	default:
		return max(0, 100-10*n)
	}
}

// TestPegPositions counts the positions after so many jumps as the description
// has them; those that are turned or mirrored are one. The counts are sequence
// A112737 of the On-Line Encyclopedia of Integer Sequences (G. Bell).
func TestPegPositions(t *testing.T) {
	want := []int{1, 1, 2, 8, 39, 171}
	if testenv.Long() {
		want = append(want, 719, 2757, 9751)
	}
	v := view(proverOf(t, "pegsolitaire"))
	level := [][]uint64{v.Initial()}
	for jumps, n := range want {
		if len(level) != n {
			t.Fatalf("%d positions after %d jumps, want %d", len(level), jumps, n)
		}
		seen := map[uint64]bool{}
		var following [][]uint64
		for _, from := range level {
			v.play(t, from, nil)
			for _, move := range v.moves(0) {
				state, _ := v.play(t, from, move)
				if key := pegClass(v, state); !seen[key] {
					seen[key] = true
					following = append(following, state)
				}
				v.play(t, from, nil)
			}
		}
		level = following
	}
}

// pegClass is the least of the eight bit boards that a position has when it is
// turned and mirrored.
func pegClass(v viewer, state []uint64) uint64 {
	var boards [8]uint64
	for _, f := range v.Fluents(state) {
		var column rune
		var row int
		if n, _ := fmt.Sscanf(f.String(), "(cell %c %d", &column, &row); n < 2 || f.Items[3].Name != "peg" {
			continue
		}
		x, y := int(column-'a'), row-1
		for i := range boards {
			boards[i] |= 1 << (7*y + x)
			x, y = y, 6-x
			if i == 3 {
				x = 6 - x
			}
		}
	}
	return slices.Min(boards[:])
}

// tour is the Knight's Tour: the squares in the order in which the knight was
// there.
type tour struct {
	alone
	path []int // 6y+x
}

func newTour() *tour { return &tour{path: []int{0}} }

// scatter follows a whole tour for most of its way, which is found by going
// where the fewest ways lead on.
func (k *tour) scatter(random *rand.Rand) {
	for whole := false; !whole; whole = len(k.path) == 36 {
		k.path = []int{0}
		for next := k.reach(); len(next) > 0; next = k.reach() {
			random.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
			best := slices.MinFunc(next, func(a, b int) int {
				return len((&tour{path: append(slices.Clone(k.path), a)}).reach()) - len((&tour{path: append(slices.Clone(k.path), b)}).reach())
			})
			k.path = append(k.path, best)
		}
	}
	k.path = k.path[:20+random.IntN(16)]
}

// reach are the squares to which the knight can leap.
func (k *tour) reach() []int {
	at := k.path[len(k.path)-1]
	var all []int
	for i := range 36 {
		dx, dy := i%6-at%6, i/6-at/6
		if dx*dx+dy*dy == 5 && !slices.Contains(k.path, i) {
			all = append(all, i)
		}
	}
	return all
}

func (k *tour) fluents() []string {
	all := []string{fmt.Sprintf("(squares_visited %d)", len(k.path))}
	for i := range 36 {
		content := "empty"
		switch slices.Index(k.path, i) {
		case -1:
		case len(k.path) - 1:
			content = "knight"
		default:
			content = "visited"
		}
		all = append(all, "(cell "+square(i%6, i/6)+" "+content+")")
	}
	return all
}

func (k *tour) legal(int) []string {
	var all []string
	for _, i := range k.reach() {
		all = append(all, "(leap "+square(i%6, i/6)+")")
	}
	return all
}

func (k *tour) play(joint []string) {
	k.path = append(k.path, k.reach()[slices.Index(k.legal(0), joint[0])])
}

func (k *tour) terminal() bool { return len(k.reach()) == 0 }

func (k *tour) goal(int) int {
	if len(k.path) == 36 {
		return 100
	}
	return 2 * len(k.path)
}
