package prover

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// builder compiles one rule for one pattern.
type builder struct {
	c     *compiler
	rule  *gdl.Rule
	adorn string
	facts *rows  // where the single literal of a fact plan looks; nil otherwise
	head  []bool // variables that the key binds
	bound []bool // variables bound so far
	regs  int
}

func newBuilder(c *compiler, r *gdl.Rule, adorn string) *builder {
	b := &builder{c: c, rule: r, adorn: adorn, head: make([]bool, len(r.Vars)), regs: len(r.Vars)}
	for i, a := range r.Head.Args {
		if adorn[i] == bound {
			markTerm(a, b.head)
		}
	}
	return b
}

// build makes the plan for the literals in the given order. It fails when a
// free argument of the head would not be ground.
func (b *builder) build(order []int) (plan, bool) {
	r := b.rule
	b.bound = make([]bool, len(r.Vars))
	p := plan{cut: -1}
	need := b.needs(order)
	keep := need[0]
	for i, a := range r.Head.Args {
		if b.adorn[i] == bound {
			p.entry = append(p.entry, b.pat(a, keep, r.Head.Args))
		}
	}
	wanted := need[len(order)]
	for i, li := range order {
		before := slices.Clone(b.bound)
		o := b.op(&r.Body[li], need[i+1])
		b.markBound(&r.Body[li], o.neg)
		binds, shows := false, false
		for v := range b.bound {
			if b.bound[v] && !before[v] {
				binds = binds || need[i+1][v]
				shows = shows || wanted[v]
			}
		}
		o.once = !binds && !o.neg
		if shows && !o.once {
			p.cut = i
		}
		p.ops = append(p.ops, o)
	}
	for i, a := range r.Head.Args {
		if b.adorn[i] != free {
			continue
		}
		if !covered(a, b.bound) {
			return plan{}, false
		}
		p.row = append(p.row, b.value(a))
	}
	p.regs = b.regs
	return p, true
}

// needs are the variables used from the i-th literal of the order on, and in
// the answer.
func (b *builder) needs(order []int) [][]bool {
	out := make([][]bool, len(order)+1)
	last := make([]bool, len(b.rule.Vars))
	for i, a := range b.rule.Head.Args {
		if b.adorn[i] == free {
			markTerm(a, last)
		}
	}
	out[len(order)] = last
	for i := len(order) - 1; i >= 0; i-- {
		out[i] = slices.Clone(out[i+1])
		markAtom(b.rule.Body[order[i]].Args, out[i])
	}
	return out
}

func (b *builder) markBound(l *gdl.Literal, neg bool) {
	if l.Kind == gdl.Positive && !neg {
		markAtom(l.Args, b.bound)
	}
}

// op compiles a literal; need are the variables that later ones use.
func (b *builder) op(l *gdl.Literal, need []bool) op {
	if l.Kind == gdl.Distinct || l.Kind == gdl.Same {
		return b.compare(l)
	}
	saved := slices.Clone(b.bound)
	defer func() { b.bound = saved }()
	o := op{neg: l.Kind == gdl.Negative, keyReg: int32(b.regs), index: -1}
	args := l.Args
	switch {
	case b.facts != nil:
		o.kind, o.rows = opStatic, b.facts
	case l.Rel == gdl.RelTrue:
		args = b.fluent(&o, args)
	case b.input(l.Rel) >= 0:
		o.kind, o.table = opFluents, b.input(l.Rel)
	case l.Rel == gdl.RelDoes:
		o.kind = opDoes
	case b.c.statics[l.Rel] != nil:
		o.kind, o.rows = opStatic, b.c.statics[l.Rel]
	default:
		o.kind = opCall
		head := &b.c.p.Relations[b.rule.Head.Rel]
		if callee := &b.c.p.Relations[l.Rel]; callee.Group == head.Group && callee.Cyclic {
			o.kind = opRec
		}
	}
	b.columns(&o, l.Rel, args, need)
	b.regs += len(o.key)
	return o
}

// input is the table of an input relation, -1 for any other.
func (b *builder) input(rel gdl.RelID) int32 {
	if b.c.layout != nil {
		if table, ok := b.c.layout.inputs[rel]; ok {
			return table
		}
	}
	return -1
}

