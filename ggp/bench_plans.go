package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/reasoner"
)

// The plans of the table, as in table 1 of J. Kowalski et al., Split Moves for
// Monte-Carlo Tree Search, 2022.
var tablePlans = []string{"orthodox", "mod", "modplus", "modshift"}

// planLimit bounds the set-up of a game under one plan.
const planLimit = 60 * time.Second

// plans prints a table in Markdown of games under each plan.
func (c *benchCmd) plans(s *console.Session) error {
	list := c.Games
	if len(list) == 0 {
		list = games.Names()
	}
	fmt.Fprintf(s.Out, "# Games under each plan\n\nRandom playouts on one thread, the best of %d runs of %v: `ggp bench --plans`. A nodal state is reached by a joint move; all states are\n"+
		"those between semimoves as well, of roles that have a choice. Branching is over the states of random matches, of such roles.\n\n", c.Runs, c.Time)
	fmt.Fprintf(s.Out, "| game | plan | engine | nodal states/s | | playouts/s | nodal states a playout | all states a playout | branching, nodal | branching, all | dead | gates | set-up |\n")
	fmt.Fprintf(s.Out, "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, name := range list {
		game, err := load.Game(s, name)
		if err != nil {
			return err
		}
		program, diagnostics := reasoner.Read(game.Rules)
		if err := diagnostics.Err(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		analysis := reasoner.NewAnalysis(program)
		whole := 0.0
		for _, plan := range tablePlans {
			named, ok := analysis.Named(plan)
			if ok && named != plan {
				fmt.Fprintf(s.Out, "| %s | %s | like %s | | | | | | | | | | |\n", name, plan, named)
				continue
			} else if !ok {
				continue
			}
			stop := console.ShowWork(s, "bench "+printable.Text(name, console.ShownText)+", "+plan, func() string { return "" })
			row, err := c.planRow(s.Ctx, analysis, plan)
			stop()
			if s.Ctx.Err() != nil {
				return s.Ctx.Err()
			}
			if err != nil {
				fmt.Fprintf(s.Out, "| %s | %s | none: %v | | | | | | | | | | |\n", name, plan, err)
				continue
			}
			if plan == "orthodox" {
				whole = row.speed
			}
			row.print(s, name, plan, whole)
		}
	}
	return nil
}

// planRow is what was measured of a game under a plan.
type planRow struct {
	engine    string
	speed     float64 // nodal states a second
	playouts  float64 // a second
	nodal     float64 // states a playout
	dead      float64
	gates     int
	setUp     time.Duration
	branching reasoner.Branching
}

func (r *planRow) print(s *console.Session, game, plan string, whole float64) {
	relative := ""
	if whole > 0 {
		relative = fmt.Sprintf("%.0f%%", 100*r.speed/whole)
	}
	gates := ""
	if r.gates > 0 {
		gates = fmt.Sprint(r.gates)
	}
	fmt.Fprintf(s.Out, "| %s | %s | %s | %s | %s | %s | %.1f | %.1f | %.1f | %.1f | %.1f%% | %s | %.2f s |\n", game, plan, r.engine, console.SI(r.speed), relative,
		console.SI(r.playouts), r.nodal, r.nodal*r.branching.Depth()*r.branching.Choosing(), r.branching.Nodal(), r.branching.Offered(), 100*r.dead, gates, r.setUp.Seconds())
}

func (c *benchCmd) planRow(ctx context.Context, analysis *reasoner.Analysis, plan string) (*planRow, error) {
	limited, cancel := context.WithTimeout(ctx, planLimit)
	defer cancel()
	begin := time.Now()
	var m reasoner.Machine
	circuit, err := analysis.Circuit(limited, plan, reasoner.DefaultLimits)
	if err == nil {
		m, err = circuit.Quickest()
	}
	row := &planRow{}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		// Too large for a circuit: the prover plays it all the same.
		if m, err = analysis.Prover(plan, reasoner.DefaultLimits); err != nil {
			return nil, err
		}
		row.engine = "prover"
	} else {
		row.engine, row.gates = fmt.Sprintf("%d lanes", m.Lanes()), load.Gates(m)
	}
	row.setUp = time.Since(begin)
	for run := range c.Runs {
		tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: c.Seed + uint64(run), Time: c.Time, Context: ctx})
		if err != nil {
			return nil, err
		}
		elapsed := tally.Elapsed.Seconds()
		if speed := console.Ratio(float64(tally.States), elapsed); speed > row.speed {
			row.speed, row.playouts = speed, console.Ratio(float64(tally.Playouts), elapsed)
			row.nodal = console.Ratio(float64(tally.Plies), float64(tally.Playouts))
			row.dead = console.Ratio(float64(tally.Dead), float64(tally.Tries))
		}
	}
	return row, row.look(ctx, m, c.Seed, c.Time)
}

// look walks at random and looks at what there is to choose from.
func (r *planRow) look(ctx context.Context, m reasoner.Machine, seed uint64, limit time.Duration) error {
	const enough = 20_000 // nodal states
	var stop atomic.Bool
	timer := time.AfterFunc(limit, func() { stop.Store(true) })
	defer timer.Stop()
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var err error
	r.branching, err = reasoner.MeasureBranching(m, seed, enough, &stop)
	return err
}
