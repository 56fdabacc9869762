package ground

import (
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/invariant"
	"semisplit/reasoner/propnet"
	"semisplit/reasoner/split"
)

// maxFluentSymbols bounds the fluents of a game as they are written out: states
// are spelled in records and where a match changes its machine.
const maxFluentSymbols = 1 << 22

// circuit makes the gates of everything that a game asks for.
func (w *wiring) circuit(known []invariant.Invariant) (*propnet.Net, error) {
	net := &propnet.Net{Terms: w.store}
	size := 0
	for _, a := range w.atoms.rels[gdl.RelTrue].atoms {
		net.Fluents = append(net.Fluents, w.atoms.argsOf(a)[0])
		size += w.store.Size(w.atoms.argsOf(a)[0])
	}
	if size > maxFluentSymbols {
		return nil, fmt.Errorf("%w: fluents of more than %d symbols", ErrLimit, maxFluentSymbols)
	}
	slices.SortFunc(net.Fluents, w.compare)
	inputs := len(net.Fluents)
	for r, name := range w.roles {
		role := propnet.Role{Name: name}
		for l := range w.game.Roles[r].Levels {
			level, of := w.level(&w.game.Roles[r].Levels[l])
			role.Levels = append(role.Levels, level)
			w.semimoves = append(w.semimoves, of...)
		}
		net.Roles = append(net.Roles, role)
	}
	inputs += len(w.semimoves)
	for _, r := range w.game.Roles {
		if r.HasLegalMove >= 0 {
			inputs++
		}
	}
	w.builder = propnet.NewBuilder(inputs)
	w.inputs(net)
	if err := w.order(); err != nil {
		return nil, err
	}
	w.roots(net)
	net = w.builder.Finish(net)
	if depth(net) > w.limits.Depth {
		return nil, fmt.Errorf("%w: more than %d gates below one another", ErrLimit, w.limits.Depth)
	}
	net.OneHot = w.oneHot(net, known)
	return net, nil
}

// depth is the most gates that stand below one another; in a cycle each stands below the one
// before it at most.
func depth(net *propnet.Net) int {
	below, most := make([]int32, len(net.Ops)), int32(0)
	for n := range net.Ops {
		for _, a := range net.Args[net.First[n]:net.First[n+1]] {
			below[n] = max(below[n], below[a]+1)
		}
		most = max(most, below[n])
	}
	return int(most)
}

// semimove holds the atoms of a semimove; -1: none.
type semimove struct {
	offer, selected atomID
}

// level lists the semimoves of a level, sorted.
func (w *wiring) level(l *split.Level) (propnet.Level, []semimove) {
	type spelled struct {
		code gdl.TermID
		semimove
	}
	var all []spelled
	for _, c := range l.Choices {
		code := w.pattern(c.Code)
		for _, a := range w.atoms.rels[c.Offer].atoms {
			w.heed()
			args := w.atoms.argsOf(a)
			s := spelled{semimove: semimove{offer: a}}
			p := code.replace(w.store, func(v int32) pattern { return constant(args[v]) })
			s.code = p.id
			s.selected, _ = w.atoms.find(int32(c.Select), args)
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b spelled) int { return w.compare(a.code, b.code) })
	var out propnet.Level
	var of []semimove
	for _, s := range all {
		out.Codes = append(out.Codes, s.code)
		of = append(of, s.semimove)
	}
	return out, of
}

const (
	unknown propnet.Node = -1 // not made yet
	making  propnet.Node = -2 // its operands are being made
)

// wiring turns atoms into nodes.
type wiring struct {
	*ruleBase
	node      []propnet.Node // by atom
	semimoves []semimove     // of all roles and levels
}

func newWiring(b *ruleBase) *wiring {
	return &wiring{ruleBase: b, node: slices.Repeat([]propnet.Node{unknown}, b.atoms.len())}
}

func (w *wiring) inputs(net *propnet.Net) {
	input := 0
	set := func(rel gdl.RelID, args ...gdl.TermID) propnet.Node {
		n := w.builder.Input(input)
		input++
		if a, _ := w.atoms.find(int32(rel), args); a >= 0 {
			w.node[a] = n
		}
		return n
	}
	for _, f := range net.Fluents {
		set(gdl.RelTrue, f)
		a, _ := w.atoms.find(int32(gdl.RelInit), []gdl.TermID{f})
		net.Initial = append(net.Initial, a >= 0 && w.atoms.flags[a]&done != 0)
	}
	at := 0
	take := func(a atomID) propnet.Node {
		n := w.builder.Input(input)
		input++
		if a >= 0 {
			w.node[a] = n
		}
		return n
	}
	for r := range net.Roles {
		for l := range net.Roles[r].Levels {
			level := &net.Roles[r].Levels[l]
			for range level.Codes {
				level.Select = append(level.Select, take(w.semimoves[at].selected))
				at++
			}
		}
	}
	for r, role := range w.game.Roles {
		if role.HasLegalMove >= 0 {
			a, _ := w.atoms.find(int32(role.HasLegalMove), nil)
			net.Roles[r].HasLegalMove = take(a)
		}
	}
}

