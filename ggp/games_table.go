package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/internal/printable"
	"semisplit/player/board"
	"semisplit/reasoner"
)

// For the figures about its tree, each game is played so many times by the
// prover, or fewer where that takes much longer than to measure an engine.
const (
	treePlayouts = 20
	treeTime     = 10 // times that of an engine
)

// tableGames measures games and prints a table in Markdown, for all bundled
// ones that of docs/games.md. Each engine plays for the time that is given.
func tableGames(s *console.Session, list []games.Game, each time.Duration) error {
	fmt.Fprintln(s.Out, "| game | players | moves | length | prover | lanes | plan |")
	fmt.Fprintln(s.Out, "|---|---|---|---|---|---|---|")
	for _, game := range list {
		stop := console.ShowWork(s, "measuring "+printable.Text(game.Name, console.ShownText), func() string { return "" })
		row, err := measureGame(s.Ctx, game, each)
		stop()
		if err != nil {
			return fmt.Errorf("%s: %w", game.Name, err)
		}
		fmt.Fprintln(s.Out, row)
	}
	return nil
}

// gameRow is what the table tells of a game.
type gameRow struct {
	game          games.Game
	players       int
	moves, length float64 // means of uniformly random play with whole moves
	prover, lanes float64 // states/s; 0 if there are no lanes
	plan          string  // of the lanes
}

func (r gameRow) String() string {
	lanes, plan := "-", "-"
	if r.lanes > 0 {
		lanes, plan = console.SI(r.lanes), r.plan
	}
	return fmt.Sprintf("| %s | %d | %.1f | %.1f | %s | %s | %s |", r.game.Name, r.players, r.moves, r.length, console.SI(r.prover), lanes, plan)
}

func measureGame(ctx context.Context, game games.Game, each time.Duration) (gameRow, error) {
	o, err := outlineOf(ctx, game)
	if err != nil {
		return gameRow{}, err
	}
	row := gameRow{game: game, players: o.players}
	prover, err := reasoner.NewProver(o.program)
	if err != nil {
		return gameRow{}, err
	}
	if row.moves, row.length, err = treeFigures(ctx, prover, treeTime*each); err != nil {
		return gameRow{}, err
	}
	if row.prover, err = statesPerSecond(ctx, prover, each); err != nil {
		return gameRow{}, err
	}
	m, _, err := load.Engine(ctx, o.program, reasoner.Variant{Engine: "lanes"})
	if errors.Is(err, reasoner.ErrLimit) {
		return row, nil // too large: the game stays on the prover
	}
	if err != nil {
		return gameRow{}, err
	}
	row.plan = m.Plan()
	row.lanes, err = statesPerSecond(ctx, m, each)
	return row, err
}

func statesPerSecond(ctx context.Context, m reasoner.Machine, each time.Duration) (float64, error) {
	tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: 1, Time: each, Context: ctx})
	return console.Ratio(float64(tally.States), tally.Elapsed.Seconds()), err
}

// treeFigures are the mean number of joint moves in a state, and the mean
// number of plies to the end, when everybody plays at random. No playout
// begins after the time that is given, but the first.
func treeFigures(ctx context.Context, m reasoner.Machine, bound time.Duration) (moves, length float64, err error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	b, err := board.New(m, 1, &stop)
	if err != nil {
		return 0, 0, err
	}
	random := rand.New(rand.NewPCG(1, 1))
	plies, joints, playouts := 0, 0, 0
	for begin := time.Now(); playouts == 0 || playouts < treePlayouts && time.Since(begin) < bound; playouts++ {
		if err := b.Set(m.Initial()); err != nil {
			return 0, 0, err
		}
		for !b.Terminal() {
			if err := ctx.Err(); err != nil {
				return 0, 0, err
			}
			var joint []uint32
			count := 1
			for role := range b.Roles() {
				paths := b.Paths(role)
				if len(paths) == 0 {
					return 0, 0, fmt.Errorf("%v has no legal move", m.Roles()[role])
				}
				count *= len(paths)
				joint = append(joint, paths[random.IntN(len(paths))]...)
			}
			if err := b.Moved(joint); err != nil {
				return 0, 0, err
			}
			plies++
			joints += count
		}
	}
	return console.Ratio(float64(joints), float64(plies)), console.Ratio(float64(plies), float64(playouts)), nil
}
