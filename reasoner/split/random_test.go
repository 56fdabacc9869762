package split_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"semisplit/games"
	"semisplit/reasoner/split"
)

// randomPlan divides the arguments of every form at random, in any order.
func randomPlan(r *rand.Rand, from *split.Plan) *split.Plan {
	plan := &split.Plan{Name: "random", NoLookahead: r.IntN(3) == 0}
	for _, role := range from.Roles {
		rp := split.RolePlan{Role: role.Role, FunctorLevel: r.IntN(3) == 0, Verify: r.IntN(2) == 0}
		for _, f := range role.Forms {
			fp := split.FormPlan{Form: f.Form, Names: f.Names}
			groups := make([][]int, 1+r.IntN(len(f.Names)+1))
			for i := range f.Names {
				g := r.IntN(len(groups))
				groups[g] = append(groups[g], i)
			}
			for _, g := range groups {
				if len(g) > 0 {
					fp.Groups = append(fp.Groups, g)
				}
			}
			if len(fp.Groups) == 0 {
				fp.Groups = [][]int{nil}
			}
			rp.Forms = append(rp.Forms, fp)
		}
		plan.Roles = append(plan.Roles, rp)
	}
	return plan
}

// TestRandomPlans: any way to divide the arguments gives the game, however bad
// an idea it is.
func TestRandomPlans(t *testing.T) {
	rules := make(map[string]string)
	for name, text := range oddGames {
		rules[name] = text
	}
	for _, g := range games.List() {
		if g.Name == "breakthrough" || g.Name == "nim" {
			rules[g.Name] = g.Rules
		}
	}
	for name, text := range rules {
		t.Run(name, func(t *testing.T) {
			p := read(t, text)
			plans, _ := split.Plans(context.Background(), p)
			for seed := range uint64(4) {
				plan := randomPlan(rand.New(rand.NewPCG(seed, 7)), plans[0])
				g, err := split.Rewrite(context.Background(), p, plan)
				if err != nil {
					t.Fatalf("%v in\n%s", err, plan)
				}
				if !t.Run(fmt.Sprint(seed), func(t *testing.T) { compare(t, p, g, 1, 5) }) {
					t.Fatal(g.Plan.String(), g.Program.String())
				}
			}
		})
	}
}

// TestBadPlan: a plan for another game is refused.
func TestBadPlan(t *testing.T) {
	p := read(t, oddGames["nested terms"])
	for _, other := range []string{"moves as data", "three roles at once"} {
		plans, _ := split.Plans(context.Background(), read(t, oddGames[other]))
		if _, err := split.Rewrite(context.Background(), p, plans[0]); err == nil {
			t.Errorf("the plan of %q was taken", other)
		}
	}
}
