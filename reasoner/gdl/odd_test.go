package gdl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"semisplit/reasoner/gdl"
)

// plain is a description without findings; the odd texts stand before it, so
// that their lines are as written.
const plain = `
(role white) (role black)
(base lamp) (input white wait) (input white press) (input black wait)
(init lamp)
(<= (next lamp) (true lamp) (not (does white press)))
(legal white wait) (legal black wait)
(<= (legal white press) (true lamp))
(<= terminal (not (true lamp)))
(<= (goal white 100) (not (true lamp)))
(<= (goal white 0) (true lamp))
(goal black 50)
(num 1) (num 2) (succ 1 2)
`

// Each odd text: what must be found in it, and, where it is played, a line
// that the dump must contain.
var odd = []struct {
	name, text string
	want       string // "line:col severity code", joined by "; "
	dump       string
}{
	{"nothing odd", ``, ``, ``},
	{"comments", "; one\n;; two (\n", ``, ``},
	{"unclosed list", "(p a\n(q b)", `14:1 error syntax`, ``},
	{"list closed twice", "(p a))", `1:6 error syntax`, ``},
	{"quotes are letters", `(p "a) (q ")`, ``, `(p "a)`},
	{"empty list", "()", `1:1 warning empty-list`, ``},
	{"only an arrow", "(<=)", `1:1 error no-head`, ``},
	{"prolog", "p :- q", `1:3 error infix`, ``},
	{"prolog with a point", "(p a) :- (q b) .", `1:7 error infix`, ``},
	{"prolog in prefix", "(:- (p a) (q b))", `1:1 error infix`, ``},
	{"implication", "(=> (q b) (p a))", `1:1 error infix`, ``},
	{"bare arrow", "<= (p a) (q b)", `1:1 error infix`, ``},
	{"variable as head", "(<= ?x (num ?x))", `1:5 error head`, ``},
	{"variable as relation", "(<= (?p a) (num 1))", `1:6 error head`, ``},
	{"list as relation", "((p a) b)", `1:2 error head`, ``},
	{"empty list as head", "(<= () (num 1))", `1:5 error head`, ``},
	{"two heads", "(<= (and (p a) (q a)) (num 1))", `1:5 error head`, ``},
	{"negated head", "(<= (not (p a)) (num 1))", `1:5 error head`, ``},
	{"distinct as head", "(<= (distinct a b) (num 1))", `1:5 error head`, ``},
	{"or as head", "(or (p a) (q a))", `1:1 error head`, ``},
	{"rule in a rule", "(<= (p a) (<= (num 1)))", `1:11 error literal`, ``},
	{"rule not closed", "(<= (p a) (num 1)\n(<= (q a) (num 1)))", `2:1 error literal`, ``},
	{"variable as condition", "(<= (p a) ?x)", `1:11 error literal`, ``},
	{"empty list as condition", "(<= (p a) ())", `1:11 error literal`, ``},
	{"conditions in a list", "(<= (p a) ((num 1) (num 2)))", `1:12 error literal`, ``},
	{"not of nothing", "(<= (p a) (not))", `1:11 error literal`, ``},
	{"not alone", "(<= (p a) not (num 1))", `1:11 error literal`, ``},
	{"or alone", "(<= (p a) or (num 1))", `1:11 error literal`, ``},
	{"distinct of one", "(<= (p a) (distinct a))", `1:11 error literal`, ``},
	{"distinct of three", "(<= (p a) (distinct a b c))", `1:11 warning distinct-arguments`, `(p a)`},
	{"distinct alone", "(<= (p a) distinct)", `1:11 error literal`, ``},
	{"list as function", "(p ((f) a))", `1:4 error term`, ``},
	{"empty list as term", "(p ())", `1:4 error term`, ``},
	{"variable as function", "(<= (p (?f a)) (num 1))", `1:8 error term`, ``},
	{"sees", "(<= (sees white ?x) (num ?x))", `1:5 error gdl-ii`, ``},
	{"SEES in capitals", "(SEES white 1)", `1:1 error gdl-ii`, ``},
	{"sees of three is a relation", "(sees white black 1)", ``, `(sees white black 1)`},
	{"negation of itself", "(<= (p ?x) (num ?x) (not (p ?x)))", `1:26 error unstratified`, ``},
	{"negation in a circle", "(<= (p ?x) (num ?x) (not (q ?x)))\n(<= (q ?x) (p ?x))", `1:26 error unstratified`, ``},
	{"negation of another value", "(<= (p 1 ?x) (num ?x) (not (p 2 ?x)))\n(p 2 1)", ``, `(<= (p#1 1 ?x) (num ?x) (not (p#2 2 ?x)))`},
	{"win over the other values", "(<= (goal black 0) (not (goal black 50)))", ``, `(<= (goal#1 black 0) (not (goal#4 black 50)))`},
	{"recursion", "(<= (p ?x) (p ?x))\n(p 1)", ``, `; relation p/1 rules 2 group 10 stratum 0 static cyclic`},
	{"empty body", "(<= (p a))", `1:1 warning empty-body`, `(p a)`},
	{"empty body, not ground", "(<= (p ?x))", `1:1 warning empty-body; 1:1 warning unsafe-head`, ``},
	{"fact, not ground", "(p ?x)", `1:1 warning unsafe-head`, ``},
	{"parentheses around a proposition", "(<= (p) (num 1))\n(<= q (p))", `1:5 warning empty-arguments; 2:7 warning empty-arguments`, `(<= q p)`},
	{"parentheses around terminal", "(<= (terminal) (num 3))", `1:5 warning empty-arguments`, `(<= terminal (num 3))`},
	{"parentheses around a fluent", "(<= p (true (lamp)))", `1:13 warning empty-arguments`, `(<= p (true lamp))`},
	{"not distinct", "(<= (p ?x ?y) (num ?x) (num ?y) (not (distinct ?x ?y)))", ``, `(<= (p ?x ?y) (num ?x) (num ?y) (not (distinct ?x ?y)))`},
	{"distinct first", "(<= (p ?x) (distinct ?x 1) (num ?x))", ``, `(<= (p ?x) (distinct ?x 1) (num ?x))`},
	{"distinct that always holds", "(<= (p ?x) (distinct a b) (num ?x))", ``, `(<= (p ?x) (num ?x))`},
	{"distinct that never holds", "(<= (p ?x) (num ?x) (distinct ?x ?x))\n(<= q (p 1))", `2:7 warning undefined`, `(<= q (p 1))`},
	{"distinct of an unbound variable", "(<= (p ?x) (num ?x) (distinct ?x ?y))", `1:1 warning unsafe-distinct`, `(<= (p ?x) (num ?x) (distinct ?x ?y))`},
	{"same as an unbound variable", "(<= p (not (distinct ?x ?y)))\n(<= q p)", `1:1 warning unsafe-distinct; 2:7 warning undefined`, `(<= q p)`},
	{"empty or", "(<= (p a) (or))\n(<= q (p a))", `1:11 warning empty-connective`, ``},
	{"empty and", "(<= (p a) (and))", `1:11 warning empty-connective`, `(p a)`},
	{"or of one", "(<= (p a) (or (num 1)))", ``, `(<= (p a) (num 1))`},
	{"or", "(<= (p ?x) (or (num ?x) (succ ?x 2)))", ``, "(<= (p ?x) (num ?x))\n(<= (p ?x) (succ ?x 2))"},
	{"or around and", "(<= p (or (and (num 1) (num 2)) (num 3)))", ``, "(<= p (num 1) (num 2))\n(<= p (num 3))"},
	{"not or", "(<= p (not (or (num 1) (num 2))))", ``, `(<= p (not (num 1)) (not (num 2)))`},
	{"not not", "(<= (p ?x) (not (not (num ?x))))", ``, `(<= (p ?x) (num ?x))`},
	{"not and of bound variables", "(<= (p ?x) (num ?x) (not (and (succ ?x 2) (succ 1 ?x))))", ``,
		"(<= (p ?x) (num ?x) (not (succ ?x 2)))\n(<= (p ?x) (num ?x) (not (succ 1 ?x)))"},
	{"not and of local variables", "(<= (p ?x) (num ?x) (not (and (succ ?x ?y) (num ?y))))", ``,
		"(<= (or#1 ?x) (succ ?x ?y) (num ?y))\n(<= (p ?x) (num ?x) (not (or#1 ?x)))"},
	{"not and that needs its surroundings", "(<= (p ?x) (num ?x) (not (and (num ?y) (distinct ?x ?y))))", ``,
		"(<= (or#1 ?x) (num ?x) (num ?y) (distinct ?x ?y))\n(<= (p ?x) (num ?x) (not (or#1 ?x)))"},
	{"a name like ours", "(or#1 a)\n(<= (p ?x) (num ?x) (not (and (succ ?x ?y) (num ?y))))", ``, `(<= (p ?x) (num ?x) (not (or#2 ?x)))`},
	{"not of two", "(<= (p a) (not (num 3) (num 1)))", `1:11 warning not-arguments`, `(<= (p a) (not (num 3)))`},
	{"unbound variable in the head", "(<= (p ?x ?y) (num ?x))", `1:1 warning unsafe-head`, ``},
	{"unbound variable in a negation", "(<= (p ?x) (num ?x) (not (succ ?x ?y)))", `1:1 warning unbound-negation`, `(<= (p ?x) (num ?x) (not (succ ?x ?y)))`},
	{"bound in one alternative only", "(<= (p ?x) (or (num ?x) (not (num 3))))", `1:1 warning unsafe-head`, `(<= (p ?x) (num ?x))`},
	{"unbound role", "(<= (legal ?r rest) (true lamp))", `1:1 warning unbound-role`, `(<= (legal ?r rest) (role ?r) (true lamp))`},
	{"two arities", "(num 1 2)", `12:1 warning two-arities`, `(num 1 2)`},
	{"functions of two arities", "(p (f 1) (f 1 2))", `1:10 warning function-arities`, `(p (f 1) (f 1 2))`},
	{"relation and function", "(p (num 1))", `1:4 warning relation-and-function`, `(p (num 1))`},
	{"keyword with another arity", "(<= (goal white) (num 1))", `1:5 warning keyword-arity`, `(<= (goal white) (num 1))`},
	{"does as a symbol", "(p does next) (q (does white press))", `1:18 warning relation-and-function`, `(p does next)`},
	{"not as a function", "(p (not a))", `1:4 warning keyword-in-term`, `(p (not a))`},
	{"undefined relation", "(<= p (nowhere 1) (nowhere 2))", `1:7 warning undefined`, `(<= p (nowhere 1) (nowhere 2))`},
	{"rule for true", "(<= (true lamp) (num 1))", `1:5 warning head-true`, ``},
	{"fact for does", "(does white wait)", `1:1 warning head-does`, ``},
	{"init through a rule", "(<= (init (at ?x)) (num ?x))", `1:1 warning init-rule`, `(<= (init (at ?x)) (num ?x))`},
	{"init from the state", "(<= (init at) (true lamp))", `1:1 warning init-rule; 1:15 warning depends-on-state`, ``},
	{"legal from the moves", "(<= (legal white rest) (does black wait))", `1:24 warning depends-on-moves`, ``},
	{"role through a rule", "(<= (role (seat ?x)) (num ?x) (distinct ?x 1))", `1:1 warning role-rule`, `; role (seat 2)`},
	{"role from the state", "(<= (role grey) (not (true fog)))", `1:1 warning role-rule; 1:22 warning depends-on-state`, "\n(role grey)\n"},
	{"role twice", "(role white)", `2:1 warning role-twice`, `; role white`},
	{"role random", "(role random)", `1:1 warning random-role`, `; role random`},
	{"keywords in any case", "(<= (NEXT on) (True lamp) (NOT (Does White x)) (DISTINCT a b))", ``,
		`(<= (next on) (true lamp) (not (does White x)))`},
	{"other names by case", "(<= Num (num 1))\n(<= p Num)", ``, `(<= p Num)`},
	{"numbers as names", "(1 2)\n(<= 3 (1 2))", ``, `(<= 3 (1 2))`},
	{"byte order mark and line ends", "\ufeff(p a)\r(q ?x)", `2:1 warning unsafe-head`, `(p a)`},
	{"beyond ASCII", "(p größe 国)", ``, `(p größe 国)`},
	{"two errors", "(<= ?x)\n(<= (p a) ?x)", `1:1 warning empty-body; 1:5 error head; 2:11 error literal`, ``},
	{"too many variables", "(<= (p ?x) (q " + numbered("?v", 300) + "))", `1:12 error limit`, ``},
	{"terms too deep", "(p " + strings.Repeat("(f ", 200) + "a" + strings.Repeat(")", 200) + ")", `1:304 error limit`, ``},
	{"connectives too deep", "(<= p " + strings.Repeat("(not ", 200) + "q" + strings.Repeat(")", 200) + ")", `1:512 error limit`, ``},
	{"too many alternatives", "(<= (p ?x) " + strings.Repeat("(or (num ?x) (not (num ?x))) ", 20) + ")", `1:1 error rule-too-complex`, ``},
}

