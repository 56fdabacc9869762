package propnet

import (
	"context"
	"math/bits"
	"slices"
)

// oneHotWork bounds the operands and offers that OneHot looks at: 5 million
// take about 0.1 s. What comes after them stays as it is.
const oneHotWork = 5_000_000

// oneHotRounds is how often it starts again: what one variable has changed is
// not looked at in full by those after it.
const oneHotRounds = 2

// OneHot uses what is known of one-hot fluents and of selections. It takes
// each group and each small level as a variable, bounds the values that the
// variable may have when a gate holds and when it does not, and then
//
//   - replaces a gate that only depends on the variable by its member or the
//     negation of one,
//   - drops operands that the other operands, or the gates above, imply
//     (a AND NOT b is a for two members of a group),
//   - turns a choice by the variable whose branches can only fail under
//     their own values into their conjunction: (a AND p) OR (b AND q) with
//     a or b always true is p AND q if p always holds under b, and q under a.
//
// A selection says about the fluents what its offer says, since only what is
// offered is chosen; so the OR of all moves of a player is the fluent that
// says that it is the player's turn.
func OneHot(ctx context.Context, n *Net) *Net {
	if len(n.variables()) == 0 {
		return n
	}
	out := Fold(n) // without repeated operands
	work := 0
	for range oneHotRounds {
		x := newValues(newDraft(out))
		x.work = work
		x.simplifyBy(ctx, out.variables())
		if work = x.work; !x.d.dirty {
			break
		}
		out = x.d.finish()
	}
	return out
}

func (x *values) simplifyBy(ctx context.Context, vars []*variable) {
	sortByUse(vars, x.fans)
	for _, v := range vars {
		if x.work > oneHotWork || ctx.Err() != nil {
			return
		}
		x.analyse(v)
		x.mark()
		if x.restrict() {
			x.analyse(v)
		}
		x.simplify()
	}
}

// sortByUse puts first the variables whose members are used most: a phase or
// a turn before the cells of a board.
func sortByUse(vars []*variable, f fans) {
	rank := func(v *variable) (total int) {
		for _, m := range v.members {
			total += len(f.of(m))
		}
		return total / len(v.members)
	}
	slices.SortStableFunc(vars, func(a, b *variable) int { return rank(b) - rank(a) })
}

// isLiteral tells whether a node is a member of the variable or its negation:
// what restrict and simplify leave as it is.
func (x *values) isLiteral(n Node) bool {
	if x.d.ops[n] == Not {
		n = x.d.args[n][0]
	}
	return x.d.ops[n] == Input && x.mayHold(n)&x.mayFail(n) == 0
}

// mark notes the gates that read a literal.
func (x *values) mark() {
	x.marked.clear()
	for _, m := range x.v.members {
		if m == False || x.v.folded {
			continue
		}
		for _, r := range x.fans.of(m) {
			if x.d.ops[r] != Not {
				x.marked.add(r)
				continue
			}
			for _, r := range x.fans.of(r) {
				x.marked.add(r)
			}
		}
	}
}

// restrict drops operands and gates that cannot matter under the values of
// the variable for which a gate is asked. These are known from the literals
// beside it in the gates above; literals of the same gate do not decide about
// each other, so that no two things are dropped each on the ground of the
// other.
func (x *values) restrict() (changed bool) {
	d := x.d
	// under[n] has the values under which the readers seen so far ask for n.
	// With a reader that was not seen, these are all.
	work := newBitset(len(d.ops))
	copy(work, x.marked)
	for i := work.before(len(d.ops)); i >= 0; i = work.before(i) {
		n := Node(i)
		care := x.v.all
		if x.seen[n] > 0 && int(x.seen[n]) == len(x.fans.of(n)) && !x.root.has(n) {
			care = x.under[n]
		}
		x.seen[n], x.under[n] = 0, 0
		if d.cyclic[n] || d.ops[n] == Input || d.ops[n] == Const || care == x.v.all && !x.marked.has(n) {
			continue
		}
		x.work += len(d.args[n])
		if d.ops[n] != Not {
			if x.restrictGate(n, care) {
				changed = true
			}
			care &= x.literals(n)
		}
		for _, a := range d.args[n] {
			x.seen[a]++
			x.under[a] |= care
			work.add(a)
		}
	}
	return changed
}

// matters are the values under which an operand of an AND may fail, or one of
// an OR may hold: if there are none, the operand does not matter.
func (x *values) matters(op Op, a Node) uint64 {
	if op == And {
		return x.mayFail(a)
	}
	return x.mayHold(a)
}

// passes are the values under which an operand of an AND may hold, or one of
// an OR may fail: elsewhere it decides the gate.
func (x *values) passes(op Op, a Node) uint64 {
	if op == And {
		return x.mayHold(a)
	}
	return x.mayFail(a)
}

// literals are the values that the literals of a gate leave to its other
// operands.
func (x *values) literals(n Node) uint64 {
	under := x.v.all
	for _, a := range x.d.args[n] {
		if x.isLiteral(a) {
			under &= x.passes(x.d.ops[n], a)
		}
	}
	return under
}

