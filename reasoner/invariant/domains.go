package invariant

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// Which values can stand at an argument of a fluent, in any state: an
// over-approximation that looks at each argument on its own. A variable of a
// rule has at most the values that every positive condition allows it.

// maxDomain is how many values a domain may have before it is given up.
const maxDomain = 64

// domain is a set of ground terms, or any term.
type domain struct {
	any   bool
	terms []gdl.Term
}

func (d *domain) has(t *gdl.Term) bool {
	return d.any || slices.ContainsFunc(d.terms, func(x gdl.Term) bool { return sameGround(&x, t) })
}

// add puts a term into the domain; true if it is new.
func (d *domain) add(t gdl.Term) bool {
	if d.has(&t) {
		return false
	}
	if d.terms = append(d.terms, t); len(d.terms) > maxDomain || len(t.Args) > 0 && !isGroundTerm(&t) {
		d.any, d.terms = true, nil
	}
	return true
}

func isGroundTerm(t *gdl.Term) bool {
	if t.Var >= 0 {
		return false
	}
	for i := range t.Args {
		if !isGroundTerm(&t.Args[i]) {
			return false
		}
	}
	return true
}

// domainKey names an argument: of a relation, or of the compound of that
// functor and arity at an argument of true, does and legal.
type domainKey struct {
	rel     gdl.RelID
	at      int
	functor gdl.Symbol // 0: the argument itself
	arity   int
	inner   int
}

// domains is the analysis.
type domains struct {
	k     *knowledge
	of    map[domainKey]*domain
	grown bool
	work  int
}

// maxDomainWork bounds the analysis, in literals looked at.
const maxDomainWork = 200_000

// newDomains computes the fixed point. It returns nil when that is too much.
func newDomains(k *knowledge, initial []gdl.Term) *domains {
	d := &domains{k: k, of: make(map[domainKey]*domain)}
	for i := range initial {
		d.extend(gdl.RelTrue, 0, &initial[i], nil)
	}
	for d.grown = true; d.grown; {
		d.grown = false
		for rel := range k.rules {
			// Legal and next feed does and true even where they are static.
			if r := gdl.RelID(rel); k.facts.known[rel] != nil && r != gdl.RelLegal && r != gdl.RelNext {
				continue
			}
			for _, r := range k.rules[rel] {
				if d.fire(k.rule(r)); d.work > maxDomainWork {
					return nil
				}
			}
		}
	}
	return d
}

// fluent returns the domain of an argument of a fluent; nil: any term.
func (d *domains) fluent(shape fluentShape, i int) *domain {
	whole := d.of[domainKey{rel: gdl.RelTrue}]
	if whole != nil && whole.any {
		return nil
	}
	out := d.of[domainKey{gdl.RelTrue, 0, shape.functor, shape.arity, i}]
	if out == nil || out.any {
		return nil
	}
	return out
}

// fire adds what the rule's head can be.
func (d *domains) fire(rule *gdl.Rule) {
	vars := make([]*domain, len(rule.Vars))
	for i := range rule.Body {
		l := &rule.Body[i]
		if d.work++; l.Kind != gdl.Positive {
			continue
		}
		for j := range l.Args {
			if !d.restrict(l.Rel, j, &l.Args[j], vars) {
				return
			}
		}
	}
	rel := rule.Head.Rel
	if rel == gdl.RelNext {
		rel = gdl.RelTrue
	}
	for j := range rule.Head.Args {
		d.extend(rel, j, &rule.Head.Args[j], vars)
	}
	if rel == gdl.RelLegal {
		for j := range rule.Head.Args {
			d.extend(gdl.RelDoes, j, &rule.Head.Args[j], vars)
		}
	}
}

// structured tells whether the arguments of compounds are told apart here.
func structured(rel gdl.RelID, j int) bool {
	return rel == gdl.RelTrue || j == 1 && (rel == gdl.RelDoes || rel == gdl.RelLegal)
}

