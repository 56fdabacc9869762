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

// exceptions are packages beyond a limit: what they may have at most, which is
// what they have. Who makes one smaller writes the smaller number here, or
// takes the line out.
var exceptions = map[string]struct{ methods, fields, cycle int }{
	"search/proof": {methods: 41},
}

func TestHouse(t *testing.T) {
	rooms, err := Measure("../..")
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	for _, r := range rooms {
		met[r.Path] = true
		e := exceptions[r.Path]
		hold(t, r.Path, "methods of "+r.Methods.Name, r.Methods.N, maxMethods, e.methods)
		hold(t, r.Path, "fields of "+r.Fields.Name, r.Fields.N, maxFields, e.fields)
		hold(t, r.Path, "files in a cycle", len(r.Cycle), maxCycle, e.cycle)
		hold(t, r.Path, "lines of "+r.Function.Name, r.Function.N, maxFunction, 0)
	}
	for path := range exceptions {
		if !met[path] {
			t.Errorf("the exception %s is no package", path)
		}
	}
}

// hold compares a figure with its limit, or with its exception, which has to
// be what it is.
func hold(t *testing.T, path, what string, n, limit, exception int) {
	t.Helper()
	switch {
	case exception == 0 && n > limit:
		t.Errorf("%s: %d %s, at most %d: cut it into parts that can be read alone", path, n, what, limit)
	case exception > 0 && n <= limit:
		t.Errorf("%s: %d %s are within the limit: take the exception out", path, n, what)
	case exception > 0 && n != exception:
		t.Errorf("%s: %d %s, where the exception says %d: it may only shrink, and then the exception too", path, n, what, exception)
	}
}
