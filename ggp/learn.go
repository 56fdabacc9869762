package main

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"time"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/player/agent"
	"semisplit/player/choice"
	"semisplit/reasoner"
)

// learnCmd learns a game for later matches.
type learnCmd struct {
	Game    string        `arg:"" predictor:"game" help:"Bundled name, path to a description, or folder with one."`
	Time    time.Duration `default:"1m" help:"How long."`
	Play    time.Duration `default:"1" help:"Time for a move in the matches that this is for."`
	Threads int           `help:"Threads; 0: one for each processor."`
	Seed    uint64        `help:"Seed of everything random; default: another one each time."`
	Report  bool          `help:"Learn an evaluation from matches for the whole time, print how well it predicts beside random playouts, and keep nothing."`
}

func (c *learnCmd) Run(s *console.Session) error {
	if err := cmp.Or(console.AboveZero("--time", c.Time), console.AboveZero("--play", c.Play)); err != nil {
		return err
	}
	if c.Threads < 0 || c.Threads > agent.MostThreads {
		return console.Usagef("--threads must be from 0 to %d", agent.MostThreads)
	}
	if c.Report {
		return c.report(s)
	}
	store := knowledgeOf(s)
	if store == nil {
		return errNoKnowledge
	}
	game, program, _, err := load.Read(s, c.Game)
	if err != nil {
		return err
	}
	memory, err := store.Recall(s.Ctx, program, cmp.Or(game.Title, game.Name))
	if err != nil {
		return err
	}
	base, err := agent.Find("auto")
	if err != nil {
		return err
	}
	progress := console.NewStages(s, "learn "+printable.Text(game.Name, 60), c.Time)
	made, err := choice.Choose(s.Ctx, program, base, reasoner.DefaultLimits, choice.Options{
		Time: c.Time, Play: c.Play, Threads: cmp.Or(c.Threads, runtime.GOMAXPROCS(0)), Seed: cmp.Or(c.Seed, uint64(time.Now().UnixNano())),
		Begin: progress.Begin, Recall: memory.Known, Learn: true,
	})
	progress.End()
	if err == nil {
		err = s.Ctx.Err() // a choice that was cut short is none
	}
	if err != nil {
		return err
	}
	if err := memory.Add(made, made.Elapsed); err != nil {
		return err
	}
	for _, source := range slices.Sorted(maps.Keys(made.Evaluations)) {
		if e := made.Evaluations[source]; e != nil && made.IsNew(source) {
			fmt.Fprintf(s.Out, "evaluation from %s: %d positions, explains %.1f%% of what was held out\n", source, e.Samples, 100*e.ExplainedVariance())
		}
	}
	if made.NoEvaluation != "" {
		fmt.Fprintf(s.Out, "no evaluation: %s\n", printable.Text(made.NoEvaluation, console.ErrorLine))
	}
	plays := 0
	for _, t := range made.Trials() {
		plays += t.Plays
	}
	fmt.Fprintf(s.Out, "%s; best so far: %s\n", console.Quantity(plays, "trial match", "trial matches"), made.Chosen.Name)
	fmt.Fprintf(s.Out, "kept as %.12s in %s\n", memory.Key(), s.Learned.Folder())
	return nil
}
