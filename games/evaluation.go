package games

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Evaluations that people have written for bundled games, as files that package
// player reads; nobody needs them to play. They are there to remake published
// experiments, which had them.
//
//go:embed rules/*.evaluation.json
var bundledEvaluations embed.FS

const evaluationExtension = ".evaluation.json"

// Evaluation is the text of the evaluation file of a bundled game.
func Evaluation(game string) (text []byte, ok bool) {
	if !slices.Contains(Evaluations(), game) {
		return nil, false
	}
	text, err := bundledEvaluations.ReadFile(path.Join("rules", game+evaluationExtension))
	return text, err == nil
}

// Evaluations are the names of the bundled games that have one, sorted.
func Evaluations() (names []string) {
	entries, err := fs.ReadDir(bundledEvaluations, "rules")
	if err != nil {
		panic("BUG: the bundled evaluations are missing: " + err.Error())
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), evaluationExtension))
	}
	return names
}
