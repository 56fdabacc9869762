package split_test

import (
	"testing"

	"semisplit/reasoner/gdl"
)

func read(t *testing.T, rules string) *gdl.Program {
	t.Helper()
	p, diags := gdl.Read(rules)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}
