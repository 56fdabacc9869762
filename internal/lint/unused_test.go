package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// What nobody uses is told at its place; what is exported, or used, is not.
func TestUnusedCode(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module planted\n\ngo 1.26\n",
		"a.go":   "package planted\n\ntype lost struct{}\n\nfunc Shown() int { return used }\n\nconst used = 1\n\nconst idle = 2\n",
		"b.go":   "package planted\n\nfunc forgotten() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{unusedCode}, found, nil)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, action := range graph.Roots {
		for _, d := range action.Diagnostics {
			at := action.Package.Fset.Position(d.Pos)
			told = append(told, filepath.Base(at.Filename)+": "+d.Message)
		}
	}
	slices.Sort(told)
	if want := []string{"a.go: const idle is unused", "a.go: type lost is unused", "b.go: func forgotten is unused"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}
