package games

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// unknown says which games there are, those first whose names are likely
// meant.
func unknown(game string) error {
	near := nearest(game)
	if len(near) > 0 {
		return fmt.Errorf("%w %q: did you mean %s? Otherwise name a file or a folder with a description; bundled are %s",
			ErrUnknown, game, strings.Join(near, " or "), strings.Join(Names(), ", "))
	}
	return fmt.Errorf("%w %q: there is no such file or folder, and bundled are only %s",
		ErrUnknown, game, strings.Join(Names(), ", "))
}

// nearest are the bundled names that a misspelt one may stand for, best first.
func nearest(game string) []string {
	game = plain(strings.TrimSuffix(filepath.Base(game), filepath.Ext(game)))
	if game == "" {
		return nil
	}
	type match struct {
		name   string
		faults int
	}
	var matches []match
	for _, name := range Names() {
		faults := levenshtein.ComputeDistance(game, name)
		if len(game) >= 3 && (strings.Contains(name, game) || strings.Contains(game, name)) {
			faults = 1
		}
		// A third of the letters may be wrong.
		if faults <= max(1, len(name)/3) {
			matches = append(matches, match{name, faults})
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int { return a.faults - b.faults })
	var names []string
	for _, m := range matches[:min(3, len(matches))] {
		names = append(names, m.name)
	}
	return names
}

// plain leaves letters and digits, in lower case: Connect-Four is connectfour.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}
