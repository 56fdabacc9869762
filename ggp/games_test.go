package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"text/tabwriter"

	"semisplit/games"
	"semisplit/ggp/internal/console"
)

var rewrite = flag.Bool("rewrite", false, "write the list of bundled games anew instead of comparing")

// writeGames lists games as the command prints them.
func writeGames(ctx context.Context, w io.Writer, list []games.Game) error {
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tTITLE\tPLAYERS\tKIND\tBOARD\tFLUENTS\tRULES")
	for _, game := range list {
		o, err := outlineOf(ctx, game)
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%d\t%d\n", game.Name, game.Title, o.players, o.kind, cmp.Or(o.board, "-"), len(o.initial), o.rules)
	}
	return table.Flush()
}

// TestBundledList holds the list that is printed against the games.
func TestBundledList(t *testing.T) {
	if testing.Short() {
		t.Skip("the prover reads all games, which takes seconds")
	}
	t.Parallel()
	var want bytes.Buffer
	if err := writeGames(t.Context(), &want, games.List()); err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		if err := os.WriteFile("games_list.txt", want.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	listed, lines := strings.Split(bundledList, "\n"), strings.Split(want.String(), "\n")
	for i, line := range lines {
		if i >= len(listed) || listed[i] != line {
			t.Fatalf("line %d of games_list.txt is not %q (go generate ./ggp writes it anew)", i+1, line)
		}
	}
	if len(listed) != len(lines) {
		t.Errorf("games_list.txt has %d lines, and not %d (go generate ./ggp writes it anew)", len(listed), len(lines))
	}
}

// TestGamesReadsNoRules wants the list from a program that has no time for
// anything to be evaluated.
func TestGamesReadsNoRules(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errout bytes.Buffer
	if code := run(&console.Session{Ctx: ctx, Out: &out, Errout: &errout}, []string{"games"}); code != console.ExitOK || out.String() != bundledList {
		t.Errorf("exit %d, %q, %d bytes of %d", code, errout.String(), out.Len(), len(bundledList))
	}
}
