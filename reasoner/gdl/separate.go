package gdl

import "fmt"

// separate rewrites groups with a negation inside so that the negation is seen
// to be one between different instances, where it is: every rule of the group
// gets a relation of its own, of which the original relation is the union, and
// conditions on relations of the group ask only those rules whose heads can
// match. Reports whether anything was rewritten.
func (a *analysis) separate(bad []cycle) bool {
	groups := make(map[int]bool)
	for _, c := range bad {
		groups[c.group] = true
	}
	s := separation{analysis: a, parts: make(map[RelID][]part), own: make(map[int]RelID)}
	before := len(a.program.Relations)
	for i := range a.program.Rules {
		head := a.program.Rules[i].Head
		if head.Rel >= RelID(before) || !groups[a.program.Relations[head.Rel].Group] {
			continue
		}
		if len(s.own) == maxForced {
			return false
		}
		id := a.partRelation(head)
		s.own[i] = id
		a.partOf[id] = head.Rel
		s.parts[head.Rel] = append(s.parts[head.Rel], part{id, head.Args})
	}
	rules, ok := s.rewrite()
	if !ok {
		return false
	}
	a.program.Rules = rules
	for r := range a.program.Relations {
		a.program.Relations[r].Rules = nil
	}
	for i, rule := range rules {
		rel := &a.program.Relations[rule.Head.Rel]
		rel.Rules = append(rel.Rules, int32(i))
	}
	return true
}

// separation is the rewriting of some groups.
type separation struct {
	*analysis
	parts    map[RelID][]part // of the relations in the groups
	own      map[int]RelID    // the new relation of each rule in the groups
	literals int              // made so far
}

// part is the new relation of a rule, and the arguments of the rule's head.
type part struct {
	rel  RelID
	args []Term
}

func (a *analysis) partRelation(head Atom) RelID {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s#%d", a.relationName(head.Rel), n)
		sym := a.program.Symbols.Intern(name)
		if _, taken := a.relations[relationKey{sym, len(head.Args)}]; !taken && !a.reserved[name] {
			return a.relation(name, len(head.Args), head.Pos)
		}
	}
}

// rewrite returns all rules anew; ok is false when they become too many.
func (s *separation) rewrite() (rules []Rule, ok bool) {
	for i, rule := range s.program.Rules {
		own, ours := s.own[i]
		if !ours {
			rules = append(rules, rule)
			continue
		}
		bodies := [][]Literal{nil}
		for _, l := range rule.Body {
			if bodies, ok = s.condition(bodies, l); !ok || len(bodies) > maxForced {
				return nil, false
			}
		}
		for _, body := range bodies {
			if !s.weigh(rule.Head, body) {
				return nil, false
			}
			rules = append(rules, s.renumbered(Atom{own, rule.Head.Args, rule.Head.Pos}, body, rule))
		}
		whole := []Literal{{Positive, Atom{own, rule.Head.Args, rule.Head.Pos}}}
		rules = append(rules, s.renumbered(rule.Head, whole, rule))
	}
	return rules, len(rules) <= s.limits.Rules
}

// condition adds a literal to the bodies: for a relation of the groups, the
// negation of all parts that can match, or each of them in a body of its own.
// It is false, and nothing is made, where all literals together become too many.
func (s *separation) condition(bodies [][]Literal, l Literal) ([][]Literal, bool) {
	parts, ours := s.parts[l.Rel]
	if !ours {
		return s.append(bodies, l)
	}
	var matching []Literal
	for _, p := range parts {
		if unifiableAll(l.Args, p.args) {
			matching = append(matching, Literal{l.Kind, Atom{p.rel, l.Args, l.Pos}})
		}
	}
	if l.Kind == Negative {
		return s.append(bodies, matching...)
	}
	for _, body := range bodies {
		s.literals += (len(body) + 1) * len(matching)
	}
	if s.literals > s.limits.Bodies {
		return nil, false
	}
	out := make([][]Literal, 0, len(bodies)*len(matching))
	for _, body := range bodies {
		for _, m := range matching {
			out = append(out, concat(body, []Literal{m}))
		}
	}
	return out, true
}

// append adds literals to each of the bodies, none of which shares memory with another.
func (s *separation) append(bodies [][]Literal, literals ...Literal) ([][]Literal, bool) {
	if s.literals += len(bodies) * len(literals); s.literals > s.limits.Bodies {
		return nil, false
	}
	for i, body := range bodies {
		bodies[i] = append(body, literals...)
	}
	return bodies, true
}

func (s *separation) renumbered(head Atom, body []Literal, from Rule) Rule {
	r := renumbering{from: from.Vars, to: make(map[int32]int32)}
	rule := Rule{Head: r.atom(head), Pos: from.Pos}
	for _, l := range body {
		rule.Body = append(rule.Body, Literal{l.Kind, r.atom(l.Atom)})
	}
	rule.Vars = r.names
	return rule
}

func unifiableAll(a, b []Term) bool {
	for i := range a {
		if !unifiable(a[i], b[i]) {
			return false
		}
	}
	return true
}