// fluent chooses where a literal of true looks and returns its columns.
func (b *builder) fluent(o *op, args []gdl.Term) []gdl.Term {
	t := args[0]
	switch {
	case t.Var >= 0 && !b.bound[t.Var]:
		o.kind = opEach
	case t.Var >= 0 || covered(t, make([]bool, len(b.bound))):
		o.kind = opTrue
	default:
		o.kind = opFluents
		o.table = b.c.fluentTable(fluentName{t.Name, len(t.Args)})
		return t.Args
	}
	return args
}

func (c *compiler) fluentTable(n fluentName) int32 {
	id, ok := c.code.byName[n]
	if !ok {
		id = int32(len(c.code.fluents))
		c.code.byName[n] = id
		c.code.fluents = append(c.code.fluents, fluentSpec{name: n})
	}
	return id
}

// columns sorts the arguments of a literal into key, free columns and
// columns of no interest, and finds the index or the callee.
func (b *builder) columns(o *op, rel gdl.RelID, args []gdl.Term, need []bool) {
	start := slices.Clone(b.bound)
	adorn := make([]byte, len(args))
	var cols []int
	for i, a := range args {
		switch {
		case covered(a, start):
			adorn[i] = bound
			o.key = append(o.key, b.value(a))
			o.keyCols = append(o.keyCols, int32(i))
			cols = append(cols, i)
		case a.Var >= 0 && !need[a.Var] && occurs(args, a.Var) == 1:
			adorn[i] = dropped
		default:
			adorn[i] = free
		}
	}
	width := int32(0)
	for i, a := range args {
		if adorn[i] != free {
			continue
		}
		q := b.pat(a, need, args)
		q.col = int32(i)
		if o.kind == opCall || o.kind == opRec {
			q.col = width
		}
		width++
		o.frees = append(o.frees, q)
	}
	switch o.kind {
	case opCall, opRec:
		o.callee = b.c.pattern(rel, string(adorn))
	case opStatic:
		if len(cols) > 0 {
			o.index = b.c.indexOn(o.rows, cols)
		}
	case opFluents:
		if len(cols) > 0 {
			spec := &b.c.code.fluents[o.table]
			o.index = int32(slices.IndexFunc(spec.indexes, func(x []int) bool { return slices.Equal(x, cols) }))
			if o.index < 0 && len(spec.indexes) < maxIndexes {
				o.index = int32(len(spec.indexes))
				spec.indexes = append(spec.indexes, cols)
			}
		}
	}
}

// compare compiles distinct and its negation. An unbound variable is
// different from everything but itself.
func (b *builder) compare(l *gdl.Literal) op {
	o := op{kind: opDistinct, keyReg: int32(b.regs)}
	b.regs += 2
	if l.Kind == gdl.Same {
		o.kind = opSame
	}
	if allCovered(l.Args, b.bound) {
		o.key = []value{b.value(l.Args[0]), b.value(l.Args[1])}
		return o
	}
	same := equalTerms(l.Args[0], l.Args[1])
	if same != (l.Kind == gdl.Same) {
		return op{kind: opFail}
	}
	one := value{kind: valConst, id: 1}
	two := one
	if !same {
		two.id = 2
	}
	o.key = []value{one, two}
	return o
}

// value compiles a term whose variables are bound.
func (b *builder) value(t gdl.Term) value {
	switch {
	case t.Var >= 0:
		return value{kind: valReg, reg: t.Var}
	case covered(t, make([]bool, len(b.rule.Vars))):
		return value{kind: valConst, id: b.c.ground(t)}
	}
	v := value{kind: valBuild, fn: t.Name}
	for _, a := range t.Args {
		v.args = append(v.args, b.value(a))
	}
	return v
}

// pat compiles a term to be matched and marks its variables as bound. A
// variable that occurs once among args and is not needed is skipped.
func (b *builder) pat(t gdl.Term, need []bool, args []gdl.Term) pat {
	switch {
	case t.Var >= 0 && b.bound[t.Var]:
		return pat{kind: patCheck, reg: t.Var}
	case t.Var >= 0 && !need[t.Var] && occurs(args, t.Var) == 1:
		return pat{kind: patSkip}
	case t.Var >= 0:
		b.bound[t.Var] = true
		return pat{kind: patBind, reg: t.Var}
	case covered(t, make([]bool, len(b.rule.Vars))):
		return pat{kind: patConst, id: b.c.ground(t)}
	}
	q := pat{kind: patCompound, fn: t.Name}
	for _, a := range t.Args {
		q.args = append(q.args, b.pat(a, need, args))
	}
	return q
}
