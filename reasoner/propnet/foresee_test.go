package propnet

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"semisplit/reasoner/gdl"
)

// turnNet draws a game of two roles that take turns, whose other rules are
// arbitrary: so many fluents beside those of the turn, and so many semimoves at
// each level of a move.
func turnNet(t *rapid.T) *Net {
	fluents := rapid.IntRange(1, 4).Draw(t, "fluents")
	levels := [2][]int{}
	inputs := 2 + fluents
	for r := range levels {
		for range rapid.IntRange(1, 2).Draw(t, "levels") {
			levels[r] = append(levels[r], 1+rapid.IntRange(1, 3).Draw(t, "moves"))
			inputs += levels[r][len(levels[r])-1]
		}
	}
	b := NewBuilder(inputs)
	formula := func(leaves []Node) Node {
		parts := append([]Node(nil), leaves...)
		for range rapid.IntRange(0, 6).Draw(t, "gates") {
			args := make([]Node, rapid.IntRange(1, 3).Draw(t, "operands"))
			for i := range args {
				if args[i] = rapid.SampledFrom(parts).Draw(t, "operand"); rapid.Bool().Draw(t, "negated") {
					args[i] = b.Not(args[i])
				}
			}
			if rapid.Bool().Draw(t, "and") {
				parts = append(parts, b.And(args...))
			} else {
				parts = append(parts, b.Or(args...))
			}
		}
		return parts[len(parts)-1]
	}
	turn, state := []Node{b.Input(0), b.Input(1)}, []Node{}
	n := &Net{Fluents: make([]gdl.TermID, 2+fluents), Initial: make([]bool, 2+fluents), OneHot: []Group{{Members: turn, Exactly: true}}}
	n.Initial[0] = true
	for i := range fluents {
		state = append(state, b.Input(2+i))
	}
	selections := append(append([]Node(nil), turn...), state...)
	next := 2 + fluents
	for r := range levels {
		known := append([]Node(nil), state...)
		role := Role{}
		for _, count := range levels[r] {
			level := Level{Codes: make([]gdl.TermID, count)}
			for k := range count {
				offer := turn[1-r] // the last one does nothing
				if k < count-1 {
					offer = b.And(turn[r], formula(known))
				}
				level.Offer, level.Select = append(level.Offer, offer), append(level.Select, b.Input(next))
				next++
			}
			known, selections = append(known, level.Select...), append(selections, level.Select...)
			role.Levels = append(role.Levels, level)
		}
		win := formula(state)
		role.Goals = []Goal{{100, win}, {50, b.Not(win)}}
		n.Roles = append(n.Roles, role)
	}
	n.Next = []Node{turn[1], turn[0]}
	for range fluents {
		n.Next = append(n.Next, formula(selections))
	}
	n.Terminal = formula(append(append([]Node(nil), state...), n.Roles[0].Goals[0].Node, n.Roles[1].Goals[0].Node))
	return b.Finish(n)
}

// What Foresee says of a state is what comes out when each legal move is made,
// and each answer to it.
func TestForesee(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := turnNet(t)
		replies := rapid.Bool().Draw(t, "replies")
		seeing, err := Foresee(context.Background(), n, replies, DefaultForesight)
		if err == nil {
			err = seeing.Check()
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, n)
		}
		for bits := range 1 << (len(n.Fluents) - 1) {
			state := make([]bool, len(n.Fluents))
			state[bits&1] = true
			for i := range state[2:] {
				state[2+i] = bits>>(1+i)&1 != 0
			}
			if n.Eval(state, nil)[n.Terminal] {
				continue
			}
			mover := bits & 1
			all := paths(n, mover, state)
			want := winning(n, mover, all)
			if v := seeing.Eval(state, nil); v[seeing.Roles[mover].Winning] != (len(want) > 0) {
				t.Fatalf("role %d in %v: winning %v\n%s", mover, state, len(want) == 0, n)
			}
			if len(want) == 0 && replies {
				if len(all) == 1 {
					continue // whether the only move is preferred makes no difference
				}
				want = safe(n, mover, all)
			}
			comparePreferred(t, n, seeing, state, mover, want)
		}
	})
}

// legalMove is a path of semimoves of a role and the state that it leads to,
// while the other role does nothing.
type legalMove struct {
	path  []int
	after []bool
}

// selected are the selections of a path of a role; the other does nothing, once
// the path is complete.
func selected(n *Net, mover int, path []int) []bool {
	out, at := make([]bool, n.Moves()), 0
	for r, role := range n.Roles {
		for l, level := range role.Levels {
			switch {
			case r != mover:
				out[at+len(level.Codes)-1] = true
			case l < len(path):
				out[at+path[l]] = true
			}
			at += len(level.Codes)
		}
	}
	return out
}

// paths are the legal moves of a role in a state.
func paths(n *Net, mover int, state []bool) (all []legalMove) {
	var walk func(path []int)
	walk = func(path []int) {
		v := n.Eval(state, selected(n, mover, path))
		if len(path) == len(n.Roles[mover].Levels) {
			after := make([]bool, len(state))
			for i, x := range n.Next {
				after[i] = v[x]
			}
			all = append(all, legalMove{append([]int(nil), path...), after})
			return
		}
		for k, offer := range n.Roles[mover].Levels[len(path)].Offer {
			if v[offer] {
				walk(append(path[:len(path):len(path)], k))
			}
		}
	}
	walk(nil)
	return all
}

