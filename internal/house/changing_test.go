package house

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mostTouched is how many files a usual change may touch, tests, goldens and documents
// apart: with more of them it belongs to no part.
const mostTouched = 4

var fileName = regexp.MustCompile("`([a-z][A-Za-z0-9_/.-]*/[A-Za-z0-9_.-]+\\.(?:go|json|kif))`")

// The page that says which files a change touches names a file for each kind of change, and
// not too many. That the files exist is a test of the documents.
func TestChanging(t *testing.T) {
	page, err := os.ReadFile("../../docs/changing.md")
	if err != nil {
		t.Fatal(err)
	}
	changes := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || strings.Contains(cells[1], "---") || strings.TrimSpace(cells[1]) == "to add" {
			continue
		}
		changes++
		var files []string
		for _, match := range fileName.FindAllStringSubmatch(cells[2], -1) {
			files = append(files, match[1])
		}
		slices.Sort(files)
		if n := len(slices.Compact(files)); n > mostTouched || n == 0 && !strings.Contains(cells[2], "`ggp`") {
			t.Errorf("%s: %d files", strings.TrimSpace(cells[1]), n)
		}
	}
	if changes < 20 {
		t.Errorf("only %d kinds of changes", changes)
	}
}
