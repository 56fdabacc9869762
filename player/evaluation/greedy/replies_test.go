package greedy

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/player/board"
	"semisplit/player/evaluation"
	"semisplit/player/internal/gametest"
)

// A match of self-play goes on with the move that is best after the best reply,
// of the three that look best by themselves, as a walk over the board finds them,
// also where there is room for the moves of a few states only at a time.
func TestReplies(t *testing.T) {
	for _, c := range []struct {
		game string
		room int
	}{{"breakthrough", 0}, {"kalah", 0}, {"breakthrough", 80}} {
		game := c.game
		m := gametest.Lanes(t, gametest.Bundled(t, game), "orthodox")
		g := New(m, evaluation.NewFeatures(m, gametest.Bundled(t, game)), 1)
		g.sparse = false
		if c.room > 0 {
			g.tries.room, g.replies.room = c.room, c.room
		}
		random := rand.New(rand.NewPCG(4, 4))
		weights := make([]float32, g.features.Bits*len(g.roles))
		for i := range weights {
			weights[i] = float32(random.NormFloat64())
		}
		g.playBy(evaluation.New(make([]float64, len(g.roles)), weights, nil))
		b, err := board.New(m, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		states := gametest.RandomStates(t, m, 60)
		for _, state := range states {
			g.matches = append(g.matches, match{state: slices.Clone(state)})
		}
		var stop atomic.Bool
		if err := g.turn(&stop); err != nil {
			t.Fatal(err)
		}
		choices, beyond := 0, 0
		for k, state := range states {
			looks := g.lookAhead(t, b, state)
			if len(looks) < 2 || len(g.matches[k].past) == 0 { // the match is over
				continue
			}
			choices++
			best, plain := looks[0], looks[0]
			for _, l := range looks {
				if l.deep > best.deep {
					best = l
				}
			}
			if math.Abs(best.deep-plain.deep) > 1e-6 {
				beyond++
			}
			chosen := slices.IndexFunc(looks, func(l look) bool { return slices.Equal(l.after, g.matches[k].state) })
			if chosen < 0 || looks[chosen].deep < best.deep-1e-6 {
				t.Errorf("%s, state %d: look %d of %+v", game, k, chosen, looks)
			}
		}
		if choices < 10 || beyond == 0 {
			t.Errorf("%s: %d choices, %d of which replies decided", game, choices, beyond)
		}
	}
}

// Of more moves than there is room for some are drawn, each one once.
func TestNoRoom(t *testing.T) {
	m := gametest.Lanes(t, gametest.Bundled(t, "breakthrough"), "mod")
	g := New(m, evaluation.NewFeatures(m, gametest.Bundled(t, "breakthrough")), 1)
	g.tries.room = 5
	levels := m.Levels(0)
	if levels < 2 {
		t.Fatalf("%d levels", levels)
	}
	seen := map[uint32]int{}
	for range 300 {
		var moves []uint32
		for i := range uint32(12) {
			for range levels {
				moves = append(moves, i)
			}
		}
		some := g.some(moves, levels)
		once := map[uint32]bool{}
		for at := 0; at < len(some); at += levels {
			for _, v := range some[at : at+levels] {
				if v != some[at] {
					t.Fatalf("torn moves: %v", some)
				}
			}
			once[some[at]] = true
			seen[some[at]]++
		}
		if len(once) != 5 {
			t.Fatalf("%d of 12 moves", len(once))
		}
	}
	for i := range uint32(12) {
		if n := seen[i]; n < 80 || n > 170 { // 125 to expect
			t.Errorf("move %d was drawn %d times", i, n)
		}
	}
	if few := g.some([]uint32{1, 2}, levels); len(few) != 2 {
		t.Errorf("%v", few)
	}
}

// look is a move of the player to move: what it is worth to that player by itself,
// and after the best reply.
type look struct {
	plain, deep float64
	after       []uint64
}

// lookAhead finds the moves of a state that are best by themselves, best first.
func (g *Matches) lookAhead(t *testing.T, b *board.Board, state []uint64) []look {
	t.Helper()
	var looks []look
	mover, after, values := g.successors(t, b, state)
	for i := range after {
		l := look{plain: values[i][mover], deep: values[i][mover], after: after[i]}
		if !g.over(t, b, after[i]) {
			replier, _, replies := g.successors(t, b, after[i])
			best := 0
			for j := range replies {
				if replies[j][replier] > replies[best][replier] {
					best = j
				}
			}
			l.deep = replies[best][mover]
		}
		looks = append(looks, l)
	}
	slices.SortStableFunc(looks, func(a, b look) int {
		switch {
		case a.plain > b.plain:
			return -1
		case a.plain < b.plain:
			return 1
		}
		return 0
	})
	return looks[:min(len(looks), repliesTo)]
}

func (g *Matches) over(t *testing.T, b *board.Board, state []uint64) bool {
	t.Helper()
	if err := b.Set(state); err != nil {
		t.Fatal(err)
	}
	return b.Terminal()
}

// successors are the states after all moves of who chooses in a state, and what
// they are worth by role: goals where the match is over.
func (g *Matches) successors(t *testing.T, b *board.Board, state []uint64) (mover int, after [][]uint64, values [][]float64) {
	t.Helper()
	if g.over(t, b, state) {
		return 0, nil, nil
	}
	paths := make([][][]uint32, len(g.m.Roles()))
	for role := range paths {
		if paths[role] = b.Paths(role); len(paths[role]) > 1 {
			mover = role
		}
	}
	for _, path := range paths[mover] {
		var joint []uint32
		for role := range paths {
			of := paths[role][0]
			if role == mover {
				of = path
			}
			joint = append(joint, of...)
		}
		if err := b.Set(state); err != nil {
			t.Fatal(err)
		}
		if err := b.Moved(joint); err != nil {
			t.Fatal(err)
		}
		v := make([]float64, len(paths))
		g.values.Values(b.State(), v)
		if b.Terminal() {
			for role, goal := range b.Goals() {
				v[role] = float64(goal) / 100
			}
		}
		after, values = append(after, slices.Clone(b.State())), append(values, v)
	}
	return mover, after, values
}
