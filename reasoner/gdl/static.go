package gdl

// maxStaticWork bounds how many atoms are looked at to find the roles. Rules
// for role are rare and small.
const maxStaticWork = 100_000

// static evaluates rules without state and moves: a plain fixed point, good
// enough for the few relations that roles are derived from. The prover does
// everything else.
type static struct {
	p     *Program
	store *Store
	known map[RelID]*extension
	group [][]RelID // the relations of each group
	work  int
}

// extension is what holds of a relation.
type extension struct {
	rows [][]TermID
	set  map[TermID]bool // the rows as terms with the relation's name
}

func newStatic(p *Program) *static {
	s := &static{p: p, store: NewStore(p.Symbols), known: make(map[RelID]*extension), group: make([][]RelID, len(p.Relations))}
	for id, rel := range p.Relations {
		s.group[rel.Group] = append(s.group[rel.Group], RelID(id))
	}
	return s
}

// derive returns the arguments of all heads that the rule derives; ok is false
// when that is too much work.
func (s *static) derive(rule *Rule) (heads [][]Term, ok bool) {
	for _, l := range rule.Body {
		if l.Rel >= 0 {
			s.close(l.Rel)
		}
	}
	out := &extension{set: make(map[TermID]bool)}
	s.fire(rule, out)
	if s.work > maxStaticWork {
		return nil, false
	}
	for _, row := range out.rows {
		for _, id := range row {
			s.work += s.store.Size(id)
		}
		if s.work > maxStaticWork {
			return nil, false
		}
		heads = append(heads, s.terms(row))
	}
	return heads, true
}

// close computes the extension of the relation, all that it uses first.
func (s *static) close(r RelID) {
	if s.known[r] != nil {
		return
	}
	group := s.group[s.p.Relations[r].Group]
	for _, member := range group {
		s.known[member] = &extension{set: make(map[TermID]bool)}
	}
	for _, member := range group {
		s.eachRule(member, func(rule *Rule) {
			for _, l := range rule.Body {
				if l.Rel >= 0 {
					s.close(l.Rel)
				}
			}
		})
	}
	for grown := true; grown && s.work <= maxStaticWork; {
		grown = false
		for _, member := range group {
			before := len(s.known[member].rows)
			s.eachRule(member, func(rule *Rule) { s.fire(rule, s.known[member]) })
			grown = grown || len(s.known[member].rows) > before
		}
	}
}

func (s *static) eachRule(r RelID, f func(*Rule)) {
	for _, i := range s.p.Relations[r].Rules {
		f(&s.p.Rules[i])
	}
}

// fire adds what the rule derives from the known extensions. Literals that
// only test come after those that bind.
func (s *static) fire(rule *Rule, out *extension) {
	var body []Literal
	for _, binds := range []bool{true, false} {
		for _, l := range rule.Body {
			if (l.Kind == Positive) == binds {
				body = append(body, l)
			}
		}
	}
	s.join(rule, body, make([]TermID, len(rule.Vars)), out)
}

func (s *static) join(rule *Rule, body []Literal, vars []TermID, out *extension) {
	if s.work++; s.work > maxStaticWork {
		return
	}
	if len(body) == 0 {
		row := make([]TermID, len(rule.Head.Args))
		for i, t := range rule.Head.Args {
			row[i] = s.build(t, vars)
		}
		if key := s.store.Compound(s.p.Relations[rule.Head.Rel].Name, row); !out.set[key] {
			out.set[key] = true
			out.rows = append(out.rows, row)
		}
		return
	}
	l, rest := body[0], body[1:]
	switch l.Kind {
	case Distinct, Same:
		if (s.build(l.Args[0], vars) == s.build(l.Args[1], vars)) == (l.Kind == Same) {
			s.join(rule, rest, vars, out)
		}
	case Negative:
		for _, row := range s.known[l.Rel].rows {
			if s.work++; s.matchAll(l.Args, row, append([]TermID(nil), vars...)) {
				return
			}
		}
		s.join(rule, rest, vars, out)
	case Positive:
		rows := s.known[l.Rel].rows
		for _, row := range rows[:len(rows):len(rows)] {
			next := append([]TermID(nil), vars...)
			if s.work++; s.matchAll(l.Args, row, next) {
				s.join(rule, rest, next, out)
			}
			if s.work > maxStaticWork {
				return
			}
		}
	}
}

// build returns the ground term that t is under the binding.
func (s *static) build(t Term, vars []TermID) TermID {
	if t.Var >= 0 {
		return vars[t.Var]
	}
	args := make([]TermID, len(t.Args))
	for i, a := range t.Args {
		args[i] = s.build(a, vars)
	}
	id := s.store.Compound(t.Name, args)
	if !s.store.Fits(id) {
		s.work = maxStaticWork + 1 // a term like that is too much work as well
	}
	return id
}

// matchAll matches terms against ground ones and extends the binding.
func (s *static) matchAll(terms []Term, ground []TermID, vars []TermID) bool {
	if len(terms) != len(ground) {
		return false
	}
	for i, t := range terms {
		if !s.match(t, ground[i], vars) {
			return false
		}
	}
	return true
}

func (s *static) match(t Term, id TermID, vars []TermID) bool {
	if t.Var < 0 {
		return s.store.Functor(id) == t.Name && s.matchAll(t.Args, s.store.Args(id), vars)
	}
	if vars[t.Var] == 0 {
		vars[t.Var] = id
	}
	return vars[t.Var] == id
}

func (s *static) terms(ids []TermID) []Term {
	if len(ids) == 0 {
		return nil
	}
	out := make([]Term, len(ids))
	for i, id := range ids {
		out[i] = Term{Var: -1, Name: s.store.Functor(id), Args: s.terms(s.store.Args(id))}
	}
	return out
}
