package arena

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"semisplit/player/board"
	"semisplit/reasoner"
)

// Forecast is what a plan will take, by game and setting.
type Forecast struct {
	Game, Setting string
	Plays         int           // of all agents and baselines
	Choices       float64       // moves with a choice in a play, found in random matches; 0: none ended in time
	Time          time.Duration // of the plays, on one processor; 0: unknown
}

// matchesPerForecast are enough to tell how long matches of a game are.
const matchesPerForecast = 20

// Forecast estimates the time of a plan from random matches, for which each
// game gets so much time. Searching agents may end matches earlier or later,
// and budgets of iterations or states cannot be foretold.
func (p *Plan) Forecast(ctx context.Context, each time.Duration) ([]Forecast, error) {
	var list []Forecast
	for i, g := range p.Games {
		choices, err := choicesOf(ctx, g, each, p.Spec.Turns)
		if err != nil {
			return nil, fmt.Errorf("game %s: %w", g.Label, err)
		}
		perSet := len(g.plays)
		for _, s := range p.Spec.Settings {
			f := Forecast{Game: g.Label, Setting: s.Label(), Choices: choices}
			for _, key := range p.series() {
				if key.Game == p.Games[i].Label && key.Setting == f.Setting {
					f.Plays += (p.Spec.Plays + perSet - 1) / perSet * perSet
				}
			}
			perMatch := choices*s.Seconds + float64(len(g.players))*s.Start
			f.Time = duration(float64(f.Plays*len(g.plays[0])) * perMatch)
			list = append(list, f)
		}
	}
	return list, nil
}

// choicesOf counts the moves of players that have a choice, in a mean random
// match.
func choicesOf(ctx context.Context, g Game, each time.Duration, most int) (float64, error) {
	m, err := reasoner.NewProver(g.Program)
	if err != nil {
		return 0, err
	}
	var stop atomic.Bool
	timer := time.AfterFunc(each, func() { stop.Store(true) })
	defer timer.Stop()
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	choices, matches := 0, 0
	for matches < matchesPerForecast && !stop.Load() {
		b, err := board.New(m, uint64(matches), &stop)
		if err != nil {
			break // out of time; or nothing can be played, as the plays will say
		}
		n, ended := randomMatch(b, g.players, uint64(matches), most)
		if ended {
			choices += n
			matches++
		}
	}
	if matches == 0 {
		return 0, ctx.Err()
	}
	return float64(choices) / float64(matches), ctx.Err()
}

// randomMatch plays to the end, unless the board is stopped.
func randomMatch(b *board.Board, players []int, seed uint64, most int) (choices int, ended bool) {
	random := rand.New(rand.NewPCG(seed, 0))
	for turn := 0; !b.Terminal() && turn < most; turn++ {
		var joint []uint32
		for role := range b.Roles() {
			path, ok := b.Random(role, random)
			if !ok {
				return choices, true
			}
			joint = append(joint, path...)
		}
		for _, role := range players {
			if b.HasChoice(role) {
				choices++
			}
		}
		if b.Moved(joint) != nil {
			return choices, false
		}
	}
	return choices, true
}
