package propnet

import (
	"context"
	"testing"

	"semisplit/reasoner/gdl"
)

// hot is small with a group of all fluents.
func hot(fluents int, exactly bool, build func(b *Builder, in []Node) Node) *Net {
	n := small(fluents, build)
	g := Group{Exactly: exactly}
	for i := range fluents {
		g.Members = append(g.Members, Node(2+i))
	}
	n.OneHot = []Group{g}
	return n
}

func TestOneHot(t *testing.T) {
	for name, c := range map[string]struct {
		exactly bool
		build   func(b *Builder, x []Node) Node
		want    []string
	}{
		"two members": {false, func(b *Builder, x []Node) Node { return b.And(x[0], x[1]) }, []string{"terminal = 0"}},
		"a member and not another": {false, func(b *Builder, x []Node) Node { return b.And(x[0], b.Not(x[1])) },
			[]string{"terminal = 2"}},
		"a member or not another": {false, func(b *Builder, x []Node) Node { return b.Or(x[0], b.Not(x[1])) },
			[]string{"6 = not 3", "terminal = 6"}},
		"all members": {true, func(b *Builder, x []Node) Node { return b.Or(x...) }, []string{"terminal = 1"}},
		"all members, or none": {false, func(b *Builder, x []Node) Node { return b.Or(x...) },
			[]string{"6 = or 2 3 4 5", "terminal = 6"}},
		"all but one": {true, func(b *Builder, x []Node) Node { return b.Or(x[0], x[1], x[3]) },
			[]string{"6 = not 4", "terminal = 6"}},
		"none but one": {true, func(b *Builder, x []Node) Node { return b.And(b.Not(x[0]), b.Not(x[1]), b.Not(x[3])) },
			[]string{"terminal = 4"}},
		"under another member": {false, func(b *Builder, x []Node) Node {
			return b.And(x[0], b.Or(x[1], x[2], b.Not(x[0])))
		}, []string{"terminal = 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			expectGates(t, OneHot(context.Background(), hot(4, c.exactly, c.build)), c.want...)
		})
	}
}

// A gate above says under which value a gate is asked for.
func TestOneHotRestricts(t *testing.T) {
	n := small(5, func(b *Builder, x []Node) Node {
		return b.And(x[0], b.Or(b.And(x[0], x[3]), b.And(x[1], x[4])))
	})
	n.OneHot = []Group{{Members: []Node{2, 3, 4}}}
	expectGates(t, OneHot(context.Background(), n), "7 = and 2 5", "terminal = 7")
}

// turns is a game of two players that move in turn: fluents 2 and 3 say whose
// turn it is, 4 is a piece. Each has two moves, noop last; the first moves of
// both take the piece away.
func turns(exactly bool) *Net {
	b := NewBuilder(7)
	n := &Net{Fluents: make([]gdl.TermID, 3), Initial: []bool{true, false, true}, OneHot: []Group{{Members: []Node{2, 3}, Exactly: exactly}}}
	for r := range 2 {
		turn, other := Node(2+r), Node(3-r)
		n.Roles = append(n.Roles, Role{Levels: []Level{{
			Codes:  make([]gdl.TermID, 2),
			Offer:  []Node{b.And(turn, 4), b.Or(b.And(turn, b.Not(4)), other)},
			Select: []Node{Node(5 + 2*r), Node(6 + 2*r)},
		}}})
	}
	// The frame as rules write it: what a player does not move stays.
	n.Next = []Node{3, 2, b.And(4, b.Or(b.And(2, b.Not(5)), b.And(3, b.Not(7))))}
	return b.Finish(n)
}

// A choice by whose turn it is, between branches that the other player's
// moves cannot touch, needs no choice.
func TestOneHotChoice(t *testing.T) {
	got := OneHot(context.Background(), turns(true))
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	top := got.Next[2]
	if got.Ops[top] != And && got.Ops[top] != Not {
		t.Fatalf("next is no conjunction:\n%s", got)
	}
	for _, a := range got.operands(top) {
		if a == 2 || a == 3 {
			t.Errorf("whose turn it is still matters:\n%s", got)
		}
	}
	if s := got.Stats(); s.Ors >= turns(true).Stats().Ors {
		t.Errorf("the choice is still there:\n%s", got)
	}
	if loose := OneHot(context.Background(), turns(false)); loose.Stats().Ors != turns(false).Stats().Ors {
		t.Errorf("a turn that may be nobody's was taken for somebody's:\n%s", loose)
	}
}

// The OR of all moves but noop says whose turn it is.
func TestSelectionsKnowTheirOffers(t *testing.T) {
	b := NewBuilder(5)
	n := &Net{Fluents: make([]gdl.TermID, 2), Initial: []bool{true, false}, OneHot: []Group{{Members: []Node{2, 3}, Exactly: true}}}
	n.Roles = []Role{{Levels: []Level{{
		Codes:  make([]gdl.TermID, 3),
		Offer:  []Node{2, 2, 3},
		Select: []Node{4, 5, 6},
	}}}}
	n.Next = []Node{b.Or(4, 5), b.Not(b.Or(4, 5))}
	got := OneHot(context.Background(), b.Finish(n))
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	if got.Next[0] != 2 || got.Ops[got.Next[1]] != Not && got.Next[1] != 3 {
		t.Errorf("got\n%s", got)
	}
}

// Groups of more members than a word has bits.
func TestOneHotOfManyMembers(t *testing.T) {
	n := hot(100, true, func(b *Builder, x []Node) Node { return b.Or(b.And(x[0], x[1]), b.And(x[2], b.Not(x[65]))) })
	// Members 2 and 65 share a bit: nothing is known of them.
	expectGates(t, OneHot(context.Background(), n), "102 = not 67", "103 = and 4 102", "terminal = 103")
}

func TestOneHotStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	n := hot(2, false, func(b *Builder, x []Node) Node { return b.And(x...) })
	if got := OneHot(ctx, n); got.Terminal == False {
		t.Error("went on after the end of the context")
	}
}
