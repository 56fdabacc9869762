package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "semisplit"

// mayImport is the house rule of which folder may import which. A folder
// stands for its subfolders as well, on both sides, unless they have a line of
// their own.
var mayImport = map[string][]string{
	"kif":                          {},
	"internal":                     {"internal"},
	"internal/cores":               {},
	"internal/guard":               {},
	"internal/combinatorial":       {"search", "search/combinatorial", "search/combinatorial/berlin", "search/combinatorial/cmab", "search/engine"}, // a program that measures them
	"internal/torture":             {"kif", "games", "internal", "protocol", "player/referee", "player/tournament"},                                 // a program that attacks another
	"games":                        {"kif", "internal"},
	"reasoner":                     {"kif", "reasoner", "internal/cores", "internal/guard"},
	"protocol":                     {"kif", "internal", "protocol/internal"},
	"protocol/internal":            {},
	"protocol/servers":             {"kif", "internal", "protocol", "protocol/internal"},
	"search":                       {},
	"search/engine":                {},
	"search/encoding":              {},
	"search/tree":                  {"search/internal"},
	"search/stats":                 {"search/engine", "search/encoding", "search/tree", "search/internal"},
	"search/proof":                 {"search/tree", "search/internal"},
	"search/final":                 {"search/heuristic", "search/proof", "search/tree"},
	"search/heuristic":             {"search/engine", "search/tree", "search/internal"},
	"search/joint":                 {"search/encoding", "search/tree", "search/internal"},
	"search/line":                  {},
	"search/offers":                {"search/encoding", "search/engine"},
	"search/selection":             {"search/heuristic", "search/offers", "search/proof", "search/stats", "search/tree", "search/internal"},
	"search/backup":                {"search/heuristic", "search/proof", "search/stats", "search/tree"},
	"search/mcts":                  {"internal/guard", "search", "search/ahead", "search/backup", "search/encoding", "search/engine", "search/final", "search/heuristic", "search/joint", "search/line", "search/offers", "search/proof", "search/selection", "search/stats", "search/tree", "search/internal"},
	"search/ahead":                 {"search/engine"},
	"search/layers":                {"search", "search/engine", "search/line", "search/internal"},
	"search/combinatorial":         {"search", "search/engine", "search/internal"},
	"search/combinatorial/cmab":    {"search/engine"},
	"search/combinatorial/berlin":  {"search/engine", "internal"},
	"search/minimax":               {"search", "search/encoding", "search/engine", "search/internal", "internal/guard"},
	"search/portfolio":             {"search", "search/engine", "search/layers", "search/mcts", "search/minimax", "internal/guard"},
	"search/internal":              {"search/internal"},
	"player/board":                 {"kif", "reasoner"},
	"player/evaluation":            {"kif", "internal", "games", "reasoner", "search/engine", "player/evaluation/shapes"},
	"player/evaluation/shapes":     {"kif", "reasoner"},
	"player/evaluation/regression": {"kif", "player/evaluation", "player/evaluation/shapes"},
	"player/evaluation/greedy":     {"kif", "reasoner", "search/engine", "player/board", "player/evaluation", "player/evaluation/regression"},
	"player/evaluation/learning":   {"search/final", "kif", "internal/guard", "reasoner", "search", "search/engine", "search/mcts", "player/board", "player/evaluation", "player/evaluation/regression", "player/evaluation/greedy"},
	"player/agent":                 {"search/final", "search/heuristic", "internal", "reasoner", "search/mcts", "search/proof", "search/stats", "player/evaluation"},
	"player/machines":              {"internal/cores", "reasoner", "search", "search/ahead", "search/combinatorial", "search/encoding", "search/engine", "search/mcts", "search/minimax", "search/portfolio", "player/agent", "player/board", "player/evaluation", "player/evaluation/greedy", "player/evaluation/learning"},
	"player/local":                 {"kif", "internal/guard", "reasoner", "search", "player/agent", "player/board", "player/machines"},
	"player/choice":                {"search/final", "internal", "internal/cores", "internal/guard", "reasoner", "search", "search/mcts", "player/agent", "player/board", "player/evaluation", "player/evaluation/learning", "player/local", "player/machines"},
	"player/knowledge":             {"internal", "reasoner", "player/agent", "player/choice", "player/evaluation", "player/jobs"},
	"player/internal":              {"games", "reasoner"},
	"player":                       {"kif", "internal", "internal/cores", "internal/guard", "protocol", "reasoner", "search", "player/agent", "player/board", "player/choice", "player/knowledge", "player/local", "player/machines"},
	"player/referee":               {"kif", "internal", "protocol", "reasoner", "player/board"},
	"player/rating":                {},
	"player/jobs":                  {"internal/guard"},
	"player/queue":                 {"player/jobs"},
	"player/jobs/jobstest":         {"player/jobs"},
	"player/tournament":            {"kif", "games", "internal", "protocol", "reasoner", "search", "player/agent", "player/arena", "player/board", "player/choice", "player/evaluation", "player/evaluation/learning", "player/jobs", "player/local", "player/machines", "player/peer", "player/rating", "player/referee"},
	"player/peer":                  {"internal", "protocol"},
	"player/arena":                 {"kif", "games", "internal", "internal/guard", "protocol", "reasoner", "search", "player/agent", "player/board", "player/choice", "player/jobs", "player/local", "player/machines", "player/peer", "player/referee"},
	"ggp":                          {"kif", "internal", "internal/guard", "games", "protocol", "protocol/servers", "reasoner", "search", "player", "player/agent", "player/board", "player/choice", "player/evaluation", "player/evaluation/learning", "player/knowledge", "player/local", "player/machines", "player/referee", "player/peer", "player/arena", "player/jobs", "player/queue", "player/tournament", "ggp/board", "ggp/internal/chart", "ggp/internal/page", "ggp/internal/console", "ggp/internal/load", "ggp/internal/metrics", "ggp/internal/web"},
	"ggp/board":                    {"kif", "internal"}, // it draws any terms
	"ggp/internal/chart":           {"internal", "player/arena", "player/tournament"},
	"ggp/internal/metrics":         {},
	"ggp/internal/page":            {"internal", "kif", "protocol", "player/tournament", "ggp/board"},
	"ggp/internal/console":         {"internal"},
	"ggp/internal/web":             {"kif", "internal", "internal/guard", "games", "protocol", "reasoner", "search", "player", "player/agent", "player/arena", "player/board", "player/choice", "player/local", "player/machines", "player/referee", "ggp/board"},
	"ggp/internal/load":            {"games", "protocol/servers", "reasoner", "ggp/internal/console"},
}