// Texts that stand alone.
var alone = []struct{ name, text, want string }{
	{"empty text", ``, `1:1 error no-rules`},
	{"only comments", "; nothing\n", `1:1 error no-rules`},
	{"only white space", " \t\r\n\f", `1:1 error no-rules`},
	{"only an empty list", "()", `1:1 error no-rules; 1:1 warning empty-list`},
	{"one parenthesis", "(", `1:2 error syntax`},
	{"no role", "(legal white go) (goal white 100) (init f) terminal (base f) (input white go) (<= (next f) (true f))", `1:1 error no-role`},
	{"no legal", "(role r) (goal r 1) (init f) terminal (base f) (input r go) (next f)", `1:1 error no-legal`},
	{"a role that nothing derives", "(<= (role ?r) (nobody ?r)) (legal r go) (goal r 1) (init f) terminal (base f) (input r go) (next f)",
		`1:1 error no-role; 1:1 warning role-rule; 1:15 warning undefined`},
	{"roles without end", "(<= (role (s ?x)) (role ?x)) (role 0) (legal 0 go) (goal 0 1) (init f) terminal (base f) (input 0 go) (next f)",
		`1:1 error role-rule; 1:1 warning role-rule`},
	{"hardly a game", "(role r) (legal r go)",
		`1:1 warning no-base; 1:1 warning no-goal; 1:1 warning no-init; 1:1 warning no-input; 1:1 warning no-next; 1:1 warning no-terminal`},
	{"a page of another kind", "<html><body>Not (found)</body></html>", `1:1 error no-legal; 1:1 error no-role; 1:17 warning empty-arguments`},
}

