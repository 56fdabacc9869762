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
	"time"

	"semisplit/search/combinatorial/berlin"
)

func main() {
	games := flag.Int("games", 30, "games for each figure")
	iterations := flag.Int("iterations", 20000, "iterations for a move")
	plays := flag.Int("plays", 4, "matches of Berlin for each pair and time; 0: none")
	unit := flag.Duration("unit", 10*time.Millisecond, "shortest time for a move of Berlin; the others are 4 and 16 times it")
	flag.Parse()
	if flag.NArg() > 0 || *games < 2 || *iterations < 1 || *plays < 0 || *unit <= 0 {
		fmt.Fprintln(os.Stderr, "usage: combinatorial [-games N] [-iterations N] [-plays N] [-unit TIME]")
		os.Exit(2)
	}
	r := run{games: *games, iterations: *iterations, plays: *plays}
	fmt.Printf(head, *iterations, *games)
	r.number()
	r.arms()
	r.nonLinearity()
	if *plays > 0 {
		m, err := berlin.Load("two")
		if err != nil {
			panic("BUG: " + err.Error())
		}
		fmt.Print(berlinHead)
		r.conquest(m, []time.Duration{*unit, 4 * *unit, 16 * *unit})
	}
}

// head says what the tables are.
const head = `# Combinatorial moves on the games of their thesis

Made by ` + "`make combinatorial`" + `. What it shows: [combinatorial.md](../combinatorial.md).

## Bandits

A move takes an arm of each bandit (section 2.1). The table has what the recommended move is
worth without noise, in percent of the best one, after %d iterations, with the interval of 95%%
over %d games, the same for all methods. A tenth of the bandits multiply unless the row says
otherwise.

`

// berlinHead says what the tables after it are.
const berlinHead = `## Berlin

Conquest on a graph (section 2.2), everybody against everybody in both seats. In playouts three of
four moves are those of the heuristic (section 5.3.3). HE,K begins with the nodes next to the enemy
(section 5.3.1). Percent, with intervals of 95%. Times are for a move, on one core.

`

// run is what all tables have in common.
type run struct {
	games, iterations, plays int
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
