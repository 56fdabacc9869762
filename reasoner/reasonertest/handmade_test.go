package reasonertest

import (
	"strings"
	"testing"
	"time"

	"semisplit/reasoner"
	"semisplit/reasoner/split"
)

// board is a fight on nine squares: a piece steps to a square beside it that
// holds no friend and has no enemy beside it. Who cannot move has lost.
const board = `
	(role a) (role b)
	(init (cell 1 1 a)) (init (cell 2 1 a)) (init (cell 3 3 b)) (init (cell 1 3 b))
	(init (control a)) (init (step 0))
	(other a b) (other b a)
	(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
	(near 1 2) (near 2 3) (near 2 1) (near 3 2)
	(file 1) (file 2) (file 3)
	(<= (beside ?x ?y ?u ?y) (near ?x ?u) (file ?y))
	(<= (beside ?x ?y ?x ?v) (near ?y ?v) (file ?x))
	(<= (watched ?r ?x ?y) (beside ?x ?y ?u ?v) (other ?r ?o) (true (cell ?u ?v ?o)))
	(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (touched ?x ?y)))
	(<= (next (control ?o)) (true (control ?r)) (other ?r ?o))
	(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
	(<= terminal (true (step 8)))
	(<= terminal (true (control ?r)) (not (free ?r)))
	(<= (goal ?r 100) (role ?r) (other ?r ?o) (true (control ?o)) (not (free ?o)))
	(<= (goal ?r 0) (true (control ?r)) (not (free ?r)))
	(<= (goal ?r 50) (role ?r) (free a) (free b))`

const boardWhole = `
	(<= (legal ?r (move ?x ?y ?u ?v)) (true (control ?r)) (true (cell ?x ?y ?r)) (beside ?x ?y ?u ?v)
	    (not (true (cell ?u ?v ?r))) (not (watched ?r ?u ?v)))
	(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
	(<= (free ?r) (legal ?r ?m))
	(<= (next (cell ?u ?v ?r)) (does ?r (move ?x ?y ?u ?v)))
	(<= (touched ?x ?y) (does ?r (move ?x ?y ?u ?v)))
	(<= (touched ?u ?v) (does ?r (move ?x ?y ?u ?v)))`

// In boardSplit, R stands for each role.
const boardSplit = `
	(<= (from-R ?x ?y) (true (control R)) (true (cell ?x ?y R)))
	(<= wait-R (not (true (control R))))
	(<= (to-R ?u ?v) (from-R* ?x ?y) (beside ?x ?y ?u ?v) (not (true (cell ?u ?v R))))
	(<= waits-R wait-R*)
	(<= safe-R (to-R* ?u ?v) (not (watched R ?u ?v)))
	(<= safe-R wait-R*)
	(<= (free R) movable-R)
	(<= (next (cell ?u ?v R)) (to-R* ?u ?v))
	(<= (touched ?x ?y) (from-R* ?x ?y))
	(<= (touched ?u ?v) (to-R* ?u ?v))`

func boardGame(t testing.TB) (whole Game, parts *split.Game) {
	t.Helper()
	whole, _ = Read(t, "board", board+boardWhole)
	return whole, splitBoard(t, boardSplit)
}

func splitBoard(t testing.TB, rulesOfRole string) *split.Game {
	t.Helper()
	rules := board
	var roles []HandmadeRole
	for _, r := range []string{"a", "b"} {
		rules += strings.ReplaceAll(rulesOfRole, "R", r)
		roles = append(roles, HandmadeRole{
			HasLegalMove: "movable-" + r,
			Levels: [][]Choice{
				{{"from-" + r, "from-" + r + "*", "(move ?0 ?1 _ _)"}, {"wait-" + r, "wait-" + r + "*", "noop"}},
				{{"to-" + r, "to-" + r + "*", "(move _ _ ?0 ?1)"}, {"waits-" + r, "waits-" + r + "*", "_"}},
				{{"safe-" + r, "safe-" + r + "*", "_"}},
			},
		})
	}
	return Handmade(t, rules, roles...)
}

// parcels has three roles at once, with moves of several functors, nested
// terms, an argument that occurs twice, recursion through what is selected,
// and a role whose moves are whole.
const parcels = `
	(role packer) (role carrier) (role clock)
	(init (at depot)) (init (round 0)) (init (low 1)) (init (low 2))
	(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
	(road depot hill) (road hill lake) (road lake depot) (road hill cape)
	(kind red) (kind blue) (size 1) (size 2) (size 3)
	(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
	(<= (next (box ?k ?n)) (true (box ?k ?n)) (not (lost ?k)))
	(<= (next (low ?n)) (packed ?k ?n) (true (round ?n)))
	(<= (next (low ?n)) (true (low ?n)) (not (rung ?n)))
	(<= (next (box ?k ?n)) (packed ?k ?n) (not (rung ?n)))
	(<= (next (at ?y)) (moved ?x ?y))
	(<= (next (at ?x)) (true (at ?x)) (not gone))
	(<= gone (moved ?x ?y))
	(<= (next (seen ?y)) (moved ?x ?z) (way ?z ?y))
	(<= (way ?x ?y) (road ?x ?y) (not (shut ?x ?y)))
	(<= (way ?x ?z) (way ?x ?y) (way ?y ?z))
	(<= (shut ?x ?y) (moved ?x ?y))
	(<= terminal (true (round 4)))
	(<= (goal packer 40) (true (box ?k ?n))) (<= (goal packer 90) (true (box red 3)))
	(<= (goal carrier 70) (true (seen depot)))
	(<= (goal clock 30) (not (true (at depot))))`

