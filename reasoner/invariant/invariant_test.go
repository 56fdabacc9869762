package invariant

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/reasoner/gdl"
)

// claimed lists what is proved of a game, spelled.
func claimed(t *testing.T, src string) []string {
	t.Helper()
	p := readProgram(t, src)
	var out []string
	for _, inv := range Prove(context.Background(), p) {
		out = append(out, strings.TrimPrefix(strings.TrimPrefix(inv.format(p.Symbols), "at most one "), "exactly one "))
	}
	return out
}

// onTurn begins a game of two roles in turn.
const onTurn = `
	(role a) (role b)
	(init (control a))
	(<= (next (control a)) (true (control b)))
	(<= (next (control b)) (true (control a)))
	(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
	(<= (legal ?r pass) (true (control ?r)))
	(<= terminal (true (over)))
	(<= (goal ?r 50) (role ?r))
	(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
	(point 1) (point 2) (point 3) (point 4)
`

func TestProved(t *testing.T) {
	for _, test := range []struct{ name, rules, want string }{
		{"turn", ``, "(control *)"},
		{"counter", `
			(init (step 0))
			(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))`, "(step *)"},
		{"a mark on an empty point", `
			(<= (legal ?r (mark ?x)) (true (control ?r)) (point ?x) (not (true (at ?x a))) (not (true (at ?x b))))
			(<= (next (at ?x ?r)) (does ?r (mark ?x)))
			(<= (next (at ?x ?r)) (true (at ?x ?r)))`, "(at k0 *)"},
		{"emptiness through a relation", `
			(<= (taken ?x) (true (at ?x ?r)))
			(<= (free ?x) (point ?x) (not (taken ?x)))
			(<= (legal ?r (mark ?x)) (true (control ?r)) (free ?x))
			(<= (next (at ?x ?r)) (does ?r (mark ?x)))
			(<= (next (at ?x ?r)) (true (at ?x ?r)))`, "(at k0 *)"},
		{"one king", `
			(init (at 1 king)) (init (at 2 pawn)) (init (at 3 pawn))
			(<= (legal ?r (go ?p ?x ?y)) (true (control ?r)) (true (at ?x ?p)) (point ?y) (distinct ?x ?y))
			(<= (moved ?x) (does ?r (go ?p ?x ?y)))
			(<= (moved ?y) (does ?r (go ?p ?x ?y)))
			(<= (next (at ?y ?p)) (does ?r (go ?p ?x ?y)))
			(<= (next (at ?z ?q)) (true (at ?z ?q)) (not (moved ?z)))`, "(at * king)"},
		{"a way that never comes back", `
			(init (at 1))
			(<= (ahead ?x ?y) (succ ?x ?y))
			(<= (ahead ?x ?z) (succ ?x ?y) (not (true (hole ?y))) (ahead ?y ?z))
			(<= (legal ?r (go ?x ?y)) (true (control ?r)) (true (at ?x)) (ahead ?x ?y))
			(<= (next (at ?y)) (does ?r (go ?x ?y)))
			(<= (next (hole ?x)) (does ?r (go ?x ?y)))
			(<= (next (seen ?x left)) (does ?r (go ?x ?y)))
			(<= (next (seen ?y come)) (does ?r (go ?x ?y)))`, "(seen k0 *)"},
		{"a condition that a recursion keeps", `
			(init (at 1 a))
			(<= (taken ?x) (true (at ?x ?r)))
			(<= (path ?x ?y) (link ?x ?y) (not (taken ?y)))
			(<= (path ?x ?z) (link ?x ?y) (not (taken ?y)) (path ?y ?z))
			(link 1 2) (link 2 3) (link 3 1) (link 3 4)
			(<= (legal ?r (grow ?x ?y)) (true (control ?r)) (true (at ?x ?r)) (path ?x ?y))
			(<= (next (at ?y ?r)) (does ?r (grow ?x ?y)))
			(<= (next (at ?x ?r)) (true (at ?x ?r)))`, "(at k0 *)"},
		{"a value with a structure", `
			(init (last none))
			(<= (legal ?r (say ?x)) (true (control ?r)) (point ?x))
			(<= (next (last (said ?r ?x))) (does ?r (say ?x)))`, "(last *)"},
		{"a move that is a variable", `
			(<= (can ?r (say ?x)) (true (control ?r)) (point ?x))
			(<= (legal ?r ?m) (can ?r ?m))
			(<= (next (last ?m)) (does ?r ?m) (distinct ?m wait))`, "(last *)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := claimed(t, onTurn+test.rules); !slices.Contains(got, test.want) {
				t.Errorf("%s is not proved, only %q", test.want, got)
			}
		})
	}
}

