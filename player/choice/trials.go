package choice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/internal/guard"
	"semisplit/player/board"
	"semisplit/player/local"
	"semisplit/search"
)

// trials lets the finalists play matches of this very game until the time is over,
// both sides on each seat equally often.
func (c *chooser) trials(ctx context.Context) {
	defer func() {
		if c.NoTrials != "" {
			untried(c.Candidates, len(c.before) > 0, &c.Options)
			if len(c.before) > 0 { // of matches with moves no longer than trials mostly have
				c.setMove(c.Options.noLonger(seconds(tuned.LeastMove.Value)))
			} else {
				c.rate()
			}
		}
	}()
	if c.NoTrials = c.mayTry(); c.NoTrials != "" {
		return
	}
	c.begin("playing trial matches")
	c.trialsBegun = time.Now()
	defer func() { c.TrialMove = time.Duration(c.move.Load()) }()
	ctx, cancel := context.WithDeadline(ctx, c.until(trialShare))
	defer cancel()
	var group sync.WaitGroup
	for range c.Options.Threads {
		group.Go(func() {
			// The choice goes on with what was played until a panic.
			_ = guard.Run(func() error {
				for ctx.Err() == nil && c.trial(ctx) {
				}
				return nil
			})
		})
	}
	if group.Wait(); c.plays == 0 && ctx.Err() != nil {
		c.NoTrials = "none ended in time"
	}
}

// trial plays one set. False: there is no pair to play.
func (c *chooser) trial(ctx context.Context) bool {
	defer c.alone(ctx, 1, c.until(trialShare))()
	if ctx.Err() != nil {
		return false
	}
	pair, number, ok := c.startPair()
	if !ok {
		return false
	}
	plays, points, broken, err := c.playSet(ctx, pair, number)
	if ctx.Err() != nil {
		err = nil // it was stopped
	}
	c.endPair(pair, plays, points, broken, err)
	return true
}

// startPair is the pair that plays next, and the number of its set.
func (c *chooser) startPair() (pair [2]*Candidate, number int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if pair, ok = c.next(); !ok {
		return pair, 0, false
	}
	for _, k := range pair {
		k.pending++
	}
	c.sets++
	return pair, c.sets - 1, true
}

// endPair keeps what a set has come to: after an error a side is broken.
func (c *chooser) endPair(pair [2]*Candidate, plays int, points float64, broken int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range pair {
		k.pending--
	}
	c.note(pair, plays, points)
	// Of the sets that threads play side by side the first ones end at the same time.
	few := max(int(tuned.FewPlays.Value), c.Options.Threads*len(local.Seatings(c.spelledRoles())))
	before := c.plays
	if c.plays += plays; before < few && c.plays >= few {
		c.lengthen()
	}
	if err != nil {
		pair[broken].failed, pair[broken].Out = err, "it broke down in a trial match: "+err.Error()
	}
}

// lengthen gives moves more time, once, where matches turn out to be shorter than
// those of random playouts let expect: fewer matches that are more like the real ones.
func (c *chooser) lengthen() {
	part := c.tried()
	if part >= 1 {
		return
	}
	all := float64(c.plays) / part // would be played at this pace
	move := float64(c.move.Load()) * max(1, min(tuned.MostLonger.Value, all/tuned.WantedPlays.Value))
	if c.Options.Play > 0 {
		move = min(move, float64(c.Options.Play))
	}
	c.setMove(time.Duration(move))
}

// tried is the part of the time for trials that is over.
func (c *chooser) tried() float64 {
	return float64(time.Since(c.trialsBegun)) / float64(c.until(trialShare).Sub(c.trialsBegun))
}

// setMove says how long the moves of trial matches are.
func (c *chooser) setMove(move time.Duration) {
	c.move.Store(int64(move))
	expectTrials(c.Candidates, move)
	c.rate()
}

// note keeps the outcome of a set.
func (c *chooser) note(pair [2]*Candidate, plays int, points float64) {
	a, b := slices.Index(c.Candidates, pair[0]), slices.Index(c.Candidates, pair[1])
	i := slices.IndexFunc(c.results, func(r pairing) bool { return r.a == a && r.b == b })
	if i < 0 {
		i = len(c.results)
		c.results = append(c.results, pairing{a: a, b: b})
	}
	c.results[i].plays += plays
	c.results[i].points += points
	pair[0].Plays += plays
	pair[0].Points += points
	pair[1].Plays += plays
	pair[1].Points += float64(plays) - points
	c.rate()
}