// restrict intersects the domains of variables with what the condition's
// argument allows. It returns false if nothing is left.
func (d *domains) restrict(rel gdl.RelID, j int, t *gdl.Term, vars []*domain) bool {
	if rel == gdl.RelNext { // what comes to hold is filed with what holds
		rel = gdl.RelTrue
	}
	if structured(rel, j) && t.Var < 0 && len(t.Args) > 0 {
		if whole := d.of[domainKey{rel: rel, at: j}]; whole != nil && whole.any {
			return true
		}
		for i := range t.Args {
			if !d.meet(d.of[domainKey{rel, j, t.Name, len(t.Args), i}], &t.Args[i], vars) {
				return false
			}
		}
		return true
	}
	if structured(rel, j) {
		return true // a whole fluent or move, or a constant: anything
	}
	if table := d.k.facts.known[rel]; table != nil {
		return d.meet(d.column(rel, j, table), t, vars)
	}
	return d.meet(d.of[domainKey{rel: rel, at: j}], t, vars)
}

// column is the domain of an argument of a static relation.
func (d *domains) column(rel gdl.RelID, j int, table *factTable) *domain {
	key := domainKey{rel: rel, at: j}
	out := d.of[key]
	if out == nil {
		out = &domain{}
		for i := 0; i < table.count && !out.any; i++ {
			out.add(table.row(int32(i))[j])
		}
		d.of[key] = out
	}
	return out
}

// meet restricts the variables of an argument to a domain; nil is empty.
func (d *domains) meet(with *domain, t *gdl.Term, vars []*domain) bool {
	switch {
	case with == nil:
		return false
	case with.any:
		return true
	case t.Var < 0 && isGroundTerm(t):
		return with.has(t)
	case t.Var < 0:
		return true // a compound with variables: anything
	case vars[t.Var] == nil || vars[t.Var].any:
		vars[t.Var] = with
		return len(with.terms) > 0
	}
	both := &domain{}
	for _, x := range vars[t.Var].terms {
		if with.has(&x) {
			both.terms = append(both.terms, x)
		}
	}
	vars[t.Var] = both
	return len(both.terms) > 0
}

// extend adds what a head's argument can be.
func (d *domains) extend(rel gdl.RelID, j int, t *gdl.Term, vars []*domain) {
	if structured(rel, j) && t.Var < 0 && len(t.Args) > 0 {
		for i := range t.Args {
			d.grow(domainKey{rel, j, t.Name, len(t.Args), i}, &t.Args[i], vars)
		}
		return
	}
	if structured(rel, j) && t.Var < 0 {
		return // a constant fluent or move has no arguments
	}
	if structured(rel, j) && vars[t.Var] != nil && !vars[t.Var].any {
		for i := range vars[t.Var].terms {
			d.extend(rel, j, &vars[t.Var].terms[i], nil)
		}
		return
	}
	d.grow(domainKey{rel: rel, at: j}, t, vars)
}

func (d *domains) grow(key domainKey, t *gdl.Term, vars []*domain) {
	out := d.of[key]
	if out == nil {
		out = &domain{}
		d.of[key] = out
	}
	if out.any {
		return
	}
	switch {
	case t.Var < 0 && isGroundTerm(t):
		d.grown = out.add(*t) || d.grown
	case t.Var < 0 || vars[t.Var] == nil || vars[t.Var].any:
		out.any, out.terms, d.grown = true, nil, true
	default:
		for _, x := range vars[t.Var].terms {
			if out.add(x) {
				d.grown = true
			}
		}
	}
}

// domainRelations files the domains of fluents' arguments as relations of one
// argument, numbered after those of the program.
func (k *knowledge) domainRelations(shapes []fluentShape, d *domains) {
	k.domain = make(map[fluentShape][]gdl.RelID)
	for _, shape := range shapes {
		rels := make([]gdl.RelID, shape.arity)
		for i := range rels {
			rels[i] = -1
			if d == nil {
				continue
			}
			dom := d.fluent(shape, i)
			if dom == nil {
				continue
			}
			t := &factTable{arity: 1, keys: make(map[uint32]bool), index: []map[gdl.Symbol][]int32{{}}}
			for _, term := range dom.terms {
				t.index[0][term.Name] = append(t.index[0][term.Name], int32(t.count))
				t.terms = append(t.terms, term)
				t.count++
			}
			rels[i] = gdl.RelID(len(k.facts.known))
			k.facts.known = append(k.facts.known, t)
		}
		k.domain[shape] = rels
	}
}
