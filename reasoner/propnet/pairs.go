package propnet

import "slices"

const (
	pairWidth  = 12 // gates of more operands take no part: their pairs are too many
	pairRounds = 4
)

// Pairs gives two operands that several gates of one operation have in common
// a gate of their own. In each round a gate offers the pair that most others
// have too.
func Pairs(n *Net) *Net {
	for range pairRounds {
		out := Fold(pairRound(n))
		if len(out.Args)-len(out.Ops) >= len(n.Args)-len(n.Ops) {
			return n
		}
		n = out
	}
	return n
}

type pair struct {
	op   Op
	a, b Node
}

func pairRound(n *Net) *Net {
	cyclic := n.cyclic()
	shared := make(map[pair]int32)
	each := func(i int, f func(pair)) {
		args := n.operands(Node(i))
		if op := n.Ops[i]; (op != And && op != Or) || len(args) < 2 || len(args) > pairWidth || cyclic[i] {
			return
		}
		for x, a := range args {
			for _, b := range args[x+1:] {
				f(pair{n.Ops[i], min(a, b), max(a, b)})
			}
		}
	}
	for i := range n.Ops {
		each(i, func(p pair) { shared[p]++ })
	}
	choice := make(map[Node]pair)
	votes := make(map[pair]int32)
	for i := range n.Ops {
		var best pair
		most := int32(1)
		each(i, func(p pair) {
			if shared[p] > most {
				best, most = p, shared[p]
			}
		})
		if most > 1 {
			choice[Node(i)] = best
			votes[best]++
		}
	}
	w := newRewriter(n)
	return w.run(func(old Node, args []Node) Node {
		p, ok := choice[old]
		if !ok || votes[p] < 2 || len(args) == 2 {
			return w.gate(old, args)
		}
		a, b := w.to[p.a], w.to[p.b]
		rest := slices.DeleteFunc(slices.Clone(args), func(n Node) bool { return n == a || n == b })
		return w.gate(old, append(rest, w.gate(old, []Node{a, b})))
	})
}
