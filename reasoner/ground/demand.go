package ground

import (
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
)

// demands says for each argument of a derived relation which terms rules ever
// ask for there.
type demands struct {
	sizes *sizes
	b     *ruleBase
	of    map[int32][]column
	made  map[string]int32 // static relations that hold of the terms of a column
}

// restrict adds conditions to the heads of dynamic rules: that their values
// are some that are asked for. A relation over coordinates that are letters in
// one place and numbers in another is then not made for the wrong ones.
func (s *sizes) restrict() {
	d := &demands{sizes: s, b: s.b, of: make(map[int32][]column), made: make(map[string]int32)}
	var queue []int32
	waits := make(map[int32]bool)
	for _, rel := range s.b.rootRelations() {
		if rules := s.b.relations[rel].rules; len(rules) > 0 && s.b.relations[rel].dynamic {
			d.of[rel] = make([]column, len(rules[0].head.args))
			for i := range d.of[rel] {
				d.of[rel][i].unknown = true
			}
			queue = append(queue, rel)
		}
	}
	for len(queue) > 0 {
		rel := queue[0]
		queue = queue[1:]
		waits[rel] = false
		s.b.heed()
		for _, r := range s.b.relations[rel].rules {
			for _, to := range d.rule(r) {
				if !waits[to] {
					waits[to] = true
					queue = append(queue, to)
				}
			}
		}
	}
	for rel := range s.b.relations {
		if columns := d.of[int32(rel)]; columns != nil {
			s.b.relations[rel].rules = slices.DeleteFunc(s.b.relations[rel].rules, func(r *rule) bool { return !d.narrow(r, columns) })
		}
	}
}

// rule finds what one rule asks for, and returns the relations of which it
// asks for more than was known.
func (d *demands) rule(r *rule) (more []int32) {
	s := d.sizes
	for _, ls := range [][]literal{r.pos, r.neg} {
		for k := range ls {
			l := &ls[k]
			rel := &d.b.relations[l.rel]
			if !rel.dynamic || rel.input || len(rel.rules) == 0 {
				continue
			}
			d.b.heed() // a rule asks for each literal of what all others give
			// The columns of the literal itself say what it gives, not what
			// is asked for.
			others := rule{vars: r.vars}
			for i := range r.pos {
				if &r.pos[i] != l {
					others.pos = append(others.pos, r.pos[i])
				}
			}
			domains, ok := s.domains(&others)
			if !ok {
				continue
			}
			if d.add(l, r, domains) {
				more = append(more, l.rel)
			}
		}
	}
	return more
}

// add enters what a literal asks for.
func (d *demands) add(l *literal, r *rule, domains []*column) (grown bool) {
	columns := d.of[l.rel]
	if columns == nil {
		columns = make([]column, len(l.args))
		for i := range columns {
			columns[i].set = make(map[gdl.TermID]bool)
		}
		d.of[l.rel] = columns
		grown = true
	}
	for i, p := range l.args {
		c := &columns[i]
		if c.unknown {
			continue
		}
		var from *column
		switch {
		case p.id != 0:
			grown = c.add(p.id) || grown
			continue
		case p.v >= 0:
			from = d.smaller(domains[p.v], d.head(r, p.v))
		}
		if from == nil || from.unknown || d.sizes.steps > maxColumnSteps {
			c.unknown, grown = true, true
			continue
		}
		d.sizes.steps += len(from.list)
		for _, id := range from.list {
			grown = c.add(id) || grown
		}
	}
	return grown
}

// head is what is asked for in the places of a rule's head where a variable
// stands; nil: anything.
func (d *demands) head(r *rule, v int32) *column {
	columns := d.of[r.head.rel]
	for i := range r.head.args {
		if i < len(columns) && r.head.args[i].v == v && !columns[i].unknown {
			return &columns[i]
		}
	}
	return nil
}

func (d *demands) smaller(a, b *column) *column {
	switch {
	case a == nil || a.unknown:
		return b
	case b == nil || b.unknown || len(a.list) <= len(b.list):
		return a
	}
	return b
}

// narrow adds the conditions to a rule; false if nobody asks for its head.
func (d *demands) narrow(r *rule, columns []column) bool {
	domains, ok := d.sizes.domains(r)
	if !ok {
		return true // it never fires; the columns may not know why
	}
	done := make(map[int32]bool)
	for i, p := range r.head.args {
		c := &columns[i]
		switch {
		case c.unknown || p.v < 0 && p.id == 0:
		case p.id != 0:
			if !c.set[p.id] {
				return false
			}
		case done[p.v]:
		case domains[p.v] == nil || !within(domains[p.v], c):
			done[p.v] = true
			r.pos = append(r.pos, literal{d.relation(c), []pattern{p}})
		}
	}
	return true
}

// within tells whether every term of a column is in the other.
func within(a, b *column) bool {
	return !a.unknown && len(a.list) <= len(b.list) && !slices.ContainsFunc(a.list, func(id gdl.TermID) bool { return !b.set[id] })
}

// relation is a static relation that holds of the terms of a column.
func (d *demands) relation(c *column) int32 {
	ids := slices.Clone(c.list)
	slices.Sort(ids)
	key := fmt.Sprint(ids)
	if rel, ok := d.made[key]; ok {
		return rel
	}
	rel := d.b.newRelation(relation{name: "asked"})
	d.made[key] = rel
	for _, id := range ids {
		d.b.fact(rel, []gdl.TermID{id})
	}
	d.sizes.count(rel)
	return rel
}
