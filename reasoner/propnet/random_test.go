package propnet

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"semisplit/internal/testenv"
	"semisplit/reasoner/gdl"
)

// netDrawer draws nets as no builder would make them: with constants,
// repeated operands and dead gates, with roles of several levels, with one-hot
// fluents, and with a cycle now and then.
type netDrawer struct {
	t     *rapid.T
	b     *Builder
	frame *Net
	roots int    // inputs of the builder
	kept  []Node // parts of choices, and choices: good roots, since what is shared cannot be simplified for one reader
}

func randomNet(t *rapid.T) *Net {
	d := &netDrawer{t: t, frame: &Net{}}
	fluents := rapid.IntRange(1, 6).Draw(t, "fluents")
	for i := range fluents {
		d.frame.Fluents = append(d.frame.Fluents, gdl.TermID(1+i))
	}
	d.roles(2 + fluents)
	d.b = NewBuilder(d.roots - 2)
	d.groups()
	d.gates()
	d.connect()
	d.enforce()
	return d.b.Finish(d.frame)
}

// roles draws roles, levels and Movables and numbers their inputs.
func (d *netDrawer) roles(next int) {
	t := d.t
	for r := range rapid.IntRange(1, 2).Draw(t, "roles") {
		role := Role{Name: gdl.TermID(90 + r), Goals: []Goal{{Value: 100}, {Value: 50}}}
		for l := range rapid.IntRange(1, 3).Draw(t, "levels") {
			var level Level
			for i := range rapid.IntRange(1, 3).Draw(t, "semimoves") {
				level.Codes = append(level.Codes, gdl.TermID(100*(l+1)+i))
				level.Offer = append(level.Offer, False)
				level.Select = append(level.Select, Node(next))
				next++
			}
			role.Levels = append(role.Levels, level)
		}
		d.frame.Roles = append(d.frame.Roles, role)
	}
	for r := range d.frame.Roles {
		if rapid.Bool().Draw(t, "movable") {
			d.frame.Roles[r].HasLegalMove = Node(next)
			next++
		}
	}
	d.roots = next
}

func (d *netDrawer) any() Node { return Node(rapid.IntRange(0, d.b.Len()-1).Draw(d.t, "operand")) }

func (d *netDrawer) gates() {
	t, b := d.t, d.b
	var loops, positive []Node // positive may close a cycle: no negation above a Forward
	for range rapid.IntRange(0, 40).Draw(t, "gates") {
		switch rapid.IntRange(0, 8).Draw(t, "kind") {
		case 0:
			b.Raw(Not, Node(rapid.IntRange(0, d.roots-1).Draw(t, "negated")))
		case 1:
			if n := b.Len(); len(loops) == 0 && n > d.roots { // nothing is recursive yet
				b.Raw(Not, d.any())
			} else if rapid.IntRange(0, 3).Draw(t, "loop") == 0 {
				f := b.Forward()
				loops, positive = append(loops, f), append(positive, f)
			}
		case 2:
			if rapid.IntRange(0, 3).Draw(t, "loop") == 0 {
				f := b.Forward()
				loops, positive = append(loops, f), append(positive, f)
			}
		case 3, 4:
			if len(loops) == 0 { // nothing is recursive yet
				d.choice()
			}
		default:
			op := And
			if rapid.Bool().Draw(t, "or") {
				op = Or
			}
			var args []Node
			for range rapid.IntRange(1, 8).Draw(t, "width") {
				args = append(args, d.any())
			}
			positive = append(positive, b.Raw(op, args...))
		}
	}
	for _, n := range loops {
		b.Define(n, rapid.SampledFrom(positive).Draw(t, "back"), rapid.SampledFrom(positive).Draw(t, "back too"))
	}
}

