// Lint is a tool for "go vet -vettool": the analyzers of go vet and those of staticcheck
// in one pass, what is unused among them, so that each package is read, and its types checked, once.
//
// What is found in a package may rest on facts about those that it imports: that a
// function never returns, is deprecated, or is to be called like Printf. They are gathered
// of the standard library and of this module alone: those of the modules of others took
// twice as long as the analysis of ours (go vet -debug-actiongraph).
package main

import (
	"encoding/gob"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
)

func main() {
	if typesAlone() {
		register(analyzers()) // what others have found out is passed on
		unitchecker.Main(assign.Analyzer)
	}
	unitchecker.Main(analyzers()...)
}

// analyzers are those of go vet, those that staticcheck runs by default on one package, and
// what looks for code that nobody uses.
func analyzers() []*analysis.Analyzer {
	all := append(slices.Clone(vet.Suite), unusedCode)
	for _, checks := range [][]*lint.Analyzer{staticcheck.Analyzers, simple.Analyzers, stylecheck.Analyzers} {
		for _, check := range checks {
			if !check.Doc.NonDefault {
				all = append(all, check.Analyzer)
			}
		}
	}
	return all
}

// register makes the facts that analyzers gather known, as these do where they run.
func register(all []*analysis.Analyzer) {
	for _, a := range all {
		for _, fact := range a.FactTypes {
			gob.Register(fact)
		}
		register(a.Requires)
	}
}

// typesAlone tells whether go vet asks for what others need to know of a package of which no
// facts are gathered: its types.
func typesAlone() bool {
	text, err := os.ReadFile(os.Args[len(os.Args)-1]) // of a unit, or it is no file
	var unit unitchecker.Config
	return err == nil && json.Unmarshal(text, &unit) == nil && unit.VetxOnly && isOfOthers(unit.ImportPath)
}

// isOfOthers tells a package of the modules of others by the host that its path begins with.
func isOfOthers(path string) bool {
	host, _, _ := strings.Cut(path, "/")
	return strings.Contains(host, ".")
}
