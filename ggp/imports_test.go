package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "semisplit"

// mayImport is the house rule of which folder may import which. A folder
// stands for its subfolders as well, unless they have a line of their own.
var mayImport = map[string][]string{
	"kif":      {},
	"games":    {"kif"},
	"reasoner": {"kif", "reasoner"},
	"protocol": {"kif"},
	"search":   {},
	"player":   {"kif", "games", "protocol", "reasoner", "search", "player"},
	"ggp":      {"kif", "games", "protocol", "reasoner", "search", "player", "ggp"},
}

// stageOrder lists the stages of the reasoner: each may import those to its
// left. The door itself may import all of them, and none of them the door.
var stageOrder = []string{"gdl", "split", "prover", "propnet", "ground", "lanes/kernel", "lanes"}

// heavyImports stay out of packages whose tests must start quickly.
var heavyImports = []string{"nats", "sqlite", "net/http"}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		rel, err := filepath.Rel("..", path)
		if err != nil {
			return err
		}
		from := filepath.ToSlash(filepath.Dir(rel))
		top, _, _ := strings.Cut(from, "/")
		seen[top] = true
		checkFile(t, path, from, top)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for top := range mayImport {
		if !seen[top] {
			t.Errorf("the house has a room %q without code", top)
		}
	}
}

func checkFile(t *testing.T, path, from, top string) {
	t.Helper()
	allowed, known := mayImport[top]
	if !known {
		t.Errorf("%s: folder %q is not in the house", path, top)
		return
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if spec.Name != nil && spec.Name.Name == "." {
			t.Errorf("%s: dot import of %s", path, name)
		}
		to, ours := strings.CutPrefix(name, modulePath+"/")
		if !ours {
			checkHeavy(t, path, top, name)
			continue
		}
		toTop, _, _ := strings.Cut(to, "/")
		if !slices.Contains(allowed, toTop) {
			t.Errorf("%s: %s may not import %s", path, top, to)
		}
		checkInside(t, path, from, to)
	}
}

// checkInside holds the order inside reasoner, player and ggp.
func checkInside(t *testing.T, path, from, to string) {
	t.Helper()
	if stage, ok := strings.CutPrefix(from, "reasoner/"); ok && strings.HasPrefix(to, "reasoner") && stage != "reasonertest" {
		if stage == "lanes/kernel/gen" {
			return // a command of its own
		}
		lower := slices.Index(stageOrder, strings.TrimPrefix(to, "reasoner/"))
		if own := slices.Index(stageOrder, stage); lower < 0 || own < 0 || lower >= own {
			t.Errorf("%s: stage %s may not import %s", path, stage, to)
		}
	}
	if strings.HasSuffix(to, "reasonertest") {
		t.Errorf("%s: only tests import %s", path, to)
	}
	if from == "ggp/board" && to != "kif" {
		t.Errorf("%s: ggp/board may not import %s: it draws any terms", path, to)
	}
	if from == "player" && strings.HasPrefix(to, "player/") {
		t.Errorf("%s: player may not import %s, which builds on it", path, to)
	}
}

func checkHeavy(t *testing.T, path, top, name string) {
	t.Helper()
	if !slices.Contains([]string{"kif", "reasoner", "search"}, top) {
		return
	}
	for _, heavy := range heavyImports {
		if strings.Contains(name, heavy) {
			t.Errorf("%s: %s is too heavy for %s", path, name, top)
		}
	}
}
