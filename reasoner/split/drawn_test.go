package split_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"semisplit/internal/testenv"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// drawing writes a random game: relations p0..p4 in layers over fluents, moves
// of several forms, relations that take moves whole, rules that ask which moves
// are legal.
type drawing struct {
	t     *rapid.T
	b     strings.Builder
	turns bool // roles move in turn; the other has only nil
}

func (d *drawing) number(below int, what string) int {
	return rapid.IntRange(0, below-1).Draw(d.t, what)
}

func (d *drawing) pick(from ...string) string { return rapid.SampledFrom(from).Draw(d.t, "pick") }

func (d *drawing) term() string { return d.pick("?x", "?y", "?z", "?x", "?y", "c0", "c1") }

func (d *drawing) atom(name string, arity int, arg func() string) string {
	for range arity {
		name += " " + arg()
	}
	return "(" + name + ")"
}

// positive is a condition that binds variables.
func (d *drawing) positive(layer int) string {
	switch k := d.number(layer+2, "relation") - 2; k {
	case -2:
		return "(true " + d.atom("f", 2, d.term) + ")"
	case -1:
		return "(true " + d.atom("g", 1, d.term) + ")"
	default:
		return d.atom(fmt.Sprint("p", k), 1+k%2, d.term)
	}
}

// body draws conditions that bind the variables that occur in need.
func (d *drawing) body(layer int, need string, more ...string) string {
	lits := slices.Clone(more)
	for range d.number(3, "positives") {
		lits = append(lits, d.positive(layer))
	}
	bound := strings.Join(lits, " ")
	var safe []string
	for _, v := range []string{"?x", "?y", "?z"} {
		if strings.Contains(need, v) && !strings.Contains(bound, v) {
			lits = append(lits, fmt.Sprintf("(true (f %s %s))", v, d.pick(v, "?x", "c1", "c2")))
			bound = strings.Join(lits, " ")
		}
		if strings.Contains(bound, v) {
			safe = append(safe, v, v)
		}
	}
	safe = append(safe, "c2")
	arg := func() string { return d.pick(safe...) }
	for range d.number(3, "tests") {
		switch k := d.number(layer+3, "test") - 3; k {
		case -3:
			lits = append(lits, d.atom("distinct", 2, arg))
		case -2:
			lits = append(lits, "(or "+d.atom("distinct", 2, arg)+" (true "+d.atom("g", 1, arg)+"))")
		case -1:
			lits = append(lits, "(not (true "+d.atom("f", 2, arg)+"))")
		default:
			lits = append(lits, "(not "+d.atom(fmt.Sprint("p", k), 1+k%2, arg)+")")
		}
	}
	return strings.Join(rapid.Permutation(lits).Draw(d.t, "order"), " ")
}

func (d *drawing) rule(head, body string) { fmt.Fprintf(&d.b, "(<= %s %s)\n", head, body) }

// move draws a form of move.
func (d *drawing) move() string {
	switch d.number(5, "form") {
	case 0:
		return d.atom("mv", 2, d.term)
	case 1:
		return fmt.Sprintf("(put (sq %s %s) %s)", d.term(), d.term(), d.term())
	case 2:
		return d.atom("go", 3, d.term)
	case 3:
		return d.atom("one", 1, d.term)
	}
	return "nil"
}

