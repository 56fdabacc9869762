package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/player/agent"
	"semisplit/player/choice"
	"semisplit/player/knowledge"
	"semisplit/player/queue"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// learnCmd learns games for later matches.
type learnCmd struct {
	Games   []string      `arg:"" name:"game" predictor:"game" help:"Bundled names, paths to descriptions, or folders with one."`
	Time    time.Duration `default:"1m" help:"How long, for each game."`
	Play    time.Duration `default:"1" help:"Time for a move in the matches that this is for."`
	Threads int           `help:"Threads; 0: one for each processor. Workers of --queue take one."`
	Seed    uint64        `help:"Seed of everything random; default: another one each time."`
	Report  bool          `help:"Learn an evaluation from matches for the whole time, print how well it predicts beside random playouts, and keep nothing: always in this process."`
	queueFlags
}

func (c *learnCmd) Run(s *console.Session) error {
	if err := cmp.Or(console.AboveZero("--time", c.Time), console.AboveZero("--play", c.Play)); err != nil {
		return err
	}
	if c.Threads < 0 || c.Threads > agent.MostThreads {
		return console.Usagef("--threads must be from 0 to %d", agent.MostThreads)
	}
	store := knowledgeOf(s)
	if store == nil && !c.Report {
		return errNoKnowledge
	}
	var lessons []lesson
	for _, name := range c.Games {
		game, program, _, err := load.Read(s, name)
		if err != nil {
			return err
		}
		if !c.Report {
			memory, err := store.Recall(s.Ctx, program, "")
			if err == nil {
				err = memory.Try()
			}
			if err != nil { // before hours of learning, and not after them
				return err
			}
		}
		lessons = append(lessons, lesson{game, program})
	}
	if c.Queue != "" && !c.Report {
		return c.elsewhere(s, store, lessons)
	}
	for _, l := range lessons {
		var err error
		if c.Report {
			err = c.report(s, l)
		} else {
			err = c.here(s, store, l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lesson is a game to be learned.
type lesson struct {
	game    games.Game
	program *gdl.Program
}

func (l *lesson) title() string { return cmp.Or(l.game.Title, l.game.Name) }

// seed is that of the flag, or another one each time.
func (c *learnCmd) seed() uint64 { return cmp.Or(c.Seed, uint64(time.Now().UnixNano())) }

// lessonFor is what a worker is told of a game. No two lessons of a command have the same
// seed: they would be the same job, which is done once.
func (c *learnCmd) lessonFor(l lesson, number int, seed uint64) knowledge.Lesson {
	return knowledge.Lesson{Title: l.title(), Time: c.Time, Play: c.Play, Seed: seed + uint64(number)}
}

// here learns a game in this process.
func (c *learnCmd) here(s *console.Session, store *knowledge.Store, l lesson) error {
	memory, err := store.Recall(s.Ctx, l.program, l.title())
	if err != nil {
		return err
	}
	base, err := agent.Find("auto")
	if err != nil {
		return err
	}
	progress := console.NewStages(s, "learn "+printable.Text(l.game.Name, 60), c.Time)
	made, err := choice.Choose(s.Ctx, l.program, base, reasoner.DefaultLimits, choice.Options{
		Time: c.Time, Play: c.Play, Threads: cmp.Or(c.Threads, runtime.GOMAXPROCS(0)), Seed: c.seed(),
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
	fmt.Fprintf(s.Out, "%s; best so far: %s\n", words.Count(plays, "trial match", "trial matches"), made.Chosen.Name)
	fmt.Fprintf(s.Out, "kept as %.12s in %s\n", memory.Key(), s.Learned.Folder())
	return nil
}

// elsewhere has workers learn games, as many at a time as there are workers, and keeps
// what they learned here, as it comes.
func (c *learnCmd) elsewhere(s *console.Session, store *knowledge.Store, lessons []lesson) error {
	log := s.Log("text")
	q, err := queue.Open(s.Ctx, c.options(log, 0))
	if err != nil {
		return err
	}
	defer q.Close()
	var (
		group sync.WaitGroup
		mu    sync.Mutex // of the store and the output
		all   []error
	)
	log.Info("lessons wait for workers", "lessons", len(lessons), "time", c.Time)
	seed := c.seed()
	for i, l := range lessons {
		group.Go(func() {
			learned, err := knowledge.Elsewhere(s.Ctx, q, l.game.Rules, c.lessonFor(l, i, seed))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				err = c.merge(s, store, l, learned)
			}
			if err == nil { // or the same command would count it again
				err = q.ForgetOne(s.Ctx, knowledge.KindLearn, learned.Job)
			}
			if err != nil {
				all = append(all, fmt.Errorf("%s: %w", printable.Text(l.game.Name, 60), err))
			}
		})
	}
	group.Wait()
	return errors.Join(all...)
}

// merge keeps what a worker has learned.
func (c *learnCmd) merge(s *console.Session, store *knowledge.Store, l lesson, learned knowledge.Learned) error {
	memory, err := store.Recall(s.Ctx, l.program, l.title())
	if err != nil {
		return err
	}
	machine, err := machineOf(s.Ctx, l.program)
	if err == nil {
		err = memory.Merge(learned.Game, machine)
	}
	if err != nil {
		return err
	}
	matches := 0
	for _, e := range learned.Game.Evaluations {
		matches += e.Matches
	}
	fmt.Fprintf(s.Out, "%s: learned by %s from %s; best so far: %s; kept as %.12s\n",
		printable.Text(l.game.Name, 60), printable.Text(learned.Worker, 60), words.Count(matches, "match", "matches"), printable.Text(learned.Chosen, 60), memory.Key())
	return nil
}

// machineOf is the quickest machine to be had of a game at once.
func machineOf(ctx context.Context, program *gdl.Program) (reasoner.Machine, error) {
	if m, err := reasoner.NewLanes(ctx, program, reasoner.DefaultLimits); err == nil {
		return m, nil
	}
	return reasoner.NewProver(program)
}
