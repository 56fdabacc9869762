package perfect

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
)

// plain solves by looking at every position once, without bounds, order or
// depth: what the searches are held against.
type plain[P comparable] struct {
	rules rules[P]
	known map[P]worth
}

// worth is what a position is worth to who moves: points, and moves to the end
// where the winner goes the shortest way and the loser the longest.
type worth struct{ margin, moves int }

func (s *plain[P]) of(p P) worth {
	if margin, ended := s.rules.over(p); ended {
		return worth{margin, 0}
	}
	if w, ok := s.known[p]; ok {
		return w
	}
	best := worth{-1000, 0}
	for _, m := range s.rules.next(p, nil) {
		w := s.after(m)
		longer := w.moves > best.moves
		if w.margin > 0 {
			longer = w.moves < best.moves
		}
		if w.margin > best.margin || w.margin == best.margin && longer {
			best = w
		}
	}
	s.known[p] = best
	return best
}

func (s *plain[P]) after(m step[P]) worth {
	w := s.of(m.to)
	if !m.again {
		w.margin = -w.margin
	}
	return worth{w.margin + int(m.gain), w.moves + 1}
}

// agree plays random matches, after so many moves beside a plain search: each
// move is worth the same. exact: distances are those in moves.
func agree[P comparable](t *testing.T, name string, m *match[P], matches, after int, exact bool) {
	t.Helper()
	s := plain[P]{m.rules, map[P]worth{}}
	compared := 0
	for seed := range uint64(matches) {
		random := rand.New(rand.NewPCG(seed, 0))
		m.Start()
		for n := 0; len(m.steps) > 0; n++ {
			if n >= after {
				for i, got := range m.Solve(1 << 40) {
					w := s.after(m.steps[i])
					want := Outcome{true, signum(m.sign()*m.lead + w.margin), w.moves}
					if !exact {
						want.Distance = m.left(m.at)
					} else if want.Value == 0 {
						want.Distance = got.Distance // of a draw it is that of the full board
					}
					if got != want {
						t.Fatalf("%s, match %d, after %d moves: %s is %+v, not %+v", name, seed, n, m.Moves()[i], got, want)
					}
					compared++
				}
			}
			m.Play(random.IntN(len(m.steps)))
		}
	}
	if compared < 40 {
		t.Errorf("%s: only %d moves were compared", name, compared)
	}
}

// TestAgainstPlainSearch plays small boards, and ends of games.
func TestAgainstPlainSearch(t *testing.T) {
	agree(t, "connect four, 4 by 4", newConnectFour(4, 4, 12), 20, 5, true)
	agree(t, "connect four", newConnectFour(7, 6, 14), 40, 28, true)
	agree(t, "breakthrough, 4 by 5", newForced(newBreakthrough(4, 5), 16), 20, 19, true)
	agree(t, "breakthrough, 4 by 4", newForced(newBreakthrough(4, 4), 16), 10, 6, true)
	agree(t, "knightthrough, 4 by 4", newForced(newKnightthrough(4, 4), 16), 20, 3, true)
	agree(t, "pentago", newForced(newPentago(), 12), 8, 33, true)
	agree(t, "kalah, 3 houses", newPoints(&kalah{3, 2}, 12), 20, 0, false)
	agree(t, "kalah, 2 houses", newPoints(&kalah{2, 7}, 12), 20, 0, false)
	agree(t, "dots and boxes, 2 by 2", newPoints(newDots(2, 2), 12), 20, 0, false)
	agree(t, "othello, 4 by 4", newPoints(newOthello(4), 12), 20, 1, false)
	agree(t, "othello", newPoints(newOthello(8), 12), 5, 55, false)
}

// best is the outcome of the best move of a position.
func best(outcomes []Outcome) (best Outcome) {
	best.Value = -2
	for _, o := range outcomes {
		if o.Value > best.Value || o.Value == best.Value && (o.Value > 0 && o.Distance < best.Distance || o.Value < 0 && o.Distance > best.Distance) {
			best = o
		}
	}
	return best
}

// TestKalahValues holds small boards against G. Irving, J. Donkers and J.
// Uiterwijk, Solving Kalah, ICGA Journal 2000: for each number of houses who
// wins with 1, 2, ... stones in each.
func TestKalahValues(t *testing.T) {
	published := []string{"DLWLWD", "WLLLWW", "DWWW", "WW", "D", "W"}
	if deep() {
		published = []string{"DLWLWD", "WLLLWW", "DWWWWL", "WWWWW", "DDW", "WW"}
	}
	for i, row := range published {
		got := ""
		for stones := range len(row) {
			m := newPoints(&kalah{i + 1, stones + 1}, 18)
			got += string("LDW"[1+best(m.Solve(1<<40)).Value])
		}
		if got != row {
			t.Errorf("%d houses: %s, not %s", i+1, got, row)
		}
	}
}

