package main

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"semisplit/protocol"
)

// listRepository prints the games of a repository.
func listRepository(s *session, root string) error {
	r, stop, err := s.repository(root)
	if err != nil {
		return err
	}
	list, err := r.Games()
	stop()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "KEY\tTITLE\tROLES\tVERSION")
	for _, g := range list {
		version := "-"
		if g.Version != protocol.Newest {
			version = fmt.Sprintf("v%d", g.Version)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", g.Key, cmp.Or(g.Name, "-"), cmp.Or(strings.Join(g.Roles, " "), "-"), version)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(list) > 0 {
		fmt.Fprintf(s.out, "%d games; name one as %s\n", len(list), protocol.GameURL{Root: r.Root(), Key: list[0].Key, Version: protocol.Newest})
	}
	return nil
}
