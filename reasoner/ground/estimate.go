package ground

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"semisplit/reasoner/gdl"
)

// sizes estimates relations before they are grounded: which terms can stand
// in each place (each place by itself), and from that how many atoms there
// are and how many instances the rules have, as if values were independent.
type sizes struct {
	b      *ruleBase
	tables map[string]*table
	byRel  map[int32][]*table // true and next: by the relation true
	users  map[*table][]*rule // rules whose body asks for the table
	work   []float64          // by relation: estimated instances of its rules
	steps  int

	columns int // of all tables
}

// table describes the atoms of a relation that have one shape: functors down
// to the variables and constants, which are the columns.
type table struct {
	key     string
	columns []column
	size    float64
}

// column is the set of terms that can stand in one place.
type column struct {
	set     map[gdl.TermID]bool
	list    []gdl.TermID
	unknown bool // anything
}

// maxColumnSteps bounds the work on columns; what is not known by then is
// unknown.
const maxColumnSteps = 4_000_000

// maxShape is how many symbols a ground term may have to be taken apart: a
// larger one is looked at as a whole. maxColumns bounds the columns of all
// tables.
const (
	maxShape   = 256
	maxColumns = 1_000_000
)

// unknownColumn is the size that is guessed for unknown columns.
const unknownColumn = 64

func (c *column) size() float64 {
	if c.unknown {
		return unknownColumn
	}
	return float64(max(1, len(c.list)))
}

// shape lists what stands in the columns of a literal's table.
func (s *sizes) shape(l *literal) (key string, cells []pattern) {
	var b strings.Builder
	fmt.Fprintf(&b, "?%d ", s.relOf(l.rel))
	isFluent := s.relOf(l.rel) == int32(gdl.RelTrue)
	var walk func(p *pattern, most int)
	walk = func(p *pattern, most int) {
		switch {
		case p.v >= 0 || p.id != 0 && (len(s.b.store.Args(p.id)) == 0 || s.b.store.Size(p.id) > most):
			b.WriteString("_ ")
			cells = append(cells, *p)
			return
		case p.id != 0:
			q := (&substitution{store: s.b.store}).open(*p)
			p = &q
		}
		fmt.Fprintf(&b, "%d ", p.fn)
		b.WriteString("( ")
		for i := range p.args {
			walk(&p.args[i], maxShape)
		}
		b.WriteString(") ")
	}
	for i := range l.args {
		p := &l.args[i]
		if isFluent && p.id != 0 && len(s.b.store.Args(p.id)) == 0 {
			fmt.Fprintf(&b, "%d ", p.id) // a fluent without arguments
			continue
		}
		if isFluent {
			walk(p, math.MaxInt) // the functor names the fluent: it is always shown
		} else {
			walk(p, maxShape)
		}
	}
	return b.String(), cells
}

// relOf takes init and next for true.
func (s *sizes) relOf(rel int32) int32 {
	if rel == int32(gdl.RelNext) || rel == int32(gdl.RelInit) {
		return int32(gdl.RelTrue)
	}
	return rel
}

func (s *sizes) table(l *literal) (*table, []pattern) {
	key, cells := s.shape(l)
	t := s.tables[key]
	if t == nil {
		if s.columns += len(cells); s.columns > maxColumns {
			panic(unwind{fmt.Errorf("%w: terms of too many forms", ErrLimit)})
		}
		t = &table{key: key, columns: make([]column, len(cells))}
		for i := range t.columns {
			t.columns[i].set = make(map[gdl.TermID]bool)
		}
		s.tables[key] = t
		s.byRel[s.relOf(l.rel)] = append(s.byRel[s.relOf(l.rel)], t)
	}
	return t, cells
}

// measure makes the estimates.
func measure(b *ruleBase) (*sizes, error) {
	s := &sizes{b: b, tables: make(map[string]*table), byRel: make(map[int32][]*table), users: make(map[*table][]*rule)}
	var rules []*rule
	for rel := range b.relations {
		if !b.relations[rel].dynamic {
			s.count(int32(rel))
			continue
		}
		rules = append(rules, b.relations[rel].rules...)
	}
	for offer, sel := range b.selects {
		if sel >= 0 && len(b.relations[offer].rules) > 0 {
			args := b.relations[offer].rules[0].head.args
			l := literal{rel: int32(offer)}
			for i := range args {
				l.args = append(l.args, variable(int32(i)))
			}
			rules = append(rules, &rule{head: literal{sel, l.args}, pos: []literal{l}, vars: len(args)})
		}
	}
	if err := s.fill(rules); err != nil {
		return nil, err
	}
	s.multiply()
	return s, b.check()
}

