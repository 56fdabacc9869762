package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/sync/errgroup"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// verifyCmd replays recorded matches.
type verifyCmd struct {
	Traces  []string      `arg:"" name:"trace.jsonl" help:"Files of recorded matches, one JSON object a line."`
	Engine  string        `enum:"prover,lanes,all" default:"all" help:"Which machines replay: ${enum}."`
	Plan    string        `enum:"${plans},all" default:"all" help:"Which plans split the moves: ${enum}."`
	Lanes   string        `enum:"64,256,512,all" default:"all" help:"Which widths: ${enum}."`
	Games   string        `help:"Folder with the descriptions; default: the folder gdl beside the traces' folder."`
	Timeout time.Duration `default:"60s" help:"Bound on building one machine. What is not built in time is reported as beyond the limits."`
	Jobs    int           `default:"0" help:"Files at a time; 0: one for each core."`
	JSON    bool          `help:"Print one JSON object a file and engine."`
}

// verifyResult is one line of the report. The keys are stable.
type verifyResult struct {
	File       string               `json:"file"`
	Game       string               `json:"game"`
	Engine     string               `json:"engine"`
	Plan       string               `json:"plan"`
	Lanes      int                  `json:"lanes"`
	Result     string               `json:"result"` // "agrees", "differs", "limit" or "error"
	Matches    int                  `json:"matches"`
	States     int                  `json:"states"`
	Match      int                  `json:"match"` // of the difference, from 0
	Difference *reasoner.Difference `json:"difference,omitempty"`
	Reason     string               `json:"reason,omitempty"` // for "limit" and "error"
	Seconds    float64              `json:"seconds"`
}

func (c *verifyCmd) Run(s *console.Session) error {
	jobs := c.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	progress := mpb.New(mpb.WithOutput(console.ProgressOutput(s)))
	bar := progress.AddBar(int64(len(c.Traces)),
		mpb.PrependDecorators(decor.Name("verify "), decor.CountersNoUnit("%d / %d")),
		mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO)))
	results := make([][]verifyResult, len(c.Traces))
	var done atomic.Int64
	stop := func() {}
	if console.ProgressOutput(s) == nil { // which has the bar
		stop = console.ShowWork(s, "verify", func() string { return fmt.Sprintf("%d of %d files", done.Load(), len(c.Traces)) })
	}
	var group errgroup.Group
	group.SetLimit(jobs)
	for i, file := range c.Traces {
		if s.Ctx.Err() != nil {
			break // what has been replayed is told
		}
		group.Go(func() error {
			results[i] = c.file(s.Ctx, file)
			done.Add(1)
			bar.Increment()
			return nil
		})
	}
	_ = group.Wait() // the jobs report, they do not fail
	stop()
	bar.Abort(true)
	progress.Wait()
	return c.report(s, slices.Concat(results...))
}

