package split_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"semisplit/games"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// TestOrthodoxPublished: every published game is rewritten, to a program that
// reads back, without does and legal.
func TestOrthodoxPublished(t *testing.T) {
	all := published(t)
	if len(all) == 0 {
		t.Skip("no published games: they are not rewritten")
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		g, err := split.Orthodox(read(t, all[name]))
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
		if os.Getenv("SPLIT_DUMP") == name {
			t.Log(g.Program.String())
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

// TestOrthodoxMeaning: bundled games and a sample of the published ones mean
// the same when they are rewritten.
func TestOrthodoxMeaning(t *testing.T) {
	for _, game := range games.List() {
		t.Run(game.Name, func(t *testing.T) { orthodoxMeaning(t, game.Rules) })
	}
	all := published(t)
	names := slices.Sorted(maps.Keys(all))
	for i, name := range names {
		if only := os.Getenv("SPLIT_GAME"); only != "" && only != name {
			continue
		}
		if i%24 == 1 || os.Getenv("SPLIT_ALL") != "" {
			t.Run(name, func(t *testing.T) { orthodoxMeaning(t, all[name]) })
		}
	}
}

func orthodoxMeaning(t *testing.T, rules string) {
	p := read(t, rules)
	g, err := split.Orthodox(p)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, p, g, 1, 6)
}
