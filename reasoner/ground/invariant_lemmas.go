package ground

import (
	"fmt"
	"slices"
	"strings"

	"semisplit/reasoner/gdl"
)

// A lemma is a condition that every rule for a relation has in common: what
// follows from a fact without telling its rules apart. All rules for chess's
// moves say that the player is in control and that the piece is where it
// leaves from, some of them through other relations.

// Bounds of the lemmas.
const (
	maxLemmaRules   = 80 // rules of a relation
	maxLemmaForms   = 24 // ways to write one condition
	maxLemmaRounds  = 8  // until the lemmas of a recursive group prove one another
	maxLemmas       = 12 // of one relation
	maxLemmaSetSize = 400
)

// lemmaKey names a relation, and for legal the functor of the move.
type lemmaKey struct {
	rel   gdl.RelID
	move  gdl.Symbol
	arity int // of the move; -1 for other relations
}

// lemmas are conditions whose variables below places stand for the arguments
// (for legal: the role and the move's arguments), and others for something, or
// for anything in a negated condition.
type lemmas struct {
	places   int
	vars     int
	flex     []int32 // variables of negated conditions
	literals []gdl.Literal
}

// lemmaKeyOf returns the key of a fact, and its arguments.
func (t *tableau) lemmaKeyOf(rel gdl.RelID, args []gdl.Term, off int32) (key lemmaKey, places []sharedTerm, ok bool) {
	key = lemmaKey{rel: rel, arity: -1}
	if rel != gdl.RelLegal {
		for i := range args {
			places = append(places, sharedTerm{&args[i], off})
		}
		return key, places, true
	}
	m, v := t.resolve(sharedTerm{&args[1], off})
	if v >= 0 {
		return key, nil, false
	}
	places = append(places, sharedTerm{&args[0], off})
	for i := range m.t.Args {
		places = append(places, sharedTerm{&m.t.Args[i], m.off})
	}
	return lemmaKey{rel, m.t.Name, len(m.t.Args)}, places, true
}