// What is false in some reachable state must not be claimed, however much it
// looks like an invariant.
func TestNotProved(t *testing.T) {
	for _, test := range []struct{ name, rules, never string }{
		{"only initially", `
			(init (at 1 x))
			(<= (legal ?r (put ?x ?y)) (true (control ?r)) (point ?x) (point ?y))
			(<= (next (at ?x ?y)) (does ?r (put ?x ?y)))
			(<= (next (at ?x ?y)) (true (at ?x ?y)))`, "(at k0 *)"},
		{"only if nobody plays a bad move", `
			(init (stone 1 a))
			(<= (legal ?r (put ?x)) (true (control ?r)) (point ?x))
			(<= (taken ?x) (true (stone ?x ?r)))
			(<= (next (stone ?x ?r)) (does ?r (put ?x)))
			(<= (next (stone ?x ?r)) (true (stone ?x ?r)) (not (taken 4)))
			(<= (next (stone ?x ?r)) (true (stone ?x ?r)) (true (stone 4 ?s)))`, "(stone k0 *)"},
		{"only late in the game", `
			(init (step 0)) (init (mode slow))
			(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
			(<= (legal ?r go) (true (control ?r)))
			(<= (next (mode ?x)) (true (mode ?x)))
			(<= (next (mode fast)) (true (step 4)))`, "(mode *)"},
		{"two roles at once", `
			(<= (legal ?r (mark ?x)) (role ?r) (point ?x))
			(<= (next (at ?x ?r)) (does ?r (mark ?x)))`, "(at k0 *)"},
		{"a role acts out of turn", `
			(<= (legal ?r (mark ?x)) (true (control ?r)) (point ?x))
			(<= (legal b (mark 2)) (true (control a)))
			(<= (next (at ?x ?r)) (does ?r (mark ?x)))`, "(at k0 *)"},
		{"what is legal while nothing is done yet", `
			(<= (legal a (mark 1)) (not (does b (mark 2))))
			(<= (legal b (mark 2)) (not (does a (mark 1))))
			(<= (next (at ?x)) (does ?r (mark ?x)))`, "(at *)"},
		{"a successor that is no function", `
			(init (pos 1))
			(edge 1 2) (edge 2 3) (edge 2 4) (edge 3 1) (edge 4 1)
			(<= (next (pos ?y)) (true (pos ?x)) (edge ?x ?y))`, "(pos *)"},
		{"the key is not kept", `
			(init (at 1 x)) (init (at 2 y))
			(<= (legal ?r (go ?x ?y)) (true (control ?r)) (true (at ?x ?p)) (point ?y) (distinct ?x ?y))
			(<= (next (at ?y ?p)) (does ?r (go ?x ?y)) (true (at ?x ?p)))
			(<= (next (at ?z ?p)) (true (at ?z ?p)) (does ?r (go ?x ?y)) (distinct ?z ?x))`, "(at k0 *)"},
		{"a king can be made", `
			(init (at 1 king)) (init (at 2 pawn))
			(<= (legal ?r (go ?p ?x ?y)) (true (control ?r)) (true (at ?x ?p)) (point ?y) (distinct ?x ?y))
			(<= (moved ?x) (does ?r (go ?p ?x ?y)))
			(<= (moved ?y) (does ?r (go ?p ?x ?y)))
			(<= (next (at ?y ?p)) (does ?r (go ?p ?x ?y)) (distinct ?y 4))
			(<= (next (at 4 king)) (does ?r (go ?p ?x 4)))
			(<= (next (at ?z ?q)) (true (at ?z ?q)) (not (moved ?z)))`, "(at * king)"},
		{"a repeated variable under a negation", `
			(init (pair 1 2))
			(<= (odd) (true (pair ?x ?x)))
			(<= (legal ?r (mark ?x)) (true (control ?r)) (point ?x))
			(<= (next (flag up)) (true (control ?r)) (not (odd)))
			(<= (next (flag down)) (true (pair ?x ?y)))
			(<= (next (pair ?x ?y)) (true (pair ?x ?y)))`, "(flag *)"},
		{"two bodies that look alike", `
			(init (flag up)) (init (at 1))
			(<= (legal ?r (mark ?x)) (true (control ?r)) (point ?x))
			(<= (next (at ?x)) (does ?r (mark ?x)))
			(<= (next (at ?x)) (true (at ?x)))
			(<= (next (flag up)) (true (at ?x)) (not (true (at 2))))
			(<= (next (flag down)) (true (at ?y)) (not (true (at 3))))`, "(flag *)"},
		{"what comes to hold makes more of it hold", `
			(init (way open)) (init (q 1)) (init (cell x))
			(<= (next (way open)) (true (way open)))
			(<= (next (q 1)) (true (q 1)))
			(<= (next (q 2)) (next (way open)))
			(<= (next (cell x)) (true (cell x)))
			(<= (next (cell y)) (true (q 2)))`, "(cell *)"},
		{"moves that the state does not change", `
			(init (cell 1 2)) (init (own a 1))
			(<= (legal ?r (put ?x 3)) (role ?r) (point ?x))
			(<= (legal ?r (put 3 ?x)) (role ?r) (point ?x))
			(<= (next (cell ?x ?y)) (does ?r (put ?x ?y)))
			(<= (next (own ?r ?x)) (role ?r) (true (cell ?x ?y)) (true (cell ?y ?z)))`, "(own * *)"},
		{"a fluent that is a variable", `
			(init (last 1))
			(<= (legal ?r (last ?x)) (true (control ?r)) (point ?x))
			(<= (next (last ?x)) (true (last ?x)))
			(<= (next ?m) (does ?r ?m) (distinct ?m wait))`, "(last *)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := readProgram(t, onTurn+test.rules)
			claims := Prove(context.Background(), p)
			for i := range claims {
				if s := claims[i].format(p.Symbols); strings.Contains(s, test.never) {
					t.Errorf("%s is claimed", s)
				}
			}
			walkInvariants(t, p, claims, 3, 40, 1_000)
			never := parseInvariant(t, p, test.never)
			broken := false
			walkStates(t, p, 4, 40, 100_000, func(_ bool, state []gdl.Term) bool {
				_, ok := holdsIn(&never, state)
				broken = broken || !ok
				return !broken
			})
			if !broken {
				t.Errorf("the example is of no use: no state without %s was found", test.never)
			}
		})
	}
}

