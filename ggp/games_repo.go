package main

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/words"
	"semisplit/protocol/servers"
)

// listRepository prints the games of a repository.
func listRepository(s *console.Session, root string) error {
	r, stop, err := load.Repository(s, root)
	if err != nil {
		return err
	}
	list, err := r.Games()
	stop()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(s.Out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "KEY\tTITLE\tROLES\tVERSION")
	for _, g := range list {
		version := "-"
		if g.Version != servers.Newest {
			version = fmt.Sprintf("v%d", g.Version)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", g.Key, cmp.Or(g.Name, "-"), cmp.Or(strings.Join(g.Roles, " "), "-"), version)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(list) > 0 {
		fmt.Fprintf(s.Out, "%s; name one as %s\n", words.Count(len(list), "game", "games"), servers.GameURL{Root: r.Root(), Key: list[0].Key, Version: servers.Newest})
	}
	return nil
}
