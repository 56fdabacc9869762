package gdl

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const rebuildRules = `
(role r) (init (n 1)) (succ 1 2) (succ 2 3)
(<= (legal r (add ?x)) (true (n ?x)) (far ?x))
(<= (far ?x) (succ ?x ?y))
(<= (far ?x) (succ ?x ?y) (far ?y))
(<= (picked ?x) (does r (add ?x)))
(<= (next (n ?y)) (picked ?x) (succ ?x ?y))
(<= terminal (not (some)))
(<= (some) (true (n ?x)))
`

// TestRebuild: a program that was not changed comes out as it was.
func TestRebuild(t *testing.T) {
	p, diags := Read(rebuildRules)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(p.Relations)
	for r := range p.Relations {
		p.Relations[r] = Relation{Name: want[r].Name, Arity: want[r].Arity, Stratum: 9, Group: 9}
	}
	if err := Rebuild(p, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, p.Relations); diff != "" {
		t.Error(diff)
	}
}

// TestRebuildInputs: what depends on an input depends on what the input does.
func TestRebuildInputs(t *testing.T) {
	p, diags := Read(rebuildRules)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	find := func(name string) RelID {
		return RelID(slices.IndexFunc(p.Relations, func(r Relation) bool { return p.Symbols.Name(r.Name) == name }))
	}
	p.Rules = slices.DeleteFunc(p.Rules, func(r Rule) bool { return r.Head.Rel == find("picked") || r.Head.Rel == find("far") })
	if err := Rebuild(p, map[RelID]Dependence{find("picked"): OnMoves, find("far"): OnState}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Dependence{"next": OnMoves, "legal": OnState, "picked": OnMoves, "succ": 0, "some": OnState, "terminal": OnState} {
		if got := p.Relations[find(name)].Depends; got != want {
			t.Errorf("%s depends on%s, want%s", name, got, want)
		}
	}
}

// TestRebuildCycle: negation through a cycle is an error.
func TestRebuildCycle(t *testing.T) {
	p, diags := Read(rebuildRules)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	for i := range p.Rules {
		if p.Rules[i].Head.Rel == RelTerminal {
			p.Rules[i].Body[0].Rel = RelTerminal
		}
	}
	if err := Rebuild(p, nil); err == nil {
		t.Error("terminal uses not terminal, and nothing is said")
	}
}
