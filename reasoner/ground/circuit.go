package ground

import (
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
	"semisplit/reasoner/split"
)

// circuit makes the gates of everything that a game asks for.
func (g *grounder) circuit() (*propnet.Net, error) {
	net := &propnet.Net{Terms: g.store}
	for _, a := range g.atoms.rels[gdl.RelTrue].atoms {
		net.Fluents = append(net.Fluents, g.atoms.argsOf(a)[0])
	}
	slices.SortFunc(net.Fluents, g.compare)
	inputs := len(net.Fluents)
	var semimoves []semimove
	for r, name := range g.roles {
		role := propnet.Role{Name: name}
		for l := range g.game.Roles[r].Levels {
			level, of := g.level(&g.game.Roles[r].Levels[l])
			role.Levels = append(role.Levels, level)
			semimoves = append(semimoves, of...)
		}
		net.Roles = append(net.Roles, role)
	}
	inputs += len(semimoves)
	for _, r := range g.game.Roles {
		if r.Movable >= 0 {
			inputs++
		}
	}
	w := &wiring{g: g, semimoves: semimoves, b: propnet.NewBuilder(inputs), node: make([]propnet.Node, g.atoms.len())}
	for i := range w.node {
		w.node[i] = unknown
	}
	g.builder = w.b
	w.inputs(net)
	if err := w.order(); err != nil {
		return nil, err
	}
	w.roots(net)
	return w.b.Finish(net), nil
}

// semimove holds the atoms of a semimove; -1: none.
type semimove struct {
	offer, selected atomID
}

// level lists the semimoves of a level, sorted.
func (g *grounder) level(l *split.Level) (propnet.Level, []semimove) {
	type spelled struct {
		code gdl.TermID
		semimove
	}
	var all []spelled
	for _, c := range l.Choices {
		code := g.pattern(c.Code)
		for _, a := range g.atoms.rels[c.Offer].atoms {
			args := g.atoms.argsOf(a)
			s := spelled{semimove: semimove{offer: a}}
			p := code.replace(g.store, func(v int32) pattern { return constant(args[v]) })
			s.code = p.id
			s.selected, _ = g.atoms.find(int32(c.Select), args)
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b spelled) int { return g.compare(a.code, b.code) })
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
	g         *grounder
	b         *propnet.Builder
	node      []propnet.Node // by atom
	semimoves []semimove     // of all roles and levels
}

func (w *wiring) inputs(net *propnet.Net) {
	input := 0
	set := func(rel gdl.RelID, args ...gdl.TermID) propnet.Node {
		n := w.b.Input(input)
		input++
		if a, _ := w.g.atoms.find(int32(rel), args); a >= 0 {
			w.node[a] = n
		}
		return n
	}
	for _, f := range net.Fluents {
		set(gdl.RelTrue, f)
		a, _ := w.g.atoms.find(int32(gdl.RelInit), []gdl.TermID{f})
		net.Initial = append(net.Initial, a >= 0 && w.g.atoms.flags[a]&done != 0)
	}
	at := 0
	take := func(a atomID) propnet.Node {
		n := w.b.Input(input)
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
	for r, role := range w.g.game.Roles {
		if role.Movable >= 0 {
			a, _ := w.g.atoms.find(int32(role.Movable), nil)
			net.Roles[r].Movable = take(a)
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

// goals lists the goal values of a role that can hold, highest first. A value
// that is no number from 0 to 100 is none.
func (w *wiring) goals(role gdl.TermID) []propnet.Goal {
	var out []propnet.Goal
	for _, a := range w.g.atoms.rels[gdl.RelGoal].atoms {
		args := w.g.atoms.argsOf(a)
		if args[0] != role || len(w.g.store.Args(args[1])) > 0 {
			continue
		}
		if v, ok := w.g.program.Symbols.Number(w.g.store.Functor(args[1])); ok && v >= 0 && v <= 100 {
			out = append(out, propnet.Goal{Value: v, Node: max(propnet.False, w.node[a])})
		}
	}
	slices.SortStableFunc(out, func(a, b propnet.Goal) int { return b.Value - a.Value })
	// 7 and 07 are two symbols of one value.
	merged := out[:0]
	for _, v := range out {
		if n := len(merged); n > 0 && merged[n-1].Value == v.Value {
			merged[n-1].Node = w.b.Or(merged[n-1].Node, v.Node)
			continue
		}
		merged = append(merged, v)
	}
	return merged
}

func (w *wiring) lookup(rel gdl.RelID, args ...gdl.TermID) propnet.Node {
	a, _ := w.g.atoms.find(int32(rel), args)
	if a < 0 {
		return propnet.False
	}
	return max(propnet.False, w.node[a])
}

// order makes the nodes of all atoms under the roots, operands first. The
// search has its own stack: recursion in the rules can be deep.
func (w *wiring) order() error {
	for _, rel := range w.g.rootRelations() {
		for _, a := range w.g.atoms.rels[rel].atoms {
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
	g := w.g
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
		body := g.bodies[g.bodyStart[top.instance]:g.bodyStart[top.instance+1]]
		if int(top.at) == len(body) {
			top.instance, top.at = g.nextInstance[top.instance], 0
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
			stack[at].forward = w.b.Forward()
			w.node[a] = stack[at].forward
		case unknown:
			before := len(stack)
			if stack = w.enter(stack, a); len(stack) > before {
				onPath[a] = before
			}
		}
		if err := g.tick(); err != nil {
			return err
		}
		if w.b.Len() > g.limits.Gates {
			return fmt.Errorf("%w: more than %d gates", ErrLimit, g.limits.Gates)
		}
	}
	return nil
}

// enter puts an atom on the path unless its node is known at once.
func (w *wiring) enter(stack []pending, a atomID) []pending {
	g := w.g
	switch {
	case w.node[a] != unknown:
		return stack
	case g.atoms.flags[a]&always != 0:
		w.node[a] = propnet.True
	case int(a) >= len(g.firstInstance) || g.firstInstance[a] < 0:
		w.node[a] = propnet.False // nothing supports it
	default:
		w.node[a] = making
		return append(stack, pending{atom: a, instance: g.firstInstance[a], forward: unknown})
	}
	return stack
}

// finish makes the gate of an atom from its instances.
func (w *wiring) finish(p *pending) {
	g := w.g
	var or, and []propnet.Node
	for i := g.firstInstance[p.atom]; i >= 0; i = g.nextInstance[i] {
		and = and[:0]
		for _, l := range g.bodies[g.bodyStart[i]:g.bodyStart[i+1]] {
			if l < 0 {
				and = append(and, w.b.Not(w.node[^l]))
			} else {
				and = append(and, w.node[l])
			}
		}
		or = append(or, w.b.And(and...))
	}
	n := w.b.Or(or...)
	if p.forward != unknown {
		w.b.Define(p.forward, n)
		return
	}
	w.node[p.atom] = n
}

// compare orders terms by functor, numbers by value, then by arguments.
func (g *grounder) compare(a, b gdl.TermID) int {
	if a == b {
		return 0
	}
	fa, fb := g.store.Functor(a), g.store.Functor(b)
	if fa != fb {
		x, isX := g.program.Symbols.Number(fa)
		y, isY := g.program.Symbols.Number(fb)
		if isX && isY && x != y {
			return x - y
		}
		if g.program.Symbols.Name(fa) < g.program.Symbols.Name(fb) {
			return -1
		}
		return 1
	}
	return slices.CompareFunc(g.store.Args(a), g.store.Args(b), g.compare)
}