func (d *drawing) game() string {
	d.b.WriteString("(role r) (role q)\n(<= (next (g ?x)) (true (g ?x)))\n(<= (next (f c1 ?x)) (true (f ?x c0)))\n")
	// turns make forms that are never legal together
	d.b.WriteString("(init (turn r)) (<= (next (turn r)) (true (turn q))) (<= (next (turn q)) (true (turn r)))\n")
	d.turns = rapid.Bool().Draw(d.t, "turns")
	if d.turns {
		d.b.WriteString("(<= (legal r nil) (true (turn q))) (<= (legal q nil) (not (true (turn q))))\n")
	} else {
		d.b.WriteString("(legal r nil) (legal q nil)\n")
	}
	for _, f := range []string{"(f c0 c1)", "(f c1 c1)", "(f c2 c0)", "(f c0 c2)", "(g c0)", "(g c1)"} {
		if rapid.Bool().Draw(d.t, f) {
			fmt.Fprintf(&d.b, "(init %s)\n", f)
		}
	}
	for k := range 5 {
		for range d.number(3, "rules") {
			head := d.atom(fmt.Sprint("p", k), 1+k%2, d.term)
			if k > 1 && rapid.Bool().Draw(d.t, "recursion") {
				d.rule(head, d.body(k, head, d.atom(fmt.Sprint("p", k), 1+k%2, d.term)))
				continue
			}
			d.rule(head, d.body(k, head))
		}
	}
	d.moves()
	for range 4 {
		head := d.pick("(next (f ?x ?y))", "(next (g ?x))", "(hit ?x)", "(next (f c2 ?y))")
		move := d.move()
		does := fmt.Sprintf("(does %s %s)", d.pick("r", "q", "?p"), move)
		more := []string{does}
		switch d.number(7, "more") {
		case 0:
			more = []string{"(does ?p ?m)", "(told ?m ?x)"}
		case 1:
			more = append(more, "(not (does q "+d.pick("?any", "nil", "(one ?any)", "(mv ?x ?any)")+"))", "(true (g ?x))")
		case 2:
			more = append(more, fmt.Sprintf("(does %s %s)", d.pick("q", "?o"), d.move()))
		case 3:
			more = append(more, "(legal q "+d.move()+")")
		}
		if !strings.Contains(head, "hit") && rapid.Bool().Draw(d.t, "hit") {
			more = append(more, d.pick("(hit ?x)", "(not (hit c1))"))
		}
		d.rule(head, d.body(5, head, more...))
	}
	d.rule("terminal", d.pick("(not (legal r (mv ?x ?y)))", "(not (legal q ?m))", "(legal r (one c1)) (p1 ?x ?y)", "(some r) (p0 ?x)", "(p0 c2)"))
	d.rule("(some ?p)", "(legal ?p "+d.pick("?m", "(mv ?x ?y)", "(go ?x ?y ?z)")+")")
	d.rule("(goal r 1)", d.pick("(some q)", "(legal r (put ?s ?x)) (p0 ?x)", "(not (legal r (go ?x ?y ?z))) (not (legal r (mv ?x ?y)))"))
	d.rule("(goal q 2)", d.body(5, ""))
	d.rule("(goal r 3)", d.pick("(some q) (not (some r))", "(legal r (mv ?x ?y)) (legal q (mv ?y ?z))", "(not (legal r (mv ?x ?y))) (not (legal q ?m))"))
	d.rule("(next (g c2))", d.pick("(some q)", "(some r) (true (g c0))", "(not (some r)) (does r nil)"))
	return d.b.String()
}

// moves draws the rules of legal and of relations that take moves.
func (d *drawing) moves() {
	for range 1 + d.number(3, "ok") {
		m := d.move()
		head := fmt.Sprintf("(ok %s %s)", d.pick("r", "q", "?p"), m)
		d.rule(head, d.body(5, m, "(role ?p)"))
		m = d.move()
		d.rule("(bad "+m+")", d.body(5, m))
		m = d.move()
		d.rule(fmt.Sprintf("(told %s ?x)", m), d.body(5, m+"?x"))
	}
	for range 2 + d.number(3, "legal") {
		m := d.move()
		more := []string{}
		if strings.Contains(m, " ") && rapid.Bool().Draw(d.t, "bad") {
			more = append(more, "(not (bad "+m+"))")
		}
		if d.turns {
			more = append(more, "(true (turn ?p))")
			d.rule(fmt.Sprintf("(legal ?p %s)", m), d.body(5, m, append(more, "(role ?p)")...))
			continue
		}
		head := fmt.Sprintf("(legal %s %s)", d.pick("r", "q", "?p"), m)
		d.rule(head, d.body(5, m, append(more, "(role ?p)")...))
	}
	if !d.turns && rapid.Bool().Draw(d.t, "whole") {
		d.rule("(legal ?p ?m)", d.pick("(ok ?p ?m)", "(ok ?p ?m) (not (bad ?m))", "(role ?p) (told ?m ?x) (not (ok ?p ?m))"))
	}
}

// TestDrawn: random games mean the same with whole moves, with every plan, and
// with a random division of their moves.
func TestDrawn(t *testing.T) {
	testenv.Check(t, func(t *rapid.T) {
		d := &drawing{t: t}
		rules := d.game()
		p, diags := gdl.Read(rules)
		if diags.Err() != nil {
			t.Skip("not a game")
		}
		defer func() {
			if t.Failed() {
				t.Log(rules)
			}
		}()
		g, err := split.Orthodox(p)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, p, g, 1, 3)
		plans, _ := split.Plans(context.Background(), p)
		plan := randomPlan(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), plans[0])
		for _, plan := range append(plans[1:], plan) {
			g, err := split.Rewrite(context.Background(), p, plan)
			if err != nil {
				t.Fatalf("%v\n%s", err, plan)
			}
			compare(t, p, g, 1, 3)
		}
	})
}
