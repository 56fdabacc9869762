// Package games holds the bundled game descriptions and loads others from
// paths and folders. It hands out text: what the rules mean is the reasoner's
// knowledge.
package games

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Game is a description and what people should know about it.
type Game struct {
	Name   string // short name: that of a bundled game, else the file's or folder's without ending
	Title  string // the game's name for people
	Text   string // a paragraph on the game and its rules; may be empty for a game that is not bundled
	Rules  string // the description, KIF text
	Source string // where it was read from: "bundled" or a path

	// Drawing says how states are drawn for people: the text of the drawing
	// file beside the description, which nobody has checked; empty if there
	// is none. Parse of package board reads it.
	Drawing string
}

// Bundled is the Source of the games that come with the program.
const Bundled = "bundled"

// Each bundled description starts with a comment: the title on its first
// line, an empty comment line, then the paragraph. Its file name is the
// game's name.
//
//go:embed rules/*.kif
var bundled embed.FS

const extension = ".kif"

// Names are the bundled games' names, sorted.
func Names() []string {
	entries, err := fs.ReadDir(bundled, "rules")
	if err != nil {
		panic("BUG: the bundled games are missing: " + err.Error())
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), extension))
	}
	slices.Sort(names)
	return names
}

// List is all bundled games, in the order of Names.
func List() []Game {
	var list []Game
	for _, name := range Names() {
		list = append(list, readBundled(name))
	}
	return list
}

func readBundled(name string) Game {
	text, err := bundled.ReadFile(path.Join("rules", name+extension))
	if err != nil {
		panic(fmt.Sprintf("BUG: the bundled game %s: %v", name, err))
	}
	g := Game{Name: name, Rules: string(text), Source: Bundled}
	g.Title, g.Text = header(g.Rules)
	g.Drawing = readDrawing(bundledDrawings, path.Join("rules", name))
	return g
}

// header splits the comment at the start of a bundled description.
func header(rules string) (title, text string) {
	var paragraph []string
	for line := range strings.Lines(rules) {
		comment, found := strings.CutPrefix(strings.TrimSpace(line), ";")
		if !found {
			break
		}
		comment = strings.TrimSpace(comment)
		switch {
		case title == "":
			title = comment
		case comment != "":
			paragraph = append(paragraph, comment)
		}
	}
	return title, strings.Join(paragraph, " ")
}
