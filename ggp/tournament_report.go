package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/ggp/internal/chart"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/page"
	"semisplit/player/tournament"
)

// writeTournament writes the report of a tournament into a folder: a page, Markdown,
// tables, charts of that format, and the record of each match. It returns the path of the page.
func writeTournament(report *tournament.Report, store *tournament.Store, folder, format string) (string, error) {
	records := filepath.Join(folder, "records")
	if err := os.MkdirAll(records, 0o777); err != nil {
		return "", err
	}
	charts, err := chart.OfTournament(report)
	if err != nil {
		return "", err
	}
	var names []string
	var images [][]byte
	for _, c := range charts {
		var drawn bytes.Buffer
		if err := c.Write(&drawn, "svg"); err != nil {
			return "", err
		}
		name := c.Name + "." + format // the page has them as SVG
		names, images = append(names, name), append(images, drawn.Bytes())
		if err := writeFile(filepath.Join(folder, name), func(w io.Writer) error { return c.Write(w, format) }); err != nil {
			return "", err
		}
	}
	p, err := page.Of(report, store, bundledDrawing)
	if err != nil {
		return "", err
	}
	index := filepath.Join(folder, "index.html")
	for path, write := range map[string]func(io.Writer) error{
		index:                                  func(w io.Writer) error { return p.Write(w, images) },
		filepath.Join(folder, "report.md"):     func(w io.Writer) error { return report.Markdown(w, names) },
		filepath.Join(folder, "standings.csv"): report.StandingsCSV,
		filepath.Join(folder, "matches.csv"):   report.MatchesCSV,
	} {
		if err := writeFile(path, write); err != nil {
			return "", err
		}
	}
	return index, writeRecords(report.Matches, store, records)
}

// writeRecords writes the records of matches into a folder, and nowhere else: somebody
// else's database names matches as it likes.
func writeRecords(matches []tournament.Played, store *tournament.Store, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // it is only a handle
	for _, m := range matches {
		record, _, err := store.Record(m.ID)
		if err != nil {
			return err
		}
		if record == nil {
			continue
		}
		if err := root.WriteFile(m.ID+".json", append(record, '\n'), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// bundledDrawing is how a bundled game is drawn; nil where nothing is said of it.
func bundledDrawing(label string) *board.Drawing {
	g, err := games.Load(label)
	if err != nil || g.Drawing == "" {
		return nil
	}
	d, err := board.Parse(g.Drawing)
	if err != nil {
		return nil
	}
	return d
}

// reportTournament reports a database of a tournament.
func (c *reportCmd) reportTournament(s *console.Session, store *tournament.Store, path string) error {
	if c.Against != "" {
		return console.Usagef("--against is about the agents of an experiment: %s is of a tournament", path)
	}
	report, err := tournament.Summarize(store)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case c.Out != "":
	case c.CSV:
		return report.StandingsCSV(s.Data())
	case c.JSON:
		return indented(s.Data(), report.Table())
	default:
		return report.Markdown(s.Out, nil)
	}
	base := filepath.Join(c.Out, nameOf(path))
	index, err := writeTournament(report, store, base, c.Charts)
	if err == nil && c.CSV {
		err = writeFile(base+".csv", report.StandingsCSV)
	}
	if err == nil && c.JSON {
		err = writeFile(base+".json", func(w io.Writer) error { return indented(w, report.Table()) })
	}
	if err == nil {
		fmt.Fprintln(s.Out, index)
	}
	return err
}
