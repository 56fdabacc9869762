package gdl

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"semisplit/internal/testenv"
	"semisplit/kif"
)

// domain is what the variables of the drawn conditions range over.
var domain = []string{"1", "2", "3"}

// facts hold in the world of the drawn conditions.
var facts = []string{"(num 1)", "(num 2)", "(num 3)", "(odd 1)", "(odd 3)", "(less 1 2)", "(less 2 3)", "(less 1 3)", "yes"}

// drawCondition draws a condition over the variables, all of which the rule
// binds. Conjunctions with a variable of their own occur anywhere.
func drawCondition(t *rapid.T, vars []string, depth int, fresh *int) string {
	v := func() string { return rapid.SampledFrom(vars).Draw(t, "variable") }
	kind := rapid.IntRange(0, 11).Draw(t, "kind")
	if depth == 0 {
		kind %= 5
	}
	switch kind {
	case 0:
		return fmt.Sprintf("(odd %s)", v())
	case 1:
		return fmt.Sprintf("(less %s %s)", v(), v())
	case 2:
		return fmt.Sprintf("(distinct %s %s)", v(), v())
	case 3:
		return fmt.Sprintf("(less %s 2)", v())
	case 4:
		return rapid.SampledFrom([]string{"yes", "no", "(or)", "(and)"}).Draw(t, "proposition")
	case 5:
		return "(not " + drawCondition(t, vars, depth-1, fresh) + ")"
	case 6, 7, 8:
		parts := []string{[]string{"or", "and", "or"}[kind-6]}
		for range rapid.IntRange(0, 3).Draw(t, "conditions") {
			parts = append(parts, drawCondition(t, vars, depth-1, fresh))
		}
		return "(" + strings.Join(parts, " ") + ")"
	}
	*fresh++
	own := fmt.Sprintf("?z%d", *fresh)
	tie := fmt.Sprintf(rapid.SampledFrom([]string{"(less %s %s)", "(distinct %s %s)", "(not (less %s %s))"}).Draw(t, "tie"), own, v())
	inner := drawCondition(t, append(slices.Clone(vars), own), depth-1, fresh)
	whole := fmt.Sprintf("(and (num %s) %s %s)", own, tie, inner)
	if kind == 9 {
		return whole
	}
	return "(not " + whole + ")"
}

// holds reads a condition directly. A variable that env does not have belongs
// to the conjunction that begins with its (num ?z).
func holds(c kif.Term, env map[string]string) bool {
	name, args := split(c)
	value := func(i int) string {
		if args[i].IsVar() {
			return env[args[i].Name]
		}
		return args[i].Name
	}
	switch name {
	case "not":
		return !holds(args[0], env)
	case "or":
		return slices.ContainsFunc(args, func(a kif.Term) bool { return holds(a, env) })
	case "and":
		if len(args) > 0 && args[0].IsList() && len(args[0].Items) == 2 && strings.HasPrefix(args[0].Items[1].Name, "?z") && env[args[0].Items[1].Name] == "" {
			own := args[0].Items[1].Name
			defer delete(env, own)
			return slices.ContainsFunc(domain, func(v string) bool {
				env[own] = v
				return holds(args[1], env) && holds(args[2], env)
			})
		}
		return !slices.ContainsFunc(args, func(a kif.Term) bool { return !holds(a, env) })
	case "distinct":
		return value(0) != value(1)
	}
	ground := kif.Symbol(name)
	if len(args) > 0 {
		ground = kif.List(ground)
		for i := range args {
			ground.Items = append(ground.Items, kif.Symbol(value(i)))
		}
	}
	return slices.Contains(facts, ground.String())
}

// TestMeaning: multiplied out or moved to relations of their own, conditions
// mean what they say.
func TestMeaning(t *testing.T) {
	testenv.Check(t, func(t *rapid.T) {
		var fresh int
		condition := drawCondition(t, []string{"?x", "?y"}, 4, &fresh)
		limits := DefaultLimits
		limits.Alternatives = rapid.SampledFrom([]int{1, 2, 5, 64}).Draw(t, "alternatives")
		text := "(<= (p ?x ?y) (num ?x) (num ?y) " + condition + ")\n" + strings.Join(facts, "\n") + "\n(role r) (legal r go)"
		terms, err := kif.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		program, diags := limits.Analyze(terms)
		if err := diags.Err(); err != nil {
			if strings.Contains(err.Error(), "alternatives") {
				t.Skip("too complex")
			}
			t.Fatal(err)
		}
		var want []string
		body, _ := kif.ParseTerm(condition)
		for _, x := range domain {
			for _, y := range domain {
				if holds(body, map[string]string{"?x": x, "?y": y}) {
					want = append(want, x+" "+y)
				}
			}
		}
		if got := pairs(t, program); !slices.Equal(got, want) {
			t.Fatalf("%s\nmeans %v, read as %v:\n%s", condition, want, got, program)
		}
	})
}

