package invariant

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

// lemmaFinder finds the lemmas of a game's relations.
type lemmaFinder struct{ b *branch }

// findLemmas fills in the lemmas, relations that others rest on first. Those
// of a recursive group are found by induction on how a fact is derived: what
// all rules have in common if the facts of the group that they ask for have
// it, starting from the rules that ask for none.
func (f *lemmaFinder) findLemmas() {
	f.b.k.lemmas = make(map[lemmaKey]*lemmas)
	keys := f.b.k.lemmaKeys()
	group := func(key lemmaKey) int { return f.b.k.p.Relations[key.rel].Group }
	slices.SortStableFunc(keys, func(a, b lemmaKey) int { return group(a) - group(b) })
	for len(keys) > 0 {
		n := 1
		for n < len(keys) && group(keys[n]) == group(keys[0]) {
			n++
		}
		f.findGroupLemmas(keys[:n], f.b.k.p.Relations[keys[0].rel].Cyclic)
		keys = keys[n:]
	}
}

func (f *lemmaFinder) findGroupLemmas(keys []lemmaKey, cyclic bool) {
	next := make([]*lemmas, len(keys))
	for round := 0; ; round++ {
		stable := true
		for i, key := range keys {
			f.b.reset()
			var l *lemmas
			if f.b.ctx.Err() != nil || !f.b.attempt(func() bool { l = f.commonConditions(key, cyclic && round == 0); return true }) {
				l = nil
			}
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
			f.b.k.lemmas[key] = next[i]
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
func (f *lemmaFinder) commonConditions(key lemmaKey, basis bool) *lemmas {
	head, places := f.lemmaHead(key)
	rules := f.b.k.rules[key.rel]
	if len(rules) > maxLemmaRules {
		return nil
	}
	var common []gdl.Literal
	first := true
	for _, r := range rules {
		m := f.b.mark()
		rule := f.b.k.rule(r)
		off := f.b.instance(r, false)
		if basis && f.b.k.recursive(rule) || !f.b.unifyAll(head, 0, rule.Head.Args, off, false) {
			f.b.back(m)
			continue
		}
		forms := f.conditionForms(rule, off, places)
		f.b.back(m)
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
func (f *lemmaFinder) lemmaHead(key lemmaKey) (head []gdl.Term, places int) {
	if key.rel != gdl.RelLegal {
		places = f.b.k.p.Relations[key.rel].Arity
		f.b.fresh(places, false)
		for i := range places {
			head = append(head, gdl.Term{Var: int32(i)})
		}
		return head, places
	}
	places = 1 + key.arity
	f.b.fresh(places, false)
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
func (f *lemmaFinder) conditionForms(rule *gdl.Rule, off int32, places int) []gdl.Literal {
	var out []gdl.Literal
	seen := make(map[string]bool)
	add := func(kind gdl.LiteralKind, rel gdl.RelID, args []gdl.Term, off int32) {
		if len(out) > maxLemmaSetSize || kind != gdl.Negative && (kind != gdl.Positive || rel != gdl.RelTrue && f.b.k.facts.known[rel] == nil) {
			return
		}
		if !f.small(args, off) {
			return
		}
		if kind == gdl.Negative && f.repeatsFlexible(args, off) {
			return // each something would stand for anything, on its own
		}
		for _, form := range f.formsOf(args, off, places, kind == gdl.Negative) {
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
		key, at, ok := f.b.lemmaKeyOf(l.Rel, l.Args, off)
		if found := f.b.k.lemmas[key]; ok && found != nil {
			base := f.b.placeVars(found, at, 0)
			for j := range found.literals {
				add(found.literals[j].Kind, found.literals[j].Rel, found.literals[j].Args, base)
			}
		}
	}
	return out
}

// maxLemmaSymbols is how many symbols a condition may have: each is written in
// up to maxLemmaForms ways.
const maxLemmaSymbols = 1000

// small tells whether arguments have few symbols.
func (f *lemmaFinder) small(args []gdl.Term, off int32) bool {
	left := maxLemmaSymbols
	var count func(s sharedTerm) bool
	count = func(s sharedTerm) bool {
		s, _ = f.b.resolve(s)
		if left--; left < 0 {
			return false
		}
		for i := range s.t.Args {
			if !count(sharedTerm{&s.t.Args[i], s.off}) {
				return false
			}
		}
		return true
	}
	for i := range args {
		if !count(sharedTerm{&args[i], off}) {
			return false
		}
	}
	return true
}

// repeatsFlexible tells whether a flexible variable occurs twice.
func (f *lemmaFinder) repeatsFlexible(args []gdl.Term, off int32) bool {
	var loose []int32
	seen := make(map[int32]bool)
	repeats := false
	termVars(f.b.copyTerms(args, off, &loose), func(v int32) {
		if v >= placeholder {
			repeats = repeats || seen[v]
			seen[v] = true
		}
	})
	return repeats
}

// formsOf writes arguments in all ways: a place for a term that equals it, and
// something for any term that is no place. In a negated condition only what is
// flexible can be left open.
func (f *lemmaFinder) formsOf(args []gdl.Term, off int32, places int, negated bool) [][]gdl.Term {
	forms := [][]gdl.Term{nil}
	for i := range args {
		var next [][]gdl.Term
		for _, option := range f.formsOfTerm(sharedTerm{&args[i], off}, places, negated) {
			for _, form := range forms {
				if len(next) < maxLemmaForms {
					next = append(next, append(form[:len(form):len(form)], option))
				}
			}
		}
		forms = next
	}
	return forms
}

func (f *lemmaFinder) formsOfTerm(s sharedTerm, places int, negated bool) []gdl.Term {
	var out []gdl.Term
	for i := range places {
		if f.b.same(s, sharedTerm{&gdl.Term{Var: int32(i)}, 0}) {
			out = append(out, gdl.Term{Var: int32(i)})
		}
	}
	s, v := f.b.resolve(s)
	switch {
	case v >= 0 && (len(out) > 0 || negated && !f.b.slots[v].flex):
		return out
	case v >= 0:
	case len(s.t.Args) > 0:
		for _, args := range f.formsOf(s.t.Args, s.off, places, negated) {
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
