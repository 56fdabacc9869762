package propnet

import (
	"cmp"
	"slices"
)

// mostFactored bounds the operands that Factor looks at: terms that share many are looked
// at once for each.
const mostFactored = 32 << 20

// Factor takes common operands out: (a and b) or (a and c) becomes
// a and (b or c), and the same with the operations exchanged, wherever the
// inner gates have no other use. Gates in cycles stay as they are.
func Factor(n *Net) *Net {
	uses, cyclic := n.uses(), n.cyclic()
	w := newRewriter(n)
	single := make(nodeFlags, 0, len(n.Ops))
	var terms [][]Node
	var rest []Node
	spare := mostFactored
	return w.run(func(old Node, args []Node) Node {
		op := n.Ops[old]
		if op == Not || cyclic[old] {
			return w.gate(old, args)
		}
		terms, rest = terms[:0], rest[:0]
		for _, a := range args {
			if o := w.b.Op(a); single.has(a) && o != op && o != Not {
				terms = append(terms, slices.Clone(w.b.Args(a)))
			} else {
				rest = append(rest, a)
			}
		}
		before := Node(w.b.Len())
		g := w.gate(old, append(rest, w.factored(op, terms, &spare)...))
		if g >= before && uses[old] == 1 {
			single.set(g, true)
		} else {
			single.set(g, false)
		}
		return g
	})
}

// factored returns nodes whose op is the op of the terms, each term being
// operands of the opposite operation. Each term goes with the operand that
// it shares with most others, as long as spare operands may be looked at.
func (w *rewriter) factored(op Op, terms [][]Node, spare *int) []Node {
	if len(terms) == 0 {
		return nil
	}
	join, inner := w.b.Or, w.b.And
	if op == And {
		join, inner = w.b.And, w.b.Or
	}
	count := make(map[Node]int)
	for _, t := range terms {
		if *spare -= len(t); *spare < 0 {
			clear(count) // nothing is shared
			break
		}
		for _, a := range t {
			count[a]++
		}
	}
	groups := make(map[Node][][]Node)
	var order []Node
	var out []Node
	for _, t := range terms {
		best := slices.MaxFunc(t, func(a, b Node) int { return cmp.Or(cmp.Compare(count[a], count[b]), cmp.Compare(b, a)) })
		if count[best] < 2 {
			out = append(out, inner(t...))
			continue
		}
		if groups[best] == nil {
			order = append(order, best)
		}
		groups[best] = append(groups[best], t)
	}
	for _, common := range order {
		group := groups[common]
		if len(group) == 1 {
			out = append(out, inner(group[0]...))
			continue
		}
		for i, t := range group {
			group[i] = slices.DeleteFunc(t, func(a Node) bool { return a == common })
		}
		// A term of the common operand alone absorbs the others.
		if slices.ContainsFunc(group, func(t []Node) bool { return len(t) == 0 }) {
			out = append(out, common)
			continue
		}
		out = append(out, inner(common, join(w.factored(op, group, spare)...)))
	}
	return out
}