// mayTry sets the time for a move, or says why there are no trials.
func (c *chooser) mayTry() string {
	left := time.Until(c.until(trialShare))
	switch {
	case c.forOne():
		return "in a game for one the time is better spent on the search itself"
	case left <= 0:
		return "the clock left no time"
	}
	var fit trialsThatFit
	for {
		finalists := running(c.Candidates)
		if len(finalists) < 2 {
			return "there is nothing to choose from"
		}
		plans := plansOf(finalists)
		if fit = c.trialsOn(plans, left, 1); fit.isFew() {
			fit = c.trialsOn(plans, left, hurry)
		}
		if !fit.isFew() {
			break
		}
		if !leaveOutSlowest(c.Candidates) {
			return fmt.Sprintf("a match of some %.0f joint moves with %v for each would take %v, and there were %v",
				fit.length, fit.least.Round(time.Millisecond), time.Duration(float64(fit.least)*fit.thoughts).Round(time.Second), left.Round(100*time.Millisecond))
		}
	}
	move := c.Options.noLonger(max(fit.move, fit.least))
	c.setMove(move)
	reduce(c.Candidates, int(float64(fit.all)/(float64(move)*fit.thoughts))/int(tuned.PlaysEach.Value))
	return ""
}

// leaveOutSlowest leaves out the candidates on the plan whose playouts take longest. False:
// it is the only one, or that of the best prior.
func leaveOutSlowest(all []*Candidate) bool {
	running := running(all)
	best := slices.MaxFunc(running, func(a, b *Candidate) int { return cmp.Compare(a.Prior, b.Prior) })
	slowest := slices.MaxFunc(plansOf(running), func(a, b *PlanReport) int { return cmp.Compare(a.playoutTime(), b.playoutTime()) })
	if best.Plan == slowest {
		return false
	}
	for _, k := range running {
		if k.Plan == slowest {
			k.Out = tooSlow
		}
	}
	return true
}

const tooSlow = "trial matches with its plan would take too long"

// plansOf are the plans of candidates, each as often as it has some.
func plansOf(all []*Candidate) (plans []*PlanReport) {
	for _, k := range all {
		plans = append(plans, k.Plan)
	}
	return plans
}

// trialsThatFit says what trial matches a time has room for.
type trialsThatFit struct {
	length   float64       // joint moves of a match
	thoughts float64       // in it, one after the other: roles that choose at once think in turn
	all      time.Duration // of all threads together
	move     time.Duration // for a move, if the wanted number of matches is played
	least    time.Duration // that a move needs to say anything
	plays    int           // with the longer of these
}

// isFew tells whether there are not enough for anything.
func (f trialsThatFit) isFew() bool { return f.plays < int(tuned.FewPlays.Value) }

// hurry is the part of FewestRuns that moves have where there is no time for more.
const hurry = 0.5

// trialsOn says so for matches on any of some plans, with a part of FewestRuns a move.
func (c *chooser) trialsOn(plans []*PlanReport, left time.Duration, part float64) trialsThatFit {
	length, choosing, longest := 0.0, 1.0, time.Duration(0)
	for _, p := range plans {
		length, choosing, longest = max(length, p.Length), max(choosing, p.Choosing), max(longest, time.Duration(tuned.SearchSlower.Value*float64(p.playoutTime())))
	}
	threads := c.Options.Threads
	fit := trialsThatFit{length: max(1, tuned.TypicalLength.Value*length), all: left * time.Duration(threads), least: max(seconds(tuned.LeastMove.Value), time.Duration(part*tuned.FewestRuns.Value*float64(longest)))}
	fit.thoughts = choosing * fit.length
	// A match has one thread, which has time for a set of two at least.
	fit.move = time.Duration(min(float64(fit.all)/tuned.WantedPlays.Value, float64(left)/2) / fit.thoughts)
	fit.plays = threads * int(float64(left)/(float64(max(fit.move, fit.least))*fit.thoughts))
	return fit
}

