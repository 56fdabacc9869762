package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
)

// checkCmd shows what the reasoner makes of a description.
type checkCmd struct {
	Game    string        `arg:"" help:"Bundled name, path to a description, or folder with one."`
	Seconds float64       `default:"1" help:"How long to measure each machine; 0 measures nothing."`
	Plans   bool          `help:"Print how each plan splits the moves: groups, levels, and the conditions at each level."`
	Timeout time.Duration `default:"60s" help:"Bound on grounding the game under one plan."`
	Dot     string        `type:"path" placeholder:"FILE" help:"Write the circuit of the orthodox plan for Graphviz."`
}

func (c *checkCmd) Run(s *session) error {
	game, err := loadGame(s, c.Game)
	if err != nil {
		return err
	}
	program, diagnostics := reasoner.Read(game.Rules)
	for _, d := range diagnostics {
		fmt.Fprintf(s.out, "%s:%s\n", game.Source, d)
	}
	if err := diagnostics.Err(); err != nil {
		return fmt.Errorf("%s cannot be played: mend the errors above", game.Name)
	}
	fmt.Fprintf(s.out, "%s: %d warnings, %d relations, %d rules and facts\n", game.Name, len(diagnostics), len(program.Relations), len(program.Rules))
	if err := c.prover(s, program); err != nil {
		return err
	}
	outline := reasoner.NewOutline(program)
	plans, notes := outline.Plans()
	for _, note := range notes {
		fmt.Fprintf(s.out, "plans: %s\n", note)
	}
	for _, plan := range plans {
		if c.Plans {
			if err := c.plan(s, outline, plan.Name); err != nil {
				return err
			}
		}
		// A game that is too large for a circuit is a game all the same.
		if err := c.circuit(s, outline, plan.Name); err != nil {
			if s.ctx.Err() != nil {
				return s.ctx.Err()
			}
			fmt.Fprintf(s.out, "lanes, plan %s: none: %v\n", plan.Name, err)
		}
	}
	return nil
}

func (c *checkCmd) prover(s *session, program *gdl.Program) error {
	m, setup, err := buildEngine(s.ctx, program, reasoner.Variant{Engine: "prover"})
	if err != nil {
		return err
	}
	if err := c.initial(s, m); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "prover: set-up %.3f s", setup.Seconds())
	c.speed(s, m)
	return nil
}

// plan prints a plan with the conditions of each level.
func (c *checkCmd) plan(s *session, outline *reasoner.Outline, name string) error {
	game, err := outline.Game(name)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "\n%s", game.Plan)
	return nil
}

// circuit describes the circuit of a plan, and measures it in the best width.
func (c *checkCmd) circuit(s *session, outline *reasoner.Outline, plan string) error {
	ctx, cancel := context.WithTimeout(s.ctx, c.Timeout)
	defer cancel()
	begin := time.Now()
	circuit, err := outline.Circuit(ctx, plan, reasoner.DefaultLimits)
	if err != nil {
		return err
	}
	setup := time.Since(begin)
	net := circuit.Net()
	if c.Dot != "" && plan == "orthodox" {
		if err := writeDot(c.Dot, net); err != nil {
			return err
		}
	}
	m, err := circuit.Quickest()
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "lanes, plan %s: set-up %.3f s, %d fluents, %s semimoves, %d gates, %d lanes",
		plan, setup.Seconds(), len(net.Fluents), semimoves(net), gates(m), m.Lanes())
	c.speed(s, m)
	return nil
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

// speed ends a line with what random playouts measure.
func (c *checkCmd) speed(s *session, m reasoner.Machine) {
	if c.Seconds > 0 {
		tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: 1, Time: seconds(c.Seconds)})
		fmt.Fprintf(s.out, ", %s states/s, %d playouts of %.1f plies on average",
			si(ratio(float64(tally.States), tally.Elapsed.Seconds())), tally.Playouts, ratio(float64(tally.Plies), float64(tally.Playouts)))
		if tally.Dead > 0 {
			fmt.Fprintf(s.out, ", %.1f%% of the semimoves dead", 100*ratio(float64(tally.Dead), float64(tally.Tries)))
		}
		if err != nil {
			fmt.Fprintf(s.out, ", ended by: %v", err)
		}
	}
	fmt.Fprintln(s.out)
}

func writeDot(path string, net *propnet.Net) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(propnet.WriteDot(f, net, propnet.DotOptions{}), f.Close())
}

// initial prints what the initial state offers.
func (c *checkCmd) initial(s *session, m reasoner.Machine) error {
	e := m.NewNarrow(1)
	e.Load(0, m.Initial(), nil)
	begin := time.Now()
	ended, err := e.Step(nil)
	if err != nil {
		return fmt.Errorf("initial state: %w", err)
	}
	fmt.Fprintf(s.out, "initial state: %d fluents (in %.1f ms)\n", len(m.Fluents(m.Initial())), float64(time.Since(begin).Microseconds())/1000)
	if ended[0]&1 != 0 {
		return errors.New("the initial state is terminal: there is nothing to play")
	}
	for role, name := range m.Roles() {
		fmt.Fprintf(s.out, "role %s: %d choices at first", name, len(e.Offers(0, role, nil, nil)))
		if n := m.Levels(role); n > 1 {
			fmt.Fprintf(s.out, ", a move has %d semimoves", n)
		}
		fmt.Fprintln(s.out)
	}
	return nil
}
