package perfect

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// file is a set that comes with the project.
func file(t *testing.T, name string) Set {
	t.Helper()
	set, err := Read(filepath.Join("../../docs/experiments/perfect", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestSets solves some positions of each set again.
func TestSets(t *testing.T) {
	count := 3
	if testing.Short() {
		count = 1
	}
	for _, spec := range Specs {
		t.Run(spec.Name, func(t *testing.T) {
			g := spec.New()
			for _, want := range file(t, spec.Name).Positions[:count] {
				g.Start()
				for _, move := range want.Moves {
					i := slices.Index(g.Moves(), move)
					if i < 0 {
						t.Fatalf("%s is not legal in %v", move, want.Moves)
					}
					g.Play(i)
				}
				got := Position{Moves: want.Moves}
				if !spec.judge(&got, g.Moves(), g.Solve(10*spec.Nodes)) {
					t.Errorf("no such position: %v", want.Moves)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// TestMake makes the beginning of a set again.
func TestMake(t *testing.T) {
	spec := Specs[slices.IndexFunc(Specs, func(s Spec) bool { return s.Name == "dotsandboxes" })]
	want := file(t, spec.Name).Positions[:3]
	var got []Position
	spec.Make(1, func(p Position) bool {
		got = append(got, p)
		return len(got) < len(want)
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
