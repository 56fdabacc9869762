package split_test

import (
	"context"
	"strings"
	"testing"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// board is shared by the games below: squares, a turn, a step counter.
const board = `
(role red) (role blue)
(other red blue) (other blue red)
(file 1) (file 2) (file 3) (file 4)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(init (at 1 1 red)) (init (at 2 1 red)) (init (at 1 2 none)) (init (at 2 2 none)) (init (at 3 1 none))
(init (at 3 3 blue)) (init (at 4 3 blue)) (init (at 3 2 none)) (init (at 4 2 none)) (init (at 2 3 none))
(init (turn red)) (init (step 1))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (near ?a ?b) (succ ?a ?b))
(<= (near ?a ?b) (succ ?b ?a))
(<= (beside ?x ?y ?u ?y) (near ?x ?u) (file ?y))
(<= (beside ?x ?y ?x ?v) (near ?y ?v) (file ?x))
(<= (goal ?p 100) (true (at ?x ?y ?p)) (true (turn ?p)))
(<= (goal ?p 0) (role ?p) (not (true (turn ?p))))
`

// oddGames are rules as people write them, and worse.
var oddGames = map[string]string{
	"whole move variables": board + `
(<= (legal ?p ?m) (true (turn ?p)) (possible ?p ?m))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (possible ?p (step ?x ?y ?u ?v)) (true (at ?x ?y ?p)) (beside ?x ?y ?u ?v) (true (at ?u ?v none)))
(<= (possible ?p (swap ?x ?y)) (true (at ?x ?y ?q)) (other ?p ?q))
(<= (possible ?p rest) (true (step ?n)) (true (turn ?p)))
(<= (next (last ?p ?m)) (does ?p ?m))
(<= (next (at ?x ?y ?s)) (does ?p ?m) (true (turn ?p)) (result ?p ?m ?x ?y ?s))
(<= (next (at ?x ?y ?s)) (does ?p ?m) (true (turn ?p)) (true (at ?x ?y ?s)) (not (changed ?m ?x ?y)))
(<= (changed ?m ?x ?y) (result red ?m ?x ?y ?s))
(<= (result ?p (step ?x ?y ?u ?v) ?u ?v ?p) (role ?p) (file ?x) (file ?y) (file ?u) (file ?v))
(<= (result ?p (step ?x ?y ?u ?v) ?x ?y none) (role ?p) (file ?x) (file ?y) (file ?u) (file ?v))
(<= (result ?p (swap ?x ?y) ?x ?y none) (role ?p) (file ?x) (file ?y))
(<= terminal (true (step 5)))
`,
	"repeated moves are forbidden": board + `
(<= (legal ?p ?m) (true (turn ?p)) (possible ?p ?m) (not (true (last ?p ?m))))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (possible ?p (step ?x ?y ?u ?v)) (true (at ?x ?y ?p)) (beside ?x ?y ?u ?v) (true (at ?u ?v none)))
(<= (possible ?p (claim ?x)) (true (at ?x ?y ?p)) (distinct ?x ?y))
(<= (next (last ?p ?m)) (does ?p ?m))
(<= (next (at ?x ?y ?s)) (true (at ?x ?y ?s)) (not (gone ?x ?y)))
(<= (gone ?x ?y) (does ?p (step ?x ?y ?u ?v)))
(<= (gone ?u ?v) (does ?p (step ?x ?y ?u ?v)))
(<= (next (at ?u ?v ?p)) (does ?p (step ?x ?y ?u ?v)))
(<= (next (at ?x ?y none)) (does ?p (step ?x ?y ?u ?v)))
(<= terminal (true (step 5)))
(<= terminal (true (turn ?p)) (not (some ?p)))
(<= (some ?p) (legal ?p ?m))
`,
	"nested terms": board + `
(<= (legal ?p (go (from ?x ?y) (to ?u ?v) ?how)) (true (turn ?p)) (true (at ?x ?y ?p)) (beside ?x ?y ?u ?v)
  (or (and (true (at ?u ?v none)) (kind ?how)) (and (true (at ?u ?v ?q)) (other ?p ?q) (not (distinct ?how slow)) (kind ?how))))
(kind slow) (kind fast)
(<= (legal ?p (sit (down now))) (role ?p) (not (true (turn ?p))))
(<= (next (at ?u ?v ?p)) (does ?p (go ?a (to ?u ?v) ?how)))
(<= (next (at ?x ?y none)) (does ?p (go (from ?x ?y) ?b ?how)))
(<= (next (fast ?p)) (does ?p (go ?a ?b fast)))
(<= (next (came ?a)) (does ?p (go ?a ?b ?how)))
(<= (next (at ?x ?y ?s)) (true (at ?x ?y ?s)) (does ?p (go ?a ?b ?how)) (distinct ?a (from ?x ?y)) (distinct ?b (to ?x ?y)))
(<= terminal (true (step 5)))
`,
	"helpers, negation, disjunction, distinct": board + `
(<= (legal ?p (jump ?x ?y ?u ?v)) (true (turn ?p)) (true (at ?x ?y ?p)) (free ?u ?v)
  (or (distinct ?x ?u) (distinct ?y ?v)) (not (blocked ?x ?y ?u ?v)))
(<= (legal ?p (jump ?x ?y ?x ?y)) (true (turn ?p)) (true (at ?x ?y ?p)) (true (step 2)))
(<= (legal ?p (mark ?x ?x ?z)) (true (turn ?p)) (true (at ?x ?y ?p)) (near ?x ?z))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (free ?u ?v) (true (at ?u ?v none)))
(<= (blocked ?x ?y ?u ?v) (between ?x ?y ?a ?b) (between ?a ?b ?u ?v) (true (at ?a ?b ?q)) (distinct ?q none))
(<= (between ?x ?y ?u ?v) (beside ?x ?y ?u ?v))
(<= (moved ?x ?y ?u ?v) (does ?p (jump ?x ?y ?u ?v)) (true (turn ?p)))
(<= (touched ?x ?y) (moved ?x ?y ?u ?v))
(<= (touched ?u ?v) (moved ?x ?y ?u ?v))
(<= (next (at ?x ?y ?s)) (true (at ?x ?y ?s)) (not (touched ?x ?y)))
(<= (next (at ?u ?v ?p)) (moved ?x ?y ?u ?v) (true (at ?x ?y ?p)))
(<= (next (at ?x ?y none)) (moved ?x ?y ?u ?v) (not (does red (jump ?x ?y ?x ?y))))
(<= (next idle) (not (does red (jump ?x ?y ?u ?v))) (not (does blue ?m)))
(<= (next (seen ?z)) (does ?p (mark ?x ?x ?z)) (not (does ?p wait)))
(<= terminal (true (step 5)))
`,
	"recursion after the move": board + `
(<= (legal ?p (step ?x ?y ?u ?v)) (true (turn ?p)) (true (at ?x ?y ?p)) (beside ?x ?y ?u ?v) (true (at ?u ?v none))
  (not (exposed ?p ?x ?y ?u ?v)))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (exposed ?p ?x ?y ?u ?v) (other ?p ?q) (true (at ?a ?b ?q)) (open ?a ?b ?u ?v ?x ?y))
(<= (open ?a ?b ?u ?v ?x ?y) (beside ?a ?b ?u ?v) (file ?x) (file ?y))
(<= (open ?a ?b ?u ?v ?x ?y) (beside ?a ?b ?c ?d) (empty ?c ?d ?x ?y) (distinct ?a ?x) (open ?c ?d ?u ?v ?x ?y))
(<= (empty ?c ?d ?x ?y) (true (at ?c ?d none)) (file ?x) (file ?y))
(<= (empty ?x ?y ?x ?y) (file ?x) (file ?y))
(<= (next (at ?u ?v ?p)) (does ?p (step ?x ?y ?u ?v)))
(<= (next (at ?x ?y none)) (does ?p (step ?x ?y ?u ?v)))
(<= (next (at ?x ?y ?s)) (true (at ?x ?y ?s)) (does ?p (step ?a ?b ?u ?v)) (not (same ?x ?y ?a ?b)) (not (same ?x ?y ?u ?v)))
(<= (same ?x ?y ?x ?y) (file ?x) (file ?y))
(<= terminal (true (step 5)))
(<= terminal (true (turn ?p)) (not (can ?p)))
(<= (can ?p) (legal ?p (step ?x ?y ?u ?v)))
(<= (goal red 50) (not (legal blue (step ?x ?y ?u ?v))))
`,
	"legal of others, and of one": board + `
(<= (legal ?p (step ?x ?y ?u ?v)) (true (turn ?p)) (true (at ?x ?y ?p)) (beside ?x ?y ?u ?v) (true (at ?u ?v none)))
(<= (legal ?p (pass ?q)) (true (turn ?p)) (other ?p ?q) (not (ever ?p)))
(<= (ever ?p) (legal ?p (step ?x ?y ?u ?v)))
(<= (legal blue (watch ?x ?y)) (true (turn red)) (legal red (step ?x ?y ?u ?v)))
(<= (legal blue doze) (true (turn red)))
(<= (legal red doze) (true (turn blue)))
(<= (next (at ?u ?v ?p)) (does ?p (step ?x ?y ?u ?v)))
(<= (next (at ?x ?y none)) (does ?p (step ?x ?y ?u ?v)))
(<= (next (at ?x ?y ?s)) (true (at ?x ?y ?s)) (does ?p (step ?a ?b ?u ?v)) (or (distinct ?x ?a) (distinct ?y ?b)) (or (distinct ?x ?u) (distinct ?y ?v)))
(<= (next (watched ?x)) (does blue (watch ?x ?y)) (legal red (step ?x ?y ?u ?v)))
(<= (next quiet) (not (legal blue (watch 1 1))))
(<= terminal (true (step 5)) (legal ?p doze))
(<= terminal (not (legal red ?m)))
(<= (goal blue 30) (legal red (step 1 ?y ?u ?v)))
(<= (goal blue 40) (ever blue))
(<= (goal blue 45) (not (ever red)) (not terminal))
`,
	"moves as data": `
(role solo)
(option (pick a 1)) (option (pick b 2)) (option skip) (option (pair (pick a 1) c))
(init (left 3)) (succ 1 2) (succ 2 3) (succ 0 1)
(<= (legal solo ?m) (option ?m) (not (true (used ?m))))
(<= (next (used ?m)) (does solo ?m))
(<= (next (used ?m)) (true (used ?m)) (does ?r ?n) (distinct ?m ?n))
(<= (next (left ?n)) (true (left ?m)) (succ ?n ?m))
(<= terminal (true (left 0)))
(<= (goal solo 100) (true (used (pick ?x ?n))))
`,
	"terms without end": `
(role solo)
(init (word e))
(<= (legal solo (add ?w ?c)) (true (word ?w)) (letter ?c))
(<= (legal solo (drop ?w)) (true (word (s ?w ?c))))
(letter a) (letter b)
(<= (next (word (s ?w ?c))) (does solo (add ?w ?c)))
(<= (next (word ?w)) (does solo (drop ?w)))
(<= terminal (true (word (s (s (s ?w ?a) ?b) ?c))))
(<= (goal solo 100) (true (word ?w)))
`,
	"three roles at once": `
(role a) (role b) (role c)
(init (pos a 1 1)) (init (pos b 2 2)) (init (pos c 3 3)) (init (step 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(num 1) (num 2) (num 3)
(<= (legal ?r (go ?x ?y)) (role ?r) (num ?x) (num ?y) (not (taken ?r ?x ?y)))
(<= (legal ?r (stay ?x ?y)) (true (pos ?r ?x ?y)) (distinct ?x ?y))
(<= (taken ?r ?x ?y) (true (pos ?r ?x ?y)))
(<= (clash ?r ?q) (does ?r (go ?x ?y)) (does ?q (go ?x ?y)) (distinct ?r ?q))
(<= (next (pos ?r ?x ?y)) (does ?r (go ?x ?y)) (not (clash ?r ?q)))
(<= (next (pos ?r ?x ?y)) (true (pos ?r ?x ?y)) (clash ?r ?q))
(<= (next (pos ?r ?x ?y)) (does ?r (stay ?x ?y)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 4)))
(<= (goal ?r 100) (true (pos ?r 1 ?y)))
(<= (goal ?r 0) (role ?r) (not (true (pos ?r 1 ?y))))
`,
	"a legal move of a kind": board + `
(<= (legal ?p (step ?x ?y ?u ?v)) (true (turn ?p)) (true (at ?x ?y ?p)) (beside ?x ?y ?u ?v) (true (at ?u ?v none)))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (next (at ?u ?v ?p)) (does ?p (step ?x ?y ?u ?v)))
(<= (next (at ?x ?y none)) (does ?p (step ?x ?y ?u ?v)))
(<= (next (at ?x ?y ?s)) (true (at ?x ?y ?s)) (does ?p (step ?a ?b ?u ?v)) (distinct ?x ?a))
(low 1) (low 2)
(<= (target ?u) (legal ?p (step ?x ?y ?u ?v)))
(<= (can ?p) (low ?x) (legal ?p (step ?x ?y ?u ?v)))
(<= (may ?p) (beside ?x ?y ?u ?v) (legal ?p (step ?x ?y ?u ?v)))
(<= (must ?p) (true (at ?x ?y ?p)) (legal ?p (step ?x ?y ?u ?v)))
(<= terminal (true (turn ?p)) (not (may ?p)))
(<= (next (could ?p)) (may ?p))
(<= terminal (true (step 6)))
(<= (goal red 60) (target 2))
(<= (goal red 61) (target 4))
(<= (goal blue 62) (can blue))
(<= (goal blue 63) (not (can blue)))
(<= (goal blue 64) (must red))
(<= (goal blue 65) (not (may blue)) (not (can red)))
`,
	"legal in legal only": board + `
(<= (legal ?p (step ?x ?y ?u ?v)) (true (turn ?p)) (true (at ?x ?y ?p)) (beside ?x ?y ?u ?v) (true (at ?u ?v none)))
(<= (legal ?p (watch ?x ?y)) (true (turn ?q)) (other ?p ?q) (legal ?q (step ?x ?y ?u ?v)))
(<= (next (at ?u ?v ?p)) (does ?p (step ?x ?y ?u ?v)))
(<= (next (at ?x ?y none)) (does ?p (step ?x ?y ?u ?v)) (does ?q (watch ?x ?y)))
(<= (next (at ?x ?y ?s)) (true (at ?x ?y ?s)) (does ?p (step ?a ?b ?u ?v)) (distinct ?x ?a))
(<= terminal (true (step 5)))
`,
	"many moves in one rule": `
(role a) (role b) (role c) (role d) (role e) (role f)
(num 1) (num 2)
(init (sum 1))
(<= (legal ?r (say ?x ?y)) (role ?r) (num ?x) (num ?y) (true (sum ?x)))
(<= (next (sum ?x)) (does ?p (say ?x ?a)) (does ?q (say ?x ?b)) (does ?r (say ?x ?c)) (does ?s (say ?x ?d)) (distinct ?p ?q) (distinct ?r ?s) (distinct ?a ?b))
(<= (next (sum ?y)) (does a (say ?x ?y)))
(<= (next odd) (does ?p ?m) (does ?q ?n) (does ?r ?m) (does ?s ?n) (distinct ?m ?n) (not (does f ?m)))
(<= (goal ?r 1) (role ?r) (true odd))
`,
	"moves looked at where there are none": `
(role solo)
(init (n 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal solo (take ?x ?y)) (succ ?x ?y) (not (busy ?x)))
(<= (busy ?x) (does solo (take ?x ?y)))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= (next (was ?x)) (busy ?x))
(<= (next none) (not (busy 1)))
(<= terminal (true (n 3)) (not (busy 1)))
(<= (goal solo 10) (not (busy 2)))
(<= (goal solo 20) (busy 2))
`,
}

// TestOdd: every plan of the odd games is the game.
func TestOdd(t *testing.T) {
	for name, rules := range oddGames {
		t.Run(name, func(t *testing.T) {
			plansMeaning(t, rules, 3, 6)
			p := read(t, rules)
			g, err := split.Orthodox(p)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, p, g, 3, 6)
		})
	}
}

