package gdl

import (
	"fmt"
	"maps"

	"semisplit/kif"
)

// maxForced bounds multiplying out where nothing else is possible.
const maxForced = 1024

// normal moves negations inwards as far as their meaning allows: through or,
// and through not. The negation of a conjunction stays whole, since "for no
// value" speaks of all of it: whether it can be taken apart depends on the
// variables that its clause binds.
func (f formula) normal(negated bool) formula {
	switch f.kind {
	case formNot:
		return f.kids[0].normal(!negated)
	case formLiteral:
		if negated {
			f.lit.Kind = negation(f.lit.Kind)
		}
		return f
	case formNotAnd: // of which the kids are in normal form
		if negated {
			f.kind = formAnd
		}
		return f
	}
	kids := make([]formula, len(f.kids))
	if f.kind == formAnd && negated && len(kids) != 1 {
		if len(kids) == 0 {
			return formula{kind: formOr, pos: f.pos}
		}
		for i, k := range f.kids {
			kids[i] = k.normal(false)
		}
		return formula{kind: formNotAnd, kids: kids, pos: f.pos}
	}
	for i, k := range f.kids {
		kids[i] = k.normal(negated)
	}
	kind := f.kind
	if negated {
		kind = formAnd // (not (or a b)), and (not (and a)) of which the kid is negated
	}
	return formula{kind: kind, kids: kids, pos: f.pos}
}

func negation(k LiteralKind) LiteralKind {
	switch k {
	case Positive:
		return Negative
	case Negative:
		return Positive
	case Distinct:
		return Same
	}
	return Distinct
}

// alternatives counts the clauses that multiplying out would give, up to just
// above maxForced.
func (f formula) alternatives() int {
	n := 1
	switch f.kind {
	case formAnd:
		for _, k := range f.kids {
			n = min(n*k.alternatives(), maxForced+1)
		}
	case formOr:
		n = 0
		for _, k := range f.kids {
			n = min(n+k.alternatives(), maxForced+1)
		}
	}
	return n
}

// variables adds the variables of the formula to set.
func (f formula) variables(set varSet) {
	if f.kind == formLiteral {
		set.addAll(f.lit.Args)
	}
	for _, k := range f.kids {
		k.variables(set)
	}
}

// clause is a conjunction of literals and of negated conjunctions.
type clause struct {
	lits   []Literal
	notAnd []formula
}

// clauses finishes a rule: the body, which is in normal form, is multiplied
// out and each clause becomes a rule.
func (s *statement) clauses(head Atom, body formula) {
	work := s.multiply(varSet{}.addAll(head.Args), body)
	for i := 0; i < len(work) && !s.analysis.full; i++ {
		c := work[i]
		if len(c.notAnd) == 0 {
			s.finish(head, c.lits)
			continue
		}
		// Of the clauses that a negated conjunction gives way to, the first
		// takes the place of this one and the others follow.
		work = append(work[:i], append(s.resolve(head, c), work[i+1:]...)...)
		i--
		if len(work) > maxForced {
			s.tooComplex(body.pos)
		}
	}
}

func (s *statement) tooComplex(pos kif.Pos) {
	s.analysis.full = true
	s.analysis.fail("rule-too-complex", pos, "move the alternatives to relations of their own",
		"multiplied out, this rule has more than %d alternatives", maxForced)
}

// multiply gives the clauses of a formula. Where there would be too many, an
// or becomes a relation of its own. The variables outside are those of all that
// stands beside the formula in its rule.
func (s *statement) multiply(outside varSet, f formula) []clause {
	switch f.kind {
	case formLiteral:
		return []clause{{lits: []Literal{f.lit}}}
	case formNotAnd:
		return []clause{{notAnd: []formula{f}}}
	case formOr:
		var all []clause
		for _, k := range f.kids {
			all = append(all, s.multiply(outside, k)...)
		}
		return all
	}
	kids := flatten(f.kids, nil)
	stays, clauses := -1, []clause(nil)
	for stays < 0 && (formula{kind: formAnd, kids: kids}).alternatives() > s.analysis.limits.Alternatives {
		if stays, clauses = s.moveOut(outside, kids); s.analysis.full {
			return nil
		}
	}
	if (formula{kind: formAnd, kids: kids}).alternatives() > maxForced {
		s.tooComplex(f.pos)
		return nil
	}
	product := []clause{{}}
	for i, k := range kids {
		factors := clauses
		if i != stays { // the other ones are not known yet
			factors = s.multiply(beside(outside, kids, i), k)
		}
		if len(factors) == 1 { // as of a literal: nothing is copied for each
			for j := range product {
				product[j].lits = append(product[j].lits, factors[0].lits...)
				product[j].notAnd = append(product[j].notAnd, factors[0].notAnd...)
			}
			continue
		}
		next := make([]clause, 0, len(product)*len(factors))
		for _, p := range product {
			for _, q := range factors {
				next = append(next, clause{concat(p.lits, q.lits), concat(p.notAnd, q.notAnd)})
			}
		}
		product = next
	}
	return product
}

// beside are the variables outside a conjunction and those of its other kids: of what stands
// beside a kid that is an or. A literal has no use for them.
func beside(outside varSet, kids []formula, kid int) varSet {
	if kids[kid].kind != formOr {
		return outside
	}
	set := maps.Clone(outside)
	for i, k := range kids {
		if i != kid {
			k.variables(set)
		}
	}
	return set
}

