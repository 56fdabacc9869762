package servers

import (
	"io/fs"
	"strings"
	"testing"
	"unicode"
)

// CheckGame holds metadata that were accepted to what is promised of them.
func CheckGame(t *testing.T, key string, data []byte) {
	if validKey(key) && (!fs.ValidPath(key) || strings.ContainsAny(key, "/\\:") || key == "." || key == "..") {
		t.Errorf("the key %q was taken", key)
	}
	g, err := parseGame(key, data)
	if err != nil {
		return
	}
	if g.Version < 0 || g.Version > maxVersion {
		t.Errorf("version %d", g.Version)
	}
	for _, name := range g.Files() {
		if !fs.ValidPath(name) || strings.ContainsAny(name, "/\\:") || name == "." || name == ".." || name == "METADATA" {
			t.Errorf("the file %q was taken", name)
		}
	}
	for _, text := range append([]string{g.Name, g.Curator}, g.Roles...) {
		if strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) || len(text) > 500 {
			t.Errorf("the text %q was taken", text)
		}
	}
}