// room is the line of mayImport for a folder; "": it has none.
func room(folder string) string {
	for folder != "." {
		if _, ok := mayImport[folder]; ok {
			return folder
		}
		folder = path.Dir(folder)
	}
	return ""
}

// stageOrder lists the stages of the reasoner: each may import those to its
// left. The door itself may import all of them, and none of them the door.
var stageOrder = []string{"internal/graph", "gdl", "canonical", "split", "prover", "propnet", "invariant", "ground", "lanes/kernel", "lanes"}

// heavyImports stay out of packages whose tests must start quickly.
var heavyImports = []string{"nats", "sqlite", "net/http"}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		rel, err := filepath.Rel("..", name)
		if err != nil {
			return err
		}
		from := filepath.ToSlash(filepath.Dir(rel))
		seen[room(from)] = true
		checkFile(t, name, from)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder := range mayImport {
		if !seen[folder] {
			t.Errorf("the house has a room %q without code", folder)
		}
	}
}

func checkFile(t *testing.T, path, from string) {
	t.Helper()
	own := room(from)
	if own == "" {
		t.Errorf("%s: folder %q is not in the house", path, from)
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
			checkHeavy(t, path, own, name)
			continue
		}
		if !slices.Contains(mayImport[own], room(to)) {
			t.Errorf("%s: %s may not import %s", path, own, to)
		}
		checkInside(t, path, from, to)
	}
}

// checkInside holds the order inside reasoner, and what only tests import.
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
	if strings.HasSuffix(to, "reasonertest") || strings.HasSuffix(to, "gametest") || strings.HasSuffix(to, "jobstest") {
		t.Errorf("%s: only tests import %s", path, to)
	}
}

func checkHeavy(t *testing.T, path, own, name string) {
	t.Helper()
	if !slices.Contains([]string{"kif", "reasoner", "search"}, own) {
		return
	}
	for _, heavy := range heavyImports {
		if strings.Contains(name, heavy) {
			t.Errorf("%s: %s is too heavy for %s", path, name, own)
		}
	}
}