// flatten lifts conjunctions inside a conjunction.
func flatten(kids, into []formula) []formula {
	for _, k := range kids {
		if k.kind == formAnd {
			into = flatten(k.kids, into)
		} else {
			into = append(into, k)
		}
	}
	return into
}

func concat[T any](a, b []T) []T {
	return append(append(make([]T, 0, len(a)+len(b)), a...), b...)
}

// moveOut replaces the largest or among the kids of a conjunction by a
// relation of its own, over the variables that it shares with anything else in
// the rule. Each alternative must bind those; where one does not, the literals
// beside the or are repeated in it. Where that does not bind them either, it gives
// the number of the or, which stays, and its clauses: to find those twice at each
// level would take for ever where conditions are nested. Else the number is -1, or,
// where there is no or at all, beyond the kids.
func (s *statement) moveOut(outside varSet, kids []formula) (stays int, clauses []clause) {
	best, most := len(kids), 1
	for i, k := range kids {
		if n := k.alternatives(); k.kind == formOr && n > most {
			best, most = i, n
		}
	}
	if best == len(kids) {
		return best, nil
	}
	inside := varSet{}
	kids[best].variables(inside)
	var literals []Literal
	for i, k := range kids {
		if i != best && k.kind == formLiteral && k.lit.Kind == Positive {
			literals = append(literals, k.lit)
		}
	}
	// A variable that stands in another branch of the rule is not outside: other
	// branches are other clauses.
	around := beside(outside, kids, best)
	clauses = s.multiply(around, kids[best])
	lit, ok := s.helper(inside.intersect(around), clauses, kids[best].pos, literals)
	if !ok {
		return best, clauses
	}
	kids[best] = formula{kind: formLiteral, lit: lit, pos: kids[best].pos}
	return -1, nil
}

// helper introduces a relation over the variables that holds where one of the
// clauses does. Literals of beside are added to clauses that leave variables
// unbound; when that does not bind them either, nothing is introduced and ok
// is false.
func (s *statement) helper(vars []int32, clauses []clause, pos kif.Pos, beside []Literal) (lit Literal, ok bool) {
	if s.analysis.full {
		return Literal{}, false
	}
	if s.analysis.helpers >= s.analysis.limits.Rules { // there may be no rules for them
		s.analysis.full = true
		s.analysis.fail("limit", pos, "", "conditions with more than %d parts that become relations of their own", s.analysis.limits.Rules)
		return Literal{}, false
	}
	args := make([]Term, len(vars))
	for i, v := range vars {
		args[i] = Term{Var: v}
	}
	extra := make([][]Literal, len(clauses))
	for i := range clauses {
		bound := positives(clauses[i].lits)
		for _, v := range vars {
			if bound[v] {
				continue
			}
			for _, l := range beside {
				if set := (varSet{}); set.addAll(l.Args)[v] {
					extra[i] = append(extra[i], l)
					for w := range set {
						bound[w] = true
					}
					break
				}
			}
			if !bound[v] {
				return Literal{}, false
			}
		}
	}
	atom := Atom{Rel: s.helperRelation(len(args), pos), Args: args, Pos: pos}
	for i, c := range clauses {
		branch := formula{kind: formAnd, pos: pos}
		for _, l := range concat(extra[i], c.lits) {
			branch.kids = append(branch.kids, formula{kind: formLiteral, lit: l, pos: l.Pos})
		}
		branch.kids = append(branch.kids, c.notAnd...)
		s.clauses(atom, branch)
	}
	return Literal{Positive, atom}, true
}

// helperRelation makes a relation with a name that the text does not contain.
func (s *statement) helperRelation(arity int, pos kif.Pos) RelID {
	for {
		s.analysis.helpers++
		name := fmt.Sprintf("or#%d", s.analysis.helpers)
		if !s.analysis.reserved[name] {
			return s.analysis.relation(name, arity, pos)
		}
	}
}

// resolve removes the first negated conjunction of a clause. If the clause
// binds all its variables, it is the disjunction of the negated parts;
// otherwise it speaks of all values of the others at once, and becomes the
// negation of a relation of its own.
func (s *statement) resolve(head Atom, c clause) []clause {
	f := c.notAnd[0]
	rest := c.notAnd[1:]
	bound := positives(c.lits)
	inside := varSet{}
	f.variables(inside)
	local := false
	for v := range inside {
		local = local || !bound[v]
	}
	if !local {
		outside := maps.Clone(bound).addAll(head.Args)
		var out []clause
		for _, k := range f.kids {
			for _, alt := range s.multiply(outside, k.normal(true)) {
				out = append(out, clause{concat(c.lits, alt.lits), concat(rest, alt.notAnd)})
			}
		}
		return out
	}
	shared := inside.intersect(bound)
	args := varSet{}
	for _, v := range shared {
		args[v] = true
	}
	clauses := s.multiply(args, formula{kind: formAnd, kids: f.kids, pos: f.pos})
	lit, ok := s.helper(shared, clauses, f.pos, positiveLiterals(c.lits, head.Rel))
	if !ok {
		return nil
	}
	lit.Kind = Negative
	return []clause{{concat(c.lits, []Literal{lit}), rest}}
}

// positiveLiterals lists the positive literals, those of the relation last: within a
// negation these would be recursion through it.
func positiveLiterals(lits []Literal, last RelID) []Literal {
	var out, recursive []Literal
	for _, l := range lits {
		switch {
		case l.Kind != Positive:
		case l.Rel == last:
			recursive = append(recursive, l)
		default:
			out = append(out, l)
		}
	}
	return append(out, recursive...)
}