// roots makes the nodes that are asked for from outside.
func (w *wiring) roots(net *propnet.Net) {
	for _, f := range net.Fluents {
		net.Next = append(net.Next, w.lookup(gdl.RelNext, f))
	}
	at := 0
	for r := range net.Roles {
		role := &net.Roles[r]
		for l := range role.Levels {
			level := &role.Levels[l]
			for range level.Codes {
				level.Offer = append(level.Offer, max(propnet.False, w.node[w.semimoves[at].offer]))
				at++
			}
		}
		role.Goals = w.goals(role.Name)
	}
	net.Terminal = w.lookup(gdl.RelTerminal)
}

// goals lists the goal values of a role that can hold, highest first.
func (w *wiring) goals(role gdl.TermID) []propnet.Goal {
	var out []propnet.Goal
	for _, a := range w.atoms.rels[gdl.RelGoal].atoms {
		args := w.atoms.argsOf(a)
		if args[0] != role || len(w.store.Args(args[1])) > 0 {
			continue
		}
		if v, ok := w.program.Symbols.Goal(w.store.Functor(args[1])); ok {
			out = append(out, propnet.Goal{Value: v, Node: max(propnet.False, w.node[a])})
		}
	}
	slices.SortStableFunc(out, func(a, b propnet.Goal) int { return b.Value - a.Value })
	// 7 and 07 are two symbols of one value, and so are 100 and 150.
	merged := out[:0]
	for _, v := range out {
		if n := len(merged); n > 0 && merged[n-1].Value == v.Value {
			merged[n-1].Node = w.builder.Or(merged[n-1].Node, v.Node)
			continue
		}
		merged = append(merged, v)
	}
	return merged
}

func (w *wiring) lookup(rel gdl.RelID, args ...gdl.TermID) propnet.Node {
	a, _ := w.atoms.find(int32(rel), args)
	if a < 0 {
		return propnet.False
	}
	return max(propnet.False, w.node[a])
}

// order makes the nodes of all atoms under the roots, operands first. The
// search has its own stack: recursion in the rules can be deep.
func (w *wiring) order() error {
	for _, rel := range w.rootRelations() {
		for _, a := range w.atoms.rels[rel].atoms {
			if err := w.visit(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// pending is an atom on the path of the search.
type pending struct {
	atom     atomID
	instance int32 // the instance whose body is being looked at; -1: done
	at       int32 // the next atom in it
	forward  propnet.Node
}

func (w *wiring) visit(root atomID) error {
	stack := w.enter(nil, root)
	onPath := make(map[atomID]int)
	for i := range stack {
		onPath[stack[i].atom] = i
	}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.instance < 0 {
			delete(onPath, top.atom)
			w.finish(top)
			stack = stack[:len(stack)-1]
			continue
		}
		body := w.instances.body(top.instance)
		if int(top.at) == len(body) {
			top.instance, top.at = w.instances.next[top.instance], 0
			continue
		}
		a := atomID(body[top.at])
		if a < 0 {
			a = ^a
		}
		top.at++
		switch w.node[a] {
		case making:
			at := onPath[a]
			stack[at].forward = w.builder.Forward()
			w.node[a] = stack[at].forward
		case unknown:
			before := len(stack)
			if stack = w.enter(stack, a); len(stack) > before {
				onPath[a] = before
			}
		}
		if err := w.tick(); err != nil {
			return err
		}
		if w.builder.Len() > w.limits.Gates {
			return fmt.Errorf("%w: more than %d gates", ErrLimit, w.limits.Gates)
		}
	}
	return nil
}

// enter puts an atom on the path unless its node is known at once.
func (w *wiring) enter(stack []pending, a atomID) []pending {
	switch {
	case w.node[a] != unknown:
		return stack
	case w.atoms.flags[a]&always != 0:
		w.node[a] = propnet.True
	case w.instances.of(a) < 0:
		w.node[a] = propnet.False // nothing supports it
	default:
		w.node[a] = making
		return append(stack, pending{atom: a, instance: w.instances.of(a), forward: unknown})
	}
	return stack
}

// finish makes the gate of an atom from its instances.
func (w *wiring) finish(p *pending) {
	var or, and []propnet.Node
	for i := w.instances.of(p.atom); i >= 0; i = w.instances.next[i] {
		and = and[:0]
		for _, l := range w.instances.body(i) {
			if l < 0 {
				and = append(and, w.builder.Not(w.node[^l]))
			} else {
				and = append(and, w.node[l])
			}
		}
		or = append(or, w.builder.And(and...))
	}
	n := w.builder.Or(or...)
	if p.forward != unknown {
		w.builder.Define(p.forward, n)
		return
	}
	w.node[p.atom] = n
}

// compare orders terms by functor, numbers by value, then by arguments.
func (w *wiring) compare(a, b gdl.TermID) int {
	if a == b {
		return 0
	}
	fa, fb := w.store.Functor(a), w.store.Functor(b)
	if fa != fb {
		x, isX := w.program.Symbols.Number(fa)
		y, isY := w.program.Symbols.Number(fb)
		if isX && isY && x != y {
			return x - y
		}
		if w.program.Symbols.Name(fa) < w.program.Symbols.Name(fb) {
			return -1
		}
		return 1
	}
	return slices.CompareFunc(w.store.Args(a), w.store.Args(b), w.compare)
}
