package propnet

import "slices"

// Essential is a net without the fluents on which nothing depends: no end, goal or offer,
// in this state or in a later one. They keep their places in the state and are Spare: none
// holds after any step. Where there are none the net stays as it is.
//
// Such is who owns a box in Dots and Boxes, where boxes are counted as well, or how many
// turns were played where that ends no match. States that differ in nothing else are one
// state then.
func Essential(n *Net) *Net {
	needed := n.needed()
	spare := make([]bool, len(n.Fluents))
	out := *n
	out.Next, out.Initial = slices.Clone(n.Next), slices.Clone(n.Initial)
	for i, next := range n.Next {
		if spare[i] = !needed.has(Node(2+i)) && (next != False || n.Initial[i]); spare[i] {
			out.Next[i], out.Initial[i] = False, false
		}
	}
	if !slices.Contains(spare, true) {
		return n
	}
	out.Spare, out.OneHot = spare, nil
	for _, g := range n.OneHot {
		left := slices.DeleteFunc(slices.Clone(g.Members), func(m Node) bool { return spare[m-2] })
		g.Exactly = g.Exactly && len(left) == len(g.Members)
		if g.Members = left; len(left) > 1 {
			out.OneHot = append(out.OneHot, g)
		}
	}
	return Fold(&out)
}

// needed are the nodes on which an end, a goal or an offer depends, now or later.
func (n *Net) needed() bitset {
	seen := newBitset(len(n.Ops))
	still := *n
	still.Next = nil
	var work []Node
	still.roots(func(x *Node) { work = append(work, *x) })
	for len(work) > 0 {
		roots := work
		work = nil
		n.under(roots, func(x Node) bool {
			if seen.has(x) {
				return false
			}
			seen.add(x)
			if i := int(x) - 2; i >= 0 && i < len(n.Next) {
				work = append(work, n.Next[i])
			}
			return true
		})
	}
	return seen
}
