package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"semisplit/games"
	"semisplit/ggp/internal/console"
)

// suite measures a list of games. One that cannot be measured has a line that
// says why, and does not stop the others.
func (c *benchCmd) suite(s *console.Session) error {
	list := c.Games
	if len(list) == 0 {
		list = games.Names()
	}
	earlier, err := readSuite(c.Compare)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	if !c.JSON {
		fmt.Fprintln(table, "game\tplan\tlanes\tstates/s\tper 1000 ANDs\tplayouts/s\tlength\tdead\tgates\tset-up s\tearlier\tratio")
		table.Flush()
	}
	failed := 0
	for _, name := range list {
		result, err := c.measure(s, name)
		if err != nil {
			if s.Ctx.Err() != nil {
				return s.Ctx.Err()
			}
			failed++
			result.Game, result.Error = name, err.Error()
		}
		if c.JSON {
			if err := json.NewEncoder(s.Data()).Encode(result); err != nil {
				return err
			}
			continue
		}
		result.row(table, earlier)
		table.Flush()
	}
	if failed > 0 {
		fmt.Fprintf(s.Errout, "ggp: %d of %d games have no figure\n", failed, len(list))
		return console.ErrQuiet
	}
	return nil
}

// row writes a line of the table. The ratio compares states per thousand
// ANDs, which depends less on the machine than states/s.
func (r benchResult) row(w io.Writer, earlier map[string]benchResult) {
	if r.Error != "" {
		fmt.Fprintf(w, "%s\t%s\n", r.Game, r.Error)
		return
	}
	before, quotient := "", ""
	if e, ok := earlier[r.Game]; ok && e.StatesPerKAnd > 0 {
		before, quotient = console.SI(e.StatesPerSecond), fmt.Sprintf("%.2f", console.Ratio(r.StatesPerKAnd, e.StatesPerKAnd))
	}
	fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%.3g\t%s\t%.1f\t%.1f%%\t%d\t%.2f\t%s\t%s\n", r.Game, r.Plan, r.Lanes, console.SI(r.StatesPerSecond), r.StatesPerKAnd,
		console.SI(r.PlayoutsPerSec), r.MeanLength, 100*r.DeadRate, r.Gates, r.SetupSeconds, before, quotient)
}

// readSuite reads what an earlier --suite --json printed.
func readSuite(path string) (map[string]benchResult, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	results := map[string]benchResult{}
	decoder := json.NewDecoder(bufio.NewReader(f))
	for {
		var r benchResult
		if err := decoder.Decode(&r); errors.Is(err, io.EOF) {
			return results, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: not the output of bench --suite --json: %w", path, err)
		}
		results[r.Game] = r
	}
}
