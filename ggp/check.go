package main

import (
	"errors"
	"fmt"
	"time"

	"semisplit/games"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// checkCmd shows what the reasoner makes of a description.
type checkCmd struct {
	Game    string  `arg:"" help:"Bundled name, path to a description, or folder with one."`
	Seconds float64 `default:"1" help:"How long to measure each engine; 0 measures nothing."`
}

func (c *checkCmd) Run(s *session) error {
	game, err := games.Load(c.Game)
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
	if err := c.engine(s, program, "prover"); err != nil {
		return err
	}
	// A game that is too large for a circuit is a game all the same.
	if err := c.engine(s, program, "lanes"); err != nil {
		fmt.Fprintf(s.out, "lanes: none: %v\n", err)
	}
	return nil
}

func (c *checkCmd) engine(s *session, program *gdl.Program, engine string) error {
	m, setup, err := buildEngine(s.ctx, program, engine)
	if err != nil {
		return err
	}
	if engine == "prover" {
		if err := c.initial(s, m); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.out, "%s: set-up %.3f s", engine, setup.Seconds())
	if n, ok := m.(circuit); ok {
		net, moves := n.Net(), 0
		for _, role := range net.Roles {
			for _, level := range role.Levels {
				moves += len(level.Codes)
			}
		}
		fmt.Fprintf(s.out, ", %d fluents, %d moves, %d gates", len(net.Fluents), moves, n.Gates())
	}
	if c.Seconds > 0 {
		tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: 1, Time: seconds(c.Seconds)})
		fmt.Fprintf(s.out, ", %s states/s, %d playouts of %.1f plies on average",
			si(ratio(float64(tally.States), tally.Elapsed.Seconds())), tally.Playouts, ratio(float64(tally.Plies), float64(tally.Playouts)))
		if err != nil {
			fmt.Fprintf(s.out, ", ended by: %v", err)
		}
	}
	fmt.Fprintln(s.out)
	return nil
}

// initial prints what the initial state offers.
func (c *checkCmd) initial(s *session, m reasoner.Machine) error {
	e := m.NewEngine(1)
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
