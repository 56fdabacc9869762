package main

import (
	"cmp"
	"fmt"
	"runtime"

	"semisplit/ggp/internal/console"
	"semisplit/internal/printable"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/learning"
	"semisplit/reasoner"
)

// report learns an evaluation and prints how well it predicts matches that it did not
// learn from: a line of a table, after a line for each family of shapes that was tried.
func (c *learnCmd) report(s *console.Session, l lesson) error {
	game, program := l.game, l.program
	m, err := reasoner.NewLanes(s.Ctx, program, reasoner.DefaultLimits)
	if err != nil {
		return err
	}
	e, err := learning.Learn(s.Ctx, m, program, evaluation.FromMatches, c.seed(), c.Time, cmp.Or(c.Threads, runtime.GOMAXPROCS(0)))
	if err != nil {
		return err
	}
	if e == nil {
		return fmt.Errorf("%s: there were too few matches to learn from", printable.Text(game.Name, 60))
	}
	printShapes(s.Out, e)
	playouts := "too few playouts to compare"
	if vs := e.VsRollouts; vs != nil {
		playouts = fmt.Sprintf("on %d positions %.1f%%, 16 playouts %.1f%%; alpha %.2f, trust %.0f%%", vs.Positions, 100*meanExplained(vs.Evaluation), 100*meanExplained(vs.Playouts), e.Alpha(), 100*e.Trust())
	}
	fmt.Fprintf(s.Out, "%s: %d matches, explained %.1f%%; %s\n", printable.Text(game.Name, 60), e.Matches, 100*meanExplained(e.Quality), playouts)
	return nil
}

// meanExplained is the explained variance, as a mean over the roles.
func meanExplained(list []evaluation.Quality) (explained float64) {
	for _, q := range list {
		explained += q.ExplainedVariance() / float64(len(list))
	}
	return explained
}
