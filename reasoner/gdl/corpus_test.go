package gdl_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"semisplit/internal/testenv"
	"semisplit/reasoner/gdl"
)

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
	for _, name := range testenv.Published(t) {
		p, diags := gdl.Read(testenv.Rules(t, name))
		if err := diags.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(p.Roles) == 0 {
			t.Errorf("%s: no roles", name)
		}
		dump := p.String()
		again, diags := gdl.Read(dump)
		if err := diags.Err(); err != nil {
			t.Errorf("%s: dump: %v", name, err)
			continue
		}
		if diff := cmp.Diff(essence(p), essence(again)); diff != "" {
			t.Errorf("%s: the dump reads back as another program:\n%s", name, diff)
		}
		if testing.Verbose() {
			t.Logf("%s: %d rules\n%s", name, len(p.Rules), diags)
		}
	}
}
