package propnet

import (
	"slices"
	"testing"
)

// The first fluent ends the game, the second one leads to the first; the third and fourth
// one lead to each other alone. The fifth never holds: nothing is to be taken out.
func TestEssential(t *testing.T) {
	n := small(5, func(b *Builder, in []Node) Node { return in[0] })
	w := newRewriter(n)
	n = w.run(w.gate)
	n.Next[0], n.Next[1], n.Next[2], n.Next[3], n.Next[4] = 3, True, 5, 4, False
	n.Initial[2], n.Initial[3] = true, true
	n.OneHot = []Group{{[]Node{2, 3, 4}, true}, {[]Node{3, 5}, true}, {[]Node{2, 3}, true}}
	got := Essential(n)
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	if want := []bool{false, false, true, true, false}; !slices.Equal(got.Spare, want) {
		t.Errorf("spare are %v, want %v", got.Spare, want)
	}
	if want := []Node{3, True, False, False, False}; !slices.Equal(got.Next, want) || slices.Contains(got.Initial, true) {
		t.Errorf("next is %v, want %v, initially %v", got.Next, want, got.Initial)
	}
	if len(got.OneHot) != 2 || !slices.Equal(got.OneHot[0].Members, []Node{2, 3}) || got.OneHot[0].Exactly || !got.OneHot[1].Exactly {
		t.Errorf("groups are %v", got.OneHot)
	}
	if Essential(got) != got {
		t.Error("what is left has spare fluents again")
	}
	got.Initial[2] = true
	if got.Check() == nil {
		t.Error("a spare fluent holds at first, and the net passes its check")
	}
}
