package propnet

// mostFlattened bounds the operands that Flatten copies: along a chain of gates they are
// copied at each.
const mostFlattened = 8 << 20

// Flatten merges a gate into the gate of the same operation that alone uses
// it. Gates in cycles stay as they are.
func Flatten(n *Net) *Net {
	uses, cyclic := n.uses(), n.cyclic()
	w := newRewriter(n)
	merged := make(nodeFlags, 0, len(n.Ops)) // new gates that may be opened
	var flat []Node
	spare := mostFlattened
	return w.run(func(old Node, args []Node) Node {
		op := n.Ops[old]
		if op == Not {
			return w.b.Not(args[0])
		}
		flat = flat[:0]
		for _, a := range args {
			if merged.has(a) && w.b.Op(a) == op && len(w.b.Args(a)) <= spare {
				spare -= len(w.b.Args(a))
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
			merged.set(g, true)
		default:
			merged.set(g, false) // shared with another gate after all
		}
		return g
	})
}

// nodeFlags is a flag for each node of a growing net; those beyond its end are
// false.
type nodeFlags []bool

func (f nodeFlags) has(n Node) bool { return int(n) < len(f) && f[n] }

func (f *nodeFlags) set(n Node, v bool) {
	for int(n) >= len(*f) {
		*f = append(*f, false)
	}
	(*f)[n] = v
}
