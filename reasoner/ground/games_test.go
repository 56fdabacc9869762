package ground_test

import "testing"

// Small games that hold one difficulty each.
var games = map[string]string{
	// Every way in which a board game speaks of its moves.
	"board": `
		(role x) (role o)
		(index 1) (index 2) (index 3)
		(init (control x))
		(<= (cell ?m ?n) (index ?m) (index ?n))
		(<= (taken ?m ?n) (true (mark ?m ?n ?p)))
		(<= (legal ?p (put ?m ?n)) (true (control ?p)) (cell ?m ?n) (not (taken ?m ?n)))
		(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
		(<= (next (mark ?m ?n ?p)) (does ?p (put ?m ?n)))
		(<= (next (mark ?m ?n ?p)) (true (mark ?m ?n ?p)) (does ?q (put ?j ?k)) (other ?m ?n ?j ?k))
		(<= (next (control ?p)) (role ?p) (not (true (control ?p))))
		(<= (other ?m ?n ?j ?k) (cell ?m ?n) (cell ?j ?k) (distinct ?m ?j))
		(<= (other ?m ?n ?j ?k) (cell ?m ?n) (cell ?j ?k) (distinct ?n ?k))
		(<= (line ?p) (index ?m) (true (mark ?m 1 ?p)) (true (mark ?m 2 ?p)) (true (mark ?m 3 ?p)))
		(<= (line ?p) (index ?m) (true (mark 1 ?m ?p)) (true (mark 2 ?m ?p)) (true (mark 3 ?m ?p)))
		(<= open (cell ?m ?n) (not (taken ?m ?n)))
		(<= terminal (line ?p))
		(<= terminal (not open))
		(<= (goal ?p 100) (line ?p))
		(<= (goal ?p 50) (role ?p) (not (line x)) (not (line o)))
		(<= (goal ?p 0) (role ?p) (line ?q) (distinct ?p ?q))`,
	// Pieces that move: the head shows one end of the move, the body tests
	// the other; inequalities between the move and the rest.
	"walkers": `
		(role a) (role b)
		(next_to 1 2) (next_to 2 3) (next_to 3 4) (next_to 4 1)
		(<= (near ?x ?y) (next_to ?x ?y))
		(<= (near ?x ?y) (next_to ?y ?x))
		(init (at a red 1)) (init (at a blue 2)) (init (at b red 3)) (init (count 0))
		(add 0 1) (add 1 2) (add 2 3) (add 3 4) (add 4 5)
		(<= (legal ?r (go ?c ?x ?y)) (true (at ?r ?c ?x)) (near ?x ?y))
		(<= (legal ?r stay) (role ?r))
		(<= (next (at ?r ?c ?y)) (does ?r (go ?c ?x ?y)) (true (at ?r ?c ?x)))
		(<= (next (at ?r ?c ?z)) (true (at ?r ?c ?z)) (does ?r (go ?d ?x ?y)) (distinct ?d ?c))
		(<= (next (at ?r ?c ?z)) (true (at ?r ?c ?z)) (does ?r stay))
		(<= (next (met ?x)) (does a (go ?c ?w ?x)) (does b (go ?d ?v ?x)))
		(<= (next (crossed ?c)) (does a (go ?c ?x ?y)) (does b (go ?d ?y ?x)))
		(<= (next (visited ?z)) (does ?r (go ?c ?x ?y)) (near ?y ?z) (not (true (at ?r red ?y))))
		(<= (next (count ?n)) (true (count ?m)) (add ?m ?n))
		(<= terminal (true (count 5)))
		(<= (goal a 100) (true (met ?x)) (not (true (crossed ?c))))
		(<= (goal a 30) (true (crossed red)))
		(<= (goal b 70) (true (visited ?z)) (true (at b red ?z)))`,
	// Recursion over the state: the ground atoms form cycles.
	"reach": `
		(role r)
		(node a) (node b) (node c) (node d)
		(init (edge a b))
		(<= (legal r (link ?x ?y)) (node ?x) (node ?y) (distinct ?x ?y) (not (true (edge ?x ?y))))
		(<= (next (edge ?x ?y)) (true (edge ?x ?y)))
		(<= (next (edge ?x ?y)) (does r (link ?x ?y)))
		(<= (path ?x ?y) (true (edge ?x ?y)))
		(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
		(<= terminal (path d a))
		(<= (goal r 100) (path d a) (path a d))
		(<= (goal r 40) (path d a) (not (path a d)))
		(<= (goal r 0) (not terminal))`,
	// Whole moves as variables, moves asked for in rules, functions in moves.
	"indirect": `
		(role p) (role q)
		(value 1) (value 2) (value (s 1))
		(init (last none))
		(<= (can ?r (say ?v)) (role ?r) (value ?v) (not (true (last (say ?v)))))
		(<= (legal ?r ?m) (can ?r ?m))
		(<= (legal q pass) (true (last ?m)) (not (can q ?m)))
		(<= (next (last ?m)) (does p ?m))
		(<= (next (echo ?v)) (does ?r (say ?v)) (true (last (say ?v2))))
		(<= (next (same)) (does p ?m) (does q ?m))
		(short z) (short (s z)) (short (s (s z)))
		(<= (next (turns (s ?x))) (true (turns ?x)) (short ?x) (not (true stop)))
		(init (turns z))
		(<= (next (turns z)) (true (turns (s (s (s z))))))
		(<= (next stop) (true (turns (s (s z)))))
		(<= busy (legal q ?m) (not (true same)))
		(<= terminal (true (echo (s 1))) (true same))
		(<= (goal p 1) busy)
		(<= (goal p 2) (true (last (say ?v))))
		(<= (goal q 100) (true (echo ?v)) (not (true (last (say ?v)))))`,
	// Odd rules: unbound variables, undefined relations, equalities, static
	// negation, facts of next, init through rules.
	"odd": `
		(role r)
		(thing a) (thing b) (thing c)
		(big c)
		(<= (small ?x) (thing ?x) (not (big ?x)))
		(<= (init (have ?x)) (small ?x))
		(<= (legal r (drop ?x)) (true (have ?x)) (not (undefined ?x ?y)))
		(<= (legal r (take ?x)) (thing ?x) (not (true (have ?x))))
		(<= (legal r wait) (not (nothing)))
		(<= (next (have ?x)) (true (have ?x)) (not (does r (drop ?x))))
		(<= (next (have ?y)) (does r (take ?x)) (not (distinct ?x ?y)) (thing ?y))
		(next (always ok))
		(<= (next (first ?x)) (does r (take ?x)) (not (true (first ?z))))
		(<= (next (first ?x)) (true (first ?x)))
		(<= (next never) (missing ?x) (does r ?m))
		(<= terminal (true (have a)) (true (have b)) (true (have c)))
		(<= (goal r 100) (true (first c)))
		(<= (goal r 100) (true (first ?x)) (small ?x))
		(<= (goal r 7) (true (always ok)) (not (true (have ?any))))`,
}

func TestSmallGames(t *testing.T) {
	for name, src := range games {
		t.Run(name, func(t *testing.T) { agree(t, src, 40, 40) })
	}
}

func TestRecursionLeavesCycles(t *testing.T) {
	if net := agree(t, games["reach"], 1, 40); len(net.Cycles) == 0 {
		t.Errorf("no cycles: %v", net.Stats())
	}
	if net := agree(t, games["board"], 1, 40); len(net.Cycles) != 0 {
		t.Errorf("cycles: %v", net.Stats())
	}
}