// TestNestedOr: an or within an or becomes a relation over the variables that it shares with
// all that stands outside, also with what only another or binds.
func TestNestedOr(t *testing.T) {
	const rule = `(role r) (legal r go) (b 9) (z 9) (q2 9 9) (r 1) (q 1 2)
		(<= (p ?x ?x) (or (q ?x ?y) (q2 ?x ?y)) (or (and (or (a ?y) (b ?y)) (r ?x)) (and (z ?x) (z ?x))))
		(<= (p ?x ?x) (or (q ?x ?y) (q2 ?x ?y)) (not (and (r ?x) (not (and (or (a ?y) (b ?y)) (r ?x))))))`
	for fact, want := range map[string][]string{"(a 2)": {"1 1", "9 9"}, "(a 3)": {"9 9"}} {
		terms, err := kif.Parse(rule + fact)
		if err != nil {
			t.Fatal(err)
		}
		for _, alternatives := range []int{1, 2, 64} {
			limits := DefaultLimits
			limits.Alternatives = alternatives
			program, diags := limits.Analyze(terms)
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			if got := slices.Compact(pairs(t, program)); !slices.Equal(got, want) {
				t.Errorf("%s, %d alternatives: p is %v, want %v:\n%s", fact, alternatives, got, want, program)
			}
		}
	}
}

// TestNegatedTwice: a negated conjunction within another one is the conjunction again.
func TestNegatedTwice(t *testing.T) {
	const rule = `(role r) (legal r go) (a 1) (a 2) (a 3) (a 4) (b 2) (b 3) (b 4) (c 2) (c 3) (d 3)
		(<= (p ?x ?x) (a ?x) `
	for condition, want := range map[string][]string{
		"(not (and (b ?x) (not (and (c ?x) (d ?x)))))":                          {"1 1", "3 3"},
		"(not (and (a ?x) (or (not (and (b ?x) (c ?x))) (d ?x))))":              {"2 2"},
		"(not (and (a ?x) (not (and (b ?x) (not (and (c ?x) (not (d ?x))))))))": {"3 3", "4 4"},
		"(not (and (a ?x) (not (and (a ?x) (not (and (b ?x) (not (d ?x))))))))": {"1 1", "3 3"},
	} {
		terms, err := kif.Parse(rule + condition + ")")
		if err != nil {
			t.Fatal(err)
		}
		program, diags := DefaultLimits.Analyze(terms)
		if err := diags.Err(); err != nil {
			t.Fatal(err)
		}
		if got := slices.Compact(pairs(t, program)); !slices.Equal(got, want) {
			t.Errorf("%s: p is %v, want %v:\n%s", condition, got, want, program)
		}
	}
}

// TestNegationBesideRecursion: a negated conjunction in a recursive rule is no recursion
// through the negation, where another condition binds what it asks for.
func TestNegationBesideRecursion(t *testing.T) {
	program, diags := Read(`(role r) (legal r go) (big 1) (succ 1 2) (succ 2 3) (p 1 1)
		(<= (p ?y ?y) (p ?x ?x) (succ ?x ?y) (not (and (big ?z) (distinct ?z ?x))))`)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if got := slices.Compact(pairs(t, program)); !slices.Equal(got, []string{"1 1", "2 2"}) {
		t.Errorf("p is %v:\n%s", got, program)
	}
}

// TestDeepAlternatives: alternatives that cannot be moved to a relation, for they leave a
// variable of the head unbound, are found once, however deep they stand.
func TestDeepAlternatives(t *testing.T) {
	condition := "(and" + strings.Repeat(" (or (not (odd ?x)) (not (less ?x ?x)))", 7) + ")"
	for range 45 {
		condition = "(and (or " + condition + ") yes)"
	}
	program, diags := Read("(role r) (legal r go) (num 1) (num 2) (odd 1) yes (<= (p ?x ?x) (num ?x) " + condition + ")")
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if got := slices.Compact(pairs(t, program)); !slices.Equal(got, []string{"1 1", "2 2"}) {
		t.Errorf("p is %v:\n%s", got, program)
	}
}

// TestManyHelpers: relations that are made for parts of conditions are held against the
// limit on rules, also where no rule for them can fire.
func TestManyHelpers(t *testing.T) {
	terms, err := kif.Parse("(role r) (legal r go) (<= (p ?x)" + strings.Repeat(" (or (not (q ?x)) (not (r ?x)))", 10) + strings.Repeat(" (not (and (q ?y) (distinct 1 1)))", 3) + ")")
	if err != nil {
		t.Fatal(err)
	}
	limits := DefaultLimits
	limits.Rules = 1000
	program, diags := limits.Analyze(terms)
	if program != nil {
		t.Errorf("%d relations were made: %s", len(program.Relations), diags)
	}
}

// pairs evaluates p of the program.
func pairs(t rapid.TB, program *Program) []string {
	s := newStatic(program)
	sym, _ := program.Symbols.Lookup("p")
	var got []string
	for id, rel := range program.Relations {
		if rel.Name != sym {
			continue
		}
		s.close(RelID(id))
		for _, row := range s.known[RelID(id)].rows {
			got = append(got, s.store.String(row[0])+" "+s.store.String(row[1]))
		}
	}
	if s.work > maxStaticWork {
		t.Skip("too much work")
	}
	slices.Sort(got)
	return got
}