// TestPoints holds results of other games: Othello on 4 by 4 squares is lost by
// eight discs; Dots and Boxes with 2 by 2 boxes is won, but only by a line at
// the border (Berlekamp, Conway, Guy, Winning Ways).
func TestPoints(t *testing.T) {
	othello := &points[pair]{newOthello(4), newTable[pair](14)}
	othello.table.limit = 1 << 40
	if margin := othello.search(othello.rules.start(), -most, most); margin != -8 {
		t.Errorf("othello: %d", margin)
	}
	m := newPoints(newDots(2, 2), 12)
	for i, o := range m.Solve(1 << 40) {
		inside := strings.Contains("(draw a 2 right)(draw b 2 right)(draw b 1 up)(draw b 2 up)", m.Moves()[i])
		if inside != (o.Value == 0) || !inside != (o.Value == 1) {
			t.Errorf("dots and boxes: %s is worth %+v", m.Moves()[i], o)
		}
	}
}

// deepFlag asks for searches that take very long: minutes to hours.
var deepFlag = flag.Bool("deep", false, "solve whole games as well; hours")

func deep() bool { return *deepFlag }

// play plays the columns of a match of Connect Four.
func play(t *testing.T, m *match[pair], columns string) {
	t.Helper()
	m.Start()
	for _, c := range columns {
		i := 0
		for ; i < len(m.steps) && int(m.steps[i].move) != int(c-'1'); i++ {
		}
		m.Play(i)
	}
}

// TestConnectFourValues holds boards against J. Tromp's table: 4 by 4 to 6 by 5
// are draws, 6 by 6 is lost. On the full board the first player wins with the
// 41st disc, and only in the centre (Allis, A Knowledge-based Approach of
// Connect-Four, 1988): that takes minutes, and then some.
func TestConnectFourValues(t *testing.T) {
	sizes := [][2]int{{4, 4}, {4, 5}, {5, 4}}
	if deep() {
		sizes = append(sizes, [2]int{5, 5}, [2]int{6, 4}, [2]int{4, 6}, [2]int{5, 6}, [2]int{6, 5})
	}
	for _, s := range sizes {
		if o := best(newConnectFour(s[0], s[1], 18).Solve(1 << 40)); o != (Outcome{true, 0, s[0] * s[1]}) {
			t.Errorf("%v: %+v", s, o)
		}
	}
	m := newConnectFour(7, 6, 18)
	play(t, m, "2252576253462244111563365343671351441")
	if o := best(m.Solve(1 << 40)); o != (Outcome{true, -1, 4}) {
		t.Errorf("five discs before the end: %+v", o)
	}
	if !deep() {
		return
	}
	if o := best(newConnectFour(6, 6, 22).Solve(1 << 40)); o.Value != -1 {
		t.Errorf("6 by 6: %+v", o)
	}
	m = newConnectFour(7, 6, 25)
	for i, want := range []Outcome{{true, -1, 40}, {true, -1, 42}, {true, 0, 42}, {true, 1, 41}, {true, 0, 42}, {true, -1, 42}, {true, -1, 40}} {
		if got := m.Solve(1 << 40)[i]; got != want {
			t.Errorf("column %d: %+v, not %+v", i+1, got, want)
		}
	}
}

// TestBreakthroughValue solves 5 by 5 squares, where the second player wins, with
// the 26th move (F. Lunde on littlegolem.net, 2006).
func TestBreakthroughValue(t *testing.T) {
	if !deep() {
		t.Skip("hours: -deep")
	}
	if o := best(newForced(newBreakthrough(5, 5), 24).Solve(1 << 40)); o != (Outcome{true, -1, 26}) {
		t.Errorf("%+v", o)
	}
}

// TestCoarse holds who wins against the search that finds how soon, in random matches.
func TestCoarse(t *testing.T) {
	exact, coarse := newConnectFour(6, 5, 16), newCoarseConnectFour(6, 5, 16)
	compared := map[int]int{}
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		exact.Start()
		coarse.Start()
		for n := 0; len(exact.steps) > 0; n++ {
			if n >= 10 {
				outcomes := coarse.Solve(1 << 40)
				for i, want := range exact.Solve(1 << 40) {
					if got := outcomes[i]; !got.Known || got.Value != want.Value {
						t.Fatalf("match %d, after %d moves: %s is %+v, not %+v", seed, n, exact.Moves()[i], got, want)
					}
					compared[want.Value]++
				}
			}
			move := random.IntN(len(exact.steps))
			exact.Play(move)
			coarse.Play(move)
		}
	}
	for _, value := range []int{-1, 0, 1} {
		if compared[value] < 40 {
			t.Errorf("only %d moves of value %d were compared", compared[value], value)
		}
	}
}

// TestChoose looks at the moves of the searches that lead to early positions: a win at
// once, and the only move against one.
func TestChoose(t *testing.T) {
	for _, moves := range [][]int{{3, 0, 3, 0, 3, 0}, {6, 3, 0, 3, 1, 3}} {
		m := newConnectFour(7, 6, 12)
		for _, x := range moves {
			m.Play(x)
		}
		if got := m.Choose(2_000, rand.New(rand.NewPCG(1, 1))); got != 3 {
			t.Errorf("after %v: column %d, not 3", moves, got)
		}
	}
}
