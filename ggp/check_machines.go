package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/words"
	"semisplit/reasoner"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/propnet"
	"semisplit/reasoner/split"
)

// initial makes the prover, and tells what the initial state offers.
func (k *checking) initial(ctx context.Context) (func(), error) {
	m, setup, err := load.Engine(ctx, k.program, reasoner.Variant{Engine: "prover"})
	if err != nil {
		return nil, err
	}
	stop, release := stopWith(ctx)
	defer release()
	e := m.NewSingle(1)
	e.Load(0, m.Initial(), nil)
	begin := time.Now()
	ended, err := e.Step(stop)
	if err != nil {
		return nil, fmt.Errorf("initial state: %w", err)
	}
	took := time.Since(begin)
	if ended[0]&1 != 0 {
		return nil, errors.New("the initial state is terminal: there is nothing to play")
	}
	choices, partial := make([]int, len(m.Roles())), make([]bool, len(m.Roles()))
	lists, _ := e.(interface{ Partial(role int) bool })
	for role := range choices {
		choices[role] = len(e.Offers(0, role, nil, nil))
		partial[role] = lists != nil && lists.Partial(role)
	}
	return func() {
		k.prover, k.fastest = m, m
		k.print("initial state: %d fluents (in %.1f ms)\n", len(m.Fluents(m.Initial())), float64(took.Microseconds())/1000)
		for role, name := range m.Roles() {
			more := ""
			if partial[role] {
				more = ", and more that are not listed"
			}
			k.print("role %s: %s at first%s\n", name, words.Count(choices[role], "choice", "choices"), more)
		}
		k.stuckAtFirst(choices)
		speed := func(ctx context.Context) (func(), error) {
			speed := k.speed(ctx, m)
			return func() { k.print("prover: set-up %.3f s%s\n", setup.Seconds(), speed) }, nil
		}
		k.tasks = append(k.tasks, task{name: "the speed of the prover", do: speed}, task{name: "the plans", do: k.plans})
	}, nil
}

// plans finds how the moves can be split, and what holds in every state, and
// puts down what there is to do for each plan.
func (k *checking) plans(ctx context.Context) (func(), error) {
	analysis := reasoner.NewAnalysis(k.program)
	analysis.Prepare(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return func() {
		k.analysis = analysis
		plans, notes := analysis.Plans()
		for _, note := range notes {
			k.print("plans: %s\n", note)
		}
		for _, plan := range plans {
			if k.Plans {
				k.tasks = append(k.tasks, task{name: "plan " + plan.Name, do: k.plan(plan.Name)})
			}
			k.tasks = append(k.tasks, k.circuit(plan.Name, min(firstBound, k.Timeout/10)))
		}
		if !k.cannotBegin {
			k.tasks = append(k.tasks, task{name: playoutsTask, do: k.playouts})
		}
	}, nil
}

// plan prints a plan with the conditions of each level.
func (k *checking) plan(name string) work {
	return func(context.Context) (func(), error) {
		game, err := k.analysis.Game(name)
		if err != nil {
			return nil, err
		}
		text := game.Plan.String()
		return func() { k.print("\n%s", text) }, nil
	}
}

// circuit describes the circuit of a plan, and measures it in the best width.
// Where grounding takes longer than the bound, it is tried again at the end. A
// game that is too large for a circuit is a game all the same.
func (k *checking) circuit(plan string, bound time.Duration) task {
	progress := new(ground.Progress)
	return task{name: "lanes under plan " + plan, progress: progress, do: func(ctx context.Context) (func(), error) {
		own, cancel := context.WithTimeout(ctx, bound)
		defer cancel()
		limits := reasoner.DefaultLimits
		limits.Ground.Progress = progress
		begin := time.Now()
		circuit, err := k.analysis.Circuit(own, plan, limits)
		setup := time.Since(begin)
		var m reasoner.Machine
		if err == nil {
			m, err = circuit.Quickest()
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, err
		case err != nil && own.Err() != nil:
			return func() { k.tasks = append(k.tasks, k.circuit(plan, moreTime*bound)) }, nil
		case err != nil:
			return func() {
				k.print("lanes, plan %s: none: %v\n", plan, err)
				if plan == split.WholeMoves {
					k.dot.fail(err)
				}
			}, nil
		}
		net := circuit.Net()
		bounds := boundsOf(net)
		speed := k.speed(ctx, m)
		return func() {
			k.print("lanes, plan %s: set-up %.3f s, %s, %s semimoves, %d gates, %d lanes%s\n",
				plan, setup.Seconds(), fluents(net), semimoves(net), load.Gates(m), m.Lanes(), speed)
			k.learn(bounds)
			k.playoutsNext(m)
			if plan == split.WholeMoves {
				k.dot.write(net)
			}
		}, nil
	}}
}

// fluents counts them, and those on which nothing depends.
func fluents(net *propnet.Net) string {
	spare := 0
	for _, s := range net.Spare {
		if s {
			spare++
		}
	}
	if spare == 0 {
		return fmt.Sprintf("%d fluents", len(net.Fluents))
	}
	return fmt.Sprintf("%d fluents (no end, goal or move depends on %d of them)", len(net.Fluents), spare)
}

// semimoves counts them by role and level: 9/9, or 64+64+1/64+64+1.
func semimoves(net *propnet.Net) string {
	var roles []string
	for _, role := range net.Roles {
		var levels []string
		for _, level := range role.Levels {
			levels = append(levels, strconv.Itoa(len(level.Codes)))
		}
		roles = append(roles, strings.Join(levels, "+"))
	}
	return strings.Join(roles, "/")
}

// speed is the end of a line: what random playouts measure, for as long as was
// asked for, or as there is time.
func (k *checking) speed(ctx context.Context, m reasoner.Machine) string {
	limit := k.Time
	if limit == 0 {
		return ""
	}
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)-lastMoment)
	}
	if limit <= 0 {
		return ", not measured: the time is over"
	}
	tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: 1, Time: limit, Context: ctx})
	text := fmt.Sprintf(", %s states/s, %d playouts of %.1f plies on average",
		console.SI(console.Ratio(float64(tally.States), tally.Elapsed.Seconds())), tally.Playouts, console.Ratio(float64(tally.Plies), float64(tally.Playouts)))
	if tally.Dead > 0 {
		text += fmt.Sprintf(", %.1f%% of the paths of semimoves dead", 100*console.Ratio(float64(tally.Dead), float64(tally.Tries)))
	}
	if err != nil {
		text += fmt.Sprintf(", ended by: %v", err)
	}
	return text
}
