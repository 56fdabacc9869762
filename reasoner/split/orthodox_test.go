package split_test

import (
	"testing"

	"semisplit/internal/testenv"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// TestOrthodoxPublished: every published game is rewritten, to a program that
// reads back, without does and legal.
func TestOrthodoxPublished(t *testing.T) {
	for _, name := range testenv.Published(t) {
		g, err := split.Orthodox(read(t, testenv.Rules(t, name)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i := range g.Program.Rules {
			r := &g.Program.Rules[i]
			for _, l := range r.Body {
				if l.Rel == gdl.RelDoes || l.Rel == gdl.RelLegal {
					t.Errorf("%s: %s", name, g.Program.RuleKIF(r))
				}
			}
		}
		if testing.Verbose() {
			n := 0
			for _, r := range g.Roles {
				n += len(r.Levels[0].Choices)
			}
			t.Logf("%s: %d rules, %d forms", name, len(g.Program.Rules), n)
		}
	}
}