func numbered(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d ", prefix, i)
	}
	return b.String()
}

// found lists the findings but one: what nothing uses. Almost every odd text
// defines such a thing, and TestSlips is about them.
func found(diags gdl.Diagnostics) string {
	var all []string
	for _, d := range diags {
		if d.Code == "unused" {
			continue
		}
		all = append(all, fmt.Sprintf("%s %s %s", d.Pos, d.Severity, d.Code))
	}
	return strings.Join(all, "; ")
}

func TestOdd(t *testing.T) {
	for _, test := range odd {
		t.Run(test.name, func(t *testing.T) {
			p, diags := gdl.Read(test.text + plain)
			if diff := cmp.Diff(test.want, found(diags)); diff != "" {
				t.Errorf("findings (-want +got):\n%s\n%s", diff, diags)
			}
			if (p == nil) != strings.Contains(test.want, "error") {
				t.Fatalf("program is nil: %v", p == nil)
			}
			if p != nil && !strings.Contains(p.String(), test.dump) {
				t.Errorf("the dump lacks\n%s\nin\n%s", test.dump, p)
			}
		})
	}
}

// Variables are looked for one by one, and so not counted beyond what a rule may have.
func TestFarTooManyVariables(t *testing.T) {
	var terms strings.Builder
	for i := range 240 {
		fmt.Fprintf(&terms, "(f %s)", numbered(fmt.Sprintf("?v%d-", i), 240))
	}
	_, diags := gdl.Read("(<= (p a) (q " + terms.String() + "))" + plain)
	if want := "more than 250 variables"; !strings.Contains(diags.String(), want) {
		t.Errorf("not found: %s, in %s", want, diags)
	}
}

func TestAlone(t *testing.T) {
	for _, test := range alone {
		t.Run(test.name, func(t *testing.T) {
			p, diags := gdl.Read(test.text)
			if diff := cmp.Diff(test.want, found(diags)); diff != "" {
				t.Errorf("findings (-want +got):\n%s\n%s", diff, diags)
			}
			if (p == nil) != (diags.Err() != nil) {
				t.Errorf("program is nil: %v, error: %v", p == nil, diags.Err())
			}
		})
	}
}
