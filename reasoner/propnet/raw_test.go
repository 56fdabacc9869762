package propnet

// Raw makes a gate as it is asked for, without folding or sharing.
func (b *Builder) Raw(op Op, args ...Node) Node { return b.add(op, args) }
