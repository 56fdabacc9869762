package propnet

import (
	"slices"

	"semisplit/reasoner/internal/graph"
)

// Finish turns the builder's gates into a net. The frame is a Net whose
// fields beyond Ops, First, Args and Cycles are set, in the builder's node
// numbers; every fluent, and every selection (in the order of roles and
// levels), and every HasLegalMove (in the order of roles) is an input, in this
// order. Gates that the frame does not need vanish, a selection or HasLegalMove
// that nothing reads becomes False, and what is left is numbered depth first,
// operands before their gates, recursive gates side by side.
func (b *Builder) Finish(frame *Net) *Net {
	place := slices.Repeat([]Node{-1}, len(b.ops)) // number in the finished net; -1: none
	out := *frame
	out.Roles = cloneRoles(frame.Roles)
	out.Next = slices.Clone(frame.Next)
	b.skipAliases(&out)
	var gates []Node // group after group
	var ends []int   // of the groups
	components := graph.NewComponents(len(b.ops), b.Args, func(group []Node) {
		if op := b.ops[group[0]]; op == And || op == Or || op == Not {
			gates = append(gates, group...)
			ends = append(ends, len(gates))
		} else {
			place[group[0]] = 0 // an input that is read
		}
	})
	out.roots(func(n *Node) { components.Visit(*n) })
	out.Ops, out.First, out.Args, out.Cycles = nil, []int32{0}, nil, nil
	emit := func(old Node) {
		place[old] = Node(len(out.Ops))
		out.Ops = append(out.Ops, b.ops[old])
	}
	emit(False)
	emit(True)
	for i := range frame.Fluents {
		emit(Node(2 + i))
	}
	for i := 2 + len(frame.Fluents); i < 2+b.inputs; i++ {
		if place[i] >= 0 {
			emit(Node(i))
		}
	}
	for range out.Ops {
		out.First = append(out.First, 0)
	}
	start := 0
	for _, end := range ends {
		group := gates[start:end]
		start = end
		first := Node(len(out.Ops))
		for _, n := range group {
			emit(n)
		}
		for _, n := range group {
			for _, a := range b.Args(n) {
				// Operands inside the group have their places already.
				out.Args = append(out.Args, place[a])
			}
			out.First = append(out.First, int32(len(out.Args)))
		}
		if len(group) > 1 || slices.Contains(b.Args(group[0]), group[0]) {
			out.Cycles = append(out.Cycles, Cycle{first, Node(len(out.Ops))})
		}
	}
	out.roots(func(n *Node) { *n = place[*n] })
	out.choices(func(n *Node) { *n = max(False, place[*n]) })
	return &out
}

// skipAliases leads everything past the Forward gates that turned out to have
// one operand. One that only leads back to itself is False.
func (b *Builder) skipAliases(frame *Net) {
	if len(b.forwards) == 0 {
		return
	}
	resolve := func(n Node) Node {
		for start, left := n, len(b.forwards); b.ops[n] == Or && b.count[n] == 1; left-- {
			if n = b.args[b.first[n]]; n == start || left == 0 {
				return False
			}
		}
		return n
	}
	for i := range b.args {
		b.args[i] = resolve(b.args[i])
	}
	frame.roots(func(n *Node) { *n = resolve(*n) })
}

// roots calls f on every node that is asked for from outside.
func (n *Net) roots(f func(*Node)) {
	f(&n.Terminal)
	for r := range n.Roles {
		f(&n.Roles[r].Winning)
		for l := range n.Roles[r].Levels {
			level := &n.Roles[r].Levels[l]
			for i := range level.Offer {
				f(&level.Offer[i])
			}
			for i := range level.Prefer {
				f(&level.Prefer[i])
			}
			f(&level.Preferring)
		}
	}
	for i := range n.Next {
		f(&n.Next[i])
	}
	for r := range n.Roles {
		for g := range n.Roles[r].Goals {
			f(&n.Roles[r].Goals[g].Node)
		}
	}
}

// choices calls f on the input nodes beyond the fluents: the selections and
// the Movables, False for those that nothing reads.
func (n *Net) choices(f func(*Node)) {
	for r := range n.Roles {
		for l := range n.Roles[r].Levels {
			for i := range n.Roles[r].Levels[l].Select {
				f(&n.Roles[r].Levels[l].Select[i])
			}
		}
	}
	for r := range n.Roles {
		f(&n.Roles[r].HasLegalMove)
	}
}

func cloneRoles(roles []Role) []Role {
	out := slices.Clone(roles)
	for r := range out {
		out[r].Goals = slices.Clone(out[r].Goals)
		out[r].Levels = slices.Clone(out[r].Levels)
		for l := range out[r].Levels {
			level := &out[r].Levels[l]
			level.Codes = slices.Clone(level.Codes)
			level.Offer = slices.Clone(level.Offer)
			level.Select = slices.Clone(level.Select)
			level.Prefer = slices.Clone(level.Prefer)
		}
	}
	return out
}
