package propnet

import "slices"

// Flatten merges a gate into the gate of the same operation that alone uses
// it. Gates in cycles stay as they are.
func Flatten(n *Net) *Net {
	uses, cyclic := n.uses(), n.cyclic()
	w := newRewriter(n)
	merged := make(map[Node]bool) // new gates that may be opened
	return w.run(func(old Node, args []Node) Node {
		op := n.Ops[old]
		if op == Not {
			return w.b.Not(args[0])
		}
		flat := slices.Clone(args[:0])
		for _, a := range args {
			if merged[a] && w.b.Op(a) == op {
				flat = append(flat, w.b.Args(a)...)
			} else {
				flat = append(flat, a)
			}
		}
		before := Node(w.b.Len())
		g := w.gate(old, flat)
		switch {
		case cyclic[old]:
		case g >= before && uses[old] == 1:
			merged[g] = true
		default:
			delete(merged, g) // shared with another gate after all
		}
		return g
	})
}
