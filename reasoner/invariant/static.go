package invariant

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// Bounds of the evaluation of static relations for proofs. A relation that is
// larger stays as rules, which the proofs can unfold as well.
const (
	maxFactRows    = 3_000   // rows of one relation
	maxFactSteps   = 40_000  // rows tried while one group of relations is evaluated
	maxFactEffort  = 600_000 // the same over all relations
	maxRelaxSteps  = 15_000  // rows tried while one group of relations that are not static is bounded
	maxRelaxEffort = 300_000 // the same for relations that are not static
	maxFactSymbols = 2 << 20 // of all rows, written out
)

// facts holds the extensions of the static relations that are small enough.
type facts struct {
	p      *gdl.Program
	store  *gdl.Store
	known  []*factTable // by relation; nil: not static, or too large
	loose  []*factTable // by relation: what a relation that is not known can hold at most; nil: too much
	effort int
	orders map[*gdl.Rule][]*gdl.Literal // in which literals are joined: a long rule takes the square of its length

	symbols int // of the rows of all tables
}

// factTable is the extension of a static relation.
type factTable struct {
	arity int
	rows  []gdl.TermID // arity after arity
	terms []gdl.Term   // the same as terms
	count int
	index []map[gdl.Symbol][]int32 // by position: rows by functor
	seen  map[gdl.TermID]bool      // rows as terms
	keys  map[uint32]bool          // sets of positions: whether they determine the row
}

// newFacts evaluates the needed static relations, group by group, and then
// bounds the others.
func newFacts(p *gdl.Program, needed []bool) *facts {
	f := &facts{p: p, store: gdl.NewStore(p.Symbols), known: make([]*factTable, len(p.Relations)), orders: make(map[*gdl.Rule][]*gdl.Literal)}
	for _, group := range f.groups(func(r gdl.RelID) bool {
		return needed[r] && p.Relations[r].Depends == 0 && r != gdl.RelTrue && r != gdl.RelDoes
	}) {
		f.group(group)
	}
	f.effort = 0
	f.relax(f.groups(func(r gdl.RelID) bool {
		return needed[r] && f.known[r] == nil && r >= gdl.NumKeywordRelations
	}))
	return f
}

// groups lists relations by recursive group, each after those that it uses.
func (f *facts) groups(in func(gdl.RelID) bool) [][]gdl.RelID {
	var order []gdl.RelID
	for id := range f.p.Relations {
		if in(gdl.RelID(id)) {
			order = append(order, gdl.RelID(id))
		}
	}
	slices.SortStableFunc(order, func(a, b gdl.RelID) int { return f.p.Relations[a].Group - f.p.Relations[b].Group })
	var out [][]gdl.RelID
	for i, r := range order {
		if i == 0 || f.p.Relations[r].Group != f.p.Relations[order[i-1]].Group {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], r)
	}
	return out
}

// group evaluates relations that depend on one another to their fixed point.
func (f *facts) group(group []gdl.RelID) {
	for _, r := range group {
		f.known[r] = newFactTable(f.p.Relations[r].Arity)
	}
	e := &factJoin{facts: f, budget: maxFactSteps}
	for grown := true; grown && !e.over(); {
		grown = false
		for _, r := range group {
			before := f.known[r].count
			for _, i := range f.p.Relations[r].Rules {
				e.fire(&f.p.Rules[i])
			}
			grown = grown || f.known[r].count > before
		}
	}
	f.effort += maxFactSteps - e.budget
	if e.over() || f.effort > maxFactEffort {
		for _, r := range group {
			f.known[r] = nil
		}
	}
}

func newFactTable(arity int) *factTable {
	t := &factTable{arity: arity, seen: make(map[gdl.TermID]bool), keys: make(map[uint32]bool)}
	t.index = make([]map[gdl.Symbol][]int32, arity)
	for i := range t.index {
		t.index[i] = make(map[gdl.Symbol][]int32)
	}
	return t
}

// relax evaluates what the other needed relations can hold at most, in any
// state: conditions on the state and the moves are left out. That a queen's
// way never ends where it begins can be seen there, without induction.
func (f *facts) relax(groups [][]gdl.RelID) {
	f.loose = make([]*factTable, len(f.p.Relations))
	for _, group := range groups {
		for _, r := range group {
			f.loose[r] = newFactTable(f.p.Relations[r].Arity)
		}
		e := &factJoin{facts: f, relaxed: true, budget: min(maxRelaxSteps, maxRelaxEffort-f.effort)}
		before := e.budget
		for grown := true; grown && !e.over(); {
			grown = false
			for _, r := range group {
				n := f.loose[r].count
				for _, i := range f.p.Relations[r].Rules {
					e.fire(&f.p.Rules[i])
				}
				grown = grown || f.loose[r].count > n
			}
		}
		f.effort += max(before-e.budget, 0)
		if e.over() {
			for _, r := range group {
				f.loose[r] = nil
			}
		}
	}
}

