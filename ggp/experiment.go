package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/revision"
	"semisplit/internal/words"
	"semisplit/player/arena"
	"semisplit/player/peer"
)

// experimentCmd plays an experiment.
type experimentCmd struct {
	Spec   string `arg:"" type:"path" help:"The experiment (JSON, see docs/experiments)."`
	DB     string `type:"path" placeholder:"FILE" help:"Database of the results; default: beside the spec. A run that was stopped goes on with it."`
	Full   bool   `help:"Use the full settings of the spec, with a database of their own."`
	DryRun bool   `help:"Print what would be played, and an estimate of the time."`
	webFlag
	Again bool `help:"Play again what has failed or was left out."`

	Peer []string `sep:"none" placeholder:"NAME=COMMAND" help:"The command that starts a player of others, by its name in the spec, for each of its matches anew. {port} stands for the port that it has to listen on; words are divided by spaces."`
	fieldFlags
}

// givePeers tells the spec how players of others are started.
func (c *experimentCmd) givePeers(spec *arena.Spec) error {
	for _, text := range c.Peer {
		name, command, found := strings.Cut(text, "=")
		if !found || strings.TrimSpace(command) == "" {
			return console.Usagef("--peer %q: expected NAME=COMMAND", text)
		}
		if err := spec.Give(name, strings.Fields(command)); err != nil {
			return console.Usagef("--peer %s: %v", name, err)
		}
	}
	return nil
}

// serveOne is the command by which this very program serves an agent for one
// match, even if another program has taken its place on disk. Flags that a
// person has in a configuration file do not hold, and nothing is known of
// earlier matches.
func serveOne(file string) peer.Command {
	c := peer.Command{Path: "/proc/self/exe", Env: []string{"GGP_CONFIG=none"}, Args: []string{
		os.Args[0], "serve", "--host", "127.0.0.1", "--port", peer.Port, "--agent", file, "--matches", "1", "--log", "json", "--knowledge", "none",
	}}
	if _, err := os.Stat(c.Path); err != nil {
		c.Path, _ = os.Executable() // or else by its name
	}
	return c
}

// timeToStop is enough for the players of matches over HTTP to end.
const timeToStop = 15 * time.Second

func (c *experimentCmd) Run(s *console.Session) error {
	spec, dir, err := arena.LoadSpec(c.Spec)
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(c.Spec, filepath.Ext(c.Spec))
	if c.Full {
		if spec, err = spec.FullRun(); err != nil {
			return err
		}
		base += "-full"
	}
	if err := c.givePeers(&spec); err != nil {
		return err
	}
	plan, err := arena.Read(spec, dir, func(name string) (games.Game, error) { return load.Game(s, name) })
	if err != nil {
		return err
	}
	if c.DryRun {
		return forecast(s, plan)
	}
	if c.DB == "" {
		c.DB = base + ".db"
	}
	store, err := arena.Create(c.DB)
	if err != nil {
		return err
	}
	return errors.Join(c.play(s, plan, store), store.Close())
}

func (c *experimentCmd) play(s *console.Session, plan *arena.Plan, store *arena.Store) error {
	if err := store.Check(plan); err != nil { // before anything of another one is touched
		return err
	}
	if c.Again {
		n, err := store.ForgetFailures()
		if err != nil {
			return err
		}
		fmt.Fprintf(s.Notes(), "played again: %s\n", words.Count(int(n), "failed play", "failed plays"))
	}
	if revision.Own() == revision.Unknown {
		fmt.Fprintln(s.Notes(), "note: this program was built without its commit, so the report will not name it; make build notes it")
	}
	view, err := c.openPages(s)
	if err != nil {
		return err
	}
	defer view.close()
	trial := view.experiment(plan.Spec.Name)
	show, err := newProgress(s, plan, store)
	if err != nil {
		return err
	}
	var last arena.Progress
	s.NeedsToEnd(timeToStop)
	base := strings.TrimSuffix(c.DB, filepath.Ext(c.DB))
	err = c.run(s.Ctx, s, plan, store, base+"-queue", arena.Options{Serve: serveOne, Logs: base + "-logs", Progress: func(p arena.Progress) {
		last = p
		show.show(p)
		trial.Update(p)
	}, Show: trial.Show}, func() bool { return false })
	show.end()
	trial.End()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("stopped: %d of %d plays are in %s; the same command goes on", last.Done, last.Total, c.DB)
	}
	if err != nil {
		return err
	}
	summary, err := arena.Summarize(store)
	if err != nil {
		return err
	}
	if err := summary.Markdown(s.Out, nil); err != nil {
		return err
	}
	if len(summary.Failures) > 0 {
		return fmt.Errorf("%s failed; --again tries again", words.Count(len(summary.Failures), "play", "plays"))
	}
	return nil
}

// forecastTime is spent on each game to tell how long its matches are.
const forecastTime = 2 * time.Second

// forecast prints what would be played.
func forecast(s *console.Session, plan *arena.Plan) error {
	list, err := plan.Forecast(s.Ctx, forecastTime)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "GAME\tSETTING\tPLAYS\tCHOICES A PLAY\tTIME")
	plays, unknown, total := 0, 0, time.Duration(0)
	var reasons []string
	parallel := time.Duration(plan.Parallel())
	for _, f := range list {
		took, choices := "unknown", "unknown"
		if f.Choices > 0 {
			choices = fmt.Sprintf("%.0f", f.Choices)
		}
		if f.Unknown == "" {
			took = roughly(f.Time / parallel)
		} else {
			unknown += f.Plays
			reasons = append(reasons, fmt.Sprintf("%s, %s: %s", f.Game, f.Setting, f.Unknown))
		}
		plays += f.Plays
		total += f.Time / parallel
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\n", f.Game, f.Setting, f.Plays, choices, took)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s, %d at once: ", words.Count(plays, "play", "plays"), plan.Parallel())
	switch {
	case unknown == plays:
		fmt.Fprint(s.Out, "how long they take is not known.")
	case unknown > 0:
		fmt.Fprintf(s.Out, "about %s for %d of them; how long the others take is not known.", roughly(total), plays-unknown)
	default:
		fmt.Fprintf(s.Out, "about %s.", roughly(total))
	}
	if plan.Spec.SPRT != nil {
		fmt.Fprint(s.Out, " Less where sequential tests end early.")
	}
	fmt.Fprintln(s.Out, " Choices are those of random matches; a number of iterations or states is timed by first moves.")
	for _, reason := range reasons {
		fmt.Fprintf(s.Out, "Not known: %s.\n", reason)
	}
	return nil
}

// roughly shortens a duration to what is worth telling.
func roughly(d time.Duration) string {
	if d > 0 && d < time.Second {
		return "a second"
	}
	if d >= 10*time.Minute {
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	return d.Round(time.Second).String()
}
