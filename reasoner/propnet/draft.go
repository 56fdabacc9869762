package propnet

import "slices"

// draft is a copy of a net that is changed in place: a gate may get another
// operation, and other operands from before it, and keeps its number.
type draft struct {
	net    *Net
	ops    []Op
	args   [][]Node
	cyclic []bool // these gates are not to be changed
	dirty  bool   // something was changed
}

func newDraft(n *Net) *draft {
	d := &draft{net: n, ops: slices.Clone(n.Ops), args: make([][]Node, len(n.Ops)), cyclic: n.cyclic()}
	all := slices.Clone(n.Args)
	for i := range d.args {
		d.args[i] = all[n.First[i]:n.First[i+1]:n.First[i+1]]
	}
	return d
}

// set makes a gate another one, of sorted operands without repetition.
func (d *draft) set(n Node, op Op, args ...Node) {
	slices.Sort(args)
	args = slices.Compact(args)
	d.ops[n], d.args[n], d.dirty = op, args, true
}

// drop takes operand i out of an AND or an OR.
func (d *draft) drop(n Node, i int) {
	args := d.args[n]
	if len(args) == 1 {
		neutral := True
		if d.ops[n] == Or {
			neutral = False
		}
		d.set(n, Or, neutral)
		return
	}
	copy(args[i:], args[i+1:])
	d.args[n], d.dirty = args[:len(args)-1], true
}

// finish is the net that the draft has become.
func (d *draft) finish() *Net {
	if !d.dirty {
		return d.net
	}
	out := *d.net
	out.Ops, out.First, out.Args = d.ops, []int32{0}, nil
	for _, args := range d.args {
		out.Args = append(out.Args, args...)
		out.First = append(out.First, int32(len(out.Args)))
	}
	return Fold(&out)
}
