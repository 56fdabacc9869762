package prover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/prover"
)

// A deliberately naive evaluator: terms are texts, a state is a set of facts,
// and the rules of each stratum are tried with every assignment of the
// constants to their variables until nothing is new.
type naive struct {
	p      *gdl.Program
	consts []string
	facts  map[string]bool
}

func (n *naive) run() {
	top := 0
	for _, r := range n.p.Relations {
		top = max(top, r.Stratum)
	}
	for stratum := 0; stratum <= top; stratum++ {
		for changed := true; changed; {
			changed = false
			for i := range n.p.Rules {
				r := &n.p.Rules[i]
				if n.p.Relations[r.Head.Rel].Stratum == stratum && n.try(r, make([]string, len(r.Vars)), 0) {
					changed = true
				}
			}
		}
	}
}

// try assigns variable v and the later ones; it reports whether there is a
// new fact.
func (n *naive) try(r *gdl.Rule, assigned []string, v int) bool {
	if v < len(assigned) {
		changed := false
		for _, c := range n.consts {
			assigned[v] = c
			changed = n.try(r, assigned, v+1) || changed
		}
		return changed
	}
	for _, l := range r.Body {
		var holds bool
		switch l.Kind {
		case gdl.Positive:
			holds = n.facts[n.atom(l.Atom, assigned)]
		case gdl.Negative:
			holds = !n.facts[n.atom(l.Atom, assigned)]
		case gdl.Distinct:
			holds = n.term(l.Args[0], assigned) != n.term(l.Args[1], assigned)
		case gdl.Same:
			holds = n.term(l.Args[0], assigned) == n.term(l.Args[1], assigned)
		}
		if !holds {
			return false
		}
	}
	f := n.atom(r.Head, assigned)
	isNew := !n.facts[f]
	n.facts[f] = true
	return isNew
}

func (n *naive) atom(a gdl.Atom, assigned []string) string {
	parts := []string{fmt.Sprint(a.Rel)}
	for _, t := range a.Args {
		parts = append(parts, n.term(t, assigned))
	}
	return strings.Join(parts, " ")
}

func (n *naive) term(t gdl.Term, assigned []string) string {
	if t.Var >= 0 {
		return assigned[t.Var]
	}
	text := n.p.Symbols.Name(t.Name)
	if len(t.Args) == 0 {
		return text
	}
	for _, a := range t.Args {
		text += " " + n.term(a, assigned)
	}
	return "(" + text + ")"
}

// randomRules draws a game over the constants c0..c2: relations p0..p4 of
// arity 1 or 2 in layers, where layer k may use itself and lower layers
// positively and lower layers negatively; every rule is safe.
func randomRules(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("(role r) (<= (next ?f) (true ?f))\n")
	constant := rapid.SampledFrom([]string{"c0", "c1", "c2"})
	for _, f := range []string{"f", "g"} {
		for range rapid.IntRange(0, 4).Draw(t, "fluents") {
			fmt.Fprintf(&b, "(init (%s %s %s))\n", f, constant.Draw(t, "c"), constant.Draw(t, "c"))
		}
	}
	arity := func(k int) int { return 1 + k%2 }
	const layers = 5
	for k := range layers {
		for range rapid.IntRange(0, 3).Draw(t, "facts") {
			fmt.Fprintf(&b, "(%s)\n", atomText(fmt.Sprint("p", k), arity(k), func() string { return constant.Draw(t, "c") }))
		}
		for range rapid.IntRange(0, 3).Draw(t, "rules") {
			b.WriteString(randomRule(t, k, arity))
		}
		args := []string{"?x", "?y"}[:arity(k)]
		fmt.Fprintf(&b, "(<= (legal r (m%d %s)) (p%d %s))\n", k, strings.Join(args, " "), k, strings.Join(args, " "))
		fmt.Fprintf(&b, "(<= (goal r %d) (p%d %s))\n", k, k, strings.Join([]string{"c0", "c1"}[:arity(k)], " "))
	}
	b.WriteString("(legal r noop)\n")
	return b.String()
}

