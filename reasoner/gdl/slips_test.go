package gdl_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"semisplit/reasoner/gdl"
)

// used is a description in which every relation is used.
const used = `
(role white) (base lamp) (input white wait) (init lamp)
(<= (next lamp) (true lamp) (does white wait))
(legal white wait)
(<= terminal (lit 2))
(<= (lit ?x) (num ?x) (true lamp))
(num 1)
(goal white 50)
`

// TestSlips: what is told of names that are likely misspelt, of goals that are
// none, and of what follows from a rule that is ignored.
func TestSlips(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", ``, ``},
		{"keyword as head", `(leagl white press)`, `1:1: warning: nothing uses leagl with 2 arguments (did you mean legal?)`},
		{"keyword as head of a rule", "(<= (termnial)\n(num 3))", "1:5: warning: (termnial) is read as termnial (write termnial)\n" +
			`1:5: warning: nothing uses termnial with no arguments (did you mean terminal?)`},
		{"keyword with other arguments", `(leagl white)`, `1:1: warning: nothing uses leagl with 1 argument (remove it, or look for a slip of spelling)`},
		{"unused", `(adjacent 1 2)`, `1:1: warning: nothing uses adjacent with 2 arguments (remove it, or look for a slip of spelling)`},
		{"used where a rule is ignored", "(step 1)\n(<= (next (s ?y)) (step ?x))",
			`2:1: warning: no condition binds ?y of the head: the rule can never fire and is ignored (add a condition with ?y that is not negated)`},
		{"keyword as condition", `(<= terminal (treu lamp))`, `1:14: warning: no rule derives treu with 1 argument: it never holds (did you mean true?)`},
		{"connective as condition", `(<= terminal (num ?x) (distnict ?x 1))`, `1:23: warning: no rule derives distnict with 2 arguments: it never holds (did you mean distinct?)`},
		{"relation as condition", `(<= terminal (nmu 1))`, `1:14: warning: no rule derives nmu with 1 argument: it never holds (did you mean num?)`},
		{"in capitals", `(<= terminal (Num 1))`, `1:14: warning: no rule derives Num with 1 argument: it never holds (did you mean num?)`},
		{"other arguments", `(<= terminal (num 1 2))`, "1:14: warning: no rule derives num with 2 arguments: it never holds (did you mean num with 1 argument?)\n" +
			`6:14: warning: num stands with 2 arguments and with 1 argument: these are two relations (choose two names)`},
		{"head and condition", "(colum 1)\n(<= terminal (column 1))", "1:1: warning: nothing uses colum with 1 argument (did you mean column?)\n" +
			`2:14: warning: no rule derives column with 1 argument: it never holds (did you mean colum?)`},
		{"nothing near", `(<= terminal (nowhere 1))`, `1:14: warning: no rule derives nowhere with 1 argument: it never holds (add a rule for it, or look for a slip of spelling)`},
		{"unsafe", "(<= (p ?x) (num 1))\n(<= terminal (p 1))",
			`1:1: warning: no condition binds ?x of the head: the rule can never fire and is ignored (add a condition with ?x that is not negated)`},
		{"never", "(<= (p ?x) (num ?x) (distinct a a))\n(<= terminal (p 1))",
			`2:14: warning: no rule for p with 1 argument can fire: it never holds (mend its rules)`},
		{"goals", "(goal white 150) (goal white -5)\n(<= (goal white foo) (num 1))\n(goal white 50.5) (goal white (f 1)) (goal white 00) (goal white 100)",
			"1:13: warning: the goal 150 is above 100: it counts as 100 (goals are whole numbers from 0 to 100)\n" +
				"1:30: warning: the goal -5 is below 0: it counts as 0 (goals are whole numbers from 0 to 100)\n" +
				"2:17: warning: foo is no goal value: who has no other goal gets 0 (goals are whole numbers from 0 to 100)\n" +
				"3:13: warning: 50.5 is no goal value: who has no other goal gets 0 (goals are whole numbers from 0 to 100)\n" +
				"3:31: warning: (f 1) is no goal value: who has no other goal gets 0 (goals are whole numbers from 0 to 100)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, diags := gdl.Read(test.text + used)
			if diff := cmp.Diff(test.want, strings.TrimSuffix(diags.String(), "\n")); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLostKeywords: a keyword whose rules are all ignored is not said to have
// none.
func TestLostKeywords(t *testing.T) {
	const rest = "\n(role r) (init f) (base f) (input r go) (next f)"
	for _, test := range []struct{ text, want string }{
		{"(legal r ?x) (goal r 1) terminal", `1:1 error no-legal; 1:1 warning unsafe-head`},
		{"(legal r go) (goal r ?x) terminal", `1:14 warning unsafe-head`},
		{"(legal r go) (goal r 1) (<= terminal (distinct a a))", `1:29 warning no-terminal`},
		{"(legal r go) (goal r 1)", `1:1 warning no-terminal`},
	} {
		_, diags := gdl.Read(test.text + rest)
		if diff := cmp.Diff(test.want, found(diags)); diff != "" {
			t.Errorf("%s: findings (-want +got):\n%s\n%s", test.text, diff, diags)
		}
	}
}

// TestManySlips: names are not compared without bound.
func TestManySlips(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "(%s%05d a) (<= (next f) (%s%05d b))\n", strings.Repeat("x", 30), i, strings.Repeat("y", 30), i)
	}
	long := strings.Repeat("z", 200_000)
	fmt.Fprintf(&b, "(%sa 1) (<= (next f) (%sb 1))", long, long)
	begin := time.Now()
	if _, diags := gdl.Read(b.String() + used); len(diags) > 60 {
		t.Errorf("%d findings", len(diags))
	}
	if d := time.Since(begin); d > time.Minute {
		t.Errorf("reading took %v", d)
	}
}

// TestManyParts: a relation of many rules that depends on its own negation many times grows
// no further than the limit on conditions.
func TestManyParts(t *testing.T) {
	var b strings.Builder
	b.WriteString("(role r) (legal r go) (init (s 1)) (<= terminal (true (s 1))) (goal r 100) (q 1)")
	for i := range 300 {
		fmt.Fprintf(&b, "(p %d)", i)
	}
	b.WriteString("(<= (p ?x) (q ?x) (p ?x)" + strings.Repeat("(not (p ?x))", 40) + ")")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, diags := gdl.Read(b.String())
	runtime.ReadMemStats(&after)
	if diags.Err() == nil {
		t.Error("a relation may depend on its own negation")
	}
	if made := after.TotalAlloc - before.TotalAlloc; made > 500<<20 {
		t.Errorf("%d MB were made", made>>20)
	}
}
