package propnet

import (
	"context"
	"slices"
)

// Pass is a rewriting of nets that keeps their meaning: terminal, goals and
// offers in every reachable state and after every path of legal semimoves,
// next after every joint move of legal ones.
type Pass struct {
	Name string
	run  func(context.Context, *Net) *Net
}

// Apply returns the rewritten net; the argument stays as it is. It may stop half way when
// the context ends: the net means the same in any case.
func (p Pass) Apply(ctx context.Context, n *Net) *Net {
	if ctx.Err() != nil {
		return n
	}
	return p.run(ctx, n)
}

// Passes lists the rewritings in the order in which Optimize applies them.
// Each assumes a valid net and leaves one. A name that comes twice is one
// pass applied again.
//
// What counts is the number of instructions that package lanes makes of the
// net. Without each pass, over 14 published games, orthodox (136,000 with
// all):
//
//	factor    300,600
//	onehot    144,300 (ticTacToe 136 instead of 75, breakthrough 1,164 instead of 872)
//	share     142,400 (skirmish 20,600 instead of 17,100)
//	segments  139,700 (pacman3p 3,460 instead of 2,430)
//	fixed     137,500 (wargame03 4,900 instead of 3,600)
//	flatten   135,600: no gain by itself, but share and factor then work on
//	          gates whose operands are all there (pentago 547 instead of 501)
func Passes() []Pass {
	return []Pass{
		{"fold", quick(Fold)},
		{"fixed", Fixed},
		{"flatten", quick(Flatten)},
		{"onehot", OneHot},
		{"factor", quick(Factor)},
		{"onehot", OneHot}, // finds what the factors have laid bare
		{"flatten", quick(Flatten)},
		{"factor", quick(Factor)},
		{"share", Share}, // before the segments cut the wide gates
		{"segments", quick(Segments)},
		{"share", Share},
	}
}

// quick makes a pass of a function that needs no look at the clock.
func quick(f func(*Net) *Net) func(context.Context, *Net) *Net {
	return func(_ context.Context, n *Net) *Net { return f(n) }
}

// Optimize applies every pass but those that are named in skip. It ends with the context, with
// what is done by then.
func Optimize(ctx context.Context, n *Net, skip ...string) *Net {
	for _, p := range Passes() {
		if !slices.Contains(skip, p.Name) {
			n = p.Apply(ctx, n)
		}
	}
	return n
}

// rewriter rebuilds a net gate by gate, operands first.
type rewriter struct {
	old  *Net
	b    *Builder
	to   []Node // new node of each old one; -1: none yet
	open []bool // the new node is a Forward that waits for its operands
	buf  []Node
}

func newRewriter(n *Net) *rewriter {
	inputs := 0
	for _, op := range n.Ops {
		if op == Input {
			inputs++
		}
	}
	w := &rewriter{old: n, b: NewBuilder(inputs), to: make([]Node, len(n.Ops)), open: make([]bool, len(n.Ops))}
	w.b.reserve(n)
	for i := range w.to {
		w.to[i] = -1
		if i < 2+inputs {
			w.to[i] = Node(i)
		}
	}
	return w
}

// run rebuilds the net: make returns the new node for an old gate, given its
// operands in new nodes (valid during the call).
func (w *rewriter) run(make func(old Node, args []Node) Node) *Net {
	for i, op := range w.old.Ops {
		if op != And && op != Or && op != Not {
			continue
		}
		buf := w.buf[:0]
		for _, a := range w.old.operands(Node(i)) {
			buf = append(buf, w.get(a))
		}
		w.buf = buf
		n := make(Node(i), buf)
		if w.open[i] {
			w.b.Define(w.to[i], n)
		} else {
			w.to[i] = n
		}
	}
	frame := *w.old
	frame.Next = slices.Clone(frame.Next)
	frame.Roles = cloneRoles(frame.Roles)
	frame.roots(func(n *Node) { *n = w.to[*n] })
	return w.b.Finish(&frame)
}

// get is the new node of an operand; inside a cycle it may come later.
func (w *rewriter) get(a Node) Node {
	if w.to[a] < 0 {
		w.to[a] = w.b.Forward()
		w.open[a] = true
	}
	return w.to[a]
}

// gate makes the gate of the same operation.
func (w *rewriter) gate(old Node, args []Node) Node {
	switch w.old.Ops[old] {
	case And:
		return w.b.And(args...)
	case Or:
		return w.b.Or(args...)
	}
	return w.b.Not(args[0])
}

func (n *Net) operands(i Node) []Node { return n.Args[n.First[i]:n.First[i+1]] }

// uses counts how often each node is an operand or a root.
func (n *Net) uses() []int32 {
	count := make([]int32, len(n.Ops))
	for _, a := range n.Args {
		count[a]++
	}
	n.roots(func(r *Node) { count[*r]++ })
	return count
}

// cyclic tells for every node whether it is inside a cycle.
func (n *Net) cyclic() []bool {
	in := make([]bool, len(n.Ops))
	for _, c := range n.Cycles {
		for i := c.From; i < c.To; i++ {
			in[i] = true
		}
	}
	return in
}
