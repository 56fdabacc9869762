package tournament

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"semisplit/player/agent"
	"semisplit/player/arena"
	"semisplit/player/jobs"
)

// Options of a run that do not touch the results.
type Options struct {
	Field    jobs.Field
	Ahead    int                     // matches that are asked for at a time; at least 1
	Progress func(Progress)          // called after each match, one call at a time; may be nil
	Log      func(what, text string) // told of what people should know; may be nil
}

// Progress of a run.
type Progress struct {
	Done, Total int     // matches: those stored earlier count as done; of rounds that are not known yet, as many as of the last one
	Match       *Played // that has just ended; nil at the start of a round
	Round       int
	Standings   func() *Standings // as they are now
}

// Run plays what the plan asks for and the store does not hold. It returns when all is
// done, when ctx ends, with its error, or when store or field fail.
func (p *Plan) Run(ctx context.Context, store *Store, o Options) error {
	run, err := store.begin(p)
	if err != nil {
		return err
	}
	r := &runner{plan: p, store: store, options: o, run: run, rules: map[string]string{}}
	if r.tries, err = store.tries(); err != nil {
		return err
	}
	played, err := store.Matches()
	if err != nil {
		return err
	}
	r.played = played
	if err := r.prepare(ctx); err != nil {
		return err
	}
	for round := 1; round <= p.Spec.Rounds; {
		// Rounds that do not wait for each other are played as one.
		list, next, err := r.matches(round)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return nil // it tells precisely enough
		}
		if err := r.play(ctx, list, round, next); err != nil {
			return err
		}
		round = next
	}
	return nil
}

// runner is a run of a plan.
type runner struct {
	plan    *Plan
	store   *Store
	options Options
	run     string
	rules   map[string]string        // hashes of rules by the game's label
	agents  map[[2]string]agentFiles // by game and player
	tries   map[string]int

	mu     sync.Mutex
	played []Played
	done   int
	total  int
}

// matches are those of a round, or of all rounds where none waits for another. next is
// the round after them.
func (r *runner) matches(round int) (list []task, next int, err error) {
	last := round
	if !r.plan.waits() {
		last = r.plan.Spec.Rounds
	}
	before := slices.DeleteFunc(slices.Clone(r.played), func(m Played) bool { return m.Round >= round })
	for ; round <= last; round++ {
		encounters, err := r.encounters(round, before)
		if err != nil {
			return nil, 0, err
		}
		for i, e := range encounters {
			for _, m := range r.plan.matches(e, i+1) {
				list = append(list, task{m, e})
			}
		}
	}
	return list, round, nil
}

// encounters are those of a round, after the matches of those before.
func (r *runner) encounters(round int, before []Played) ([]Encounter, error) {
	decide := func() ([]Encounter, error) { return r.plan.round(round, before) }
	if !r.plan.waits() {
		return decide()
	}
	return r.store.round(round, decide)
}

// task is a match with the encounter that it belongs to.
type task struct {
	match     Match
	encounter Encounter
}

// prepare puts rules and agents where workers find them, and settles the agents.
func (r *runner) prepare(ctx context.Context) error {
	files, err := r.store.files()
	if err != nil {
		return err
	}
	for _, data := range files {
		if _, err := r.options.Field.Put(ctx, data); err != nil {
			return err
		}
	}
	for _, g := range r.plan.Games {
		if r.rules[g.Label], err = r.options.Field.Put(ctx, []byte(g.Text)); err != nil {
			return err
		}
	}
	known, err := r.store.settled()
	if err != nil {
		return err
	}
	r.agents = map[[2]string]agentFiles{}
	var parked []error
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.options.Ahead))
	for _, g := range r.plan.Games {
		for _, player := range r.plan.Players {
			if player.Peer != nil {
				continue
			}
			group.Go(func() error {
				err := r.ready(ctx, known, g, player)
				if !errors.Is(err, jobs.ErrParked) {
					return err
				}
				r.mu.Lock()
				defer r.mu.Unlock()
				parked = append(parked, err)
				return nil // the others are settled all the same
			})
		}
	}
	return cmp.Or(group.Wait(), errors.Join(parked...))
}

// ready settles an agent, unless it is known, and publishes it.
func (r *runner) ready(ctx context.Context, known map[[2]string]Settled, g Game, player Player) (err error) {
	key := [2]string{g.Label, player.Label}
	x, ok := known[key]
	if !ok {
		if x, err = r.settle(ctx, g, player); err != nil {
			return fmt.Errorf("%s in %s: %w", player.Label, g.Label, err)
		}
	}
	return r.publish(ctx, key, player, x)
}

