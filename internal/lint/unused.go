package main

import (
	"go/token"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/unused"
)

// unusedCode reports what is neither exported nor used in its package and the tests of it.
// Staticcheck has this in its command, where what one build of a package uses is used in all;
// go vet looks at a package once, together with its tests, so that nothing is to be joined.
var unusedCode = &analysis.Analyzer{
	Name:     "unused",
	Doc:      "report code that nobody uses",
	Requires: []*analysis.Analyzer{unused.Analyzer.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, object := range pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result).Unused {
			pass.Reportf(place(pass, object.Position), "%s %s is unused", object.Kind, object.Name)
		}
		return nil, nil
	},
}

// place finds the position of the pass at which an object stands; where no file has it, the
// beginning of the first.
func place(pass *analysis.Pass, at token.Position) token.Pos {
	for _, file := range pass.Files {
		if f := pass.Fset.File(file.Pos()); f.Name() == at.Filename && at.Offset <= f.Size() {
			return f.Pos(at.Offset)
		}
	}
	return pass.Files[0].Pos()
}
