package split_test

import (
	"context"
	"testing"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// TestPlansMeaning: every plan of bundled games is the game, whole moves among
// them, asked of the prover for whole games. The short run takes one game in
// three of those that are not large; the long run takes published ones as well.
// The suite of package reasonertest plays the rules of plans as they are.
func TestPlansMeaning(t *testing.T) {
	for i, game := range games.List() {
		if testenv.Long() || testenv.Large(game.Name) == "" && i%3 == 0 {
			t.Run(game.Name, func(t *testing.T) { plansMeaning(t, game.Rules, 1, 4) })
		}
	}
	if !testenv.Long() {
		return
	}
	for _, name := range testenv.Published(t) {
		t.Run(name, func(t *testing.T) { plansMeaning(t, testenv.Rules(t, name), 1, 3) })
	}
}

func plansMeaning(t *testing.T, rules string, matches, states int) {
	p := read(t, rules)
	plans, notes := split.Plans(context.Background(), p)
	if len(plans) == 0 {
		t.Fatalf("no plan: %v", notes)
	}
	if testing.Verbose() {
		t.Log(notes)
	}
	for _, plan := range plans {
		g, err := split.Rewrite(context.Background(), p, plan)
		if err != nil {
			t.Fatal(err)
		}
		if g.Plan.String() != plan.String() {
			t.Errorf("%s: rewritten twice, the plan differs", plan.Name)
		}
		if testing.Verbose() {
			t.Log(g.Plan.String())
		}
		contract(t, g)
		dead, paths := compare(t, p, g, matches, states)
		if testing.Verbose() {
			t.Logf("%s: %d dead prefixes for %d paths", plan.Name, dead, paths)
		}
	}
}

// contract holds a game against what its type promises: which inputs may be
// asked where.
func contract(t *testing.T, g *split.Game) {
	t.Helper()
	movable := make(map[gdl.RelID]bool)
	levelOf := make(map[gdl.RelID][2]int) // of a Select relation: role and level
	for i, r := range g.Roles {
		if r.HasLegalMove >= 0 {
			movable[r.HasLegalMove] = true
		}
		if len(r.Levels) == 0 {
			t.Errorf("role %d has no level", i)
		}
		for l, level := range r.Levels {
			if len(level.Choices) == 0 || level.Verify && (len(level.Choices) != 1 || l != len(r.Levels)-1) {
				t.Errorf("role %d level %d has %d choices", i, l+1, len(level.Choices))
			}
			for _, c := range level.Choices {
				if _, twice := levelOf[c.Select]; twice {
					t.Errorf("role %d level %d: Select stands for two choices", i, l+1)
				}
				levelOf[c.Select] = [2]int{i, l}
				if a, b := g.Program.Relations[c.Offer].Arity, g.Program.Relations[c.Select].Arity; a != b {
					t.Errorf("role %d level %d: Offer has arity %d, Select %d", i, l+1, a, b)
				}
			}
		}
	}
	for rel := range reached(g.Program, gdl.RelTerminal, gdl.RelGoal) {
		if at, ok := levelOf[rel]; ok {
			t.Errorf("terminal or goal ask for the selection of role %d", at[0])
		}
	}
	for rel := range reached(g.Program, gdl.RelNext) {
		if movable[rel] {
			t.Error("next asks for HasLegalMove")
		}
	}
	for i, r := range g.Roles {
		for l, level := range r.Levels {
			for _, c := range level.Choices {
				for rel := range reached(g.Program, c.Offer) {
					if at, ok := levelOf[rel]; movable[rel] || ok && (at[0] != i || at[1] >= l) {
						t.Errorf("an offer of role %d level %d asks for %s", i, l+1, g.Program.Symbols.Name(g.Program.Relations[rel].Name))
					}
				}
			}
		}
	}
}

// reached are the relations that the rules of the given ones use, directly or
// not.
func reached(p *gdl.Program, from ...gdl.RelID) map[gdl.RelID]bool {
	out := make(map[gdl.RelID]bool)
	for len(from) > 0 {
		r := from[0]
		from = from[1:]
		for _, i := range p.Relations[r].Rules {
			for _, l := range p.Rules[i].Body {
				if l.Rel >= 0 && !out[l.Rel] {
					out[l.Rel] = true
					from = append(from, l.Rel)
				}
			}
		}
	}
	return out
}
