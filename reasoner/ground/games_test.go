package ground_test

import (
	"testing"

	"semisplit/internal/testenv"
	"semisplit/reasoner/ground"
)

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
		(<= (next calm) (not (does r (take ?x))))
		(<= terminal (true (have a)) (true (have b)) (true (have c)))
		(<= (goal r 100) (true (first c)))
		(<= (goal r 100) (true (first ?x)) (small ?x))
		(<= (goal r 7) (true (always ok)) (not (true (have ?any))))`,
	// Sliding pieces that must not leave their king attacked: recursion with
	// selected arguments (a square that is looked through), a king whose
	// square is a functional fluent, constants in calls, columns of letters
	// and rows of numbers in one relation.
	"rays": `
		(role w) (role b)
		(init (at a 1 wk)) (init (at b 1 wr)) (init (at d 4 bk)) (init (at c 4 br)) (init (at d 1 br))
		(init (turn w)) (init (count 0)) (init (home wk)) (init (wall c 2))
		(add 0 1) (add 1 2) (add 2 3) (add 3 4) (add 4 5) (add 5 6)
		(right a b) (right b c) (right c d) (up 1 2) (up 2 3) (up 3 4)
		(place a) (place b) (place c) (place d) (place 1) (place 2) (place 3) (place 4)
		(column a) (column b) (column c) (column d) (row 1) (row 2) (row 3) (row 4)
		(owner wk w) (owner wr w) (owner bk b) (owner br b) (king wk w) (king bk b) (rook wr w) (rook br b)
		(other w b) (other b w)
		(<= (own ?x ?y ?r) (true (at ?x ?y ?p)) (owner ?p ?r))
		(<= (full ?x ?y) (true (at ?x ?y ?p)))
		(<= (full ?x ?y) (true (wall ?x ?y)))
		(<= (free ?x ?y) (column ?x) (row ?y) (not (full ?x ?y)))
		(<= (ray ?x ?y ?z ?y ?i ?j) (right ?x ?z) (place ?y) (place ?i) (place ?j))
		(<= (ray ?x ?j ?z ?j ?i ?j) (right ?x ?i) (ray ?i ?j ?z ?j ?i ?j))
		(<= (ray ?x ?y ?z ?y ?i ?j) (right ?x ?t) (free ?t ?y) (ray ?t ?y ?z ?y ?i ?j))
		(<= (ray ?x ?y ?x ?z ?i ?j) (up ?y ?z) (place ?x) (place ?i) (place ?j))
		(<= (ray ?i ?y ?i ?z ?i ?j) (up ?y ?j) (ray ?i ?j ?i ?z ?i ?j))
		(<= (ray ?x ?y ?x ?z ?i ?j) (up ?y ?t) (free ?x ?t) (ray ?x ?t ?x ?z ?i ?j))
		(<= (line ?x ?y ?u ?v ?i ?j) (ray ?x ?y ?u ?v ?i ?j))
		(<= (line ?x ?y ?u ?v ?i ?j) (ray ?u ?v ?x ?y ?i ?j))
		(<= (attacked ?r ?x ?y ?i ?j) (other ?r ?o) (rook ?p ?o) (true (at ?u ?v ?p)) (line ?u ?v ?x ?y ?i ?j))
		(<= (near ?x ?y ?u ?y) (right ?x ?u) (row ?y))
		(<= (near ?x ?y ?x ?v) (up ?y ?v) (column ?x))
		(<= (reach ?p ?x ?y ?u ?v) (rook ?p ?r) (line ?x ?y ?u ?v ?x ?y))
		(<= (reach ?p ?x ?y ?u ?v) (king ?p ?r) (near ?x ?y ?u ?v))
		(<= (reach ?p ?x ?y ?u ?v) (king ?p ?r) (near ?u ?v ?x ?y))
		(<= (legal ?r (move ?p ?x ?y ?u ?v)) (true (turn ?r)) (owner ?p ?r) (true (at ?x ?y ?p)) (reach ?p ?x ?y ?u ?v)
			(not (own ?u ?v ?r)) (not (true (wall ?u ?v))) (rook ?p ?r) (king ?k ?r) (true (at ?kx ?ky ?k)) (not (attacked ?r ?kx ?ky ?x ?y)))
		(<= (legal ?r (move ?p ?x ?y ?u ?v)) (true (turn ?r)) (king ?p ?r) (true (at ?x ?y ?p)) (reach ?p ?x ?y ?u ?v)
			(not (own ?u ?v ?r)) (not (true (wall ?u ?v))) (not (attacked ?r ?u ?v ?x ?y)))
		(<= (legal w (jump c)) (true (turn w)) (true (home wk)) (true (at a 1 wk)) (not (attacked w b 1 a 1)) (not (full c 1)))
		(<= (legal ?r wait) (role ?r))
		(<= (next (at ?u ?v ?p)) (does ?r (move ?p ?x ?y ?u ?v)))
		(<= (next (at ?i ?j ?q)) (does ?r (move ?p ?x ?y ?u ?v)) (true (at ?i ?j ?q)) (apart ?i ?j ?x ?y) (apart ?i ?j ?u ?v))
		(<= (next (at ?i ?j ?q)) (does w wait) (does b wait) (true (at ?i ?j ?q)))
		(<= (next (at ?x 1 wk)) (does w (jump ?x)))
		(<= (next (at ?i ?j ?q)) (does w (jump ?x)) (true (at ?i ?j ?q)) (distinct ?q wk))
		(<= (next (home wk)) (true (home wk)) (not (left wk)))
		(<= (left ?p) (does ?r (move ?p ?x ?y ?u ?v)))
		(<= (left wk) (does w (jump ?x)))
		(<= (next (check ?r)) (does ?o (move ?p ?x ?y ?u ?v)) (other ?r ?o) (king ?k ?r) (true (at ?kx ?ky ?k)) (line ?u ?v ?kx ?ky ?x ?y))
		(<= (next (wall ?x ?y)) (true (wall ?x ?y)))
		(<= (apart ?i ?j ?x ?y) (place ?i) (place ?j) (place ?x) (place ?y) (distinct ?i ?x))
		(<= (apart ?i ?j ?x ?y) (place ?i) (place ?j) (place ?x) (place ?y) (distinct ?j ?y))
		(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
		(<= (next (count ?n)) (true (count ?m)) (add ?m ?n))
		(<= terminal (true (count 6)))
		(<= (goal w 100) (true (at ?x ?y wk)) (not (attacked w ?x ?y ?x ?y)))
		(<= (goal b 50) (true (check w)))`,
	// A static relation that is too large to be made as a whole (7 to the
	// power of 7 atoms), asked for with values that a state fixes.
	"wide": `
		(role r) (v 1) (v 2) (v 3) (v 4) (v 5) (v 6) (v 7)
		(init (slot 1 1)) (init (slot 2 2)) (init (slot 3 3)) (init (slot 4 4)) (init (slot 5 5)) (init (slot 6 6)) (init (count 1))
		(add 1 2) (add 2 3) (add 3 4) (add 4 5)
		(<= (differ ?z ?a ?b ?c ?d ?e ?f) (v ?z) (v ?a) (v ?b) (v ?c) (v ?d) (v ?e) (v ?f)
			(not (same ?z ?b)) (not (same ?z ?c)) (not (same ?z ?d)) (not (same ?z ?e)) (not (same ?z ?f)))
		(<= (same ?x ?x) (v ?x))
		(<= (legal r (set ?i ?x)) (true (slot ?i ?y)) (v ?x))
		(<= (next (slot ?i ?x)) (does r (set ?i ?x)))
		(<= (next (slot ?i ?x)) (does r (set ?j ?y)) (true (slot ?i ?x)) (distinct ?i ?j))
		(<= (next (count ?n)) (true (count ?m)) (add ?m ?n))
		(<= good (true (slot 1 ?a)) (true (slot 2 ?b)) (true (slot 3 ?c)) (true (slot 4 ?d)) (true (slot 5 ?e)) (true (slot 6 ?f))
			(differ 1 ?a ?b ?c ?d ?e ?f) (differ 7 ?a ?b ?c ?d ?e ?f))
		(<= terminal (true (count 5)))
		(<= (goal r 100) good)
		(<= (goal r 0) (not good))`,
}

func TestSmallGames(t *testing.T) {
	for name, src := range games {
		t.Run(name, func(t *testing.T) {
			agree(t, src, 10, 40)
			agreePlans(t, src, 2, 40, 0)
		})
	}
}

// Every relation that is asked for with something known is rewritten for it.
func TestEverythingSpecial(t *testing.T) {
	defer ground.Large(0, 0)()
	for name, src := range games {
		if name == "wide" || name == "rays" && !testenv.Long() {
			continue // a million patterns; rays take seconds
		}
		t.Run(name, func(t *testing.T) {
			agree(t, src, 5, 40)
			agreePlans(t, src, 2, 40, 0)
		})
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