// lemmaKeys lists what there can be lemmas of.
func (k *knowledge) lemmaKeys() []lemmaKey {
	var keys []lemmaKey
	seen := make(map[lemmaKey]bool)
	for rel := range k.rules {
		if k.facts.known[rel] != nil || gdl.RelID(rel) == gdl.RelNext || gdl.RelID(rel) == gdl.RelInit {
			continue
		}
		for _, r := range k.rules[rel] {
			key := lemmaKey{rel: gdl.RelID(rel), arity: -1}
			if key.rel == gdl.RelLegal {
				m := &k.rule(r).Head.Args[1]
				if m.Var >= 0 {
					continue
				}
				key.move, key.arity = m.Name, len(m.Args)
			}
			if !seen[key] {
				seen[key] = true
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// findLemmas fills in the lemmas, relations that others rest on first. Those
// of a recursive group are found by induction on how a fact is derived: what
// all rules have in common if the facts of the group that they ask for have
// it, starting from the rules that ask for none.
func (t *tableau) findLemmas() {
	t.k.lemmas = make(map[lemmaKey]*lemmas)
	keys := t.k.lemmaKeys()
	group := func(key lemmaKey) int { return t.k.p.Relations[key.rel].Group }
	slices.SortStableFunc(keys, func(a, b lemmaKey) int { return group(a) - group(b) })
	for len(keys) > 0 {
		n := 1
		for n < len(keys) && group(keys[n]) == group(keys[0]) {
			n++
		}
		t.findGroupLemmas(keys[:n], t.k.p.Relations[keys[0].rel].Cyclic)
		keys = keys[n:]
	}
}

func (t *tableau) findGroupLemmas(keys []lemmaKey, cyclic bool) {
	next := make([]*lemmas, len(keys))
	for round := 0; ; round++ {
		stable := true
		for i, key := range keys {
			t.reset()
			l := t.commonConditions(key, cyclic && round == 0)
			stable = stable && l.name() == next[i].name()
			next[i] = l
		}
		if round == maxLemmaRounds && !stable {
			for i := range next {
				next[i] = nil
			}
			stable = true
		}
		for i, key := range keys {
			t.k.lemmas[key] = next[i]
		}
		if stable && round > 0 || !cyclic || round > maxLemmaRounds {
			return
		}
	}
}

// name spells the lemmas, to compare them.
func (l *lemmas) name() string {
	if l == nil {
		return ""
	}
	var b strings.Builder
	for i := range l.literals {
		b.WriteString(literalName(&l.literals[i]))
	}
	return b.String()
}

// commonConditions intersects the conditions of all rules that can derive a
// fact of the key's form, or of those that do not recurse.
func (t *tableau) commonConditions(key lemmaKey, basis bool) *lemmas {
	head, places := t.lemmaHead(key)
	rules := t.k.rules[key.rel]
	if len(rules) > maxLemmaRules {
		return nil
	}
	var common []gdl.Literal
	first := true
	for _, r := range rules {
		m := t.mark()
		rule := t.k.rule(r)
		off := t.instance(r, false)
		if basis && t.k.recursive(rule) || !t.unifyAll(head, 0, rule.Head.Args, off, false) {
			t.back(m)
			continue
		}
		forms := t.conditionForms(rule, off, places)
		t.back(m)
		if first {
			common, first = forms, false
			continue
		}
		have := make(map[string]bool, len(forms))
		for i := range forms {
			have[literalName(&forms[i])] = true
		}
		common = slices.DeleteFunc(common, func(l gdl.Literal) bool { return !have[literalName(&l)] })
		if len(common) == 0 {
			return nil
		}
	}
	return strongest(common, places)
}

// recursive tells whether a rule asks for a relation of its head's group.
func (k *knowledge) recursive(rule *gdl.Rule) bool {
	for i := range rule.Body {
		l := &rule.Body[i]
		if l.Kind == gdl.Positive && k.p.Relations[l.Rel].Group == k.p.Relations[rule.Head.Rel].Group {
			return true
		}
	}
	return false
}

// lemmaHead makes the arguments of a fact of the key's form; its variables
// are the places, from 0.
func (t *tableau) lemmaHead(key lemmaKey) (head []gdl.Term, places int) {
	if key.rel != gdl.RelLegal {
		places = t.k.p.Relations[key.rel].Arity
		t.fresh(places, false)
		for i := range places {
			head = append(head, gdl.Term{Var: int32(i)})
		}
		return head, places
	}
	places = 1 + key.arity
	t.fresh(places, false)
	move := gdl.Term{Var: -1, Name: key.move}
	for i := range key.arity {
		move.Args = append(move.Args, gdl.Term{Var: int32(i + 1)})
	}
	return []gdl.Term{{Var: 0}, move}, places
}

// something stands in a form for any term.
const something = placeholder - 1

// conditionForms writes the conditions of a rule in terms of the head's
// places, each in several ways, with the lemmas of its conditions.
func (t *tableau) conditionForms(rule *gdl.Rule, off int32, places int) []gdl.Literal {
	var out []gdl.Literal
	seen := make(map[string]bool)
	add := func(kind gdl.LiteralKind, rel gdl.RelID, args []gdl.Term, off int32) {
		if len(out) > maxLemmaSetSize || kind != gdl.Negative && (kind != gdl.Positive || rel != gdl.RelTrue && t.k.facts.known[rel] == nil) {
			return
		}
		if kind == gdl.Negative && t.repeatsFlexible(args, off) {
			return // each something would stand for anything, on its own
		}
		for _, form := range t.formsOf(args, off, places, kind == gdl.Negative) {
			l := gdl.Literal{Kind: kind, Atom: gdl.Atom{Rel: rel, Args: form}}
			if name := literalName(&l); !seen[name] {
				seen[name] = true
				out = append(out, l)
			}
		}
	}
	for i := range rule.Body {
		l := &rule.Body[i]
		add(l.Kind, l.Rel, l.Args, off)
		if l.Kind != gdl.Positive {
			continue
		}
		key, at, ok := t.lemmaKeyOf(l.Rel, l.Args, off)
		if found := t.k.lemmas[key]; ok && found != nil {
			base := t.placeVars(found, at, 0)
			for j := range found.literals {
				add(found.literals[j].Kind, found.literals[j].Rel, found.literals[j].Args, base)
			}
		}
	}
	return out
}

// repeatsFlexible tells whether a flexible variable occurs twice.
func (t *tableau) repeatsFlexible(args []gdl.Term, off int32) bool {
	var loose []int32
	seen := make(map[int32]bool)
	repeats := false
	termVars(t.copyTerms(args, off, &loose), func(v int32) {
		if v >= placeholder {
			repeats = repeats || seen[v]
			seen[v] = true
		}
	})
	return repeats
}

// placeVars makes the variables of lemmas, bound to the places of a fact.
func (t *tableau) placeVars(l *lemmas, at []sharedTerm, why uint64) int32 {
	base := t.fresh(l.vars, false)
	save := t.why
	t.why = why
	for i := range l.places {
		t.bind(base+int32(i), at[i])
	}
	t.why = save
	for _, v := range l.flex {
		t.slots[base+v].flex = true
	}
	return base
}

// formsOf writes arguments in all ways: a place for a term that equals it, and
// something for any term that is no place. In a negated condition only what is
// flexible can be left open.
func (t *tableau) formsOf(args []gdl.Term, off int32, places int, negated bool) [][]gdl.Term {
	forms := [][]gdl.Term{nil}
	for i := range args {
		var next [][]gdl.Term
		for _, option := range t.formsOfTerm(sharedTerm{&args[i], off}, places, negated) {
			for _, f := range forms {
				if len(next) < maxLemmaForms {
					next = append(next, append(f[:len(f):len(f)], option))
				}
			}
		}
		forms = next
	}
	return forms
}

func (t *tableau) formsOfTerm(s sharedTerm, places int, negated bool) []gdl.Term {
	var out []gdl.Term
	for i := range places {
		if t.same(s, sharedTerm{&gdl.Term{Var: int32(i)}, 0}) {
			out = append(out, gdl.Term{Var: int32(i)})
		}
	}
	s, v := t.resolve(s)
	switch {
	case v >= 0 && (len(out) > 0 || negated && !t.slots[v].flex):
		return out
	case v >= 0:
	case len(s.t.Args) > 0:
		for _, args := range t.formsOf(s.t.Args, s.off, places, negated) {
			out = append(out, gdl.Term{Var: -1, Name: s.t.Name, Args: args})
		}
		return out
	default:
		out = append(out, gdl.Term{Var: -1, Name: s.t.Name})
	}
	if negated && v < 0 {
		return out
	}
	return append(out, gdl.Term{Var: something})
}

// strongest drops the forms that another one implies, and gives each
// something a variable of its own.
func strongest(forms []gdl.Literal, places int) *lemmas {
	l := &lemmas{places: places, vars: places}
	for i := range forms {
		f := &forms[i]
		implied := f.Kind == gdl.Positive && slices.ContainsFunc(forms, func(o gdl.Literal) bool {
			return o.Kind == f.Kind && o.Rel == f.Rel && covers(f.Args, o.Args) && !covers(o.Args, f.Args)
		})
		if implied || len(l.literals) == maxLemmas {
			continue
		}
		args := renamed(f.Args, func(v int32) int32 {
			if v != something {
				return v
			}
			if f.Kind == gdl.Negative {
				l.flex = append(l.flex, int32(l.vars))
			}
			l.vars++
			return int32(l.vars - 1)
		})
		l.literals = append(l.literals, gdl.Literal{Kind: f.Kind, Atom: gdl.Atom{Rel: f.Rel, Args: args}})
	}
	if len(l.literals) == 0 {
		return nil
	}
	return l
}

// covers tells whether a says nothing that b does not say.
func covers(a, b []gdl.Term) bool {
	for i := range a {
		switch {
		case a[i].Var == something:
		case a[i].Var != b[i].Var || a[i].Name != b[i].Name || len(a[i].Args) != len(b[i].Args) || !covers(a[i].Args, b[i].Args):
			return false
		}
	}
	return true
}

func literalName(l *gdl.Literal) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d", l.Kind, l.Rel)
	nameTerms(&b, l.Args)
	return b.String()
}

func nameTerms(b *strings.Builder, terms []gdl.Term) {
	b.WriteByte('(')
	for i := range terms {
		fmt.Fprintf(b, " %d.%d", terms[i].Var, terms[i].Name)
		nameTerms(b, terms[i].Args)
	}
	b.WriteByte(')')
}

// holdLemmas adds the lemmas of a new fact.
func (t *tableau) holdLemmas(rel gdl.RelID, args []gdl.Term, off int32, why uint64, depth int) {
	save := t.why
	t.why = why
	key, at, ok := t.lemmaKeyOf(rel, args, off)
	why, t.why = t.why, save
	l := t.k.lemmas[key]
	if !ok || l == nil {
		return
	}
	base := t.placeVars(l, at, why)
	for i := range l.literals {
		if c := &l.literals[i]; c.Kind == gdl.Negative {
			t.deny(c, base, why)
		} else {
			t.hold(c.Rel, c.Args, base, why, depth)
		}
	}
}
