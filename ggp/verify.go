package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/sync/errgroup"

	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
)

// verifyCmd replays recorded matches.
type verifyCmd struct {
	Traces  []string      `arg:"" name:"trace.jsonl" help:"Files of recorded matches, one JSON object a line."`
	Engine  string        `enum:"prover,lanes,all" default:"all" help:"Which machines replay: ${enum}."`
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
	Result     string               `json:"result"` // "agrees", "differs", "limit" or "error"
	Matches    int                  `json:"matches"`
	States     int                  `json:"states"`
	Match      int                  `json:"match"` // of the difference, from 0
	Difference *reasoner.Difference `json:"difference,omitempty"`
	Reason     string               `json:"reason,omitempty"` // for "limit" and "error"
	Seconds    float64              `json:"seconds"`
}

func (c *verifyCmd) Run(s *session) error {
	engines := []string{c.Engine}
	if c.Engine == "all" {
		engines = []string{"prover", "lanes"}
	}
	jobs := c.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	progress := mpb.NewWithContext(s.ctx, mpb.WithOutput(progressOutput(s)))
	bar := progress.AddBar(int64(len(c.Traces)*len(engines)),
		mpb.PrependDecorators(decor.Name("verify "), decor.CountersNoUnit("%d / %d")),
		mpb.AppendDecorators(decor.AverageETA(decor.ET_STYLE_GO)))
	results := make([]verifyResult, len(c.Traces)*len(engines))
	var group errgroup.Group
	group.SetLimit(jobs)
	for i, file := range c.Traces {
		group.Go(func() error {
			for j, engine := range engines {
				results[i*len(engines)+j] = c.file(s.ctx, file, engine)
				bar.Increment()
			}
			return nil
		})
	}
	_ = group.Wait() // the jobs report, they do not fail
	bar.Abort(true)
	progress.Wait()
	return c.report(s, results)
}

// progressOutput shows progress to people only.
func progressOutput(s *session) *os.File {
	if f, ok := s.errout.(*os.File); ok && isTerminal(f) {
		return f
	}
	return nil
}

func (c *verifyCmd) report(s *session, results []verifyResult) error {
	count := map[string]int{}
	states := 0
	encoder := json.NewEncoder(s.out)
	for _, r := range results {
		count[r.Result]++
		states += r.States
		if c.JSON {
			if err := encoder.Encode(r); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(s.out, "%-8s %-6s %s: %d matches, %d states, %.1f s", r.Result, r.Engine, r.Game, r.Matches, r.States, r.Seconds)
		if r.Difference != nil {
			fmt.Fprintf(s.out, "; match %d, %s", r.Match, r.Difference)
		}
		if r.Reason != "" {
			fmt.Fprintf(s.out, "; %s", r.Reason)
		}
		fmt.Fprintln(s.out)
	}
	if !c.JSON {
		fmt.Fprintf(s.out, "%d states compared: %d replays agree, %d differ, %d beyond the limits of grounding, %d errors\n",
			states, count["agrees"], count["differs"], count["limit"], count["error"])
	}
	if count["differs"]+count["error"] > 0 {
		return errQuiet
	}
	return nil
}

func (c *verifyCmd) file(ctx context.Context, file, engine string) verifyResult {
	begin := time.Now()
	r := verifyResult{File: file, Engine: engine, Game: strings.TrimSuffix(filepath.Base(file), ".jsonl")}
	err := c.replay(ctx, file, &r)
	r.Seconds = time.Since(begin).Seconds()
	switch {
	case errors.Is(err, ground.ErrLimit), errors.Is(err, context.DeadlineExceeded):
		r.Result, r.Reason = "limit", err.Error()
	case err != nil:
		r.Result, r.Reason = "error", err.Error()
	case r.Difference != nil:
		r.Result = "differs"
	default:
		r.Result = "agrees"
	}
	return r
}

func (c *verifyCmd) replay(ctx context.Context, file string, r *verifyResult) error {
	traces, program, err := c.load(file)
	if err != nil {
		return err
	}
	r.Game = traces[0].Game
	buildCtx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	m, _, err := buildEngine(buildCtx, program, r.Engine)
	if err != nil {
		return err
	}
	stop := new(atomic.Bool)
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	for i, t := range traces {
		steps, diff, err := reasoner.Replay(m, t, stop)
		r.States += steps
		if err != nil {
			return fmt.Errorf("match %d: %w", i, err)
		}
		if diff != nil {
			r.Match, r.Difference = i, diff
			return nil
		}
		r.Matches++
	}
	return nil
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
