package main

import (
	"context"
	_ "embed" // the list of the bundled games
	"fmt"
	"io"
	"strings"
	"time"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/kif"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// gamesCmd lists the bundled games, or shows any game.
type gamesCmd struct {
	Game  string        `arg:"" predictor:"game" optional:"" help:"Show this game: its rules in words, its board at the start, its description. A bundled name, a path, a folder, or ROOT#KEY of a repository."`
	Repo  string        `placeholder:"URL" help:"List the games of this repository, or show the game with this key of it. Roots of repositories look like http://games.ggp.org/base."`
	GDL   bool          `name:"gdl" help:"Print the description alone, as it is."`
	Table bool          `help:"Measure the game, or all bundled ones (which takes minutes), and print a table in Markdown: mean joint moves of a state and mean length in random play, states/s of the prover and of the quickest machine in lanes."`
	Time  time.Duration `name:"seconds" default:"1" help:"With --table: how long each engine plays."`
	JSON  bool          `name:"json" help:"Print the list of bundled games, or a game, as JSON."`
}

func (c *gamesCmd) Run(s *console.Session) error {
	if c.Repo != "" && c.Game != "" {
		c.Game = c.Repo + "#" + c.Game
	}
	switch {
	case c.JSON && (c.GDL || c.Table || c.Repo != "" && c.Game == ""):
		return console.Usagef("--json is for the list of bundled games, or for a game")
	case c.Repo != "" && c.Game == "":
		if c.GDL || c.Table {
			return console.Usagef("--gdl and --table are about one game of a repository: name it")
		}
		return listRepository(s, c.Repo)
	case c.Table:
		return c.table(s)
	case c.Game == "" && c.GDL:
		return console.Usagef("--gdl prints the description of one game: name it")
	case c.Game == "" && c.JSON:
		return s.IndentedJSON(bundledLines())
	case c.Game == "":
		_, err := io.WriteString(s.Out, bundledList)
		return err
	case c.GDL:
		game, err := load.Game(s, c.Game)
		if err != nil {
			return err
		}
		out := s.Out
		if !console.IsTerminal(out) {
			out = s.Data()
		}
		_, err = io.WriteString(out, game.Rules)
		return err
	}
	return showGame(s, c.Game, c.JSON)
}

func (c *gamesCmd) table(s *console.Session) error {
	if err := console.AboveZero("--seconds", c.Time); err != nil {
		return err
	}
	if c.Game == "" {
		return tableGames(s, games.List(), c.Time)
	}
	game, err := load.Game(s, c.Game)
	if err != nil {
		return err
	}
	return tableGames(s, []games.Game{game}, c.Time)
}

// bundledList is the list of the bundled games as it is printed. To make it,
// the prover must read all of them, which takes seconds: a test does, and holds
// the file against them.
//
//go:generate go test -run TestBundledList -rewrite
//go:embed games_list.txt
var bundledList string

// outline is what the list tells of a game.
type outline struct {
	program *gdl.Program
	players int // without chance
	kind    string
	initial []kif.Term
	drawing *board.Drawing
	board   string // its size; "" without one
	rules   int    // with a body
}

func outlineOf(ctx context.Context, game games.Game) (outline, error) {
	program, diagnostics := reasoner.Read(game.Rules)
	if err := diagnostics.Err(); err != nil {
		return outline{}, fmt.Errorf("%s cannot be played: %w", game.Name, err)
	}
	m, err := reasoner.NewProver(program)
	if err != nil {
		return outline{}, fmt.Errorf("%s: %w", game.Name, err)
	}
	o := outline{program: program, initial: m.Fluents(m.Initial())}
	for _, name := range load.RoleNames(program) {
		if !strings.EqualFold(name, "random") {
			o.players++
		}
	}
	if o.kind, err = kindOf(ctx, m); err != nil {
		return outline{}, fmt.Errorf("%s: %w", game.Name, err)
	}
	if o.drawing, err = readDrawing(game); err != nil {
		return outline{}, err
	}
	o.board = board.Size(o.initial, o.drawing)
	for _, rule := range program.Rules {
		if len(rule.Body) > 0 {
			o.rules++
		}
	}
	return o, nil
}

// showGame prints all that there is to know of a game.
func showGame(s *console.Session, name string, asJSON bool) error {
	game, err := load.Game(s, name)
	if err != nil {
		return err
	}
	o, err := outlineOf(s.Ctx, game)
	if err != nil {
		return err
	}
	if asJSON {
		return s.IndentedJSON(gameShown{
			gameLine: gameLine{Name: game.Name, Title: game.Title, Players: o.players, Kind: o.kind, Board: o.board, Fluents: len(o.initial), Rules: o.rules},
			Text:     game.Text, Source: game.Source, Roles: load.RoleNames(o.program), GDL: game.Rules,
		})
	}
	options := drawingOptions(s)
	options.Drawing, options.Frame, options.Possible = o.drawing, o.initial, o.program.Fluents()
	fmt.Fprintf(s.Out, "%s\n\n", game.Title)
	if game.Text != "" {
		fmt.Fprintf(s.Out, "%s\n\n", wrap(game.Text, 80))
	}
	fmt.Fprintf(s.Out, "roles: %s\n", strings.Join(load.RoleNames(o.program), ", "))
	fmt.Fprintf(s.Out, "kind:  %s\n", o.kind)
	size := fmt.Sprintf("%d fluents at the start, %d rules", len(o.initial), o.rules)
	if o.board != "" {
		size = o.board + ", " + size
	}
	fmt.Fprintf(s.Out, "size:  %s\n\n", size)
	board.Draw(s.Data(), o.initial, options)
	fmt.Fprintf(s.Out, "\n%s", withoutHeader(game))
	return nil
}

// withoutHeader is the description without the words that have been printed
// already.
func withoutHeader(game games.Game) string {
	rules := game.Rules
	for game.Source == games.Bundled && strings.HasPrefix(rules, ";") {
		_, rules, _ = strings.Cut(rules, "\n")
	}
	return strings.TrimLeft(rules, "\n")
}

// wrap breaks text into lines of this width, where its words allow it.
func wrap(text string, width int) string {
	var b strings.Builder
	used := 0
	for _, word := range strings.Fields(text) {
		switch {
		case used == 0:
		case used+1+len(word) > width:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += len(word)
	}
	return b.String()
}