func winning(n *Net, mover int, all []legalMove) (out []legalMove) {
	for _, m := range all {
		if v := n.Eval(m.after, nil); v[n.Terminal] && v[n.Roles[mover].Goals[0].Node] {
			out = append(out, m)
		}
	}
	return out
}

// safe are the moves that end the game or let the other role not win at once.
func safe(n *Net, mover int, all []legalMove) (out []legalMove) {
	for _, m := range all {
		if n.Eval(m.after, nil)[n.Terminal] || len(winning(n, 1-mover, paths(n, 1-mover, m.after))) == 0 {
			out = append(out, m)
		}
	}
	return out
}

// comparePreferred holds what a role prefers in a state against the moves that it
// should prefer, level by level.
func comparePreferred(t *rapid.T, n, seeing *Net, state []bool, mover int, want []legalMove) {
	for _, m := range append([]legalMove{{path: make([]int, len(n.Roles[mover].Levels))}}, want...) {
		for l := range m.path {
			prefix := m.path[:l]
			if l > 0 && len(want) == 0 {
				break
			}
			should := map[int]bool{}
			for _, w := range want {
				if slices.Equal(w.path[:l], prefix) {
					should[w.path[l]] = true
				}
			}
			if l > 0 && len(should) == 0 {
				break // nobody goes there
			}
			level, v := &seeing.Roles[mover].Levels[l], seeing.Eval(state, selected(n, mover, prefix))
			for k, x := range level.Prefer {
				if v[x] != should[k] {
					t.Fatalf("role %d, %v and semimove %d in %v: preferred %v, want %v\n%s", mover, prefix, k, state, v[x], should[k], n)
				}
			}
			if v[level.Preferring] != (len(should) > 0) {
				t.Fatalf("role %d, %v in %v: preferring %v", mover, prefix, state, v[level.Preferring])
			}
		}
	}
}

// Rules that Foresee does not understand are refused.
func TestForeseeRefuses(t *testing.T) {
	two := func(change func(n *Net, b *Builder)) *Net {
		b := NewBuilder(6)
		n := &Net{Fluents: make([]gdl.TermID, 2), Initial: []bool{true, false}, Next: []Node{3, 2}, Terminal: b.And(2, 3)}
		for r := range Node(2) {
			n.Roles = append(n.Roles, Role{
				Levels: []Level{{Codes: make([]gdl.TermID, 2), Offer: []Node{2 + r, 3 - r}, Select: []Node{4 + 2*r, 5 + 2*r}}},
				Goals:  []Goal{{100, 2 + r}},
			})
		}
		n.OneHot = []Group{{Members: []Node{2, 3}, Exactly: true}}
		change(n, b)
		return b.Finish(n)
	}
	for name, n := range map[string]*Net{
		"both choose": two(func(n *Net, _ *Builder) {
			for r := range n.Roles {
				n.Roles[r].Levels[0].Offer = []Node{True, True}
			}
		}),
		"recursive": two(func(n *Net, b *Builder) {
			loop := b.Forward()
			b.Define(loop, b.And(loop, 2), 3)
			n.Terminal = loop
		}),
	} {
		if _, err := Foresee(context.Background(), n, true, DefaultForesight); !errors.Is(err, ErrBlind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := two(func(*Net, *Builder) {})
	for _, bound := range []Foresight{
		{Growth: 1, Gates: 1000, Operands: 16, Paths: 0, Work: 1},
		{Growth: 8, Gates: 1000, Operands: 0, Paths: 1000, Work: 1_000_000},
	} {
		if _, err := Foresee(context.Background(), long, true, bound); !errors.Is(err, ErrBlind) {
			t.Errorf("%+v was not kept: %v", bound, err)
		}
	}
	if _, err := Foresee(context.Background(), long, true, DefaultForesight); err != nil {
		t.Error(err)
	}
}

// Paths that lead to no move are walked as long as there is time, and no longer.
func TestForeseeDeadPaths(t *testing.T) {
	const levels = 40
	b := NewBuilder(1 + 2*levels)
	role := Role{Goals: []Goal{{100, 2}}}
	for l := range Node(levels) {
		level := Level{Codes: make([]gdl.TermID, 2), Offer: []Node{True, True}, Select: []Node{3 + 2*l, 4 + 2*l}}
		if l == levels-1 {
			level.Offer = []Node{False, False}
		}
		role.Levels = append(role.Levels, level)
	}
	n := b.Finish(&Net{Fluents: make([]gdl.TermID, 1), Initial: []bool{false}, Next: []Node{3}, Terminal: 2, Roles: []Role{role}})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Foresee(ctx, n, true, DefaultForesight); err == nil {
		t.Error("all of a million million paths were walked")
	}
}

// A net that sees wins is larger than was allowed by a quarter of the one that does not, at
// most.
func TestForeseeBoundsGates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := turnNet(t)
		bound := DefaultForesight
		bound.Gates = rapid.IntRange(0, 100).Draw(t, "gates")
		seeing, err := Foresee(context.Background(), n, rapid.Bool().Draw(t, "replies"), bound)
		switch gates := n.Stats().Gates(); {
		case err != nil && !errors.Is(err, ErrBlind):
			t.Fatal(err)
		case err == nil && seeing.Stats().Gates() > max(bound.Gates, gates+gates/4):
			t.Fatalf("%d gates of %d, where %d are allowed", seeing.Stats().Gates(), gates, bound.Gates)
		}
	})
}