// add files a row; false if it was there.
func (t *factTable) add(store *gdl.Store, name gdl.Symbol, row []gdl.TermID) bool {
	key := store.Compound(name, row)
	if t.seen[key] {
		return false
	}
	t.seen[key] = true
	for i, id := range row {
		fn := store.Functor(id)
		t.index[i][fn] = append(t.index[i][fn], int32(t.count))
		t.terms = append(t.terms, storedAsTerm(store, id))
	}
	t.rows = append(t.rows, row...)
	t.count++
	return true
}

// row returns the terms of a row.
func (t *factTable) row(i int32) []gdl.Term {
	return t.terms[int(i)*t.arity : (int(i)+1)*t.arity]
}

// determines tells whether rows that agree at the positions of the set are
// the same row.
func (t *factTable) determines(set uint32) bool {
	if known, ok := t.keys[set]; ok {
		return known
	}
	if t.arity > 8 || len(t.rows) == 0 {
		return false
	}
	type key [8]gdl.TermID
	seen := make(map[key]bool, t.count)
	result := true
	for i := 0; i < t.count && result; i++ {
		var k key
		for j := range t.arity {
			if set&(1<<j) != 0 {
				k[j] = t.rows[i*t.arity+j]
			}
		}
		result = !seen[k]
		seen[k] = true
	}
	t.keys[set] = result
	return result
}

func storedAsTerm(store *gdl.Store, id gdl.TermID) gdl.Term {
	t := gdl.Term{Var: -1, Name: store.Functor(id)}
	for _, a := range store.Args(id) {
		t.Args = append(t.Args, storedAsTerm(store, a))
	}
	return t
}

// factJoin evaluates rules over known extensions.
type factJoin struct {
	*facts
	relaxed bool // conditions on relations without a table, and their negations, are left out
	budget  int
	failed  bool // a relation is too large, or has no finite extension by itself
	rule    *gdl.Rule
	order   []*gdl.Literal
	bound   []gdl.TermID
	out     *factTable
}

// fire adds what the rule derives. A rule that asks for an unknown relation
// makes its head unknown, by failing.
func (e *factJoin) fire(rule *gdl.Rule) {
	for i := range rule.Body {
		if l := &rule.Body[i]; l.Rel >= 0 && e.known[l.Rel] == nil && !e.relaxed {
			e.failed = true
			return
		}
	}
	e.rule, e.out = rule, e.table(rule.Head.Rel)
	order := e.orders[rule]
	if order == nil {
		order = joinOrder(rule)
		e.orders[rule] = order
	}
	if e.order = order; e.relaxed {
		e.order = slices.Clone(order)
		e.order = slices.DeleteFunc(e.order, func(l *gdl.Literal) bool {
			return l.Rel >= 0 && (e.table(l.Rel) == nil || l.Kind == gdl.Negative && e.known[l.Rel] == nil)
		})
		// Without the conditions that are left out some tests cannot be made.
		bound := make([]bool, len(rule.Vars))
		e.order = slices.DeleteFunc(e.order, func(l *gdl.Literal) bool {
			free := false
			termVars(l.Args, func(v int32) {
				free = free || !bound[v]
				bound[v] = bound[v] || l.Kind == gdl.Positive
			})
			return free && l.Kind != gdl.Positive
		})
	}
	e.bound = make([]gdl.TermID, len(rule.Vars))
	e.join(0)
}

func (e *factJoin) over() bool { return e.failed || e.budget <= 0 }

// table returns what is known of a relation, or what it can hold at most.
func (e *factJoin) table(rel gdl.RelID) *factTable {
	if t := e.known[rel]; t != nil || !e.relaxed {
		return t
	}
	return e.loose[rel]
}

