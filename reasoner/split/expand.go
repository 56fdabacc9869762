package split

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// expansion rewrites one clause to the clauses that it stands for.
type expansion struct {
	*flattener
	still bool
	count int
	done  []clause
}

// expand first takes care of what binds: does, legal, and moves that are
// variables become the forms that they can have. Then the other literals.
func (x *expansion) expand(c clause) {
	for i := 0; i < len(c.body); i++ {
		l := &c.body[i]
		switch l.Kind {
		case gdl.Distinct, gdl.Same:
			holds, decided := compare(l)
			if decided && !holds {
				return
			}
			if decided {
				c = c.with(i)
				i--
			}
			continue
		case gdl.Negative:
			continue
		}
		alternatives, ok := x.positive(&c, i)
		if !ok {
			continue
		}
		for _, a := range alternatives {
			x.expand(a)
		}
		return
	}
	x.finish(c)
}

// compare decides distinct and its negation where the terms show it.
func compare(l *gdl.Literal) (holds, decided bool) {
	if equalTerms(l.Args[0], l.Args[1]) {
		return l.Kind == gdl.Same, true
	}
	if canEqual(l.Args[0], l.Args[1]) {
		return false, false
	}
	return l.Kind == gdl.Distinct, true
}

// canEqual is false only if no values of the variables make the terms equal.
func canEqual(a, b gdl.Term) bool {
	if a.Var >= 0 || b.Var >= 0 {
		return true
	}
	return a.Name == b.Name && slices.EqualFunc(a.Args, b.Args, canEqual)
}

// positive replaces a positive literal by what it stands for, if there is
// anything to replace.
func (x *expansion) positive(c *clause, i int) (alternatives []clause, ok bool) {
	l := &c.body[i]
	if int(l.Rel) >= len(x.src.Relations) {
		return nil, false
	}
	if facts := x.facts[l.Rel]; facts != nil {
		return x.fact(c, i, facts)
	}
	switch l.Rel {
	case gdl.RelTrue:
		return nil, false
	case gdl.RelDoes:
		if x.still {
			return nil, true
		}
		return x.moves(c, i, func(r *flatRole) []gdl.RelID { return r.sel })
	case gdl.RelLegal:
		if x.legalIsRelation() {
			return nil, false
		}
		return x.moves(c, i, func(r *flatRole) []gdl.RelID { return r.offer })
	}
	for j, a := range l.Args {
		if a.Var >= 0 {
			if k := x.kinds.of[place{rel: l.Rel, arg: j}]; k != nil {
				if alternatives, ok = x.shapes(c, a, k); ok {
					return alternatives, true
				}
			}
		}
	}
	return nil, false
}

// legalIsRelation: rules that make legal depend on moves, odd as they are,
// mean the moves of this turn when next asks.
func (x *expansion) legalIsRelation() bool {
	return !x.still && x.src.Relations[gdl.RelLegal].Depends&gdl.OnMoves != 0
}

// fact looks a literal up where that says all: no fact matches, or one.
func (x *expansion) fact(c *clause, i int, facts []gdl.Atom) (alternatives []clause, ok bool) {
	var only *binding
	var match *gdl.Atom
	for j := range facts {
		b := newBinding(len(c.vars))
		if !b.unifyAll(c.body[i].Args, facts[j].Args) {
			continue
		}
		if match != nil && !slices.EqualFunc(match.Args, facts[j].Args, equalTerms) {
			return nil, false
		}
		only, match = b, &facts[j]
	}
	if match == nil {
		return nil, true
	}
	return []clause{c.with(i).under(only)}, true
}

// moves replaces a literal of does or legal by one for each role and form. It
// leaves the literal when that gives too many rules.
func (x *expansion) moves(c *clause, i int, relations func(*flatRole) []gdl.RelID) (alternatives []clause, ok bool) {
	for r, role := range x.src.Roles {
		fr := &x.roles[r]
		for j, m := range fr.forms {
			a := *c
			pattern := a.apart(m.pattern, m.names)
			args := numberedFrom(len(c.vars), len(m.names))
			b := newBinding(len(a.vars))
			if !b.unify(a.body[i].Args[0], role) || !b.unify(pattern, a.body[i].Args[1]) {
				continue
			}
			if len(alternatives) == maxAlternatives {
				return nil, false // before they fill the memory: each is a copy of the clause
			}
			sel := gdl.Literal{Kind: gdl.Positive, Atom: gdl.Atom{Rel: relations(fr)[j], Args: args, Pos: a.body[i].Pos}}
			alternatives = append(alternatives, a.with(i, sel).under(b))
		}
	}
	if l, any := x.others(c.body[i]); any {
		alternatives = append(alternatives, c.with(i, l))
	}
	if !x.room(len(alternatives)) {
		return nil, false
	}
	return alternatives, true
}

