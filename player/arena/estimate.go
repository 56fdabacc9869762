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
	Unknown       string        // why the time is unknown
}

// matchesPerForecast are enough to tell how long matches of a game are.
const matchesPerForecast = 20

// Forecast estimates the time of a plan from random matches, for which each
// game gets so much time, and for budgets of iterations or states from a first
// move of each agent. Searching agents may end matches earlier or later.
func (p *Plan) Forecast(ctx context.Context, each time.Duration) ([]Forecast, error) {
	var list []Forecast
	for _, g := range p.Games {
		l, err := lengthOf(ctx, g, each, p.Spec.Turns)
		if err != nil {
			return nil, fmt.Errorf("game %s: %w", g.Label, err)
		}
		w := newStopwatch(ctx, g)
		for _, s := range p.Spec.Settings {
			f := p.forecast(w, s, l)
			if l.choices == 0 {
				f.Time, f.Unknown = 0, fmt.Sprintf("no random match ended within %v", each)
			}
			list = append(list, f)
		}
		w.end()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// forecast is that of one game and setting. The agent and the baseline have
// half of the choices of a match each. Over HTTP every turn takes what it may.
func (p *Plan) forecast(w *stopwatch, s Setting, l length) Forecast {
	g := w.game
	f := Forecast{Game: g.Label, Setting: s.Label(), Choices: l.choices}
	perSet := len(g.plays)
	plays := (p.Spec.Plays + perSet - 1) / perSet * perSet
	agents, baselines := byLabel(p.Agents), byLabel(p.Baselines)
	var seconds float64
	for _, key := range p.series() {
		if key.Game != f.Game || key.Setting != f.Setting {
			continue
		}
		f.Plays += plays
		if p.Spec.overHTTP() {
			seconds += float64(plays*len(g.plays[0])) * (l.turns*s.Seconds + s.Start)
			continue
		}
		var perMove [2]time.Duration
		for side, c := range [2]Contender{agents[key.Agent], baselines[key.Baseline]} {
			took, err := w.perMove(s, c)
			if err != nil && f.Unknown == "" {
				f.Unknown = fmt.Sprintf("%s: %v", c.Label, err)
			}
			perMove[side] = took
		}
		perMatch := l.choices*(perMove[0]+perMove[1]).Seconds()/2 + float64(len(g.players))*s.Start
		seconds += float64(plays*len(g.plays[0])) * perMatch
	}
	if f.Unknown == "" {
		f.Time = duration(seconds)
	}
	return f
}

// length is that of a mean random match.
type length struct {
	choices float64 // moves of players that have a choice; 0: no match ended
	turns   float64 // joint moves
}

// lengthOf plays random matches, for so much time.
func lengthOf(ctx context.Context, g Game, each time.Duration, most int) (mean length, err error) {
	m, err := reasoner.NewProver(g.Program)
	if err != nil {
		return mean, err
	}
	var stop atomic.Bool
	timer := time.AfterFunc(each, func() { stop.Store(true) })
	defer timer.Stop()
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	choices, turns, matches := 0, 0, 0
	for matches < matchesPerForecast && !stop.Load() {
		b, err := board.New(m, uint64(matches), &stop)
		if err != nil {
			break // out of time; or nothing can be played, as the plays will say
		}
		c, t, ended := randomMatch(b, g.players, uint64(matches), most)
		if ended {
			choices += c
			turns += t
			matches++
		}
	}
	if matches == 0 {
		return mean, ctx.Err()
	}
	return length{float64(choices) / float64(matches), float64(turns) / float64(matches)}, ctx.Err()
}

// randomMatch plays to the end, unless the board is stopped.
func randomMatch(b *board.Board, players []int, seed uint64, most int) (choices, turns int, ended bool) {
	random := rand.New(rand.NewPCG(seed, 0))
	for ; !b.Terminal() && turns < most; turns++ {
		var joint []uint32
		for role := range b.Roles() {
			path, ok := b.Random(role, random)
			if !ok {
				return choices, turns, true
			}
			joint = append(joint, path...)
		}
		for _, role := range players {
			if b.HasChoice(role) {
				choices++
			}
		}
		if b.Moved(joint) != nil {
			return choices, turns, false
		}
	}
	return choices, turns, true
}
