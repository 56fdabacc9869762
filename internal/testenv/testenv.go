// Package testenv is what tests read of the environment: GGP_CORPUS, where the
// published material is, and GGP_LONG, whether their long halves are wanted.
package testenv

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Long says whether the halves of tests that take minutes to hours are wanted,
// as in make test-long.
func Long() bool { return os.Getenv("GGP_LONG") != "" }

// Check is rapid.Check with the same draws in each run, so that a test fails for
// what was changed and not by chance. The long run draws anew, and so does
// whoever sets -rapid.seed.
func Check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	if seed := flag.Lookup("rapid.seed"); !Long() && seed.Value.String() == "0" {
		if err := seed.Value.Set("1"); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, property)
}

// Corpus is a folder of the published material, such as "gdl": below GGP_CORPUS,
// or below the folder "shared" beside the module. It skips the test if there is
// none.
func Corpus(tb testing.TB, folder string) string {
	tb.Helper()
	root := os.Getenv("GGP_CORPUS")
	if root == "" {
		root = filepath.Join(module(tb), "..", "shared")
	}
	dir := filepath.Join(root, folder)
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("skipped: no %s (GGP_CORPUS names the folder above it)", dir)
	}
	return dir
}

// Published are the names of all published descriptions, sorted. It skips the
// test if there are none.
func Published(tb testing.TB) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(Corpus(tb, "gdl"), "*.kif"))
	if err != nil {
		tb.Fatal(err)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".kif")
	}
	return files
}

// Rules is the text of a published description. It skips the test if there is
// none of that name.
func Rules(tb testing.TB, name string) string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(Corpus(tb, "gdl"), name+".kif"))
	if err != nil {
		tb.Skipf("skipped: %v", err)
	}
	return string(text)
}

// module is the folder with go.mod above the test.
func module(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			tb.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}
