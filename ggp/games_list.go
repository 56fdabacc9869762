package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// gameLine is what the list tells of a game, for programs.
type gameLine struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Players int    `json:"players"` // without chance
	Kind    string `json:"kind"`
	Board   string `json:"board,omitempty"` // its size
	Fluents int    `json:"fluents"`         // at the start
	Rules   int    `json:"rules"`           // with a body
}

// columns are parted by two blanks or more.
var columns = regexp.MustCompile(`\s{2,}`)

// bundledLines are those of the list of the bundled games, which was made with the
// program.
func bundledLines() (lines []gameLine) {
	for _, text := range strings.Split(strings.TrimSpace(bundledList), "\n")[1:] {
		f := columns.Split(strings.TrimSpace(text), -1)
		if len(f) != 7 {
			panic(fmt.Sprintf("BUG: the list of bundled games has the line %q", text))
		}
		line := gameLine{Name: f[0], Title: f[1], Kind: f[3], Board: f[4]}
		if line.Board == "-" {
			line.Board = ""
		}
		for i, number := range map[int]*int{2: &line.Players, 5: &line.Fluents, 6: &line.Rules} {
			*number, _ = strconv.Atoi(f[i])
		}
		lines = append(lines, line)
	}
	return lines
}

// gameShown is all that there is to know of a game, for programs.
type gameShown struct {
	gameLine
	Text   string   `json:"text,omitempty"`
	Source string   `json:"source"`
	Roles  []string `json:"roles"`
	GDL    string   `json:"gdl"`
}