// That each role has the turn after it has waited keeps one turn, but only because somebody
// always has it, and only as long as who waits can do nothing else.
func TestTurnOfWhoWaited(t *testing.T) {
	const waited = `
		(role a) (role b)
		(init (turn a))
		(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
		(<= (legal ?r act) (true (turn ?r)))
		(<= (next (turn ?r)) (does ?r wait))
		(<= terminal (true (over)))
		(<= (goal ?r 50) (role ?r))`
	for _, test := range []struct {
		name, rules string
		want        bool
	}{
		{"always", ``, true},
		{"who waits may rest: nobody has the turn, then both", `(<= (legal b rest) (not (true (turn b))))`, false},
		{"who acts may wait: both have the turn", `(<= (legal b wait) (true (turn b)))`, false},
		{"a third role waits", `(role c)`, false},
	} {
		p := readProgram(t, waited+test.rules)
		claims := Prove(t.Context(), p)
		proved := slices.ContainsFunc(claims, func(inv Invariant) bool { return inv.format(p.Symbols) == "exactly one (turn *)" })
		if proved != test.want || len(claims) > 1 || len(claims) == 1 != test.want {
			t.Errorf("%s: proved %v of %d", test.name, proved, len(claims))
		}
		walkInvariants(t, p, claims, 3, 40, 1_000)
		turn, broken := parseInvariant(t, p, "(turn *)"), false
		walkStates(t, p, 4, 40, 10_000, func(_ bool, state []gdl.Term) bool {
			_, ok := holdsIn(&turn, state)
			broken = broken || !ok
			return !broken
		})
		if broken == test.want {
			t.Errorf("%s: states are as if it was %v", test.name, !test.want)
		}
	}
}

