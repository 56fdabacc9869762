package ground_test

import (
	"context"
	"testing"

	"github.com/cockroachdb/datadriven"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
)

// TestGolden holds the circuits of tiny games against their dumps; renew them
// with -rewrite.
func TestGolden(t *testing.T) {
	datadriven.RunTest(t, "testdata/circuits.txt", func(t *testing.T, d *datadriven.TestData) string {
		p, diagnostics := gdl.Read(d.Input)
		if p == nil {
			return diagnostics.String()
		}
		net, err := orthodoxNet(context.Background(), p, ground.Limits{})
		if err != nil {
			return err.Error()
		}
		return net.Stats().String() + "\n" + net.String()
	})
}
