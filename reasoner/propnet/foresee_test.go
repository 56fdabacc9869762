package propnet

import (
	"context"
	"errors"
	"testing"

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

// What Foresee says of a state is what comes out when each legal move is made.
func TestForesee(t *testing.T) {
	wins := 0
	rapid.Check(t, func(t *rapid.T) {
		n := turnNet(t)
		seeing, err := Foresee(context.Background(), n, DefaultForesight)
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
			if !n.Eval(state, nil)[n.Terminal] {
				wins += compareWins(t, n, seeing, state, bits&1)
			}
		}
	})
	if wins == 0 {
		t.Error("there was nothing to foresee")
	}
}

// compareWins holds the wins of a role, whose turn it is, against those found by
// making its moves. It returns how many there are.
func compareWins(t *rapid.T, n, seeing *Net, state []bool, mover int) (wins int) {
	selected := make([]bool, n.Moves())
	first := [2]int{0, 0}
	for _, level := range n.Roles[0].Levels {
		first[1] += len(level.Codes)
	}
	at := 0
	for _, level := range n.Roles[1-mover].Levels {
		selected[first[1-mover]+at+len(level.Codes)-1] = true
		at += len(level.Codes)
	}
	if v := seeing.Eval(state, nil); !v[seeing.Roles[mover].Turn] {
		t.Fatalf("turn of role %d: %v", mover, state)
	}
	var walk func(l, at int) bool
	walk = func(l, at int) (found bool) {
		if l == len(n.Roles[mover].Levels) {
			v := n.Eval(state, selected)
			after := make([]bool, len(state))
			for i, x := range n.Next {
				after[i] = v[x]
			}
			v = n.Eval(after, nil)
			return v[n.Terminal] && v[n.Roles[mover].Goals[0].Node]
		}
		offers, level := n.Eval(state, selected), &seeing.Roles[mover].Levels[l]
		told := seeing.Eval(state, selected)
		for k, offer := range n.Roles[mover].Levels[l].Offer {
			win := false
			if offers[offer] {
				selected[at+k] = true
				win = walk(l+1, at+len(level.Codes))
				selected[at+k] = false
			}
			if told[level.Win[k]] != win {
				t.Fatalf("role %d, level %d, semimove %d in %v: %v, want %v\n%s", mover, l, k, state, !win, win, n)
			}
			if found = found || win; win {
				wins++
			}
		}
		if told[level.Winning] != found {
			t.Fatalf("role %d, level %d in %v: winning %v", mover, l, state, !found)
		}
		return found
	}
	walk(0, first[mover])
	return wins
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
		if _, err := Foresee(context.Background(), n, DefaultForesight); !errors.Is(err, ErrBlind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := two(func(*Net, *Builder) {})
	if _, err := Foresee(context.Background(), long, Foresight{Growth: 1, Paths: 0, Work: 1}); !errors.Is(err, ErrBlind) {
		t.Errorf("no bound was kept: %v", err)
	}
	if _, err := Foresee(context.Background(), long, DefaultForesight); err != nil {
		t.Error(err)
	}
}
