package split_test

import (
	"slices"
	"testing"

	"semisplit/reasoner/split"
)

// Every game has the plan that comes first. Each other one gives way to one before it, so
// that whoever goes on to coarser plans ends with whole moves.
func TestCoarser(t *testing.T) {
	names := split.Names()
	if names[0] != split.WholeMoves || split.Coarser(names[0]) != "" || split.Coarser("none") != "" {
		t.Errorf("%v: the first is not the coarsest", names)
	}
	for i, name := range names {
		if i > 0 && !slices.Contains(names[:i], split.Coarser(name)) {
			t.Errorf("%s gives way to %q, which is none of %v", name, split.Coarser(name), names[:i])
		}
		if slices.Contains(names[:i], name) {
			t.Errorf("%s is there twice", name)
		}
	}
}
