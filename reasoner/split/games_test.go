package split_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"semisplit/reasoner/gdl"
)

// published lists the published descriptions: none if they are not there.
func published(t *testing.T) map[string]string {
	t.Helper()
	root := os.Getenv("GGP_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(root, "gdl", "*.kif"))
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(file), ".kif")] = string(text)
	}
	return out
}

func read(t *testing.T, rules string) *gdl.Program {
	t.Helper()
	p, diags := gdl.Read(rules)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}
