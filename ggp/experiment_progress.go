package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"semisplit/ggp/internal/console"
	"semisplit/internal/printable"
	"semisplit/player/arena"
)

// progress shows how far an experiment is: a bar on a terminal, lines
// elsewhere.
type progress struct {
	out   io.Writer
	name  string
	bars  *mpb.Progress // nil: lines
	bar   *mpb.Bar
	last  atomic.Pointer[arena.Progress] // the bar's own goroutine reads it
	shown int                            // twentieths of the way

	plan   *arena.Plan
	plays  map[series][]arena.Play
	scores atomic.Pointer[map[series]string] // as they stand
}

// series are the plays of one agent against one baseline with one setting.
type series struct{ agent, baseline, setting string }

func seriesOf(p *arena.Play) series { return series{p.Agent, p.Baseline, p.Setting} }

// newProgress shows a plan, of which plays may be in the store already.
func newProgress(s *console.Session, plan *arena.Plan, store *arena.Store) (*progress, error) {
	name := printable.Text(plan.Spec.Name, console.ShownText)
	p := &progress{out: s.Notes(), name: name, shown: -1, plan: plan, plays: map[series][]arena.Play{}}
	p.scores.Store(&map[series]string{})
	known, err := store.Plays()
	if err != nil {
		return nil, err
	}
	for _, play := range known {
		p.plays[seriesOf(&play)] = append(p.plays[seriesOf(&play)], play)
	}
	if f, ok := console.FileOf(s.Notes()); ok && console.IsTerminal(f) {
		p.bars = mpb.New(mpb.WithOutput(f))
		p.bar = p.bars.AddBar(0,
			mpb.PrependDecorators(decor.Name(name+" "), decor.CountersNoUnit("%d / %d")),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + p.left() })))
	}
	return p, nil
}

// count takes a play into the score of its series.
func (p *progress) count(play *arena.Play) {
	key := seriesOf(play)
	p.plays[key] = append(p.plays[key], *play)
	next := maps.Clone(*p.scores.Load()) // the bar's goroutine reads the one before
	next[key] = p.standing(key, play.Game)
	p.scores.Store(&next)
}

// standing is the score of an agent in a series: of its plays, in Elo with the 95%
// interval over sets, and the log-likelihood ratio in a game where the spec has a test.
func (p *progress) standing(key series, label string) string {
	test, err := arena.NewSPRT(-1, 1) // whose ratio is not told
	if err != nil {
		panic("BUG: " + err.Error())
	}
	if p.plan.Spec.SPRT != nil {
		test = *p.plan.Spec.SPRT
	}
	sum := arena.Pool(p.plan.Games, p.plan.Spec.Plays, p.plays[key], test)
	text := fmt.Sprintf("%.4g of %d", sum.Points, sum.Plays)
	if sum.N > 1 {
		text += "; " + eloText(sum.Estimate)
	}
	if p.plan.Spec.SPRT != nil {
		low, high := test.Bounds()
		game := p.plan.Games[slices.IndexFunc(p.plan.Games, func(g arena.Game) bool { return g.Label == label })]
		text += fmt.Sprintf("; LLR %.2f (%.2f to %.2f)", arena.Pool([]arena.Game{game}, p.plan.Spec.Plays, p.plays[key], test).Ratio, low, high)
	}
	return text
}

// eloText is a score in Elo, with its interval.
func eloText(e arena.Estimate) string {
	return fmt.Sprintf("Elo %+.0f (%+.0f to %+.0f)", arena.Elo(e.Mean), arena.Elo(e.Low), arena.Elo(e.High))
}

// left tells the time that is left, and where the run is.
func (p *progress) left() string {
	last := p.last.Load()
	if last == nil || last.Play == nil {
		return ""
	}
	play := last.Play
	text := printable.Text(fmt.Sprintf("%s, %s, %s against %s", play.Game, play.Setting, play.Agent, play.Baseline), console.ShownText)
	if score := (*p.scores.Load())[seriesOf(play)]; score != "" {
		text += ": " + score
	}
	if last.Left > 0 {
		text = "about " + roughly(last.Left) + " left; " + text
	}
	return text
}

func (p *progress) show(at arena.Progress) {
	if at.Play != nil {
		p.count(at.Play)
	}
	p.last.Store(&at)
	if at.Play != nil && at.Play.LeftOut {
		p.say("play %d of %s left out: %s", at.Play.Number, at.Play.Game, at.Play.Error)
	}
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

// say prints a line, above the bar.
func (p *progress) say(format string, args ...any) {
	out := p.out
	if p.bars != nil {
		out = p.bars
	}
	fmt.Fprintf(out, "%s: %s\n", p.name, printable.Text(fmt.Sprintf(format, args...), console.ErrorLine))
}

func (p *progress) end() {
	if p.bars != nil {
		p.bar.Abort(false)
		p.bars.Wait()
	}
}