// settle asks what an agent plays a game with, and keeps the answer. That a job was given
// up says nothing about the agent: its workers may have been lost.
func (r *runner) settle(ctx context.Context, g Game, player Player) (x Settled, err error) {
	s := r.plan.Spec
	job := SettleJob{Rules: r.rules[g.Label], Setting: s.Setting, Seed: arena.SeedOf(s.Seed, "settle", g.Label, player.Label)}
	if job.Agent, err = r.options.Field.Put(ctx, player.Agent); err != nil {
		return x, err
	}
	if job.Evaluation, err = r.evaluation(ctx, player.Agent); err != nil {
		return x, err
	}
	payload, err := json.Marshal(job)
	if err != nil {
		return x, err
	}
	id := "settle-" + jobs.Hash([]byte(g.Label + "\x00" + player.Label))[:16]
	out, err := r.options.Field.Do(ctx, jobs.Job{Group: r.run, ID: r.name(id), Kind: KindSettle, Payload: payload, Place: r.place(false), Limit: settleLimit})
	if errors.Is(err, jobs.ErrParked) {
		return x, cmp.Or(r.store.addTry(id), fmt.Errorf("%w; the same command tries again", err))
	}
	if err != nil {
		return x, err
	}
	if x, err = decode[Settled](out.Payload); err != nil {
		return x, err
	}
	if x.Error != "" {
		r.say("cannot play", fmt.Sprintf("%s cannot play %s: %s", player.Label, g.Label, x.Error))
	}
	files := map[string][]byte{}
	for _, learned := range x.Learned {
		files[jobs.Hash(learned)] = learned
	}
	return x, r.store.addSettled(g.Label, player.Label, x, files)
}

// name is that of a job in the queue, which knows those of tries that were given up.
func (r *runner) name(id string) string {
	if n := r.tries[id]; n > 0 {
		id += fmt.Sprintf("-t%d", n)
	}
	return id
}

// settleLimit bounds a SettleJob: an automatic choice may wait for all plans.
const settleLimit = 30 * time.Minute

func (r *runner) say(what, text string) {
	if r.options.Log != nil {
		r.options.Log(what, text)
	}
}

// publish puts what an agent was settled to where workers find it.
func (r *runner) publish(ctx context.Context, key [2]string, player Player, x Settled) (err error) {
	f := agentFiles{Learned: map[string]string{}, Variant: x.Variant}
	if x.Error == "" {
		if f.Agent, err = r.options.Field.Put(ctx, x.Agent); err != nil {
			return err
		}
		if f.Evaluation, err = r.evaluation(ctx, x.Agent); err != nil {
			return err
		}
	}
	for source, learned := range x.Learned {
		if f.Learned[source], err = r.options.Field.Put(ctx, learned); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.agents[key] = f
	return nil
}

// evaluation puts the evaluation file that an agent names where workers find it; "":
// it names none, or that of a bundled game, which they have.
func (r *runner) evaluation(ctx context.Context, text []byte) (hash string, err error) {
	data, err := evaluationFile(text)
	if data == nil || err != nil {
		return "", err
	}
	return r.options.Field.Put(ctx, data)
}

// evaluationFile is the content of the evaluation file that an agent file names, as of
// agent.EvaluationFile.
func evaluationFile(text []byte) ([]byte, error) {
	a, err := agent.Read(strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	return a.EvaluationFile()
}

// place says who may play.
func (r *runner) place(others bool) jobs.Place {
	switch {
	case others:
		return jobs.Home
	case r.plan.Spec.Setting.Kind != arena.Timed:
		return jobs.Anywhere
	case r.plan.Spec.Clocks == ClocksScaled:
		return jobs.Scaled
	}
	return jobs.Alike
}

// play plays those of the matches that are not stored.
func (r *runner) play(ctx context.Context, list []task, round, next int) error {
	stored := map[string]bool{}
	for _, m := range r.played {
		stored[m.ID] = true
	}
	missing := slices.DeleteFunc(slices.Clone(list), func(t task) bool { return stored[t.match.ID] })
	r.done += len(list) - len(missing)
	r.total = r.done + len(missing)
	if size := next - round; r.plan.waits() {
		r.total += (r.plan.Spec.Rounds - next + 1) * len(list) / size
	}
	r.report(nil, round)
	group, playing := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.options.Ahead))
	for _, t := range missing {
		if playing.Err() != nil {
			break
		}
		group.Go(func() error { return r.one(playing, t) })
	}
	return cmp.Or(group.Wait(), context.Cause(ctx))
}

