package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"semisplit/ggp/internal/console"
)

// newCmd writes files to start from.
type newCmd struct {
	Kind string `arg:"" enum:"game,drawing,agent,spec" help:"What to begin: game (NAME.kif, rules), drawing (NAME.board.json, how a game is drawn), agent (NAME.json, how to search), spec (NAME.json, an experiment)."`
	Name string `arg:"" help:"Its name, which may have a folder before it; the ending is added."`
}

// templates are small examples that work as they stand. NAME stands for the name.
//
//go:embed templates
var templates embed.FS

// beginning is what can be begun.
type beginning struct {
	template, ending string
	next             string // what to do with it; FILE and NAME stand for the file and the name
}

var beginnings = map[string]beginning{
	"game": {"game.kif", ".kif", `ggp check FILE # what is right and wrong with it
ggp games FILE # its board at the start
ggp match FILE --player human # play it
ggp new drawing NAME # draw it otherwise`},
	"drawing": {"drawing.board.json", ".board.json", `It draws the game of "ggp new game" in NAME.kif beside it:
ggp games NAME.kif
cells: which fluents are squares; columns and rows: their order; pieces: a letter or a symbol for what is on a
square, its name for the legend, its color; picture: lines of text, in which {control} shows what the fluent control says.`},
	"agent": {"agent.json", ".json", `What is left out has its default; ggp agents FILE shows all of it, ggp agents --parameters what there is.
ggp practice --agent FILE --opponent orthodox
ggp compare FILE house --games breakthrough`},
	"spec": {"spec.json", ".json", `Each agent plays each baseline in each game and setting, seats rotated; --full takes the settings of "full".
ggp experiment FILE --dry-run
ggp experiment FILE
ggp report NAME.db`},
}

// newName is what a file may be called: it becomes part of commands and of JSON.
var newName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

func (c *newCmd) Run(s *console.Session) error {
	b := beginnings[c.Kind]
	path := strings.TrimSuffix(filepath.Clean(c.Name), b.ending) // folder/ is a folder, and not one of a hidden file
	name := filepath.Base(path)
	if !newName.MatchString(name) {
		return console.Usagef("%q is no name: letters, digits, - and _", name)
	}
	text, err := templates.ReadFile("templates/" + b.template)
	if err != nil {
		return err
	}
	file := path + b.ending
	if err := writeNew(file, strings.ReplaceAll(string(text), "NAME", name)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "%s is there. Next:\n\n%s\n", file, strings.NewReplacer("FILE", file, "NAME", path).Replace(b.next))
	return err
}

// writeNew writes a file that is not there yet.
func writeNew(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: choose another name, or take it away", path)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}