const parcelsWhole = `
	(<= (legal packer (pack (box ?k ?n) hard)) (kind ?k) (size ?n) (not (true (box ?k ?n))) (true (low ?n)))
	(<= (legal packer (pack (box ?k ?n) soft)) (kind ?k) (size ?n) (not (true (low ?n))) (not (true (box red ?n))))
	(<= (legal packer (lose ?k)) (true (box ?k ?n)))
	(legal packer rest)
	(<= (legal carrier (go ?x ?y)) (true (at ?x)) (road ?x ?y))
	(<= (legal carrier (loop ?x ?x)) (true (seen ?x)))
	(legal carrier stay)
	(<= (legal clock (ring ?n)) (true (round ?n)))
	(legal clock (ring never))
	(<= (packed ?k ?n) (does packer (pack (box ?k ?n) ?how)))
	(<= (lost ?k) (does packer (lose ?k)))
	(<= (moved ?x ?y) (does carrier (go ?x ?y)))
	(<= (moved ?x ?x) (does carrier (loop ?x ?x)) (does clock (ring never)))
	(<= (rung ?n) (does clock (ring ?n)))`

const parcelsSplit = `
	(<= p-kind-pack (kind ?k)) (<= p-kind-lose (true (box ?k ?n))) (p-kind-rest)
	(<= (p-what ?k) p-kind-pack* (p-size* ?n hard) (kind ?k) (not (true (box ?k ?n))))
	(<= (p-size ?n hard) p-kind-pack* (size ?n) (true (low ?n)))
	(<= (p-size ?n soft) p-kind-pack* (size ?n) (not (true (low ?n))))
	(<= (p-what ?k) (p-size* ?n soft) (kind ?k) (not (true (box red ?n))))
	(<= p-none p-kind-lose*) (<= p-none p-kind-rest*)
	(<= (p-lose ?k) p-kind-lose* (true (box ?k ?n)))
	(<= p-rest p-kind-rest*)
	(<= (c-from ?x) (true (at ?x))) (<= (c-loop ?x) (true (seen ?x))) (c-stay)
	(<= (c-to ?y) (c-from* ?x) (road ?x ?y))
	(<= c-none (c-loop* ?x)) (<= c-none c-stay*)
	(<= (ring (ring ?n)) (true (round ?n)))
	(ring (ring never))
	(<= (packed ?k ?n) (p-size* ?n ?h) (p-what* ?k))
	(<= (lost ?k) (p-lose* ?k))
	(<= (moved ?x ?y) (c-from* ?x) (c-to* ?y))
	(<= (moved ?x ?x) (c-loop* ?x) (ring* (ring never)))
	(<= (rung ?n) (ring* (ring ?n)))`

func parcelsGame(t testing.TB) (whole Game, parts *split.Game) {
	t.Helper()
	whole, _ = Read(t, "parcels", parcels+parcelsWhole)
	return whole, Handmade(t, parcels+parcelsSplit,
		HandmadeRole{Levels: [][]Choice{
			{{"p-kind-pack", "p-kind-pack*", "(pack _ _)"}, {"p-kind-lose", "p-kind-lose*", "(lose _)"}, {"p-kind-rest", "p-kind-rest*", "rest"}},
			{{"p-size", "p-size*", "(pack (box _ ?0) ?1)"}, {"p-none", "p-none*", "_"}},
			{{"p-what", "p-what*", "(pack (box ?0 _) _)"}, {"p-lose", "p-lose*", "(lose ?0)"}, {"p-rest", "p-rest*", "_"}},
		}},
		HandmadeRole{Levels: [][]Choice{
			{{"c-from", "c-from*", "(go ?0 _)"}, {"c-loop", "c-loop*", "(loop ?0 ?0)"}, {"c-stay", "c-stay*", "stay"}},
			{{"c-to", "c-to*", "(go _ ?0)"}, {"c-none", "c-none*", "_"}},
		}},
		HandmadeRole{Levels: [][]Choice{{{"ring", "ring*", "?0"}}}},
	)
}

func mustSplit(t testing.TB, g *split.Game) reasoner.Machine {
	t.Helper()
	m, err := SplitProver(g)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestHandmade plays games that were split by hand.
func TestHandmade(t *testing.T) {
	for _, game := range []func(testing.TB) (Game, *split.Game){boardGame, parcelsGame} {
		whole, parts := game(t)
		whole.Machines = []reasoner.Machine{mustSplit(t, parts)}
		whole.Seeds, whole.Time = []uint64{1, 2, 3}, 3*time.Second
		whole.Rounds = 150
		Run(t, whole)
	}
}

// TestWrongSplits makes sure that a mistake in a split game shows.
func TestWrongSplits(t *testing.T) {
	whole, _ := Read(t, "board", board+boardWhole)
	whole.Seeds, whole.Rounds, whole.Time = []uint64{1, 2, 3}, 100, time.Minute
	for _, c := range []struct{ name, old, new string }{
		{"the same", "", ""},
		{"no verification", "(not (watched R ?u ?v))", ""},
		{"a test that is too strong", "(not (watched R ?u ?v))", "(not (watched R ?u ?v)) (distinct ?u ?v)"},
		{"a piece that leaves its shadow", "(<= (touched ?x ?y) (from-R* ?x ?y))", ""},
		{"always movable", "(<= (free R) movable-R)", "(free R)"},
	} {
		if !strings.Contains(boardSplit, c.old) {
			t.Fatalf("%s: nothing to replace", c.name)
		}
		m := mustSplit(t, splitBoard(t, strings.Replace(boardSplit, c.old, c.new, 1)))
		r := &recorder{}
		r.watch(func() { check(r, whole, m) })
		if r.Failed() != (c.old != "") {
			t.Errorf("%s: failures %v", c.name, r.failures)
		}
	}
}
