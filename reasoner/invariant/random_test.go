package invariant

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"semisplit/internal/testenv"
	"semisplit/reasoner/gdl"
)

// ruleMaker writes small games at random: most are nonsense, and of what they
// seem to promise most is false.
type ruleMaker struct{ rng *rand.Rand }

func (m *ruleMaker) pick(options ...string) string { return options[m.rng.IntN(len(options))] }

func (m *ruleMaker) value() string { return m.pick("1", "2", "3", "?x", "?y", "?z", "?x", "?y") }

func (m *ruleMaker) role() string { return m.pick("a", "b", "?r", "?r", "?s") }

// fluent is (at x), (cell x y), (turn r), (pair x x) or flag.
func (m *ruleMaker) fluent() string {
	switch m.rng.IntN(6) {
	case 0:
		return "(at " + m.value() + ")"
	case 1, 2:
		return "(cell " + m.value() + " " + m.value() + ")"
	case 3:
		return "(own " + m.role() + " " + m.value() + ")"
	case 4:
		return "(turn " + m.role() + ")"
	}
	return "flag"
}

func (m *ruleMaker) literal(moves bool) string {
	atom := ""
	switch n := m.rng.IntN(10); {
	case n < 4:
		atom = "(true " + m.fluent() + ")"
	case n < 6 && moves:
		atom = "(does " + m.role() + " " + m.pick("(put "+m.value()+" "+m.value()+")", "(take "+m.value()+")", "wait") + ")"
	case n == 6:
		return "(distinct " + m.value() + " " + m.value() + ")"
	case n == 7:
		atom = "(succ " + m.value() + " " + m.value() + ")"
	case n == 8:
		atom = "(free " + m.value() + ")"
	default:
		atom = "(hit " + m.value() + " " + m.value() + ")"
	}
	if m.rng.IntN(3) == 0 {
		return "(not " + atom + ")"
	}
	return atom
}

// rule writes a rule; each of its variables is bound by a condition.
func (m *ruleMaker) rule(head string, moves bool, most int) string {
	var body []string
	for range 1 + m.rng.IntN(most) {
		l := m.literal(moves)
		if !moves && strings.Contains(l, "(hit") || strings.Contains(head, "(free") && strings.Contains(l, "free") {
			continue
		}
		body = append(body, l)
	}
	text := head + strings.Join(body, " ")
	for _, v := range []string{"?x", "?y", "?z"} {
		if strings.Contains(text, v) && m.rng.IntN(10) > 0 {
			body = append([]string{"(value " + v + ")"}, body...)
		}
	}
	for _, v := range []string{"?r", "?s"} {
		if strings.Contains(text, v) {
			body = append([]string{"(role " + v + ")"}, body...)
		}
	}
	return "(<= " + head + " " + strings.Join(body, " ") + ")\n"
}

// turns are ways in which roles take turns, but for rules beside them.
const (
	noTurns      = iota
	turnsSwap    // each after the other
	turnsAfter   // after an opening
	turnsByMoves // who has waited has it
	waysOfTurns  // number of these
)

// legal writes a rule for a move, which may need the turn.
func (m *ruleMaker) legal(move string, turns int) string {
	role := m.role()
	rule := m.rule("(legal "+role+" "+move+")", false, 3)
	if turns == turnsByMoves && m.rng.IntN(4) > 0 {
		rule = strings.TrimSuffix(rule, ")\n") + " (true (turn " + role + ")))\n"
	}
	return rule
}

func (m *ruleMaker) game() string {
	var b strings.Builder
	turns := m.rng.IntN(waysOfTurns)
	b.WriteString("(role a) (role b) (value 1) (value 2) (value 3) (succ 1 2) (succ 2 3)\n")
	b.WriteString("(init (at 1)) (init (cell 1 2)) (init (own a 1))\n")
	if turns == turnsAfter {
		b.WriteString("(init (opening 1))\n(<= (next (opening 2)) (true (opening 1)))\n(<= (next (turn a)) (true (opening 2)))\n")
	} else {
		b.WriteString("(init (turn a))\n")
	}
	if turns == turnsByMoves {
		b.WriteString("(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))\n(<= (legal ?r pass) (true (turn ?r)))\n(<= (next (turn ?r)) (does ?r wait))\n")
	} else {
		b.WriteString("(<= (legal ?r wait) (role ?r))\n")
	}
	for range 1 + m.rng.IntN(2) {
		b.WriteString(m.legal("(put "+m.value()+" "+m.value()+")", turns))
		b.WriteString(m.legal("(take "+m.value()+")", turns))
		b.WriteString(m.rule("(free "+m.value()+")", false, 2))
		b.WriteString(m.rule("(hit "+m.value()+" "+m.value()+")", true, 2))
	}
	if turns == turnsSwap || turns == turnsAfter {
		b.WriteString("(<= (next (turn a)) (true (turn b)))\n(<= (next (turn b)) (true (turn a)))\n")
	}
	if m.rng.IntN(2) > 0 {
		b.WriteString("(<= (hit ?x ?z) (succ ?x ?y) (hit ?y ?z))\n")
	}
	if m.rng.IntN(2) > 0 {
		b.WriteString("(<= (next (cell ?x ?y)) (does ?r (put ?x ?y)))\n")
		b.WriteString("(<= (next (cell ?x ?y)) (true (cell ?x ?y)) (not (hit ?x ?y)))\n")
	}
	for range 3 + m.rng.IntN(4) {
		b.WriteString(m.rule("(next "+m.fluent()+")", true, 3))
	}
	b.WriteString("(<= terminal (true (at none)))\n(<= (goal ?r 50) (role ?r))\n")
	return b.String()
}

// TestRandomRules proves invariants of random games and looks for states
// against them.
func TestRandomRules(t *testing.T) {
	n := 100
	if testenv.Long() {
		n = 10_000
	}
	played, claims := 0, 0
	for seed := range n {
		m := ruleMaker{rand.New(rand.NewPCG(uint64(seed), 5))}
		src := m.game()
		p, _ := gdl.Read(src)
		if p == nil {
			continue
		}
		found := Prove(context.Background(), p)
		if len(found) == 0 {
			continue
		}
		played++
		claims += len(found)
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) {
			walkInvariants(t, p, found, uint64(seed), 25, 100)
			if t.Failed() {
				t.Log(src)
			}
		}) {
			t.Fatalf("the game:\n%s", src)
		}
	}
	t.Logf("%d claims in %d of %d games", claims, played, n)
	if played < n/10 {
		t.Errorf("only %d of %d games are rules with invariants", played, n)
	}
}