// count enters the atoms of a static relation.
func (s *sizes) count(rel int32) {
	for _, a := range s.b.atoms.rels[rel].atoms {
		s.b.heed()
		l := literal{rel: rel}
		for _, id := range s.b.atoms.argsOf(a) {
			l.args = append(l.args, constant(id))
		}
		t, cells := s.table(&l)
		t.size++
		for i, c := range cells {
			t.columns[i].add(c.id)
		}
		s.steps++
	}
}

func (c *column) add(id gdl.TermID) bool {
	if c.set[id] {
		return false
	}
	c.set[id] = true
	c.list = append(c.list, id)
	return true
}

// fill finds the terms of the columns.
func (s *sizes) fill(rules []*rule) error {
	for _, r := range rules {
		s.b.heed()
		s.table(&r.head)
		for i := range r.pos {
			s.table(&r.pos[i])
		}
	}
	for _, r := range rules {
		s.b.heed()
		for i := range r.pos {
			for _, t := range s.fitting(&r.pos[i]) {
				s.users[t] = append(s.users[t], r)
			}
		}
	}
	var queue []*rule
	waits := make(map[*rule]bool)
	push := func(r *rule) {
		if !waits[r] {
			waits[r] = true
			queue = append(queue, r)
		}
	}
	for _, r := range rules {
		push(r)
	}
	for len(queue) > 0 {
		if err := s.b.tick(); err != nil {
			return err
		}
		r := queue[0]
		queue = queue[1:]
		waits[r] = false
		t, cells := s.table(&r.head)
		before := t.total()
		s.derive(r, t, cells)
		if t.total() != before {
			for _, u := range s.users[t] {
				push(u)
			}
		}
	}
	return nil
}

func (t *table) total() (n int) {
	for i := range t.columns {
		n += len(t.columns[i].list)
		if t.columns[i].unknown {
			n++
		}
	}
	return n
}

// fitting lists the tables whose atoms a literal can match.
func (s *sizes) fitting(l *literal) []*table {
	key, _ := s.shape(l)
	all := s.byRel[s.relOf(l.rel)]
	if l.rel == int32(gdl.RelTrue) && l.args[0].v < 0 {
		var out []*table
		name := s.head(key)
		for _, t := range all {
			if h := s.head(t.key); h == name || strings.HasSuffix(h, " _") { // (next ?f) may be any fluent
				out = append(out, t)
			}
		}
		return out
	}
	return all
}

// head is the part of a key that names the relation and the fluent.
func (s *sizes) head(key string) string {
	parts := strings.SplitN(key, " ", 3)
	return strings.Join(parts[:min(2, len(parts))], " ")
}

// domains intersects, for each variable of a rule, the columns in which it
// stands; nil: unknown. False if one is empty.
func (s *sizes) domains(r *rule) ([]*column, bool) {
	out := make([]*column, r.vars)
	for i := range r.pos {
		l := &r.pos[i]
		fits := s.fitting(l)
		key, cells := s.shape(l)
		if len(fits) != 1 || fits[0].key != key {
			continue
		}
		for k, p := range cells {
			c := &fits[0].columns[k]
			switch {
			case c.unknown:
			case p.id != 0:
				if !c.set[p.id] {
					return out, false
				}
			case out[p.v] == nil || len(c.list) < len(out[p.v].list):
				old := out[p.v]
				out[p.v] = c
				if old != nil {
					out[p.v] = intersect(c, old)
				}
			case out[p.v] != c:
				out[p.v] = intersect(out[p.v], c)
			}
			if p.v >= 0 && out[p.v] != nil && len(out[p.v].list) == 0 {
				return out, false
			}
		}
	}
	return out, true
}

// intersect keeps what is in both columns; a is the smaller one.
func intersect(a, b *column) *column {
	n := 0
	for _, id := range a.list {
		if b.set[id] {
			n++
		}
	}
	if n == len(a.list) {
		return a
	}
	out := &column{set: make(map[gdl.TermID]bool, n)}
	for _, id := range a.list {
		if b.set[id] {
			out.add(id)
		}
	}
	return out
}

