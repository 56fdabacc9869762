package reasonertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"semisplit/internal/testenv"
	"semisplit/reasoner"
	"semisplit/reasoner/split"
)

// drawer makes the rules of a random game over three constants: fluents f and
// g, static relations s and u, relations of the state in layers, moves of up to
// three arguments, relations of the moves in layers. Every rule is safe and
// negation looks at lower layers only.
type drawer struct {
	t   *rapid.T
	out strings.Builder
}

// shape is a literal that a rule may use: its text up to the arguments.
type shape struct {
	head  string // such as "true (f"
	close string // such as "))"
	arity int
}

var (
	stateShapes = []shape{{"(true (f", "))", 2}, {"(true (g", "))", 1}, {"(s", ")", 2}, {"(u", ")", 1}, {"(reach", ")", 2}, {"(hits", ")", 3}}
	moveShapes  = []shape{
		{"(does a (m", "))", 2}, {"(does a (k", "))", 1}, {"(does a (w", "))", 3}, {"(does b (m", "))", 2},
		{"(does ?r (m", "))", 2}, {"(does a noop", ")", 0}, {"(does ?r noop", ")", 0}, {"(does b ?m", ")", 0},
		{"(does a (go (pos", ")))", 2}, {"(does b (go ?y", "))", 1}, {"(does a (go", "))", 1}, {"(costs ?m", ") (does a ?m)", 1},
	}
	legalShapes = []shape{{"(legal a (m", "))", 2}, {"(legal ?r (k", "))", 1}, {"(legal b ?m", ")", 0}, {"(legal ?r ?m", ")", 0}}
)

func (d *drawer) int(low, high int) int { return rapid.IntRange(low, high).Draw(d.t, "n") }

func (d *drawer) pick(from ...string) string { return rapid.SampledFrom(from).Draw(d.t, "one") }

func (d *drawer) literal(s shape, terms ...string) string {
	text := s.head
	for range s.arity {
		text += " " + d.pick(terms...)
	}
	return text + s.close
}

// rule draws a rule with the head, whose arguments are drawn as well. may are
// the shapes of its positive literals, lower those that it may negate too; one
// literal is of must, if there are any.
func (d *drawer) rule(head shape, must, may, lower []shape) {
	var body []string
	if len(must) > 0 {
		body = append(body, d.literal(rapid.SampledFrom(must).Draw(d.t, "must"), "?x", "?y", "?z", "?x", "?y", "c1"))
	}
	for range d.int(1-len(body), 2) {
		body = append(body, d.literal(rapid.SampledFrom(may).Draw(d.t, "literal"), "?x", "?y", "?z", "?x", "?y", "c0", "c1"))
	}
	var safe []string
	for _, v := range []string{"?x", "?y", "?z"} {
		if slices.ContainsFunc(body, func(l string) bool { return strings.Contains(l, v) }) {
			safe = append(safe, v, v)
		}
	}
	if strings.Contains(head.head, "?x") && !slices.Contains(safe, "?x") {
		body = append(body, "(u ?x)")
		safe = append(safe, "?x")
	}
	safe = append(safe, "c2")
	for range d.int(0, 2) {
		switch d.int(0, 3) {
		case 0:
			body = append(body, fmt.Sprintf("(distinct %s %s)", d.pick(safe...), d.pick(safe...)))
		default:
			body = append(body, "(not "+d.literal(rapid.SampledFrom(lower).Draw(d.t, "not"), append(safe, safe...)...)+")")
		}
	}
	body = rapid.Permutation(body).Draw(d.t, "order")
	fmt.Fprintf(&d.out, "(<= %s %s)\n", d.literal(head, safe...), strings.Join(body, " "))
}

// layers draws relations that build on each other, the first on the shapes
// given, and returns all shapes.
func (d *drawer) layers(name string, must, on []shape, n int) []shape {
	all := slices.Clone(on)
	for k := range n {
		s := shape{fmt.Sprintf("(%s%d", name, k), ")", 1 + (k+1)%2}
		may := all
		if d.int(0, 3) == 0 {
			may = append(slices.Clone(all), s) // recursion
		}
		for range d.int(1, 2) {
			d.rule(s, must, may, all)
		}
		all = append(all, s)
		if len(must) > 0 {
			must = append(slices.Clone(must), s)
		}
	}
	return all
}

