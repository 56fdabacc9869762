package propnet

import (
	"strings"
	"testing"

	"semisplit/reasoner/gdl"
)

// splitNet has one fluent, two roles of two levels with one semimove each and
// their Movables: nodes 2; 3 and 4; 5 and 6; 7 and 8; and an AND of every two
// of them.
func splitNet(wire func(b *Builder, n *Net)) *Net {
	b := NewBuilder(7)
	n := &Net{Fluents: make([]gdl.TermID, 1), Initial: make([]bool, 1), Next: make([]Node, 1), Terminal: True}
	level := func(s Node) Level {
		return Level{Codes: make([]gdl.TermID, 1), Offer: []Node{True}, Select: []Node{s}}
	}
	n.Roles = []Role{
		{Levels: []Level{level(3), level(4)}, HasLegalMove: 7, Goals: []Goal{{100, False}}},
		{Levels: []Level{level(5), level(6)}, HasLegalMove: 8},
	}
	// Everything is read, so that no input vanishes.
	n.Next[0] = b.And(2, 3, 4, 5, 6, 7, 8)
	wire(b, n)
	return b.Finish(n)
}

func TestWhatMayBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		wire func(b *Builder, n *Net)
		want string // part of the error; "" for none
	}{
		"as it should be": {func(b *Builder, n *Net) {
			n.Terminal = b.And(2, 7)
			n.Roles[0].Goals[0].Node = b.Not(8)
			n.Roles[1].Levels[1].Offer[0] = b.Or(2, 5)
		}, ""},
		"terminal reads a selection":   {func(b *Builder, n *Net) { n.Terminal = b.And(2, 3) }, "terminal"},
		"goal reads a selection":       {func(b *Builder, n *Net) { n.Roles[0].Goals[0].Node = b.Or(2, 6) }, "goal 100"},
		"offer reads its own level":    {func(b *Builder, n *Net) { n.Roles[0].Levels[0].Offer[0] = 3 }, "offer"},
		"offer reads the other role":   {func(b *Builder, n *Net) { n.Roles[1].Levels[1].Offer[0] = 3 }, "offer"},
		"offer reads both roles":       {func(b *Builder, n *Net) { n.Roles[1].Levels[1].Offer[0] = b.And(3, 5) }, "offer"},
		"offer reads a HasLegalMove":   {func(b *Builder, n *Net) { n.Roles[1].Levels[1].Offer[0] = b.And(2, 8) }, "offer"},
		"terminal reads through cycle": {func(b *Builder, n *Net) { f := b.Forward(); n.Terminal = f; b.Define(f, b.And(f, 2), 4) }, "terminal"},
	} {
		err := splitNet(c.wire).Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Inputs that nothing reads vanish, and those after them move up.
func TestMovableKeepsItsPlace(t *testing.T) {
	b := NewBuilder(5)
	n := &Net{Fluents: make([]gdl.TermID, 1), Initial: make([]bool, 1), Next: []Node{True}}
	for r := range 2 {
		n.Roles = append(n.Roles, Role{
			Levels:       []Level{{Codes: make([]gdl.TermID, 1), Offer: []Node{True}, Select: []Node{Node(3 + r)}}},
			HasLegalMove: Node(5 + r),
		})
	}
	n.Next[0] = b.Input(2) // the selection of the second role
	n.Terminal = b.Not(b.Input(4))
	got := b.Finish(n)
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	if got.Roles[0].Levels[0].Select[0] != False || got.Roles[0].HasLegalMove != False {
		t.Errorf("unread inputs stayed:\n%s", got)
	}
	if got.Roles[1].Levels[0].Select[0] != 3 || got.Roles[1].HasLegalMove != 4 {
		t.Errorf("read inputs moved wrongly:\n%s", got)
	}
	stuck := got.EvalInputs(Inputs{Fluents: []bool{false}, Selected: []bool{true, false}, HasLegalMove: []bool{true, false}})
	free := got.Eval([]bool{false}, []bool{false, true})
	if !stuck[got.Terminal] || stuck[got.Next[0]] || free[got.Terminal] || !free[got.Next[0]] {
		t.Errorf("stuck %v, free %v", stuck, free)
	}
}
