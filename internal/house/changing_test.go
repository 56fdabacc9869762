package house

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mostTouched is how many files a usual change may touch, tests, goldens and documents
// apart: with more of them it belongs to no part.
const mostTouched = 4

const changingPage = "../../docs/changing.md"

// changes are the rows of the page that says which files a change touches: the kind, the
// files, and what comes on top.
func changes(t *testing.T) (rows [][3]string) {
	t.Helper()
	page, err := os.ReadFile(changingPage)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 || strings.Contains(cells[1], "---") || strings.TrimSpace(cells[1]) == "to add" {
			continue
		}
		rows = append(rows, [3]string{strings.TrimSpace(cells[1]), cells[2], cells[3]})
	}
	if len(rows) < 20 {
		t.Fatalf("only %d kinds of changes", len(rows))
	}
	return rows
}

var (
	fileName = regexp.MustCompile("`([a-z][A-Za-z0-9_/.-]*/[A-Za-z0-9_.-]+\\.(?:go|json|kif|css))`")
	pathName = regexp.MustCompile("`([a-z][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_.-]+)+)`")
	// fileWithPlaces is a file with what stands in parentheses after it.
	fileWithPlaces = regexp.MustCompile("`([a-z][A-Za-z0-9_/.-]*/[A-Za-z0-9_.-]+\\.go)` \\(([^)]*)\\)")
	identifier     = regexp.MustCompile("`([A-Za-z_][A-Za-z0-9_]*)`")
	testToRun      = regexp.MustCompile(`go test \./([a-z/]+) -run (Test[A-Za-z0-9]+)`)
)

// A row of the page names a file at least, and not too many.
func TestChanging(t *testing.T) {
	for _, row := range changes(t) {
		var files []string
		for _, match := range fileName.FindAllStringSubmatch(row[1], -1) {
			files = append(files, match[1])
		}
		slices.Sort(files)
		if n := len(slices.Compact(files)); n > mostTouched || n == 0 {
			t.Errorf("%s: %d files", row[0], n)
		}
	}
}

// The files and folders of a row exist, and the places named after a file are in it.
func TestChangingPlaces(t *testing.T) {
	places := 0
	for _, row := range changes(t) {
		cells := row[1] + row[2]
		for _, match := range pathName.FindAllStringSubmatch(cells, -1) {
			if _, err := os.Stat(filepath.Join("../..", match[1])); err != nil {
				t.Errorf("%s: %v", row[0], err)
			}
		}
		for _, match := range fileWithPlaces.FindAllStringSubmatch(cells, -1) {
			code, err := os.ReadFile(filepath.Join("../..", match[1]))
			if err != nil {
				t.Errorf("%s: %v", row[0], err)
				continue
			}
			for _, name := range identifier.FindAllStringSubmatch(match[2], -1) {
				places++
				if !regexp.MustCompile(`\b` + name[1] + `\b`).Match(withoutComments(code)) {
					t.Errorf("%s: %s has no %s", row[0], match[1], name[1])
				}
			}
		}
	}
	if places < 50 {
		t.Errorf("only %d places are named", places)
	}
}

var comment = regexp.MustCompile(`(?m)^\s*//.*$`)

func withoutComments(code []byte) []byte { return comment.ReplaceAll(code, nil) }

// The tests that a row tells to run exist.
func TestChangingTests(t *testing.T) {
	for _, row := range changes(t) {
		for _, match := range testToRun.FindAllStringSubmatch(row[1]+row[2], -1) {
			files, err := filepath.Glob(filepath.Join("../..", match[1], "*_test.go"))
			if err != nil || !slices.ContainsFunc(files, func(file string) bool {
				code, err := os.ReadFile(file)
				return err == nil && strings.Contains(string(code), "func "+match[2]+"(")
			}) {
				t.Errorf("%s: no %s in %s", row[0], match[2], match[1])
			}
		}
	}
}