func (c *verifyCmd) report(s *console.Session, results []verifyResult) error {
	count := map[string]int{}
	states := 0
	encoder := json.NewEncoder(s.Data())
	for _, r := range results {
		count[r.Result]++
		states += r.States
		if c.JSON {
			if err := encoder.Encode(r); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(s.Out, "%-8s %-6s %-12s %3d %s: %s, %d states, %.1f s", r.Result, r.Engine, r.Plan, r.Lanes, printable.Text(r.Game, console.ShownText), words.Count(r.Matches, "match", "matches"), r.States, r.Seconds)
		if r.Difference != nil {
			fmt.Fprintf(s.Out, "; match %d, %s", r.Match, printable.Text(r.Difference.String(), console.ErrorLine))
		}
		if r.Reason != "" {
			fmt.Fprintf(s.Out, "; %s", printable.Text(r.Reason, console.ErrorLine))
		}
		fmt.Fprintln(s.Out)
	}
	if !c.JSON {
		fmt.Fprintf(s.Out, "%d states compared: %d replays agree, %d differ, %d beyond the limits of grounding, %d errors\n",
			states, count["agrees"], count["differs"], count["limit"], count["error"])
	}
	if count["differs"]+count["error"] > 0 {
		return console.ErrQuiet
	}
	return nil
}

// replayer replays the matches of one file on one machine after the other.
type replayer struct {
	ctx      context.Context
	timeout  time.Duration
	file     string
	traces   []reasoner.Trace
	analysis *reasoner.Analysis
	results  []verifyResult
}

func (c *verifyCmd) file(ctx context.Context, file string) []verifyResult {
	r := replayer{ctx: ctx, timeout: c.Timeout, file: file}
	var program *gdl.Program
	var err error
	if r.traces, program, err = c.load(file); err != nil {
		result := r.result(c.Engine, "", 0)
		result.conclude(err, 0)
		return []verifyResult{result}
	}
	r.analysis = reasoner.NewAnalysis(program)
	plans, notes := r.analysis.Plans()
	only, ok := r.analysis.Named(c.Plan)
	if c.Plan != "all" && !ok || len(plans) == 0 {
		result := r.result(c.Engine, c.Plan, 0)
		result.conclude(fmt.Errorf("%w: %s", reasoner.ErrNoPlan, strings.Join(notes, "; ")), 0)
		return []verifyResult{result}
	}
	for _, plan := range plans {
		if c.Plan != "all" && plan.Name != only {
			continue
		}
		if c.Engine != "lanes" {
			r.prover(plan.Name)
		}
		if c.Engine != "prover" {
			r.lanes(plan.Name, load.Lanes(c.Lanes))
		}
	}
	return r.results
}

func (r *replayer) result(engine, plan string, lanes int) verifyResult {
	v := verifyResult{File: r.file, Game: strings.TrimSuffix(filepath.Base(r.file), ".jsonl"), Engine: engine, Plan: plan, Lanes: lanes}
	if len(r.traces) > 0 {
		v.Game = r.traces[0].Game
	}
	return v
}

func (r *replayer) prover(plan string) {
	begin := time.Now()
	m, err := r.analysis.Prover(plan, reasoner.DefaultLimits)
	r.replay(r.result("prover", plan, 1), m, err, time.Since(begin))
}

// lanes replays on every width of one circuit.
func (r *replayer) lanes(plan string, width int) {
	begin := time.Now()
	ctx, cancel := context.WithTimeout(r.ctx, r.timeout)
	defer cancel()
	circuit, err := r.analysis.Circuit(ctx, plan, reasoner.DefaultLimits)
	setup := time.Since(begin)
	if err != nil {
		r.replay(r.result("lanes", plan, width), nil, err, setup)
		return
	}
	for _, lanes := range reasoner.Widths() {
		if width == 0 || width == lanes {
			m, err := circuit.Machine(lanes)
			r.replay(r.result("lanes", plan, lanes), m, err, setup)
			setup = 0
		}
	}
}

// replay adds a result: of all matches, or of the error that there is instead
// of a machine.
func (r *replayer) replay(v verifyResult, m reasoner.Machine, err error, setup time.Duration) {
	begin := time.Now()
	if err == nil {
		err = r.matches(&v, m)
	}
	v.conclude(err, setup+time.Since(begin))
	r.results = append(r.results, v)
}

func (r *replayer) matches(v *verifyResult, m reasoner.Machine) error {
	stop := new(atomic.Bool)
	defer context.AfterFunc(r.ctx, func() { stop.Store(true) })()
	for i, t := range r.traces {
		steps, diff, err := reasoner.Replay(m, t, stop)
		v.States += steps
		if err != nil {
			return fmt.Errorf("match %d: %w", i, err)
		}
		if diff != nil {
			v.Match, v.Difference = i, diff
			return nil
		}
		v.Matches++
	}
	return nil
}

// conclude says in a word what came of it.
func (v *verifyResult) conclude(err error, took time.Duration) {
	v.Seconds = took.Seconds()
	switch {
	case errors.Is(err, reasoner.ErrLimit), errors.Is(err, context.DeadlineExceeded):
		v.Result, v.Reason = "limit", err.Error()
	case err != nil:
		v.Result, v.Reason = "error", err.Error()
	case v.Difference != nil:
		v.Result = "differs"
	default:
		v.Result = "agrees"
	}
}

func (c *verifyCmd) load(file string) ([]reasoner.Trace, *gdl.Program, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	traces, err := reasoner.ReadTraces(f)
	if err != nil {
		return nil, nil, err
	}
	if len(traces) == 0 {
		return nil, nil, errors.New("no recorded match in it")
	}
	dir := c.Games
	if dir == "" {
		dir = filepath.Join(filepath.Dir(file), "..", "gdl")
	}
	path := filepath.Join(dir, filepath.Base(traces[0].Game)+".kif")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%w (name the folder of the descriptions with --games)", err)
	}
	if err := traces[0].CheckRules(text); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	program, diagnostics := reasoner.Read(string(text))
	return traces, program, diagnostics.Err()
}