// connect draws the nodes that are asked for, of those that may be.
func (d *netDrawer) connect() {
	all := d.reads()
	pick := func(may func(reads) bool) Node {
		var fit []Node
		for i, r := range all {
			if may(r) {
				fit = append(fit, Node(i))
			}
		}
		// The later ones are the more interesting.
		a, b := rapid.IntRange(0, len(fit)-1).Draw(d.t, "root"), rapid.IntRange(0, len(fit)-1).Draw(d.t, "root")
		return fit[max(a, b)]
	}
	early := func(r reads) bool { return r.role == 0 }
	d.frame.Terminal = pick(early)
	for range d.frame.Fluents {
		next := pick(func(reads) bool { return true })
		if len(d.kept) > 0 && rapid.Bool().Draw(d.t, "kept") {
			next = rapid.SampledFrom(d.kept).Draw(d.t, "which")
		}
		d.frame.Next = append(d.frame.Next, next)
		d.frame.Initial = append(d.frame.Initial, rapid.Bool().Draw(d.t, "initial"))
	}
	for r := range d.frame.Roles {
		role := &d.frame.Roles[r]
		for l := range role.Levels {
			for k := range role.Levels[l].Offer {
				role.Levels[l].Offer[k] = pick(func(x reads) bool {
					return !x.movable && (x.role == 0 || x.role == int32(r+1) && int(x.level) < l)
				})
			}
		}
		for g := range role.Goals {
			role.Goals[g].Node = pick(early)
		}
	}
}

