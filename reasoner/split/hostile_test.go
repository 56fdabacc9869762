package split_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"semisplit/reasoner/reasonertest"
	"semisplit/reasoner/split"
)

// Moves whose arguments hold one another, each twice, are not split, or split
// within bounds.
func TestDoublingTerms(t *testing.T) {
	all := reasonertest.Doubling()
	all["heads"] = doublingHeads()
	for where, rules := range all {
		reasonertest.Sparing(t, 256<<20, func() {
			p := read(t, rules)
			plans, notes := split.Plans(context.Background(), p)
			for _, plan := range plans {
				if _, err := split.Rewrite(context.Background(), p, plan); err != nil {
					t.Errorf("%s: %v", where, err)
				}
			}
			if where == "heads" && !strings.Contains(strings.Join(notes, "\n"), "grow too large") {
				t.Errorf("%s: %d plans, %q", where, len(plans), notes)
			}
		})
	}
}

// doublingHeads is a game in which a rule is put in for a condition of legal: both
// say of the arguments that each is twice the one before.
func doublingHeads() string {
	var head, call []string
	for i := 1; i <= 60; i++ {
		head = append(head, fmt.Sprintf("?x%d (f ?x%d ?x%d)", i, i, i))
		call = append(call, fmt.Sprintf("(f ?y%d ?y%d) ?y%d", i-1, i-1, i))
	}
	return `(role x) (init (step 1)) (goal x 0) (<= terminal (true (step 2))) (<= (next (step 2)) (does x ?m))
		(<= (legal x (m ?y0 ?y60)) (true (step ?y0)) (r (m ?y0 ?y60) ` + strings.Join(call, " ") + `))
		(<= (r ?m ` + strings.Join(head, " ") + `) (true (step ?x1)) (true (step ?m)) ` + conditions(60) + `)`
}

func conditions(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "(true (step ?x%d)) ", i)
	}
	return b.String()
}

// Splitting ends with the context.
func TestPlansContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := read(t, reasonertest.Crowd())
	if plans, notes := split.Plans(ctx, p); len(plans) > 0 || len(notes) != 1 {
		t.Errorf("%d plans, %q", len(plans), notes)
	}
	plans, _ := split.Plans(context.Background(), p)
	if g, err := split.Rewrite(ctx, p, plans[0]); err == nil {
		t.Errorf("a game was made: %v", g.Plan)
	}
}

// asked is a context that counts how often it is looked at.
type asked struct {
	context.Context
	times int
}

func (c *asked) Err() error {
	c.times++
	return c.Context.Err()
}

// What takes time that grows with the square of the rules looks at the context
// as often.
func TestPlansContextInLoops(t *testing.T) {
	const n = 100
	var chain, wheel, legal strings.Builder
	for i := range n {
		fmt.Fprintf(&legal, `(<= (legal x (m ?a ?b ?c ?d ?e ?f ?g ?h)) (true (at %d)) (true (a ?a)) (true (b ?b)) (true (c ?c))
			(true (d ?d)) (true (e ?e)) (true (f ?f)) (true (g ?g)) (true (h ?h))) `, i)
		fmt.Fprintf(&chain, "(<= (p%d ?m) (p%d ?m)) ", i, i+1)
		fmt.Fprintf(&wheel, "(<= (next (at %d)) (true (at %d))) ", (i+1)%n, i)
	}
	const frame = `(role x) (goal x 0) (init (at 0)) (<= terminal (true (at 50))) `
	for what, rules := range map[string]string{
		"a chain that moves come from": frame + chain.String() + fmt.Sprintf("(p%d go) (<= (legal x ?m) (p0 ?m))", n),
		"fluents of which one holds":   frame + wheel.String() + "(legal x go)",
		"moves of many groups":         frame + legal.String(),
	} {
		ctx := &asked{Context: t.Context()}
		if split.Plans(ctx, read(t, rules)); ctx.times < n*(n-1)/2 {
			t.Errorf("%s: the context is looked at %d times", what, ctx.times)
		}
	}
}

// A rule that asks for any move of any of many roles is not copied for each move
// of each role.
func TestManyRoles(t *testing.T) {
	var b strings.Builder
	b.WriteString(`(init (p 0)) (<= terminal (true (p 1))) (<= (legal ?r ?m) (role ?r) (may ?m)) `)
	for i := range 160 {
		fmt.Fprintf(&b, "(role r%d) ", i)
	}
	for i := range 16 {
		fmt.Fprintf(&b, "(<= (may (f%d a)) (true (p 0))) ", i)
	}
	b.WriteString("(<= (next (seen ?m)) (does ?r ?m) " + strings.Repeat("(true (p 0)) ", 1000) + ") ")
	b.WriteString("(<= (next (p 1)) " + strings.Repeat("(not (does ?r ?m)) ", 1000) + ") ")
	reasonertest.Sparing(t, 400<<20, func() {
		if _, err := split.Orthodox(read(t, b.String())); err != nil {
			t.Error(err)
		}
	})
}
