package split_test

import (
	"context"
	"slices"
	"testing"

	"github.com/cockroachdb/datadriven"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// TestGolden: rules beside their plans, and beside the program of a plan.
// -rewrite renews them.
func TestGolden(t *testing.T) {
	datadriven.RunTest(t, "testdata/plans.txt", func(t *testing.T, d *datadriven.TestData) string {
		p, diags := gdl.Read(d.Input)
		if err := diags.Err(); err != nil {
			d.Fatalf(t, "%v", err)
		}
		plans, notes := split.Plans(context.Background(), p)
		switch d.Cmd {
		case "plans":
			out := ""
			for _, plan := range plans {
				out += plan.String() + "\n"
			}
			for _, n := range notes {
				out += n + "\n"
			}
			return out
		case "game":
			name := d.CmdArgs[0].Key
			i := slices.IndexFunc(plans, func(p *split.Plan) bool { return p.Name == name })
			if i < 0 {
				d.Fatalf(t, "no plan %s", name)
			}
			g, err := split.Rewrite(context.Background(), p, plans[i])
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			return g.Plan.String() + "\n" + g.Program.String()
		}
		d.Fatalf(t, "unknown command %s", d.Cmd)
		return ""
	})
}

// TestGoldenMeaning: the games of the golden file mean the same with every
// plan.
func TestGoldenMeaning(t *testing.T) {
	datadriven.RunTest(t, "testdata/plans.txt", func(t *testing.T, d *datadriven.TestData) string {
		plansMeaning(t, d.Input, 3, 6)
		return d.Expected
	})
}
