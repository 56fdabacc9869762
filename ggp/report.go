package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"semisplit/ggp/internal/chart"
	"semisplit/ggp/internal/console"
	"semisplit/internal/words"
	"semisplit/player/arena"
	"semisplit/player/tournament"
)

// reportCmd makes tables and charts.
type reportCmd struct {
	Databases []string `arg:"" type:"path" name:"database" help:"Databases of experiments and tournaments, or folders of them (*.db)."`
	Out       string   `type:"path" placeholder:"FOLDER" help:"Write NAME.md and charts here, of a tournament the folder NAME; default: print the tables."`
	Charts    string   `enum:"svg,png,pdf" default:"svg" help:"How charts are written: svg, png or pdf."`
	CSV       bool     `name:"csv" help:"Print all series, or the standings of a tournament, as CSV, or write NAME.csv as well with --out."`
	JSON      bool     `name:"json" help:"Print all series, or the standings of a tournament, as JSON, or write NAME.json as well with --out."`
	Against   string   `placeholder:"KEY" help:"Also a chart of win rates against a numeric key of the agent files, such as algorithm.parameters.exploration_constant."`
}

func (c *reportCmd) Run(s *console.Session) error {
	if c.Against != "" && c.Out == "" {
		return console.Usagef("--against makes a chart: name a folder for it with --out")
	}
	if c.CSV && c.JSON && c.Out == "" {
		return console.Usagef("--csv and --json together are for a folder: name it with --out")
	}
	paths, err := c.paths()
	if err != nil {
		return err
	}
	reports := map[string]string{}
	for _, path := range paths {
		if other, taken := reports[nameOf(path)]; taken && c.Out != "" {
			return console.Usagef("the reports of %s and %s have the same name: give each a folder of its own", other, path)
		}
		reports[nameOf(path)] = path
	}
	for _, path := range paths {
		if err := c.report(s, path); err != nil {
			return err
		}
	}
	return nil
}

// paths are the databases, those of folders in the order of their names.
func (c *reportCmd) paths() (paths []string, err error) {
	for _, path := range c.Databases {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			paths = append(paths, path)
			continue
		}
		found, err := filepath.Glob(filepath.Join(path, "*.db"))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s holds no database (*.db)", path)
		}
		slices.Sort(found)
		paths = append(paths, found...)
	}
	return paths, nil
}

func (c *reportCmd) report(s *console.Session, path string) error {
	if store, err := tournament.Open(path); err == nil {
		return errors.Join(c.reportTournament(s, store, path), store.Close())
	}
	store, err := arena.Open(path)
	if err != nil {
		return err
	}
	summary, err := arena.Summarize(store)
	if err = errors.Join(err, store.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case c.Out != "":
		return c.write(s, summary, nameOf(path))
	case c.CSV:
		return summary.CSV(s.Data())
	case c.JSON:
		return writeJSON(s.Data(), summary)
	}
	return summary.Markdown(s.Out, nil)
}

// writeJSON writes a summary for programs.
func writeJSON(w io.Writer, summary arena.Summary) error {
	return indented(w, struct {
		Name        string      `json:"name"`
		Description string      `json:"description,omitempty"`
		Series      []arena.Row `json:"series"`
	}{summary.Name, summary.Description, summary.Rows()})
}

// indented writes JSON that people can read too.
func indented(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(v)
}

// nameOf is a file's name without its ending.
func nameOf(path string) string {
	base := filepath.Base(path)
	return base[:len(base)-len(filepath.Ext(base))]
}

// write makes the files of a report.
func (c *reportCmd) write(s *console.Session, summary arena.Summary, name string) error {
	if err := os.MkdirAll(c.Out, 0o777); err != nil {
		return err
	}
	charts, err := chart.Of(summary, c.Against)
	if err != nil {
		return err
	}
	var names []string
	for _, drawn := range charts {
		file := name + "-" + drawn.Name + "." + c.Charts
		if err := writeFile(filepath.Join(c.Out, file), func(w io.Writer) error { return drawn.Write(w, c.Charts) }); err != nil {
			return err
		}
		names = append(names, file)
	}
	report := filepath.Join(c.Out, name+".md")
	err = writeFile(report, func(w io.Writer) error { return summary.Markdown(w, names) })
	if err == nil && c.CSV {
		err = writeFile(filepath.Join(c.Out, name+".csv"), summary.CSV)
	}
	if err == nil && c.JSON {
		err = writeFile(filepath.Join(c.Out, name+".json"), func(w io.Writer) error { return writeJSON(w, summary) })
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s, %s\n", report, words.Count(len(names), "chart", "charts"))
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