func (x *values) restrictGate(n Node, care uint64) (changed bool) {
	d := x.d
	op := d.ops[n]
	for i := len(d.args[n]) - 1; i >= 0; i-- {
		if a := d.args[n][i]; x.isLiteral(a) && x.matters(op, a)&care == 0 && len(d.args[n]) > 1 {
			d.drop(n, i)
			changed = true
		}
	}
	under := care & x.literals(n)
	for i := len(d.args[n]) - 1; i >= 0; i-- {
		a := d.args[n][i]
		switch {
		case x.isLiteral(a):
		case x.passes(op, a)&under == 0:
			// Never open where the literals are: the gate is decided.
			if op == And {
				d.set(n, Or, False)
			} else {
				d.set(n, Or, True)
			}
			return true
		case x.matters(op, a)&under == 0 && len(d.args[n]) > 1:
			d.drop(n, i)
			changed = true
		}
	}
	return changed
}

// simplify replaces gates by others that mean the same in reachable states,
// operands first. The bounds of a gate stay right when it is replaced.
func (x *values) simplify() {
	d := x.d
	choices := newBitset(len(d.ops))
	for i := x.marked.next(0); i >= 0; i = x.marked.next(i + 1) {
		for _, r := range x.fans.of(Node(i)) {
			choices.add(r)
		}
	}
	for w := range choices {
		for word := choices[w] | x.touched[w]; word != 0; word &= word - 1 {
			n := Node(w<<6 + bits.TrailingZeros64(word))
			if op := d.ops[n]; op != And && op != Or || d.cyclic[n] {
				continue
			}
			x.work += len(d.args[n])
			if x.known(n) {
				continue
			}
			x.dropImplied(n)
			if choices.has(n) {
				x.choice(n)
			}
		}
	}
}

// known replaces a gate that only the variable decides.
func (x *values) known(n Node) bool {
	d, t, f := x.d, x.mayHold(n), x.mayFail(n)
	switch {
	case t&f != 0:
		return false
	case t == 0:
		d.set(n, Or, False)
	case f == 0:
		d.set(n, Or, True)
	default:
		if m, ok := x.v.only(t); ok {
			if len(d.args[n]) != 1 || d.args[n][0] != m {
				d.set(n, Or, m)
			}
			return true
		}
		m, ok := x.v.only(f)
		if ok {
			d.set(n, Not, m)
		}
		return ok
	}
	return true
}

// dropImplied drops operands that the others imply, one after the other.
func (x *values) dropImplied(n Node) {
	d := x.d
	op := d.ops[n]
	for again := true; again && len(d.args[n]) > 1; {
		again = false
		// Values that at least one, and at least two operands rule out.
		one, two := uint64(0), uint64(0)
		for _, a := range d.args[n] {
			out := x.v.all &^ x.passes(op, a)
			two |= one & out
			one |= out
		}
		if one == 0 {
			return
		}
		for i, a := range d.args[n] {
			ruledOut := two | one&x.passes(op, a)
			if x.matters(op, a)&^ruledOut == 0 {
				d.drop(n, i)
				again = true
				break
			}
		}
	}
}

// branch is an operand of a choice: an AND (of an OR) with literals of the
// variable and others.
type branch struct {
	gate Node
	lits uint64 // the values that the literals leave
	rest []Node
}

// choice turns (a AND p) OR (b AND q) into p AND q where that is the same,
// and (a OR p) AND (b OR q) into p OR q.
func (x *values) choice(n Node) {
	d := x.d
	op := d.ops[n]
	inner := And
	if op == And {
		inner = Or
	}
	var branches []branch
	covered := uint64(0)
	for _, a := range d.args[n] {
		if d.ops[a] != inner || d.cyclic[a] {
			continue
		}
		b := branch{gate: a, lits: x.v.all}
		for _, c := range d.args[a] {
			if x.isLiteral(c) {
				b.lits &= x.passes(inner, c)
			} else {
				b.rest = append(b.rest, c)
			}
		}
		stops := uint64(0)
		for _, c := range b.rest {
			stops |= x.matters(inner, c)
		}
		if b.lits == x.v.all || stops&^b.lits != 0 || b.lits&covered != 0 {
			continue
		}
		covered |= b.lits
		branches = append(branches, b)
	}
	if covered != x.v.all || len(branches) < 2 {
		return
	}
	var all []Node
	for _, b := range branches {
		for _, a := range b.rest {
			x.root.add(a) // it gets a reader more than fans knows of
			all = append(all, a)
		}
	}
	if len(branches) == len(d.args[n]) {
		d.set(n, inner, all...)
		return
	}
	// The other operands stay: the branches become one gate, in the place of
	// the last, if nothing else needs that.
	last := branches[len(branches)-1].gate
	for _, b := range branches {
		last = max(last, b.gate)
	}
	if len(x.fans.of(last)) != 1 || x.root.has(last) {
		return
	}
	d.set(last, inner, all...)
	d.set(n, op, slices.DeleteFunc(slices.Clone(d.args[n]), func(a Node) bool {
		return a != last && slices.ContainsFunc(branches, func(b branch) bool { return b.gate == a })
	})...)
}
