package house

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMeasure(t *testing.T) {
	got, err := Measure("testdata/small")
	if err != nil {
		t.Fatal(err)
	}
	want := []Room{{
		Path: ".", Files: 3, Lines: 27, TestLines: 1, Generated: 5, Exported: 3,
		Methods: Largest{"Box", 2}, Fields: Largest{"Box", 3}, Function: Largest{"product", 6},
		Cycle: []string{"a.go", "b.go"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestComponents(t *testing.T) {
	got := components([][]int{{1}, {2}, {0, 3}, {4}, {}, {4, 6}, {5}})
	for _, c := range got {
		slices.Sort(c)
	}
	slices.SortFunc(got, func(a, b []int) int { return a[0] - b[0] })
	if diff := cmp.Diff([][]int{{0, 1, 2}, {3}, {4}, {5, 6}}, got); diff != "" {
		t.Error(diff)
	}
}

// Limits of a package. Beyond them a reader loses the thread.
const (
	maxMethods  = 40 // that can be called on a type
	maxFields   = 30 // of a struct
	maxCycle    = 12 // files that use each other
	maxFunction = 75 // lines
)

func TestHouse(t *testing.T) {
	rooms, err := Measure("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rooms {
		hold(t, r.Path, "methods of "+r.Methods.Name, r.Methods.N, maxMethods)
		hold(t, r.Path, "fields of "+r.Fields.Name, r.Fields.N, maxFields)
		hold(t, r.Path, "files in a cycle", len(r.Cycle), maxCycle)
		hold(t, r.Path, "lines of "+r.Function.Name, r.Function.N, maxFunction)
	}
}

// hold compares a figure with its limit.
func hold(t *testing.T, path, what string, n, limit int) {
	t.Helper()
	if n > limit {
		t.Errorf("%s: %d %s, at most %d: cut it into parts that can be read alone", path, n, what, limit)
	}
}