// one plays a match and keeps it.
func (r *runner) one(ctx context.Context, t task) error {
	job, others := r.job(t)
	payload, err := json.Marshal(job)
	if err != nil {
		return err
	}
	answer, err := r.options.Field.Do(ctx, jobs.Job{Group: r.run, ID: r.name(t.match.ID), Kind: KindMatch, Payload: payload, Place: r.place(others)})
	var out matchOutcome
	switch {
	case errors.Is(err, jobs.ErrParked):
		out.Played.Error = err.Error()
	case err != nil:
		return err
	default:
		if out, err = decode[matchOutcome](answer.Payload); err == nil {
			err = out.check(t.match)
		}
		if err != nil {
			out = matchOutcome{Played: Played{Error: "the outcome makes no sense: " + err.Error()}}
		}
	}
	out.Played.Match, out.Played.Worker = t.match, answer.Worker
	var thoughts []byte
	if out.Thoughts != nil {
		if thoughts, err = json.Marshal(out.Thoughts); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.store.Add(out.Played, out.Record, thoughts); err != nil {
		return fmt.Errorf("store a match: %w", err)
	}
	r.played = append(r.played, out.Played)
	r.done++
	r.report(&out.Played, t.match.Round)
	return nil
}

// check holds an outcome against the match that it is of: workers are other programs.
func (o *matchOutcome) check(m Match) error {
	if o.Played.Error != "" {
		return nil
	}
	if !slices.Equal(o.Played.Seats, m.Seats) {
		return fmt.Errorf("it is of a match between others: %v", o.Played.Seats)
	}
	n := len(m.Seats)
	if len(o.Played.Goals) != n || len(o.Played.Faults) != n || len(o.Played.Efforts) != n {
		return fmt.Errorf("%d goals, %d faults, %d efforts for %d roles", len(o.Played.Goals), len(o.Played.Faults), len(o.Played.Efforts), n)
	}
	for _, goal := range o.Played.Goals {
		if goal < 0 || goal > 100 {
			return fmt.Errorf("the goal %d", goal)
		}
	}
	for _, who := range o.Played.Forfeited {
		if !slices.Contains(m.Table, who) {
			return fmt.Errorf("player %d forfeits", who)
		}
	}
	if !slices.Contains([]string{ByRules, ByProof, ByLength, ByForfeit}, o.Played.Ended) {
		return fmt.Errorf("it ended by %.40q", o.Played.Ended)
	}
	return nil
}

// job is a match with all that is needed to play it. others: a player of others takes
// part.
func (r *runner) job(t task) (job MatchJob, others bool) {
	s, g := r.plan.Spec, r.plan.Games[t.encounter.Game]
	job = MatchJob{
		Tournament: s.Name, Match: t.match, Rules: r.rules[g.Label], Setting: s.Setting,
		Seed:    arena.SeedOf(s.Seed, "match", g.Label, t.match.ID),
		Opening: arena.SeedOf(s.Seed, "opening", g.Label, t.match.Round),
		Plies:   s.Opening.Plies, Adjudicate: s.Adjudicate, Turns: s.Turns, Faults: *s.Faults,
	}
	if len(g.Book) > 0 {
		job.Line = spellLine(g.Book[(t.match.Round-1)%len(g.Book)])
	}
	for _, who := range t.match.Seats {
		if who == Chance {
			job.Seats = append(job.Seats, SeatJob{})
			continue
		}
		player := r.plan.Players[who]
		seat := SeatJob{Label: player.Label, Peer: player.Peer != nil}
		if !seat.Peer {
			seat.agentFiles = r.agents[[2]string{g.Label, player.Label}]
		}
		others = others || seat.Peer
		job.Seats = append(job.Seats, seat)
	}
	return job, others
}

// report tells how far the run is. The lock is held, or nothing else runs yet.
func (r *runner) report(m *Played, round int) {
	if r.options.Progress == nil {
		return
	}
	r.options.Progress(Progress{Done: r.done, Total: max(r.done, r.total), Match: m, Round: round, Standings: func() *Standings {
		return standings(r.plan.Labels(), r.played)
	}})
}

// Peers are the players of others by their labels.
func (p *Plan) Peers() map[string]*arena.Peer {
	peers := map[string]*arena.Peer{}
	for _, player := range p.Players {
		if player.Peer != nil {
			peers[player.Label] = player.Peer
		}
	}
	return peers
}