// parseInvariant reads what format writes, for one pattern.
func parseInvariant(t *testing.T, p *gdl.Program, text string) Invariant {
	t.Helper()
	words := strings.Fields(strings.Trim(text, "()"))
	functor, ok := p.Symbols.Lookup(words[0])
	if !ok {
		t.Fatalf("no %s in the game", words[0])
	}
	shape, keys, fixed := fluentShape{functor, len(words) - 1}, uint32(0), map[int]gdl.Term{}
	for i, w := range words[1:] {
		switch {
		case w == "*":
		case strings.HasPrefix(w, "k") && len(w) == 2:
			keys |= 1 << i
		default:
			name, _ := p.Symbols.Lookup(w)
			fixed[i] = gdl.Term{Var: -1, Name: name}
		}
	}
	return keyed(shape, keys, fixed)
}

func TestGroups(t *testing.T) {
	p := readProgram(t, onTurn+`
		(init (phase 1)) (init (free 1)) (init (free 2)) (init (free 3)) (init (free 4))
		(<= (taken ?x) (true (at ?x ?r)))
		(<= (next (phase ?x)) (true (rest ?x)))
		(<= (next (rest ?x)) (true (phase ?x)))
		(<= (legal ?r (mark ?x)) (true (control ?r)) (true (free ?x)) (not (taken ?x)))
		(<= (next (at ?x ?r)) (does ?r (mark ?x)))
		(<= (next (at ?x ?r)) (true (at ?x ?r)))
		(<= (marked ?x) (does ?r (mark ?x)))
		(<= (next (free ?x)) (true (free ?x)) (not (marked ?x)))`)
	var got []string
	for _, inv := range Prove(context.Background(), p) {
		got = append(got, inv.format(p.Symbols))
	}
	for _, want := range []string{"exactly one (control *)", "exactly one (phase *) (rest *)", "exactly one (at k0 *) (free k0)"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not proved, only %q", want, got)
		}
	}
}

// There is one turn because there is none before the opening is over: the two facts can be
// proved together alone.
func TestPhases(t *testing.T) {
	const opening = `
		(role a) (role b) (other a b) (other b a)
		(init (opening 1))
		(<= (next (opening 2)) (true (opening 1)))
		(<= (next (control ?r)) (true (opening 2)) (does a (pick ?r)))
		(<= (next (control ?s)) (true (control ?r)) (other ?r ?s))
		(<= (legal ?r act) (true (control ?r)))
		(<= (legal ?r wait) (role ?r) (not (true (control ?r))) (not (true (opening 2))))
		(<= (legal a (pick ?r)) (role ?r) (true (opening 2)))
		(<= (legal b wait) (true (opening 2)))
		(<= terminal (true (over)))
		(<= (goal ?r 50) (role ?r))`
	for _, test := range []struct {
		rules string
		want  bool
	}{
		{``, true},
		{`(<= (next (opening 2)) (true (opening 2)))`, false}, // it may be picked again
	} {
		var got []string
		p := readProgram(t, opening+test.rules)
		claims := Prove(t.Context(), p)
		for _, inv := range claims {
			got = append(got, inv.format(p.Symbols))
		}
		for _, inv := range []string{"at most one (control *)", "exactly one (opening *) (control *)"} {
			if slices.Contains(got, inv) != test.want {
				t.Errorf("with %q: proved %q", test.rules, got)
			}
		}
		walkInvariants(t, p, claims, 3, 40, 1_000)
	}
}

// That a fluent excludes one that never holds says nothing of how many there are of it.
func TestExcludesWhatNeverHolds(t *testing.T) {
	p := readProgram(t, `
		(role a) (role b) (succ 1 2)
		(init (turn a)) (init (cell 1 a))
		(<= (next (turn ?r)) (role ?r))
		(<= (next (cell 1 ?r)) (true (turn ?r)))
		(<= (next flag) (succ ?x ?x))
		(<= (legal ?r wait) (role ?r))
		(<= terminal (true (over)))
		(<= (goal ?r 50) (role ?r))`)
	for _, inv := range Prove(t.Context(), p) {
		if s := inv.format(p.Symbols); strings.Contains(s, "(cell 1 *)") || strings.Contains(s, "(turn *)") {
			t.Errorf("%s is claimed", s)
		}
	}
}

