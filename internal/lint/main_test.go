package main

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// The analyzers of vet are there, and those of staticcheck but for what it leaves out by
// default.
func TestAnalyzers(t *testing.T) {
	all := analyzers()
	if err := analysis.Validate(all); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"printf": true, "copylocks": true, "SA1019": true, "S1000": true, "ST1005": true, "ST1000": false, "unused": true} {
		if has := slices.ContainsFunc(all, func(a *analysis.Analyzer) bool { return a.Name == name }); has != want {
			t.Errorf("%s: %v", name, has)
		}
	}
}

// Facts are gathered of the standard library and of this module, but of no other.
func TestIsOfOthers(t *testing.T) {
	for path, want := range map[string]bool{
		"fmt": false, "crypto/internal/entropy/v1.0.0": false, "vendor/golang.org/x/net/idna": false,
		"semisplit/ggp": false, "semisplit/ggp.test": false, "modernc.org/sqlite/lib": true, "github.com/tidwall/gjson": true,
	} {
		if isOfOthers(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}
