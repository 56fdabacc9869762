package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/words"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
)

// checkCmd shows what the reasoner makes of a description.
type checkCmd struct {
	Game    string        `arg:"" predictor:"game" help:"Bundled name, path to a description, or folder with one."`
	Time    time.Duration `name:"seconds" default:"1" help:"How long to measure each machine; 0 measures nothing."`
	Plans   bool          `help:"Print how each plan splits the moves: groups, levels, and the conditions at each level."`
	Timeout time.Duration `default:"60s" help:"Bound on the whole command: what was not reached by then is told."`
	JSON    bool          `name:"json" help:"Print one JSON object: the findings, and the other lines as text."`
	Dot     string        `type:"path" placeholder:"FILE" help:"Write the circuit of the orthodox plan for Graphviz."`
}

func (c *checkCmd) Run(s *console.Session) error {
	if err := console.AboveZero("--timeout", c.Timeout); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(s.Ctx, c.Timeout, fmt.Errorf("time is over after %v (--timeout)", c.Timeout))
	defer cancel()
	dot, err := createDot(c.Dot)
	if err != nil {
		return err
	}
	defer dot.drop()
	own := *s
	own.Ctx = ctx
	k := &checking{checkCmd: c, session: &own, dot: dot}
	if err := k.read(); err != nil {
		if k.program == nil && k.name != "" {
			err = errors.Join(k.tellJSON(false), err)
		}
		return err
	}
	k.tasks = []task{{name: "the initial state", do: k.initial}}
	err = k.run()
	if s.Ctx.Err() != nil {
		return fmt.Errorf("%s was not checked to the end: %w", k.name, context.Cause(s.Ctx))
	}
	if err != nil {
		if k.JSON { // the report says it too
			k.tell("error", "%v", err)
		}
		return errors.Join(k.tellJSON(false), err)
	}
	return errors.Join(k.tellJSON(true), dot.missing())
}

// firstBound is for each plan at first. Those that take longer to ground come
// again after the others, and may then take moreTime as long: so no plan keeps
// the others from their turn.
const (
	firstBound = 3 * time.Second
	moreTime   = 4
)

// checking is one run of the command. Tasks compute beside it, and only what
// they report changes it.
type checking struct {
	*checkCmd
	session *console.Session
	dot     *dotFile
	name    string // of the game, as it is printed
	program *gdl.Program
	tasks   []task // still to be done, in this order
	report  checkReport
	text    strings.Builder // of the report

	prover   reasoner.Machine
	analysis *reasoner.Analysis
	fastest  reasoner.Machine // that is ready for the playouts
	rules    *ruleBounds      // nil: no circuit was made

	toldGoals   map[string]bool // values in heads
	cannotBegin bool            // a role has no legal move in the initial state
}

// task is a part of the work.
type task struct {
	name     string
	do       work
	progress *ground.Progress // nil: it does not tell how far it is
}

// work is done beside the command. It hears the context, or is left behind
// when that ends: so it changes nothing but what it made itself. Its report
// prints what was found.
type work func(context.Context) (report func(), err error)

// read prints what the text alone shows.
func (k *checking) read() error {
	game, err := load.Game(k.session, k.Game)
	if err != nil {
		return err
	}
	k.name = game.Name
	program, diagnostics := reasoner.Read(game.Rules)
	k.diagnostics(game.Source, diagnostics)
	if err := diagnostics.Err(); err != nil {
		return fmt.Errorf("%s cannot be played: mend the errors above", game.Name)
	}
	k.program, k.toldGoals = program, constantGoals(program)
	k.print("%s: %s about the text, %d relations, %d rules and facts\n", game.Name, words.Count(len(diagnostics), "warning", "warnings"), len(program.Relations), len(program.Rules))
	return nil
}

// longestFinding is how many bytes of a finding or a state are printed.
const longestFinding = 2000

// run does the tasks, and tells which of them the time was too short for.
func (k *checking) run() error {
	ctx := k.session.Ctx
	for len(k.tasks) > 0 && ctx.Err() == nil {
		t := k.tasks[0]
		stop := console.ShowWork(k.session, "check: "+t.name, t.counts)
		report, err := leaveBehind(ctx, t.do)
		stop()
		if err != nil && ctx.Err() != nil {
			break
		}
		if err != nil {
			return err
		}
		k.tasks = k.tasks[1:]
		if report != nil {
			report()
		}
	}
	if len(k.tasks) == 0 {
		return nil
	}
	var missing []string
	for _, t := range k.tasks {
		missing = append(missing, t.name)
	}
	k.print("%v, not reached: %s\n", context.Cause(ctx), strings.Join(missing, ", "))
	return nil
}

// counts tells how far the task is; "" if it does not know.
func (t task) counts() string {
	if t.progress == nil || t.progress.Atoms.Load() == 0 {
		return ""
	}
	p := t.progress
	return fmt.Sprintf("%s atoms, %s rule instances, %s gates",
		console.SI(float64(p.Atoms.Load())), console.SI(float64(p.Instances.Load())), console.SI(float64(p.Gates.Load())))
}

// lastMoment is how long a task that hears the context may take to return.
const lastMoment = 50 * time.Millisecond

// leaveBehind runs a task, but no longer than the context lasts: whoever does
// not hear it is left behind, for the process ends soon.
func leaveBehind(ctx context.Context, do work) (func(), error) {
	type result struct {
		report func()
		err    error
	}
	done := make(chan result, 1)
	go func() {
		report, err := do(ctx)
		done <- result{report, err}
	}()
	select {
	case r := <-done:
		return r.report, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.report, r.err
	case <-time.After(lastMoment):
		return nil, context.Cause(ctx)
	}
}

// stopWith is a flag that is set when the context ends.
func stopWith(ctx context.Context) (stop *atomic.Bool, release func() bool) {
	stop = new(atomic.Bool)
	return stop, context.AfterFunc(ctx, func() { stop.Store(true) })
}