// derive adds to the columns of a rule's head.
func (s *sizes) derive(r *rule, t *table, cells []pattern) {
	domains, ok := s.domains(r)
	if !ok {
		return
	}
	for i, p := range cells {
		c := &t.columns[i]
		switch {
		case c.unknown:
		case p.id != 0:
			c.add(p.id)
		case domains[p.v] == nil || domains[p.v].unknown || s.steps > maxColumnSteps:
			c.unknown = true
		default:
			s.steps += len(domains[p.v].list)
			for _, id := range domains[p.v].list {
				c.add(id)
			}
		}
	}
}

// rounds bounds the estimate of recursive relations.
const rounds = 4

// multiply estimates the sizes of the tables, relation by relation.
func (s *sizes) multiply() {
	b := s.b
	s.work = make([]float64, len(b.relations))
	for _, rels := range [][]int32{{int32(gdl.RelTrue)}, s.inputs()} {
		for _, rel := range rels {
			for _, t := range s.byRel[rel] {
				t.size = t.full()
			}
		}
	}
	order := make([]int32, 0, len(b.relations))
	for rel := range b.relations {
		if r := &b.relations[rel]; r.dynamic && !r.input {
			order = append(order, int32(rel))
		}
	}
	slices.SortStableFunc(order, func(x, y int32) int { return b.relations[x].group - b.relations[y].group })
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && b.relations[order[to]].group == b.relations[order[from]].group {
			to++
		}
		n := 1
		if b.relations[order[from]].cyclic {
			n = rounds
		}
		for range n {
			for _, rel := range order[from:to] {
				s.multiplyRules(rel)
			}
		}
		from = to
	}
}

func (s *sizes) inputs() (out []int32) {
	for rel := range s.b.relations {
		if s.b.relations[rel].input && rel != int(gdl.RelTrue) {
			out = append(out, int32(rel))
		}
	}
	return out
}

// full is the number of atoms if all combinations exist.
func (t *table) full() float64 {
	n := 1.0
	for i := range t.columns {
		n *= t.columns[i].size()
	}
	return n
}

func (s *sizes) multiplyRules(rel int32) {
	isNext := s.relOf(rel) != rel
	work := 0.0
	sum := make(map[*table]float64)
	for _, r := range s.b.relations[rel].rules {
		s.b.heed()
		n, domains := s.join(r)
		work += n
		t, cells := s.table(&r.head)
		bound := 1.0
		seen := map[int32]bool{}
		for _, p := range cells {
			if p.v >= 0 && !seen[p.v] {
				seen[p.v] = true
				bound *= domainSize(domains[p.v])
			}
		}
		sum[t] += min(n, bound)
	}
	s.work[rel] = work
	for t, n := range sum {
		if !isNext {
			t.size = max(t.size, min(n, t.full()))
		}
	}
}

func domainSize(c *column) float64 {
	if c == nil {
		return unknownColumn
	}
	return c.size()
}

// join estimates the instances of a rule, and gives the domains of its
// variables.
func (s *sizes) join(r *rule) (float64, []*column) {
	domains, ok := s.domains(r)
	if !ok {
		return 0, domains
	}
	n := 1.0
	bound := make([]bool, r.vars)
	for i := range r.pos {
		n *= s.density(&r.pos[i])
		r.pos[i].vars(func(v int32) {
			if !bound[v] {
				bound[v] = true
				n *= domainSize(domains[v])
			}
		})
	}
	if math.IsInf(n, 0) || math.IsNaN(n) {
		n = math.MaxFloat64 / 1e30
	}
	return n, domains
}

// density is the share of all combinations of column values that are atoms.
func (s *sizes) density(l *literal) float64 {
	fits := s.fitting(l)
	size, full := 0.0, 0.0
	for _, t := range fits {
		size += t.size
		full += t.full()
	}
	if full == 0 {
		return 0
	}
	return size / full
}

// atoms estimates how many atoms match a literal.
func (s *sizes) atoms(l *literal) float64 {
	fits := s.fitting(l)
	key, cells := s.shape(l)
	n := 0.0
	for _, t := range fits {
		if t.key != key {
			n += t.size
			continue
		}
		k := t.size
		for i, p := range cells {
			if p.id != 0 {
				k /= t.columns[i].size()
			}
		}
		n += k
	}
	return n
}