// others is a condition on legal that speaks of who plays no role, instead; any is
// false if that can never hold.
func (x *expansion) others(l gdl.Literal) (others gdl.Literal, any bool) {
	if l.Rel != gdl.RelLegal || x.plays(l.Args[0]) {
		return l, false
	}
	rel, rules := x.strange()
	any = slices.ContainsFunc(rules, func(r gdl.Rule) bool {
		return canEqual(l.Args[0], r.Head.Args[0]) && canEqual(l.Args[1], r.Head.Args[1])
	})
	l.Rel = rel
	return l, any
}

func (x *expansion) room(n int) bool {
	if n <= 1 {
		return true
	}
	if x.count+n > maxAlternatives || len(x.out.Rules) > maxRules {
		return false
	}
	x.count += n
	return true
}

func numberedFrom(from, n int) []gdl.Term {
	out := numbered(n)
	for i := range out {
		out[i].Var += int32(from)
	}
	return out
}

// shapes replaces a variable that stands for a move by each form of the place.
func (x *expansion) shapes(c *clause, v gdl.Term, k *kind) (alternatives []clause, ok bool) {
	forms := k.forms()
	if len(forms) == 1 && forms[0].pattern.Var >= 0 || !x.room(len(forms)) {
		return nil, false
	}
	for _, m := range forms {
		a := *c
		pattern := a.apart(m.pattern, m.names)
		b := newBinding(len(a.vars))
		if b.unify(v, pattern) {
			alternatives = append(alternatives, a.under(b))
		}
	}
	return alternatives, true
}

// finish translates the literals that are left.
func (x *expansion) finish(c clause) {
	bound, count := c.boundVars(), c.occurrences()
	body := c.body
	c.body = nil
	for _, l := range body {
		by, holds := x.literal(&c, l, func(v int32) bool { return !bound[v] && count[v] == 1 })
		if !holds {
			return
		}
		c.body = append(c.body, by...)
	}
	x.done = append(x.done, c)
}

// literal translates a literal. own says of a variable that it occurs nowhere
// else.
func (x *expansion) literal(c *clause, l gdl.Literal, own func(int32) bool) (by []gdl.Literal, holds bool) {
	if l.Kind == gdl.Distinct || l.Kind == gdl.Same || int(l.Rel) >= len(x.src.Relations) || l.Rel == gdl.RelTrue {
		return []gdl.Literal{l}, true
	}
	if l.Kind == gdl.Negative {
		if x.still && l.Rel == gdl.RelDoes {
			return nil, true
		}
		if facts := x.facts[l.Rel]; facts != nil && isGround(l.Args) {
			return nil, !slices.ContainsFunc(facts, func(a gdl.Atom) bool { return slices.EqualFunc(a.Args, l.Args, equalTerms) })
		}
		if by, ok := x.noMove(c, l, own); ok {
			return by, true
		}
	}
	if l.Kind == gdl.Positive && !x.derivable(l.Atom) {
		return nil, false
	}
	l.Atom = x.called(l.Atom)
	return []gdl.Literal{l}, true
}

// derivable is false if no rule has a head that can match.
func (x *expansion) derivable(a gdl.Atom) bool {
	rules := x.src.Relations[a.Rel].Rules
	if a.Rel == gdl.RelDoes || len(rules) > maxFacts {
		return true
	}
	return slices.ContainsFunc(rules, func(i int32) bool {
		return !slices.ContainsFunc(numbered(len(a.Args)), func(j gdl.Term) bool {
			return !canEqual(a.Args[j.Var], x.src.Rules[i].Head.Args[j.Var])
		})
	})
}

