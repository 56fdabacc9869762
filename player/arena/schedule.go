package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/internal/guard"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/search"
)

// game is a game of a run. Its machines are made before its first play and
// given up after its last, so that no more than one or two games are in memory.
type game struct {
	Game
	series   []*series
	machines *machines.Cache
	active   int // plays in progress
}

// series is what is played of one agent against one baseline.
type series struct {
	key             seriesKey
	game            *game
	setting         Setting
	agent, baseline Contender
	seatings        [][]local.Seating

	total   int // plays asked for
	next    int // number of the next one
	plays   map[int]Play
	test    following
	counted int // plays that a decided test needed; 0: not decided
}

func (s *series) sides() [2]Contender { return [2]Contender{s.agent, s.baseline} }

// add takes note of a play.
func (s *series) add(p Play, test *SPRT) {
	s.plays[p.Number] = p
	if test == nil || s.counted > 0 {
		return
	}
	if s.test.on(test, s.plays, len(s.seatings)); s.test.verdict != Undecided {
		s.counted = s.test.next
	}
}

// left is the number of plays that are still to be played.
func (s *series) left() int {
	if s.counted > 0 {
		return 0
	}
	done := 0
	for number := range s.plays {
		if number < s.total {
			done++
		}
	}
	return s.total - done
}

// following is a test that goes over the sets of a series in their order, as far as
// they are complete. So the outcome depends neither on the order in which plays end nor
// on what was played beyond. A set with a play that failed is left out.
type following struct {
	next int // number of the first play that was not counted
	sequential
}

// on goes on with what has been played since.
func (f *following) on(t *SPRT, plays map[int]Play, perSet int) {
	for f.verdict == Undecided {
		sum, whole := 0.0, true
		for number := f.next; number < f.next+perSet; number++ {
			p, ok := plays[number]
			if !ok {
				return
			}
			sum += p.Score
			whole = whole && p.Error == ""
		}
		f.next += perSet
		if whole {
			f.add(t, sum/float64(perSet))
		}
	}
}

// follow runs the test over a series and tells how many plays it took.
func (t *SPRT) follow(plays map[int]Play, perSet int) (v Verdict, ratio float64, counted int) {
	var f following
	f.on(t, plays, perSet)
	return f.verdict, f.ratio, f.next
}

// schedule lists the series and what is known of them.
func (r *runner) schedule() error {
	plays, err := r.store.Plays()
	if err != nil {
		return err
	}
	bySeries := map[seriesKey][]Play{}
	for _, p := range plays {
		key := seriesKey{p.Game, p.Setting, p.Baseline, p.Agent}
		bySeries[key] = append(bySeries[key], p)
	}
	games, settings := map[string]*game{}, map[string]Setting{}
	for _, g := range r.plan.Games {
		games[g.Label] = &game{Game: g}
		r.games = append(r.games, games[g.Label])
	}
	for _, s := range r.plan.Spec.Settings {
		settings[s.Label()] = s
	}
	agents, baselines := byLabel(r.plan.Agents), byLabel(r.plan.Baselines)
	for _, key := range r.plan.series() {
		g := games[key.Game]
		perSet := len(g.plays)
		s := &series{
			key: key, game: g, setting: settings[key.Setting], agent: agents[key.Agent], baseline: baselines[key.Baseline],
			seatings: g.plays, total: (r.plan.Spec.Plays + perSet - 1) / perSet * perSet, plays: map[int]Play{},
		}
		for _, p := range bySeries[key] {
			s.add(p, r.plan.Spec.SPRT)
		}
		g.series = append(g.series, s)
		r.series = append(r.series, s)
	}
	return nil
}

func byLabel(list []Contender) map[string]Contender {
	m := map[string]Contender{}
	for _, c := range list {
		m[c.Label] = c
	}
	return m
}

// take is the next play: game by game, or of all games in turn, and within a
// game the series in turns, so that all of them grow together. The machines of
// its game are ready.
func (r *runner) take(ctx context.Context) (job, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var first *series
	for _, g := range r.games {
		for _, s := range g.series {
			for s.plays[s.next].Agent != "" {
				s.next++ // stored by an earlier run
			}
			if s.counted == 0 && s.next < s.total && (first == nil || s.set() < first.set() || g == first.game && s.next < first.next) {
				first = s
			}
		}
		if first != nil && !r.options.Interleave {
			break
		}
	}
	if first == nil {
		return job{}, false
	}
	if first.game.machines == nil {
		r.prepare(ctx, first.game)
	}
	j := job{series: first, number: first.next}
	first.next++
	first.game.active++
	return j, ctx.Err() == nil && r.failed == nil
}

// set is the number of the next set to play.
func (s *series) set() int { return s.next / len(s.seatings) }

// release gives up the machines of a game after its last play.
func (r *runner) release(g *game) {
	for _, s := range g.series {
		if s.left() > 0 {
			return
		}
	}
	if g.active == 0 {
		g.machines = nil
	}
}

// prepare makes the machines of a game and measures what is to be measured,
// while nothing else runs. What fails here fails in every play as well, where
// it is noted.
func (r *runner) prepare(ctx context.Context, g *game) {
	r.quiet.Lock()
	defer r.quiet.Unlock()
	g.machines = machines.NewCache(g.Program, r.options.Limits)
	if r.plan.Spec.overHTTP() {
		return // the players make theirs
	}
	for _, s := range g.series {
		if s.left() == 0 {
			continue
		}
		for _, c := range []*Contender{&s.agent, &s.baseline} {
			r.note(guard.Run(func() error { return r.elect(ctx, s, c) }))
			r.note(guard.Run(func() error { return r.choose(ctx, g, c.Agent) }))
		}
		r.note(guard.Run(func() error { return r.measure(ctx, s) }))
	}
}