func TestBundledInvariants(t *testing.T) {
	want := map[string][]string{
		"breakthrough":  {"(cell k0 k1 *)", "(control *)"},
		"connectfour":   {"(cell k0 k1 *)", "(control *)"},
		"eightpuzzle":   {"(cell k0 k1 *)", "(slides *)"},
		"goofspiel":     {"(points k0 *)", "(round *)"},
		"knightthrough": {"(cell k0 k1 *)", "(control *)"},
		"nim":           {"(heap k0 *)", "(control *)"},
		"othello":       {"(cell k0 k1 *)", "(control *)"},
		"tictactoe":     {"(cell k0 k1 *)", "(control *)"},
		"trio":          {"(cell k0 k1 *)", "(control *)"},
	}
	for _, g := range games.List() {
		got := claimed(t, g.Rules)
		for _, inv := range want[g.Name] {
			if !slices.Contains(got, inv) {
				t.Errorf("%s: %s is not proved, only %q", g.Name, inv, got)
			}
		}
	}
}

func TestPublishedBoards(t *testing.T) {
	want := map[string][]string{
		"chess":            {"(cell k0 k1 *)", "(control *)", "(cell * * wk)", "(cell * * bk)"},
		"checkers":         {"(cell k0 k1 *)", "(control *)", "(piece_count k0 *)"},
		"breakthrough":     {"(cellHolds k0 k1 *)", "(control *)"},
		"speedChess":       {"(cell k0 k1 * *)", "(control *)", "(cell * * k0 king)"},
		"skirmish":         {"(location k0 k1 *)", "(location * * whiteKing)"},
		"reversi":          {"(cell k0 k1 *)", "(control *)"},
		"connectFour":      {"(cell k0 k1 *)", "(control *)"},
		"connect5":         {"(cell k0 k1 *)", "(control *)"},
		"amazons_10x10":    {"(cell k0 k1 *)", "(turn * *)"},
		"hex":              {"(cell k0 k1 *)", "(step *)"},
		"eightPuzzle":      {"(cell k0 k1 *)", "(cell * * k0)"},
		"chineseCheckers6": {"(cell k0 *)"},
	}
	for name := range want {
		got := claimed(t, testenv.Rules(t, name))
		for _, inv := range want[name] {
			if !slices.Contains(got, inv) {
				t.Errorf("%s: %s is not proved, only %q", name, inv, got)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := readProgram(t, onTurn)
	if got := Prove(ctx, p); len(got) > 0 {
		t.Errorf("proved %d invariants in no time", len(got))
	}
}

// endsAfter is a context that ends once it has been asked so often.
type endsAfter struct {
	context.Context
	left int
}

func (c *endsAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// Pairs of fluents are looked at up to a bound, and as long as the context allows.
func TestPairsAreBounded(t *testing.T) {
	tokens := "(role a) (goal a 0) (<= terminal (not (true t1)))"
	for i := range 400 {
		tokens += fmt.Sprintf(" (init t%d) (<= (legal a (take %d)) (true t%d)) (<= (next t%d) (true t%d) (not (does a (take %d))))", i, i, i, i, i, i)
	}
	ctx := &endsAfter{t.Context(), 1 << 30}
	Prove(ctx, readProgram(t, tokens))
	if asked := 1<<30 - ctx.left; asked < maxGroupTries || asked > 2*maxGroupTries { // of 79,800 pairs
		t.Errorf("the context was asked %d times", asked)
	}
}

// The mirror shows one number if there is but one to show, and there are two after the
// first move. Whenever the context ends, nothing is claimed that rests on what was not proved.
func TestEndsBetweenProofs(t *testing.T) {
	p := readProgram(t, onTurn+`
		(init (mirror 0)) (init (number 0))
		(<= (next (mirror ?n)) (true (number ?n)))
		(<= (next (number ?n)) (true (number ?n)))
		(<= (next (number ?n)) (true (number ?m)) (succ ?m ?n))`)
	for asked, ended := 0, true; ended; asked++ {
		ctx := &endsAfter{t.Context(), asked}
		for _, inv := range Prove(ctx, p) {
			if s := inv.format(p.Symbols); strings.Contains(s, "(mirror *)") {
				t.Fatalf("%s is claimed where the context ends at question %d", s, asked+1)
			}
		}
		ended = ctx.left < 0
	}
}
