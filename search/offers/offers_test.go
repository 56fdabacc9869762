package offers

import (
	"sync/atomic"
	"testing"

	"semisplit/search/encoding"
	"semisplit/search/internal/toys"
)

// board is a game for one with moves of two semimoves: width of one with width of the other.
type board struct {
	toys.Ladder
	width uint32
}

func (board) Levels() []int { return []int{2} }
func (g board) Offers([]uint64, int, []uint32) (all []uint32) {
	for i := range g.width {
		all = append(all, i)
	}
	return all
}

// listing lists whole moves, and sampling says that it knows of more than it offers.
type (
	listing  struct{ *toys.Engine }
	sampling struct{ *toys.Engine }
)

func (sampling) Partial(int) bool { return true }

func (e listing) Firsts([]uint64, int, [][]uint32) {}
func (e listing) Paths(_ []uint64, role, most int, visit func(lane int, path []uint32)) (cut []uint64) {
	for _, path := range toys.Moves(e.Game, e.Game.Initial(), role, nil) {
		if most--; most < 0 {
			return []uint64{1}
		}
		visit(0, path)
	}
	return []uint64{0}
}

// giving finds only so many moves, and gives up.
type giving struct {
	listing
	up int
}

func (e giving) Paths(lanes []uint64, role, _ int, visit func(lane int, path []uint32)) []uint64 {
	return e.listing.Paths(lanes, role, e.up, visit)
}

// A single move that was found is none, since it may not be the only one.
func TestGivingUp(t *testing.T) {
	g := board{width: 5}
	for up, want := range []int{0, 0, 2} {
		e := toys.NewEngine(g, 1, 1)
		r := New(giving{listing{e}, up}, encoding.New(g.Levels(), true, nil))
		r.Mark(0)
		r.Read()
		if got := len(r.After(0, 0, nil, nil)); got != want || !r.Partial(0, 0) {
			t.Errorf("given up after %d moves: %d are offered, partial: %v", up, got, r.Partial(0, 0))
		}
	}
}

// A reader knows whether it has left moves out, or the engine has.
func TestPartial(t *testing.T) {
	for _, c := range []struct {
		width        uint32
		whole        bool
		list, sample bool
		want         bool
	}{
		{width: 180, whole: true},
		{width: 182, whole: true, want: true}, // 33,124 moves
		{width: 180, whole: true, list: true},
		{width: 182, whole: true, list: true, want: true},
		{width: 182},
		{width: 5, sample: true, want: true},
		{width: 5, whole: true, sample: true, want: true},
	} {
		g := board{width: c.width}
		e := toys.NewEngine(g, 1, 1)
		encodings := encoding.New(g.Levels(), c.whole, nil)
		r := New(e, encodings)
		switch {
		case c.list:
			r = New(listing{e}, encodings)
		case c.sample:
			r = New(sampling{e}, encodings)
		}
		e.Load(0, g.Initial(), nil)
		if _, err := e.Step(new(atomic.Bool)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			r.Mark(0)
			if r.Read(); r.Partial(0, 0) != c.want {
				t.Errorf("%+v: partial: %v", c, r.Partial(0, 0))
			}
		}
	}
}

// thicket is a game of one state whose moves begin like a hundred million that are none.
type thicket struct {
	toys.Ladder
	asked *int
}

func (thicket) Levels() []int { return []int{9} }
func (g thicket) Offers(_ []uint64, _ int, prefix []uint32) []uint32 {
	if *g.asked++; len(prefix) == 8 && prefix[7] != prefix[6] || len(prefix) == 8 && prefix[5] != 9 {
		return nil
	}
	return []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
}

// Whole moves are looked for prefix by prefix until very many were dead; others may be left
// then.
func TestManyDeadPrefixes(t *testing.T) {
	asked := 0
	g := thicket{asked: &asked}
	e := toys.NewEngine(g, 1, 1)
	r := New(e, encoding.New(g.Levels(), true, nil))
	e.Load(0, g.Initial(), nil)
	if _, err := e.Step(new(atomic.Bool)); err != nil {
		t.Fatal(err)
	}
	r.Mark(0)
	r.Read()
	if n := len(r.After(0, 0, nil, nil)); asked > 2*mostDead || n == 0 || !r.Partial(0, 0) {
		t.Errorf("%d prefixes were asked, %d moves are offered, partial: %v", asked, n, r.Partial(0, 0))
	}
}
