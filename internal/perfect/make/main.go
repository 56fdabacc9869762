// Command make makes the sets of positions that "ggp perfect" plays, a file for
// each.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"semisplit/internal/perfect"
	"semisplit/internal/wholefile"
)

func main() {
	folder := flag.String("out", "docs/experiments/perfect", "folder of the files")
	games := flag.String("games", "", "names of sets, with commas between; all, if there are none")
	size := flag.Int("size", 120, "positions of a game")
	seed := flag.Uint64("seed", 1, "seed of the matches that lead to them")
	flag.Parse()
	for _, spec := range perfect.Specs {
		if *games != "" && !slices.Contains(strings.Split(*games, ","), spec.Name) {
			continue
		}
		if err := write(filepath.Join(*folder, spec.Name+".json"), spec, *size, *seed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// write writes a set, and what there is of it now and then: a smaller set is the
// beginning of a larger one.
func write(name string, spec perfect.Spec, size int, seed uint64) (err error) {
	set := perfect.Set{Game: spec.Game, About: spec.About}
	spec.Make(seed, func(p perfect.Position) bool {
		set.Positions = append(set.Positions, p)
		n := len(set.Positions)
		if n == size || n%10 == 0 {
			var text []byte
			if text, err = set.JSON(); err == nil {
				err = wholefile.Write(name, text, 0o666)
			}
			fmt.Fprintf(os.Stderr, "%s: %d of %d\n", name, n, size)
		}
		return err == nil && n < size
	})
	return err
}
