package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"semisplit/games"
	"semisplit/player/arena"
	"semisplit/reasoner/split"
)

// pages are the texts of all documents, by their paths below the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(name)
		found[strings.TrimPrefix(filepath.ToSlash(name), "../")] = strings.ReplaceAll(string(text), "\r\n", "\n")
		return err
	})
	if err != nil || found["README.md"] == "" {
		t.Fatal("no documents", err)
	}
	return found
}

var (
	linkPattern    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headingPattern = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notInAnchors   = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// anchors are the names under which the headings of a page can be linked, as
// GitHub makes them.
func anchors(page string) (names []string) {
	for _, h := range headingPattern.FindAllStringSubmatch(page, -1) {
		title := linkPattern.ReplaceAllString(h[1], "]")
		names = append(names, strings.ReplaceAll(notInAnchors.ReplaceAllString(strings.ToLower(title), ""), " ", "-"))
	}
	return names
}

// TestDocsLinks follows every link to a file or a heading from the README on,
// and wants to have seen every page.
func TestDocsLinks(t *testing.T) {
	all := pages(t)
	reached := map[string]bool{"README.md": true}
	for queue := []string{"README.md"}; len(queue) > 0; queue = queue[1:] {
		from := queue[0]
		for _, link := range linkPattern.FindAllStringSubmatch(all[from], -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(link[1], "#")
			to := from
			if file != "" {
				to = path.Join(path.Dir(from), file)
			}
			if _, err := os.Stat(filepath.Join("..", to)); err != nil {
				t.Errorf("%s: %v", from, err)
			}
			if anchor != "" && !slices.Contains(anchors(all[to]), anchor) {
				t.Errorf("%s: %s has no heading #%s", from, to, anchor)
			}
			if _, isPage := all[to]; isPage && !reached[to] {
				reached[to] = true
				queue = append(queue, to)
			}
		}
	}
	for name := range all {
		if !reached[name] {
			t.Errorf("no link leads from README.md to %s", name)
		}
	}
}

// filePattern is a file of the project in backquotes: at least one folder.
var filePattern = regexp.MustCompile("`([a-z]+/[A-Za-z0-9_/.-]+\\.(?:go|json|kif|md|txt))`")

// TestDocsFiles looks for the files that the documents name.
func TestDocsFiles(t *testing.T) {
	files := 0
	for name, page := range pages(t) {
		for _, file := range filePattern.FindAllStringSubmatch(page, -1) {
			files++
			if _, err := os.Stat(filepath.Join("..", file[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if files < 10 {
		t.Errorf("only %d files are named", files)
	}
}

// silentParser is the parser of the command line.
func silentParser() *kong.Kong { return newParser(&commands{}, io.Discard, io.Discard) }

// commandPattern is a command line in a block of code: after variables of the
// environment, up to a comment, a pipe, a redirection or the background.
var commandPattern = regexp.MustCompile(`(?m)^    (?:\$ )?(?:[A-Z_]+=\S+ )*(?:ggp|bin/ggp|go run \./ggp) ([a-z][^#|>&\n]*)`)

// TestDocsCommands parses the command lines that the documents show.
func TestDocsCommands(t *testing.T) {
	lines := 0
	for name, page := range pages(t) {
		for _, line := range commandPattern.FindAllStringSubmatch(page, -1) {
			lines++
			if _, err := silentParser().Parse(strings.Fields(line[1])); err != nil {
				t.Errorf("%s: ggp %s: %v", name, line[1], err)
			}
		}
	}
	if lines < 20 {
		t.Errorf("only %d command lines were found: are they no longer indented blocks?", lines)
	}
}

// TestDocsFlags looks up each flag and each make target that a document names.
func TestDocsFlags(t *testing.T) {
	known := map[string]bool{}
	err := kong.Visit(silentParser().Model, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			known[flag.Name] = true
		}
		return next(nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	flags, targets := regexp.MustCompile("(?:[\\s`(]|^)--([a-z][a-z-]*)"), regexp.MustCompile("(?:`|\n    )make ([a-z][a-z0-9-]*)")
	for name, page := range pages(t) {
		for _, flag := range flags.FindAllStringSubmatch(page, -1) {
			if !known[flag[1]] {
				t.Errorf("%s: there is no flag --%s", name, flag[1])
			}
		}
		for _, target := range targets.FindAllStringSubmatch(page, -1) {
			if !strings.Contains(string(makefile), "\n"+target[1]+":") {
				t.Errorf("%s: there is no target %q of make", name, target[1])
			}
		}
	}
}

// TestDocsGames wants the table of bundled games to name each, in their order, and
// README.md to count them.
func TestDocsGames(t *testing.T) {
	_, table, _ := strings.Cut(pages(t)["docs/games.md"], "|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var listed []string
	for row := range strings.Lines(table) {
		listed = append(listed, strings.TrimSpace(strings.Split(row, "|")[1]))
	}
	if !slices.Equal(listed, games.Names()) {
		t.Errorf("docs/games.md lists %v\nbundled are %v", listed, games.Names())
	}
	if count := fmt.Sprintf("lists the %d [bundled games]", len(listed)); !strings.Contains(pages(t)["README.md"], count) {
		t.Errorf("README.md does not say: %s", count)
	}
}

// TestDocsPlans wants the page of commands to name each plan.
func TestDocsPlans(t *testing.T) {
	for _, plan := range split.Names() {
		if !strings.Contains(pages(t)["docs/commands.md"], "`"+plan+"`") {
			t.Errorf("docs/commands.md does not name the plan %s", plan)
		}
	}
}

// TestDocsPrograms wants each report to name the commit that its figures are of.
func TestDocsPrograms(t *testing.T) {
	reports := 0
	commit := regexp.MustCompile(`; program ([0-9a-f]{12}|not noted, about that of commit [0-9a-f]{12}, which brought these figures); `)
	for name, page := range pages(t) {
		for line := range strings.Lines(page) {
			if !strings.HasPrefix(line, "Played on ") {
				continue
			}
			if reports++; !commit.MatchString(line) {
				t.Errorf("%s names no commit: %s", name, line)
			}
		}
	}
	if reports < 10 {
		t.Errorf("only %d reports were found", reports)
	}
}

// mostWords a page may have: more are two pages.
const mostWords = 3000

// TestDocsLength wants pages that can be read at a sitting, but for what commands write: the
// tables of options, and reports.
func TestDocsLength(t *testing.T) {
	for name, page := range pages(t) {
		if words := len(strings.Fields(page)); words > mostWords && name != "docs/agents.md" && !strings.Contains(page, "\nPlayed on ") {
			t.Errorf("%s has %d words, more than %d", name, words, mostWords)
		}
	}
}

// TestDocsExperiments reads the specs with their games and agents, as a run and
// as a full one, and wants each in the table of specs, which marks those that need
// published games.
func TestDocsExperiments(t *testing.T) {
	specs, err := filepath.Glob("../docs/experiments/*.json")
	if err != nil || len(specs) == 0 {
		t.Fatal("no specs", err)
	}
	table := pages(t)["docs/experiments/README.md"]
	for _, file := range specs {
		name := filepath.Base(file)
		if !strings.Contains(table, "]("+name+")") {
			t.Errorf("docs/experiments/README.md does not list %s", name)
		}
		text, err := os.ReadFile(file)
		if marked := strings.Contains(table, "]("+name+") *"); err != nil || marked != strings.Contains(string(text), "$GGP_CORPUS/") {
			t.Errorf("docs/experiments/README.md marks %s as one that needs published games: %v (%v)", name, marked, err)
		}
		spec, dir, err := arena.LoadSpec(file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		full, err := spec.FullRun()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, s := range []arena.Spec{spec, full} {
			s.Games = slices.DeleteFunc(slices.Clone(s.Games), published)
			if _, err := arena.Read(s, dir, games.Load); err != nil && len(s.Games) > 0 {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// published tells games that are no part of this project and may be missing.
func published(g arena.GameEntry) bool {
	_, err := os.Stat(os.ExpandEnv(g.Game))
	return strings.HasPrefix(g.Game, "$GGP_CORPUS/") && errors.Is(err, fs.ErrNotExist)
}

// TestDocsIntervals holds that intervals have the notation of reports everywhere:
// 62.5 (56.3 to 68.7).
func TestDocsIntervals(t *testing.T) {
	halves := regexp.MustCompile(`.{0,20}±\s*[0-9].{0,10}`)
	for name, page := range pages(t) {
		if found := halves.FindString(page); found != "" {
			t.Errorf("%s: %q is no interval from one number to another", name, found)
		}
	}
}