// note keeps an error of the store, which ends the run. Any other is left to
// the plays.
func (r *runner) note(err error) {
	if failure, ok := errors.AsType[*storeError](err); ok {
		r.failed = errors.Join(r.failed, failure)
	}
}

// storeError is an error of the database.
type storeError struct{ error }

func (e *storeError) Unwrap() error { return e.error }

func stored(err error) error {
	if err != nil {
		return &storeError{err}
	}
	return nil
}

// machine is what an agent plays a game on: the one that was chosen when it
// was first asked for.
func (g *game) machine(ctx context.Context, r *runner, a agent.Agent) (reasoner.Machine, error) {
	want := a.Variant()
	if have, ok := r.chosen[chosenKey(g.Label, variantText(want))]; ok {
		want = have
	}
	return g.machines.ForAgent(ctx, a, want)
}

// choose makes the machine of an agent and remembers which one it is.
func (r *runner) choose(ctx context.Context, g *game, a agent.Agent) error {
	key := chosenKey(g.Label, variantText(a.Variant()))
	m, err := g.machine(ctx, r, a)
	if err != nil {
		return err
	}
	if _, known := r.chosen[key]; known {
		return nil
	}
	r.chosen[key] = machines.VariantOf(m)
	return stored(r.store.addChosen(chosen{g.Label, a.Variant(), r.chosen[key]}))
}

func budgetKey(s *series) seriesKey {
	return seriesKey{s.key.Game, s.key.Setting, s.key.Baseline, ""}
}

// budget is what a side may use for a move, and before the first one.
func (r *runner) budget(s *series) (move, start search.Budget, err error) {
	switch {
	case s.setting.Kind == Iterations:
		return search.Budget{Iterations: s.setting.Iterations}, start, nil
	case s.setting.Kind == Timed:
		start.Time = duration(s.setting.Start)
		return search.Budget{Time: duration(s.setting.Seconds)}, start, nil
	case s.setting.States > 0:
		return search.Budget{States: s.setting.States}, start, nil
	}
	states := r.budgets[budgetKey(s)]
	if states == 0 {
		return move, start, fmt.Errorf("the speed of %s could not be measured", s.baseline.Label)
	}
	return search.Budget{States: states}, start, nil
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// measure finds the budget of a fixed setting: the states that the baseline
// plays in the first turn in the time that the setting stands for. It thinks
// that long again and again, each time from the beginning, since a search gets
// quicker as its tree grows.
func (r *runner) measure(ctx context.Context, s *series) error {
	if s.setting.Kind != Fixed || s.setting.States > 0 || r.budgets[budgetKey(s)] > 0 {
		return nil
	}
	m, err := s.game.machine(ctx, r, s.baseline.Agent)
	if err != nil {
		return err
	}
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	role := slices.IndexFunc(s.seatings[0][0], func(who int) bool { return who != local.Chance })
	states, seconds := 0, 0.0
	for n := 0; seconds < s.setting.Measure; n++ {
		seed := SeedOf(r.plan.Spec.Seed, "measure", s.key.Game, s.key.Baseline, n)
		b, err := r.newBrain(m, s.baseline.Agent, role, seed, &stop)
		if err != nil {
			return err
		}
		report, err := b.Prepare(search.Budget{Time: duration(s.setting.Seconds)})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		states += report.States
		seconds += max(report.Elapsed, time.Millisecond).Seconds() // a solved game ends at once
	}
	perMove := max(1, int(float64(states)/seconds*s.setting.Seconds))
	r.budgets[budgetKey(s)] = perMove
	return stored(r.store.addBudget(budget{s.key.Game, s.key.Setting, s.key.Baseline, perMove, int64(states), seconds}))
}

// report tells the caller how far the run is. The lock is held, or nothing
// else runs yet.
func (r *runner) report(p *Play) {
	if r.options.Progress == nil {
		return
	}
	progress := Progress{Play: p}
	for _, s := range r.series {
		left := s.left()
		progress.Total += left
		if s.counted > 0 {
			progress.Done += s.counted
			progress.Total += s.counted
		} else {
			progress.Done += s.total - left
			progress.Total += s.total - left
		}
	}
	progress.Left = r.estimate()
	r.options.Progress(progress)
}

// estimate is the time that the plays will take that are left: as long as
// those before, of the same series, else of the same game and setting, else of
// the same setting.
func (r *runner) estimate() time.Duration {
	means := map[seriesKey]*timing{}
	kinds := func(s *series) []seriesKey {
		return []seriesKey{s.key, {s.key.Game, s.key.Setting, "", ""}, {"", s.key.Setting, "", ""}}
	}
	for _, s := range r.series {
		for _, p := range s.plays {
			for _, key := range kinds(s) {
				if means[key] == nil {
					means[key] = &timing{}
				}
				means[key].sum += p.Elapsed
				means[key].count++
			}
		}
	}
	var left time.Duration
	for _, s := range r.series {
		n := s.left()
		if n == 0 {
			continue
		}
		known := false
		for _, key := range kinds(s) {
			if m := means[key]; m != nil {
				left += time.Duration(n) * m.sum / time.Duration(m.count)
				known = true
				break
			}
		}
		if !known {
			return 0
		}
	}
	return left / time.Duration(r.parallel)
}

type timing struct {
	sum   time.Duration
	count int
}