// reads is Net.reads for a net whose roots are every node.
func (d *netDrawer) reads() []reads {
	out := make([]reads, d.b.Len())
	for r, role := range d.frame.Roles {
		for l, level := range role.Levels {
			for _, s := range level.Select {
				out[s] = reads{role: int32(r + 1), level: int32(l)}
			}
		}
		if role.HasLegalMove != False {
			out[role.HasLegalMove] = reads{movable: true}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range out {
			was := out[i]
			for _, a := range d.b.Args(Node(i)) {
				out[i] = out[i].join(out[a])
			}
			changed = changed || was != out[i]
		}
	}
	return out
}

// choice makes what OneHot looks for: a choice by the members of a group,
// most of whose branches fail (or hold) under their own member alone.
func (d *netDrawer) choice() {
	t, b := d.t, d.b
	if len(d.frame.OneHot) == 0 {
		return
	}
	members := rapid.SampledFrom(d.frame.OneHot).Draw(t, "group").Members
	or := rapid.Bool().Draw(t, "or")
	outer, inner := Or, And
	if !or {
		outer, inner = And, Or
	}
	var args []Node
	for _, m := range members {
		literal := m
		if rapid.IntRange(0, 5).Draw(t, "another") == 0 {
			literal = b.Not(rapid.SampledFrom(members).Draw(t, "member"))
		}
		rest := d.any()
		if rapid.IntRange(0, 5).Draw(t, "own") != 0 {
			rest = b.Raw(And, m, rest)
			if or {
				rest = b.Not(rest)
			}
			d.kept = append(d.kept, rest)
		}
		if !or {
			literal = b.Not(literal)
		}
		args = append(args, b.Raw(inner, literal, rest))
	}
	for range rapid.IntRange(0, 2).Draw(t, "more") {
		args = append(args, d.any())
	}
	d.kept = append(d.kept, b.Raw(outer, args...))
	if rapid.IntRange(0, 3).Draw(t, "shared") == 0 {
		d.kept = append(d.kept, args[0])
	}
}

// groups draws which fluents are one-hot.
func (d *netDrawer) groups() {
	f := d.frame
	for at := 0; at+1 < len(f.Fluents); {
		size := rapid.IntRange(1, len(f.Fluents)-at).Draw(d.t, "group")
		if size > 1 {
			g := Group{Exactly: rapid.Bool().Draw(d.t, "exactly")}
			for i := range size {
				g.Members = append(g.Members, Node(2+at+i))
			}
			f.OneHot = append(f.OneHot, g)
		}
		at += size
	}
}

// enforce makes the groups true, by gates in front of the next values.
func (d *netDrawer) enforce() {
	f := d.frame
	for _, g := range f.OneHot {
		hot := rapid.SampledFrom(g.Members).Draw(d.t, "hot")
		var before []Node
		for i, m := range g.Members {
			k := m - 2
			f.Initial[k] = m == hot && (g.Exactly || f.Initial[k])
			next := f.Next[k]
			if g.Exactly && i == len(g.Members)-1 {
				next = True
			}
			none := d.b.Not(d.b.Or(before...))
			before = append(before, next)
			f.Next[k] = d.b.And(next, none)
		}
	}
}

// compare walks through both nets side by side along one random line of legal
// paths from the initial state, and describes the first difference.
func compare(t *rapid.T, a, b *Net) error {
	state := slices.Clone(a.Initial)
	for ply := range 6 {
		in := Inputs{Fluents: state, HasLegalMove: rapid.SliceOfN(rapid.Bool(), len(a.Roles), len(a.Roles)).Draw(t, "movable")}
		in.Selected = make([]bool, a.Moves())
		differ := func(what string, x, y Node) error {
			if p, q := a.EvalInputs(in)[x], b.EvalInputs(in)[y]; p != q {
				return fmt.Errorf("ply %d, inputs %v: %s is %v before, %v after", ply, in, what, p, q)
			}
			return nil
		}
		if err := differ("terminal", a.Terminal, b.Terminal); err != nil {
			return err
		}
		at := 0
		for r := range a.Roles {
			for g := range a.Roles[r].Goals {
				if err := differ("a goal", a.Roles[r].Goals[g].Node, b.Roles[r].Goals[g].Node); err != nil {
					return err
				}
			}
			for l, level := range a.Roles[r].Levels {
				value := a.EvalInputs(in)
				var offered []int
				for k, o := range level.Offer {
					if err := differ(fmt.Sprintf("offer %d of role %d level %d", k, r, l), o, b.Roles[r].Levels[l].Offer[k]); err != nil {
						return err
					}
					if value[o] {
						offered = append(offered, at+k)
					}
				}
				if len(offered) == 0 {
					return nil
				}
				in.Selected[rapid.SampledFrom(offered).Draw(t, "semimove")] = true
				at += len(level.Offer)
			}
		}
		next := make([]bool, len(state))
		value := a.EvalInputs(in)
		for i, x := range a.Next {
			if err := differ(fmt.Sprintf("next %d", i), x, b.Next[i]); err != nil {
				return err
			}
			next[i] = value[x]
		}
		state = next
	}
	return nil
}

func checkPass(t *rapid.T, before *Net, apply func(*Net) *Net) {
	dump := before.String()
	after := apply(before)
	if err := after.Check(); err != nil {
		t.Fatalf("%v\nbefore\n%s\nafter\n%s", err, before, after)
	}
	if before.String() != dump {
		t.Fatal("the pass changed its argument")
	}
	for range 3 {
		if err := compare(t, before, after); err != nil {
			t.Fatalf("%v\nbefore\n%s\nafter\n%s", err, before, after)
		}
	}
}

// checked draws a net and makes sure that it is one.
func checked(t *rapid.T) *Net {
	n := randomNet(t)
	if err := n.Check(); err != nil {
		t.Fatalf("before: %v\n%s", err, n)
	}
	return n
}

func TestPassesKeepTheMeaning(t *testing.T) {
	for _, p := range Passes() {
		t.Run(p.Name, func(t *testing.T) {
			testenv.Check(t, func(t *rapid.T) {
				checkPass(t, checked(t), func(n *Net) *Net { return p.Apply(context.Background(), n) })
			})
		})
	}
	t.Run("all", func(t *testing.T) {
		testenv.Check(t, func(t *rapid.T) {
			checkPass(t, checked(t), func(n *Net) *Net { return Optimize(context.Background(), n) })
		})
	})
	for _, skip := range Passes() {
		t.Run("all but "+skip.Name, func(t *testing.T) {
			testenv.Check(t, func(t *rapid.T) {
				checkPass(t, checked(t), func(n *Net) *Net { return Optimize(context.Background(), n, skip.Name) })
			})
		})
	}
}

func TestEveryOrderOfTwoPasses(t *testing.T) {
	passes := Passes()
	testenv.Check(t, func(t *rapid.T) {
		n := checked(t)
		for _, p := range passes {
			for _, q := range passes {
				checkPass(t, n, func(n *Net) *Net { return q.Apply(context.Background(), p.Apply(context.Background(), n)) })
			}
		}
	})
}

// TestOrderIsDeterministic finds a net dumped alike however often it is made.
func TestOrderIsDeterministic(t *testing.T) {
	testenv.Check(t, func(t *rapid.T) {
		n := randomNet(t)
		if a, b := fmt.Sprint(Optimize(context.Background(), n)), fmt.Sprint(Optimize(context.Background(), n)); a != b {
			t.Fatalf("two results\n%s\n%s", a, b)
		}
	})
}