// next is a pair to play: of those who are still in the running the one with
// the fewest plays, against the one with the best score. The better half stays
// in the running for each further part of the time, two to the end (sequential
// halving; Karnin, Koren, Somekh 2013). False: there are no two.
func (c *chooser) next() (pair [2]*Candidate, ok bool) {
	running := running(c.Candidates)
	if len(running) < 2 {
		return pair, false
	}
	slices.SortStableFunc(running, func(a, b *Candidate) int { return cmp.Compare(b.Score, a.Score) })
	rounds := 1
	for 1<<rounds < len(running) {
		rounds++
	}
	for range min(int(c.tried()*float64(rounds)), rounds-1) {
		running = running[:max(2, (len(running)+1)/2)]
	}
	pair[1] = running[0]
	for _, k := range running[1:] {
		if pair[0] == nil || k.Plays+k.pending < pair[0].Plays+pair[0].pending {
			pair[0] = k
		}
	}
	return pair, true
}

// playSet plays on each seat once. What has not ended in time counts for
// nobody. Each set begins on another seat, since the last ones are cut short. After an error
// a side is broken: the one that it names, or else the one on whose machine the match is judged.
func (c *chooser) playSet(ctx context.Context, pair [2]*Candidate, number int) (plays int, points float64, broken int, err error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	seed := c.Options.Seed + uint64(number)<<20
	for i, seatings := range seatingsOf(c.spelledRoles(), number) {
		var goals [2][]int
		for _, seating := range seatings {
			err := guard.Run(func() error { return c.playMatch(ctx, pair, seating, seed, uint64(i), &goals, &stop) })
			if err != nil {
				broken := local.SecondSide
				if of := (*local.Fault)(nil); errors.As(err, &of) && seating[of.Role] != local.Chance {
					broken = seating[of.Role]
				}
				return plays, points, broken, err
			}
		}
		plays++
		points += local.Share(goals[local.FirstSide], goals[local.SecondSide])
	}
	return plays, points, 0, nil
}

// playMatch plays one match and adds its goals.
func (c *chooser) playMatch(ctx context.Context, sides [2]*Candidate, seating local.Seating, seed, play uint64, goals *[2][]int, stop *atomic.Bool) error {
	judge, err := board.New(sides[local.SecondSide].machine, seed, stop)
	if err != nil {
		return err
	}
	var seats []local.Seat
	for role, who := range seating {
		seat := local.Seat{Side: who}
		if who != local.Chance {
			seat.Name = sides[who].Name
			err := guard.Run(func() (err error) {
				seat.Thinker, err = local.NewMatchPlayer(sides[who].machine, sides[who].oneThread(), role, seed+play<<10+uint64(role), stop)
				return err
			})
			if err != nil {
				return &local.Fault{Role: role, Err: err}
			}
		}
		seats = append(seats, seat)
	}
	match := local.NewMatch(judge, seats, seed+play)
	if _, err := match.Open(int(tuned.OpeningMoves.Value), seed); err != nil {
		return err
	}
	longest := slices.MaxFunc(c.Plans, func(a, b PlanReport) int { return cmp.Compare(a.Length, b.Length) })
	most := 40 + 3*int(longest.Length)
	move := search.Budget{Time: time.Duration(c.move.Load())}
	err = match.Run(ctx, [2]search.Budget{move, move}, search.Budget{}, most)
	if err != nil && (ctx.Err() != nil || match.Turns < most) {
		return err
	}
	for role, goal := range judge.Goals() {
		if who := seating[role]; who != local.Chance {
			if err != nil {
				goal = 50 // endless: a draw
			}
			goals[who] = append(goals[who], goal)
		}
	}
	return nil
}

// seatingsOf are the plays of a set.
func seatingsOf(roles []string, number int) [][]local.Seating {
	plays := local.Seatings(roles)
	first := number % len(plays)
	return append(plays[first:len(plays):len(plays)], plays[:first]...)
}

func (c *chooser) spelledRoles() (roles []string) {
	for _, role := range c.source.Best().Roles() {
		roles = append(roles, role.Name)
	}
	return roles
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