func randomGame(t *rapid.T) string {
	d := &drawer{t: t}
	d.out.WriteString("(role a) (role b)\n(legal a noop) (legal b noop)\n")
	constant := func() string { return d.pick("c0", "c1", "c2") }
	for range d.int(1, 4) {
		fmt.Fprintf(&d.out, "(init (f %s %s)) (s %s %s) (init (g %s)) (u %s)\n", constant(), constant(), constant(), constant(), constant(), constant())
	}
	d.out.WriteString(`(<= (reach ?x ?y) (true (f ?x ?y))) (<= (reach ?x ?z) (reach ?x ?y) (true (f ?y ?z)))
		(<= (hits ?x ?y ?z) (true (f ?x ?y)) (s ?y ?z)) (<= (hits ?x ?y ?z) (hits ?y ?x ?w) (true (f ?w ?z)) (not (true (g ?y))))
`)
	state := d.layers("p", nil, stateShapes, d.int(1, 3))
	for _, head := range []shape{
		{"(legal a (m", "))", 2}, {"(legal a (k", "))", 1}, {"(legal a (w", "))", 3}, {"(legal b (m", "))", 2},
		{"(legal a (w", "))", 3}, {"(legal a (go (pos", ")))", 2}, {"(legal b (go ?x", "))", 1}, {"(may a (w", "))", 3}, {"(may b (m", "))", 2},
	} {
		for range d.int(-1, 2) {
			d.rule(head, nil, state, state)
		}
	}
	d.out.WriteString(d.pick("", "(<= (legal ?r ?m) (may ?r ?m))\n", "(<= (legal ?r ?m) (may ?r ?m) (not (costs ?m c1)))\n"))
	d.out.WriteString("(<= (costs (m ?x ?y) ?y) (s ?x ?y)) (<= (costs (w ?x ?y ?z) ?x) (u ?x) (s ?y ?z)) (costs noop c2) (costs (k c0) c1)\n")
	d.out.WriteString(d.pick("", "", "(<= (legal b ?m) (true (last ?m)))\n", "(<= (legal ?r ?m) (true (last ?m)) (role ?r))\n"))
	d.out.WriteString(d.pick("", "(<= (next (last ?m)) (does a ?m))\n", "(<= (next (last ?m)) (does b ?m) (not (true (last ?m))))\n"))
	moves := d.layers("q", moveShapes, state, d.int(0, 2))
	moves = append(moves, moveShapes...)
	for _, head := range []shape{{"(next (f", "))", 2}, {"(next (g", "))", 1}} {
		for range d.int(1, 3) {
			d.rule(head, d.must(moves, len(state)), moves, moves)
		}
	}
	d.out.WriteString(d.pick("", "(<= (next (f ?x ?y)) (true (f ?x ?y)) (not (does a (m ?x ?y))))\n"))
	asked := slices.Concat(state, legalShapes)
	if d.int(0, 2) == 0 {
		d.rule(shape{"terminal", "", 0}, nil, asked, asked)
	}
	d.rule(shape{"(goal a 50", ")", 0}, nil, asked, asked)
	d.rule(shape{"(goal b 50", ")", 0}, nil, asked, asked)
	return d.out.String()
}

// must says which literals a rule needs one of: moves, most of the time.
func (d *drawer) must(moves []shape, states int) []shape {
	if d.int(0, 3) == 0 {
		return nil
	}
	return moves[states:]
}

// TestPlansOfRandomGames holds every plan of random rules against the rules.
func TestPlansOfRandomGames(t *testing.T) {
	testenv.Check(t, func(t *rapid.T) {
		rules := randomGame(t)
		p, diags := reasoner.Read(rules)
		if diags.Err() != nil {
			t.Skipf("%v", diags.Err())
		}
		oracle, err := reasoner.NewProver(p)
		if err != nil {
			t.Skip(err.Error())
		}
		all, _ := split.Plans(context.Background(), p)
		if len(all) == 0 {
			t.Fatalf("no plans for\n%s", rules)
		}
		for _, plan := range all {
			g, err := split.Rewrite(context.Background(), p, plan)
			if err != nil {
				t.Fatalf("plan %s: %v, for\n%s", plan.Name, err, rules)
			}
			m, err := SplitProver(g)
			if err != nil {
				t.Fatalf("plan %s: %v, for\n%s", plan.Name, err, rules)
			}
			r := &recorder{}
			r.watch(func() {
				check(r, Game{Name: "random", Oracle: oracle, Seeds: []uint64{1, 2}, Rounds: 12, Time: time.Minute}, m)
			})
			if r.Failed() {
				t.Logf("split:\n%s", g.Program)
				t.Fatalf("plan %s: %v\n%s\nfor\n%s", plan.Name, r.failures, g.Plan, rules)
			}
		}
	})
}
