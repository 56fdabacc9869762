package gdl_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"semisplit/reasoner/gdl"
)

// corpus returns the published descriptions, or skips the test.
func corpus(t *testing.T) []string {
	t.Helper()
	root := os.Getenv("GGP_CORPUS")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
			if dir == filepath.Dir(dir) {
				t.Fatal("no go.mod above the test")
			}
			dir = filepath.Dir(dir)
		}
		root = filepath.Join(dir, "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(root, "gdl", "*.kif"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no published games in " + root + ": they are not read")
	}
	return files
}

// essence is the dump without the numbering of the relations, which follows
// their first appearance.
func essence(p *gdl.Program) []string {
	lines := strings.Split(groupNumber.ReplaceAllString(p.String(), ""), "\n")
	slices.SortStableFunc(lines, func(a, b string) int {
		if strings.HasPrefix(a, "; relation") && strings.HasPrefix(b, "; relation") {
			return strings.Compare(a, b)
		}
		return 0
	})
	return lines
}

var groupNumber = regexp.MustCompile(` group \d+`)

// TestCorpus: every published description is played, and what is written of a
// program reads back as the same program.
func TestCorpus(t *testing.T) {
	for _, file := range corpus(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, diags := gdl.Read(string(text))
		if err := diags.Err(); err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
			continue
		}
		if len(p.Roles) == 0 {
			t.Errorf("%s: no roles", filepath.Base(file))
		}
		dump := p.String()
		again, diags := gdl.Read(dump)
		if err := diags.Err(); err != nil {
			t.Errorf("%s: dump: %v", filepath.Base(file), err)
			continue
		}
		if diff := cmp.Diff(essence(p), essence(again)); diff != "" {
			t.Errorf("%s: the dump reads back as another program:\n%s", filepath.Base(file), diff)
		}
		if testing.Verbose() {
			t.Logf("%s: %d rules\n%s", filepath.Base(file), len(p.Rules), diags)
		}
	}
}
