package invariant

import (
	"context"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/prover"
)

// plainTerm turns a term of a state into a term of the program; false if it
// holds a name that the program does not have.
func plainTerm(t kif.Term, symbols *gdl.Symbols) (gdl.Term, bool) {
	if !t.IsList() {
		name, ok := symbols.Lookup(t.Name)
		return gdl.Term{Var: -1, Name: name}, ok
	}
	name, ok := symbols.Lookup(t.Items[0].Name)
	out := gdl.Term{Var: -1, Name: name}
	for _, item := range t.Items[1:] {
		arg, known := plainTerm(item, symbols)
		out.Args, ok = append(out.Args, arg), ok && known
	}
	return out, ok
}

// walkStates plays random matches of at most longest states with the prover,
// until it has seen so many in all or visit returns false. It returns how many
// it has seen.
func walkStates(t *testing.T, p *gdl.Program, seed uint64, longest, most int, visit func(first bool, state []gdl.Term) bool) (states int) {
	t.Helper()
	m, err := prover.New(p, prover.Limits{})
	if err != nil {
		t.Skip(err)
	}
	e := m.NewEngine(seed)
	for matches := 0; states < most && matches < most; matches++ {
		e.Load(0, m.Initial(), nil)
		for n := 0; n == 0 || n < longest && states < most; n++ {
			ended, err := e.Step(nil)
			if err != nil {
				break
			}
			states++
			if !visit(n == 0, stateTerms(t, p, m, e)) {
				return states
			}
			if ended[0] != 0 {
				break
			}
		}
	}
	return states
}

// walkInvariants reports a state of random matches in which a claimed
// invariant does not hold. It returns how many states it has seen.
func walkInvariants(t *testing.T, p *gdl.Program, claims []Invariant, seed uint64, longest, most int) (states int) {
	t.Helper()
	var initial []gdl.Term
	return walkStates(t, p, seed, longest, most, func(first bool, state []gdl.Term) bool {
		if first {
			initial = state
		}
		for i := range claims {
			if _, ok := holdsIn(&claims[i], state); !ok || claims[i].Total && !keepsKeys(&claims[i], initial, state) {
				var b strings.Builder
				for j := range state {
					b.WriteByte(' ')
					writeTerm(&b, &state[j], p.Symbols)
				}
				t.Fatalf("%s is claimed, but there is a state with%s", claims[i].format(p.Symbols), b.String())
			}
		}
		return true
	})
}

// keepsKeys tells whether every key that has a fluent in one state has one in
// the other.
func keepsKeys(inv *Invariant, before, after []gdl.Term) bool {
	have := make(map[string]bool)
	each := func(state []gdl.Term, f func(key string)) {
		for i := range state {
			for j := range inv.Patterns {
				if at, ok := keysOf(&inv.Patterns[j], inv.Keys, &state[i]); ok {
					var b strings.Builder
					nameTerms(&b, at)
					f(b.String())
				}
			}
		}
	}
	each(after, func(key string) { have[key] = true })
	kept := true
	each(before, func(key string) { kept = kept && have[key] })
	return kept
}

func stateTerms(t *testing.T, p *gdl.Program, m *prover.Machine, e *prover.Engine) []gdl.Term {
	t.Helper()
	var state []gdl.Term
	for _, f := range m.Fluents(e.State(0, nil)) {
		term, ok := plainTerm(f, p.Symbols)
		if !ok {
			t.Fatalf("the program does not know the names in %s", f)
		}
		state = append(state, term)
	}
	return state
}

func readProgram(t *testing.T, src string) *gdl.Program {
	t.Helper()
	p, diagnostics := gdl.Read(src)
	if p == nil {
		t.Fatal(diagnostics.Err())
	}
	return p
}

func TestInvariantsAlongMatches(t *testing.T) {
	for _, g := range games.List() {
		t.Run(g.Name, func(t *testing.T) {
			p := readProgram(t, g.Rules)
			walkInvariants(t, p, Prove(context.Background(), p), 1, 1_000, 30)
		})
	}
}

// TestPublishedInvariants walks through every published game and
// prints what was proved, in the long run.
func TestPublishedInvariants(t *testing.T) {
	if !testenv.Long() {
		t.Skip("skipped: every published game, in the long run (GGP_LONG)")
	}
	for i, name := range testenv.Published(t) {
		t.Run(name, func(t *testing.T) {
			p := readProgram(t, testenv.Rules(t, name))
			claims := Prove(context.Background(), p)
			states := walkInvariants(t, p, claims, uint64(i), 1_000, 2_000)
			t.Logf("%d invariants, checked in %d states", len(claims), states)
			for i := range claims {
				t.Logf("    %s", claims[i].format(p.Symbols))
			}
		})
	}
}
