package gdl_test

import (
	"testing"

	"github.com/cockroachdb/datadriven"

	"semisplit/reasoner/gdl"
)

// TestGolden: descriptions beside their findings and dumps. -rewrite renews
// them.
func TestGolden(t *testing.T) {
	datadriven.RunTest(t, "testdata/programs.txt", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd != "read" {
			d.Fatalf(t, "unknown command %s", d.Cmd)
		}
		p, diags := gdl.Read(d.Input)
		if p == nil {
			return diags.String()
		}
		return diags.String() + p.String()
	})
}
