package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

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
	width := len("game")
	for _, name := range list {
		width = max(width, utf8.RuneCountInString(name))
	}
	if !c.JSON {
		writeRow(s.Out, width, "game", "plan", "lanes", "states/s", "per 1000 ANDs", "playouts/s", "length", "dead", "gates", "set-up s", "earlier", "ratio")
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
		result.row(s.Out, width, earlier)
	}
	if failed > 0 {
		fmt.Fprintf(s.Errout, "ggp: %d of %d games have no figure\n", failed, len(list))
		return console.ErrQuiet
	}
	return nil
}

// writeRow writes a line of the table at once, for each game takes its time. So columns are
// as wide as what is in them mostly is, and that of the game as the longest name.
func writeRow(w io.Writer, width int, game string, cells ...string) {
	widths := []int{11, 5, 8, 13, 10, 6, 6, 7, 8, 8, 5}
	line := fmt.Sprintf("%-*s", width, game)
	for i, cell := range cells {
		line += fmt.Sprintf("  %-*s", widths[i], cell)
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}

// row writes a line of the table. The ratio compares states per thousand
// ANDs, which depends less on the machine than states/s.
func (r benchResult) row(w io.Writer, width int, earlier map[string]benchResult) {
	if r.Error != "" {
		fmt.Fprintf(w, "%-*s  %s\n", width, r.Game, r.Error)
		return
	}
	before, quotient := "", ""
	if e, ok := earlier[r.Game]; ok && e.StatesPerKAnd > 0 {
		before, quotient = console.SI(e.StatesPerSecond), fmt.Sprintf("%.2f", console.Ratio(r.StatesPerKAnd, e.StatesPerKAnd))
	}
	writeRow(w, width, r.Game, r.Plan, strconv.Itoa(r.Lanes), console.SI(r.StatesPerSecond), fmt.Sprintf("%.3g", r.StatesPerKAnd),
		console.SI(r.PlayoutsPerSec), fmt.Sprintf("%.1f", r.MeanLength), fmt.Sprintf("%.1f%%", 100*r.DeadRate), strconv.Itoa(r.Gates),
		fmt.Sprintf("%.2f", r.SetupSeconds), before, quotient)
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
		if err = decoder.Decode(&r); err != nil {
			break
		}
		results[r.Game] = r
	}
	switch {
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: not the output of bench --suite --json: %w", path, err)
	case len(results) == 0:
		return nil, fmt.Errorf("%s is empty: not the output of bench --suite --json", path)
	}
	return results, nil
}
