// Package reasonertest is the suite that every machine must pass: it walks
// random games and holds what the machine says, position by position, against
// a machine that is trusted. It gets its games as an argument.
package reasonertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// Game is one game and the machines that play it.
type Game struct {
	Name     string
	Oracle   reasoner.Machine   // what is true
	Machines []reasoner.Machine // what is tested

	Seeds  []uint64      // one walk for each; nil means 1 and 2
	Rounds int           // steps of a walk; 0 means 60
	Time   time.Duration // ends the walks of a machine early; 0 means 2 s
}

// Read makes a game from a description, with the prover as the oracle. It
// fails the test if the rules cannot be read.
func Read(t testing.TB, name, rules string) (Game, *gdl.Program) {
	t.Helper()
	p, diags := reasoner.Read(rules)
	if err := diags.Err(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	oracle, err := reasoner.NewProver(p)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return Game{Name: name, Oracle: oracle}, p
}

// Run tests the machines of a game, each in a subtest.
func Run(t *testing.T, g Game) {
	if g.Seeds == nil {
		g.Seeds = []uint64{1, 2}
	}
	if g.Rounds == 0 {
		g.Rounds = 60
	}
	if g.Time == 0 {
		g.Time = 2 * time.Second
	}
	for i, m := range g.Machines {
		t.Run(fmt.Sprintf("%s/%s%d", g.Name, m.Kind(), i), func(t *testing.T) { check(t, g, m) })
	}
}

// reporter is what the suite needs of a *testing.T.
type reporter interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
}

// check tests one machine of a game, whose settings are complete.
func check(t reporter, g Game, m reasoner.Machine) { checkWith(t, g, m, fewPrefixes) }

// checkWith walks all paths of a role if they have no more prefixes than so
// many.
func checkWith(t reporter, g Game, m reasoner.Machine, prefixes int) {
	sameGame(t, g.Oracle, m)
	unknownTerms(t, m)
	if m.Spare() != nil && !t.Failed() {
		walkOn(t, g, m.Whole(), prefixes)
	}
	if !t.Failed() {
		walkOn(t, g, m, prefixes)
	}
}

// walkOn walks with each seed.
func walkOn(t reporter, g Game, m reasoner.Machine, prefixes int) {
	end := time.Now().Add(g.Time)
	compared := 0
	defer func() { t.Logf("%d positions compared", compared) }()
	for i, seed := range g.Seeds {
		// What is left is shared among the seeds that are left.
		share := time.Until(end) / time.Duration(len(g.Seeds)-i)
		w := newWalk(t, g.Oracle, m, seed)
		w.prefixes = prefixes
		w.run(g.Rounds, time.Now().Add(share))
		compared += w.compared
		if t.Failed() {
			return
		}
	}
}

// sameGame compares what does not depend on a state.
func sameGame(t reporter, oracle, m reasoner.Machine) {
	t.Helper()
	want, got := oracle.Roles(), m.Roles()
	if spell(want) != spell(got) {
		t.Fatalf("roles %s, want %s", spell(got), spell(want))
	}
	for r := range got {
		if m.Levels(r) < 1 {
			t.Fatalf("role %d has %d levels", r, m.Levels(r))
		}
	}
	if d := difference(oracle.Fluents(oracle.Initial()), m.Fluents(m.Initial())); d != "" {
		t.Fatalf("initial state: %s", d)
	}
}

// unknownTerms asks for what no game has.
func unknownTerms(t reporter, m reasoner.Machine) {
	t.Helper()
	odd := kif.List(kif.Symbol("no-such-thing"), kif.Symbol("no-such-argument"))
	for _, term := range []kif.Term{odd, kif.Symbol("no-such-thing")} {
		for r := range m.Roles() {
			if path, ok := m.Path(r, term); ok {
				t.Errorf("Path(%d, %s) = %v, though there is no such move", r, term, path)
			}
		}
	}
	// The prover can represent any fluent; what it takes it must give back.
	if state, err := m.Encode([]kif.Term{odd}); err == nil {
		if d := difference([]kif.Term{odd}, m.Fluents(state)); d != "" {
			t.Errorf("Encode(%s) is another state: %s", odd, d)
		}
	}
}

func spell(terms []kif.Term) string {
	words := make([]string, len(terms))
	for i, t := range terms {
		words[i] = t.String()
	}
	return strings.Join(words, " ")
}

// sorted spells terms as a sorted list.
func sorted(terms []kif.Term) []string {
	words := make([]string, len(terms))
	for i, t := range terms {
		words[i] = t.String()
	}
	slices.Sort(words)
	return words
}

// difference tells how two sets of terms differ, "" if they do not. A term
// that is there twice counts as a difference.
func difference(want, got []kif.Term) string {
	return differenceOf(sorted(want), sorted(got))
}

func differenceOf(want, got []string) string {
	if slices.Equal(want, got) {
		return ""
	}
	var missing, extra []string
	for len(want) > 0 || len(got) > 0 {
		switch {
		case len(got) == 0 || len(want) > 0 && want[0] < got[0]:
			missing, want = append(missing, want[0]), want[1:]
		case len(want) == 0 || got[0] < want[0]:
			extra, got = append(extra, got[0]), got[1:]
		default:
			want, got = want[1:], got[1:]
		}
	}
	return fmt.Sprintf("missing %v, extra %v", missing, extra)
}
