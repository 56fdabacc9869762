package main

import (
	"fmt"
	"text/tabwriter"

	"semisplit/games"
)

// gamesCmd lists the bundled games.
type gamesCmd struct {
	Game string `arg:"" optional:"" help:"Show this game: its rules in words and its description."`
}

func (c *gamesCmd) Run(s *session) error {
	if c.Game != "" {
		game, err := games.Load(c.Game)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(s.out, game.Rules)
		return err
	}
	table := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tTITLE\tROLES")
	for _, game := range games.List() {
		_, program, _, err := readGame(game.Name)
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%s\t%d\n", game.Name, game.Title, len(program.Roles))
	}
	return table.Flush()
}
