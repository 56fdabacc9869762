// Combinatorial measures searches of combinatorial moves on the games that their thesis
// measures them on, and writes tables in Markdown. See docs/combinatorial.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

func main() {
	games := flag.Int("games", 30, "games for each figure")
	iterations := flag.Int("iterations", 20000, "iterations for a move")
	flag.Parse()
	if flag.NArg() > 0 || *games < 2 || *iterations < 1 {
		fmt.Fprintln(os.Stderr, "usage: combinatorial [-games N] [-iterations N]")
		os.Exit(2)
	}
	r := run{games: *games, iterations: *iterations}
	fmt.Printf(head, *iterations, *games)
	r.number()
	r.arms()
	r.nonLinearity()
}

// head says what the tables are.
const head = `# Combinatorial moves on the games of their thesis

Made by `+"`make combinatorial`"+`. What it shows: [combinatorial.md](../combinatorial.md).

## Bandits

A move takes an arm of each bandit (section 2.1). The table has what the recommended move is
worth without noise, in percent of the best one, after %d iterations, with the interval of 95%%
over %d games, the same for all methods. A tenth of the bandits multiply unless the row says
otherwise.

`

// run is what all tables have in common.
type run struct {
	games, iterations int
}

// table prints a table: a row for each label, and a column for each method.
func (r run) table(title, head string, labels []string, cell func(row, column int) string) {
	fmt.Printf("### %s\n\n| %s |", title, head)
	for _, m := range methods {
		fmt.Printf(" %s |", m.name)
	}
	fmt.Printf("\n|--:|%s\n", strings.Repeat("--:|", len(methods)))
	for i, label := range labels {
		fmt.Printf("| %s |", label)
		for k := range methods {
			fmt.Printf(" %s |", cell(i, k))
		}
		fmt.Println()
	}
	fmt.Println()
}

// each calls f for all numbers below n, on all processors.
func each(n int, f func(i int)) {
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}
