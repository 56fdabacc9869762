// Command report prints how the module in a folder (default: this one) is laid
// out, as a table in Markdown.
package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"semisplit/internal/house"
)

func main() {
	folder := "."
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	rooms, err := house.Measure(folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintln(w, "| package\t| files\t| lines\t| test lines\t| generated\t| exported\t| most methods\t| most fields\t| longest function\t| largest cycle\t|")
	fmt.Fprintln(w, "|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|")
	var sum house.Room
	for _, r := range rooms {
		row(w, r)
		sum.Files, sum.Lines, sum.TestLines = sum.Files+r.Files, sum.Lines+r.Lines, sum.TestLines+r.TestLines
		sum.Generated, sum.Exported = sum.Generated+r.Generated, sum.Exported+r.Exported
	}
	fmt.Fprintf(w, "| all\t| %d\t| %d\t| %d\t| %d\t| %d\t|\t|\t|\t|\t|\n", sum.Files, sum.Lines, sum.TestLines, sum.Generated, sum.Exported)
	w.Flush()
}

func row(w *tabwriter.Writer, r house.Room) {
	fmt.Fprintf(w, "| %s\t| %d\t| %d\t| %d\t| %d\t| %d\t| %s\t| %s\t| %s\t| %d\t|\n", r.Path, r.Files, r.Lines, r.TestLines, r.Generated, r.Exported,
		largest(r.Methods), largest(r.Fields), largest(r.Function), len(r.Cycle))
}

func largest(l house.Largest) string {
	if l.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", l.N, l.Name)
}
