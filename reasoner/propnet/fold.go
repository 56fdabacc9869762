package propnet

// Fold removes constants, repeated and complementary operands, gates of one
// operand, double negations, equal gates, and gates that nothing needs, until
// there is nothing more to remove.
func Fold(n *Net) *Net {
	for {
		w := newRewriter(n)
		out := w.run(w.gate)
		if len(out.Ops)+len(out.Args) >= len(n.Ops)+len(n.Args) {
			return out
		}
		n = out
	}
}