// noMove translates the negation of does or legal to negations of Select or
// Offer relations, where the literal has no variables that would have to be
// compared with something that a form fixes.
func (x *expansion) noMove(c *clause, l gdl.Literal, own func(int32) bool) (by []gdl.Literal, ok bool) {
	if l.Rel != gdl.RelDoes && (l.Rel != gdl.RelLegal || x.legalIsRelation()) {
		return nil, false
	}
	given := len(c.vars)
	for r, role := range x.src.Roles {
		fr := &x.roles[r]
		for j, m := range fr.forms {
			a := *c
			pattern := a.apart(m.pattern, m.names)
			b := newBinding(len(a.vars))
			if !b.unify(l.Args[0], role) || !b.unify(pattern, l.Args[1]) {
				continue
			}
			for v := range given {
				if b.bound[v] && !own(int32(v)) {
					return nil, false
				}
			}
			if len(by) == maxAlternatives {
				return nil, false
			}
			rel := fr.sel[j]
			if l.Rel == gdl.RelLegal {
				rel = fr.offer[j]
			}
			c.vars = a.vars
			args := b.applyAll(numberedFrom(len(a.vars)-len(m.names), len(m.names)))
			by = append(by, gdl.Literal{Kind: gdl.Negative, Atom: gdl.Atom{Rel: rel, Args: args, Pos: l.Pos}})
		}
	}
	if l, any := x.others(l); any {
		by = append(by, l)
	}
	return by, true
}

// called translates a call: to the copy of the relation for the forms of the
// arguments, still or not.
func (x *expansion) called(a gdl.Atom) gdl.Atom {
	var pattern, args []gdl.Term
	var names []string
	special := false
	for j, t := range a.Args {
		_, isPlace := x.kinds.of[place{rel: a.Rel, arg: j}]
		isPlace = isPlace && a.Rel >= gdl.NumKeywordRelations || a.Rel == gdl.RelLegal || a.Rel == gdl.RelDoes
		move, isMove := x.nested[functor{t.Name, len(t.Args)}]
		switch {
		case t.Var < 0 && t.Args != nil && isMove:
			special = true
			pattern = append(pattern, skeleton(t, move, &args, &names))
		case t.Var < 0 && t.Args == nil && isPlace:
			special = true
			pattern = append(pattern, t)
		default:
			pattern = append(pattern, leafOf(t, &args, &names))
		}
	}
	moving := !x.still && x.src.Relations[a.Rel].Depends&gdl.OnMoves != 0
	if special && len(x.made) < maxCopies {
		a.Rel, a.Args = x.copyOf(a.Rel, moving, pattern, names), args
		return a
	}
	a.Rel = x.copyOf(a.Rel, moving, nil, nil)
	return a
}

// skeleton is the part of the term that the form of a move fixes, with
// variables for the rest, which are appended to args.
func skeleton(t, move gdl.Term, args *[]gdl.Term, names *[]string) gdl.Term {
	if move.Var >= 0 || t.Var >= 0 || t.Name != move.Name || len(t.Args) != len(move.Args) || len(t.Args) == 0 {
		return leafOf(t, args, names)
	}
	s := gdl.Term{Var: -1, Name: t.Name}
	for i := range t.Args {
		s.Args = append(s.Args, skeleton(t.Args[i], move.Args[i], args, names))
	}
	return s
}

func leafOf(t gdl.Term, args *[]gdl.Term, names *[]string) gdl.Term {
	*args = append(*args, t)
	*names = append(*names, "?a")
	return gdl.Term{Var: int32(len(*args) - 1)}
}

// copyOf returns the relation that holds the rules of rel for heads of the
// pattern; nil is any head. A relation that does not look at moves is the same
// whether it is read still or not.
func (x *expansion) copyOf(rel gdl.RelID, moving bool, pattern []gdl.Term, names []string) gdl.RelID {
	key := requestKey(rel, !moving, pattern)
	if id, ok := x.made[key]; ok {
		return id
	}
	src := &x.src.Relations[rel]
	natural := src.Depends&gdl.OnMoves != 0 // the copy that keeps the number
	switch rel {
	case gdl.RelTerminal, gdl.RelGoal, gdl.RelInit:
		natural = false
	case gdl.RelDoes, gdl.RelLegal:
		natural = !moving // never
	}
	if pattern == nil && natural == moving {
		x.plain(rel, !moving, rel)
		return rel
	}
	name := x.src.Symbols.Name(src.Name)
	for _, t := range pattern {
		if t.Var < 0 {
			name += "#" + x.spell(t)
		}
	}
	if natural != moving && rel != gdl.RelDoes && rel != gdl.RelLegal {
		if moving {
			name += "#moving"
		} else {
			name += "#still"
		}
	}
	if pattern == nil {
		id := x.relation(name, src.Arity)
		x.plain(rel, !moving, id)
		return id
	}
	id := x.relation(name, len(names))
	x.made[key] = id
	x.moveCopies[id] = true
	x.ask(request{src: rel, still: !moving, args: pattern, names: names, out: id})
	return id
}