// TestVerify: a test that needs recursion over the state after the move waits
// for a level of its own.
func TestVerify(t *testing.T) {
	plans, _ := split.Plans(context.Background(), read(t, oddGames["recursion after the move"]))
	var names []string
	for _, p := range plans {
		names = append(names, p.Name)
	}
	if got, want := strings.Join(names, " "), "orthodox mod mod-noverify modshift"; got != want {
		t.Fatalf("plans %s, want %s", got, want)
	}
	if !plans[1].Roles[0].Verify || plans[2].Roles[0].Verify {
		t.Error("mod verifies, mod-noverify does not")
	}
}

// TestMovable: whether a role has any move is an input where terminal or goal
// ask, also through a relation, and when other forms exclude it.
func TestMovable(t *testing.T) {
	p := read(t, oddGames["recursion after the move"])
	plans, _ := split.Plans(context.Background(), p)
	g, err := split.Rewrite(context.Background(), p, plans[1])
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range g.Roles {
		if r.HasLegalMove < 0 {
			t.Fatalf("role %d has no HasLegalMove", i)
		}
		if rel := g.Program.Relations[r.HasLegalMove]; rel.Depends != gdl.OnState || rel.Arity != 0 {
			t.Errorf("HasLegalMove of role %d: %+v", i, rel)
		}
	}
	for _, r := range g.Program.Rules {
		if name := g.Program.Symbols.Name(g.Program.Relations[r.Head.Rel].Name); name == "offer#red#step" {
			t.Errorf("whole moves are still derived: %s", g.Program.RuleKIF(&r))
		}
	}
}