// joinOrder puts positive literals that share bound variables first, and a
// test as soon as its variables are bound.
func joinOrder(rule *gdl.Rule) []*gdl.Literal {
	bound := make([]bool, len(rule.Vars))
	used := make([]bool, len(rule.Body))
	order := make([]*gdl.Literal, 0, len(rule.Body))
	for len(order) < len(rule.Body) {
		best, bestScore := -1, -1
		for i := range rule.Body {
			if used[i] {
				continue
			}
			l := &rule.Body[i]
			free, fixed := 0, 0
			termVars(l.Args, func(v int32) {
				if bound[v] {
					fixed++
				} else {
					free++
				}
			})
			score := 0
			switch {
			case l.Kind == gdl.Positive:
				score = 1 + 100*fixed/(1+free)
			case l.Kind != gdl.Negative && free == 0:
				score = 1 << 20
			}
			if score > bestScore {
				best, bestScore = i, score
			}
		}
		used[best] = true
		order = append(order, &rule.Body[best])
		if rule.Body[best].Kind == gdl.Positive {
			termVars(rule.Body[best].Args, func(v int32) { bound[v] = true })
		}
	}
	return order
}

// termVars calls f on every occurrence of a variable.
func termVars(terms []gdl.Term, f func(int32)) {
	for i := range terms {
		if terms[i].Var >= 0 {
			f(terms[i].Var)
		}
		termVars(terms[i].Args, f)
	}
}

func (e *factJoin) join(at int) {
	if e.budget--; e.over() {
		return
	}
	if at == len(e.order) {
		row := make([]gdl.TermID, len(e.rule.Head.Args))
		for i := range row {
			if row[i] = e.build(&e.rule.Head.Args[i]); row[i] == 0 || e.store.Depth(row[i]) > 12 || e.store.Size(row[i]) > maxFactSymbols {
				e.failed = true
				return
			}
		}
		if e.add(row); e.out.count > maxFactRows {
			e.failed = true
		}
		return
	}
	e.literal(at)
}

// add files what the rule derives.
func (e *factJoin) add(row []gdl.TermID) {
	for _, id := range row {
		e.symbols += e.store.Size(id)
	}
	if e.symbols > maxFactSymbols {
		e.failed = true
		return
	}
	if !e.out.add(e.store, e.p.Relations[e.rule.Head.Rel].Name, row) {
		for _, id := range row {
			e.symbols -= e.store.Size(id)
		}
	}
}

// literal goes on for each way in which a literal holds.
func (e *factJoin) literal(at int) {
	l := e.order[at]
	switch l.Kind {
	case gdl.Distinct, gdl.Same:
		a, b := e.build(&l.Args[0]), e.build(&l.Args[1])
		if a == 0 || b == 0 {
			e.failed = true
		} else if (a == b) == (l.Kind == gdl.Same) {
			e.join(at + 1)
		}
	case gdl.Negative:
		found := false
		e.rows(l, func() bool { found = true; return false })
		if !found {
			e.join(at + 1)
		}
	case gdl.Positive:
		e.rows(l, func() bool { e.join(at + 1); return !e.over() })
	}
}

// rows binds the literal to each of its rows until do returns false.
func (e *factJoin) rows(l *gdl.Literal, do func() bool) {
	t := e.table(l.Rel)
	pick, picked := []int32(nil), false
	for i := range l.Args {
		if id := e.build(&l.Args[i]); id != 0 {
			if rows := t.index[i][e.store.Functor(id)]; !picked || len(rows) < len(pick) {
				pick, picked = rows, true
			}
		}
	}
	n := t.count
	if picked {
		n = len(pick)
	}
	for k := range n {
		if e.budget--; e.over() {
			return
		}
		i := k
		if picked {
			i = int(pick[k])
		}
		var trail []int32
		ok := true
		for j := range l.Args {
			if ok = e.match(&l.Args[j], t.rows[i*t.arity+j], &trail); !ok {
				break
			}
		}
		goOn := !ok || do()
		for _, v := range trail {
			e.bound[v] = 0
		}
		if !goOn {
			return
		}
	}
}

// build returns the ground term, or 0 if a variable is free.
func (e *factJoin) build(t *gdl.Term) gdl.TermID {
	if t.Var >= 0 {
		return e.bound[t.Var]
	}
	args := make([]gdl.TermID, len(t.Args))
	for i := range t.Args {
		if args[i] = e.build(&t.Args[i]); args[i] == 0 {
			return 0
		}
	}
	return e.store.Compound(t.Name, args)
}

func (e *factJoin) match(t *gdl.Term, id gdl.TermID, trail *[]int32) bool {
	if t.Var >= 0 {
		if e.bound[t.Var] == 0 {
			e.bound[t.Var] = id
			*trail = append(*trail, t.Var)
		}
		return e.bound[t.Var] == id
	}
	args := e.store.Args(id)
	if e.store.Functor(id) != t.Name || len(args) != len(t.Args) {
		return false
	}
	for i := range args {
		if !e.match(&t.Args[i], args[i], trail) {
			return false
		}
	}
	return true
}
