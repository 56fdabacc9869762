package games

import (
	"fmt"
	"path/filepath"
	"strings"

	"semisplit/internal/spelling"
)

// unknown says which games there are, those first whose names are likely
// meant.
func unknown(game string) error {
	base := strings.TrimSuffix(filepath.Base(game), filepath.Ext(game))
	if near := spelling.Near(plain(base), Names(), 3); len(near) > 0 {
		return fmt.Errorf("%w %q: did you mean %s? Otherwise name a file or a folder with a description; bundled are %s",
			ErrUnknown, game, strings.Join(near, " or "), strings.Join(Names(), ", "))
	}
	return fmt.Errorf("%w %q: there is no such file or folder, and bundled are only %s",
		ErrUnknown, game, strings.Join(Names(), ", "))
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
