package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"semisplit/games"
	"semisplit/player/arena"
)

// experimentCmd plays an experiment.
type experimentCmd struct {
	Spec   string `arg:"" type:"path" help:"The experiment (JSON, see docs/experiments)."`
	DB     string `type:"path" placeholder:"FILE" help:"Database of the results; default: beside the spec. A run that was stopped goes on with it."`
	Full   bool   `help:"Use the full settings of the spec, with a database of their own."`
	DryRun bool   `help:"Print what would be played, and an estimate of the time."`
	Again  bool   `help:"Play again what has failed."`
}

func (c *experimentCmd) Run(s *session) error {
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
	plan, err := arena.ReadWith(spec, dir, func(name string) (games.Game, error) { return loadGame(s, name) })
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

func (c *experimentCmd) play(s *session, plan *arena.Plan, store *arena.Store) error {
	if c.Again {
		n, err := store.ForgetFailures()
		if err != nil {
			return err
		}
		fmt.Fprintf(s.errout, "%d failed plays are played again\n", n)
	}
	show := newProgress(s, plan.Spec.Name)
	var last arena.Progress
	err := plan.Run(s.ctx, store, arena.Options{Progress: func(p arena.Progress) {
		last = p
		show.show(p)
	}})
	show.end()
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
	if err := summary.Markdown(s.out, nil); err != nil {
		return err
	}
	if len(summary.Failures) > 0 {
		return fmt.Errorf("%d plays failed; --again plays them again", len(summary.Failures))
	}
	return nil
}

// forecastTime is spent on each game to tell how long its matches are.
const forecastTime = 2 * time.Second

// forecast prints what would be played.
func forecast(s *session, plan *arena.Plan) error {
	list, err := plan.Forecast(s.ctx, forecastTime)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "GAME\tSETTING\tPLAYS\tCHOICES A PLAY\tTIME")
	plays, total, unknown := 0, time.Duration(0), false
	parallel := time.Duration(plan.Parallel())
	for _, f := range list {
		took, choices := "unknown", "unknown"
		if f.Choices > 0 {
			choices = fmt.Sprintf("%.0f", f.Choices)
		}
		if f.Time > 0 && f.Choices > 0 {
			took = roughly(f.Time / parallel)
		} else {
			unknown = true
		}
		plays += f.Plays
		total += f.Time / parallel
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\n", f.Game, f.Setting, f.Plays, choices, took)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	took := "about " + roughly(total)
	if unknown {
		took += " and what is unknown"
	}
	_, err = fmt.Fprintf(s.out, "%d plays, %d at once: %s, or less where tests end early. Choices are of random matches.\n", plays, plan.Parallel(), took)
	return err
}

// roughly shortens a duration to what is worth telling.
func roughly(d time.Duration) string {
	if d >= 10*time.Minute {
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	return d.Round(time.Second).String()
}

// progress shows how far an experiment is: a bar on a terminal, lines
// elsewhere.
type progress struct {
	out   io.Writer
	name  string
	bars  *mpb.Progress // nil: lines
	bar   *mpb.Bar
	last  atomic.Pointer[arena.Progress] // the bar's own goroutine reads it
	shown int                            // twentieths of the way
}

func newProgress(s *session, name string) *progress {
	p := &progress{out: s.errout, name: name, shown: -1}
	if f, ok := s.errout.(*os.File); ok && isTerminal(f) {
		p.bars = mpb.New(mpb.WithOutput(f))
		p.bar = p.bars.AddBar(0,
			mpb.PrependDecorators(decor.Name(name+" "), decor.CountersNoUnit("%d / %d")),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + p.left() })))
	}
	return p
}

// left tells the time that is left, and where the run is.
func (p *progress) left() string {
	last := p.last.Load()
	if last == nil || last.Play == nil {
		return ""
	}
	play := last.Play
	text := fmt.Sprintf("%s, %s, %s against %s", play.Game, play.Setting, play.Agent, play.Baseline)
	if last.Left > 0 {
		text = "about " + roughly(last.Left) + " left; " + text
	}
	return text
}

func (p *progress) show(at arena.Progress) {
	p.last.Store(&at)
	if p.bars != nil {
		p.bar.SetTotal(int64(max(1, at.Total)), false)
		p.bar.SetCurrent(int64(at.Done))
		return
	}
	if step := 20 * at.Done / max(1, at.Total); step != p.shown {
		p.shown = step
		fmt.Fprintf(p.out, "%s: %d of %d plays  %s\n", p.name, at.Done, at.Total, p.left())
	}
}

func (p *progress) end() {
	if p.bars != nil {
		p.bar.Abort(false)
		p.bars.Wait()
	}
}