func atomText(name string, arity int, arg func() string) string {
	for range arity {
		name += " " + arg()
	}
	return name
}

func randomRule(t *rapid.T, k int, arity func(int) int) string {
	term := rapid.SampledFrom([]string{"?x", "?y", "?z", "?x", "?y", "c0", "c1"})
	draw := func() string { return term.Draw(t, "term") }
	var body []string
	seen := map[string]bool{}
	for range rapid.IntRange(1, 3).Draw(t, "positive") {
		var l string
		if which := rapid.IntRange(-2, k).Draw(t, "relation"); which < 0 {
			l = "true (" + atomText([]string{"f", "g"}[which+2], 2, draw) + ")"
		} else {
			l = atomText(fmt.Sprint("p", which), arity(which), draw)
		}
		for _, v := range []string{"?x", "?y", "?z"} {
			seen[v] = seen[v] || strings.Contains(l, v)
		}
		body = append(body, "("+l+")")
	}
	safe := []string{"c2"}
	for _, v := range []string{"?x", "?y", "?z"} {
		if seen[v] {
			safe = append(safe, v, v)
		}
	}
	safeTerm := rapid.SampledFrom(safe)
	arg := func() string { return safeTerm.Draw(t, "safe") }
	for range rapid.IntRange(0, 2).Draw(t, "tests") {
		switch which := rapid.IntRange(-3, k-1).Draw(t, "test"); which {
		case -3:
			body = append(body, fmt.Sprintf("(distinct %s %s)", arg(), arg()))
		case -2:
			body = append(body, fmt.Sprintf("(not (distinct %s %s))", arg(), arg()))
		case -1:
			body = append(body, fmt.Sprintf("(not (true (f %s %s)))", arg(), arg()))
		default:
			body = append(body, "(not ("+atomText(fmt.Sprint("p", which), arity(which), arg)+"))")
		}
	}
	order := rapid.Permutation(body).Draw(t, "order")
	return fmt.Sprintf("(<= (%s) %s)\n", atomText(fmt.Sprint("p", k), arity(k), arg), strings.Join(order, " "))
}

// TestNaive compares the prover with the naive evaluator on random rules.
func TestNaive(t *testing.T) {
	testenv.Check(t, func(t *rapid.T) {
		rules := randomRules(t)
		p, diags := gdl.Read(rules)
		if err := diags.Err(); err != nil {
			t.Fatalf("%v in\n%s", err, rules)
		}
		m, err := prover.New(p, prover.Limits{})
		if err != nil {
			t.Fatalf("%v in\n%s", err, rules)
		}
		e := m.NewEngine(1)
		e.Load(0, m.Initial(), nil)
		if _, err := e.Step(nil); err != nil {
			t.Fatal(err)
		}
		n := &naive{p: p, consts: []string{"c0", "c1", "c2"}, facts: make(map[string]bool)}
		for _, f := range m.Fluents(e.State(0, nil)) {
			n.facts[fmt.Sprint(gdl.RelTrue)+" "+f.String()] = true
		}
		n.run()
		var moves []kif.Term
		for _, k := range e.Offers(0, 0, nil, nil) {
			moves = append(moves, m.Move(0, []uint32{k}))
		}
		if got, want := spell(moves), n.with(gdl.RelLegal); !slices.Equal(got, want) {
			t.Fatalf("legal %v, want %v in\n%s", got, want, rules)
		}
		var goals []string
		for _, v := range m.GoalValues(0, e.State(0, nil)) {
			goals = append(goals, fmt.Sprint(v))
		}
		if want := n.with(gdl.RelGoal); !slices.Equal(goals, want) {
			t.Fatalf("goals %v, want %v in\n%s", goals, want, rules)
		}
	})
}

// with lists the last arguments of the facts of a relation for role r.
func (n *naive) with(rel gdl.RelID) []string {
	var out []string
	for f := range n.facts {
		if rest, ok := strings.CutPrefix(f, fmt.Sprint(rel)+" r "); ok {
			out = append(out, rest)
		}
	}
	slices.Sort(out)
	return out
}
