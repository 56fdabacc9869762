package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"semisplit/games"
	"semisplit/player/agent"
	"semisplit/player/jobs"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/player/peer"
	"semisplit/reasoner"
)

// The kinds of the jobs of experiments, see package jobs. Plays over HTTP have one of
// their own: workers that know only the other would make them in their process.
const (
	KindPlay = "play"
	KindHTTP = "play-http"
)

// PlayJob is a play to be made, whole: rules and agents are in files, named by their
// hashes.
type PlayJob struct {
	Run             string // that it belongs to
	Game            string // label
	Rules           string // hash
	Agent, Baseline SideJob
	Setting         Setting
	States          int                         // for each move, of a fixed setting
	Machines        map[string]reasoner.Variant // by what agents ask for
	Number          int                         // in the series
	Seed            uint64
	Opening, Turns  int

	// Of matches over HTTP.
	Cores      int  `json:",omitempty"` // of each side; 0: the play is made in one process
	Confined   bool `json:",omitempty"` // each side has cores of its own
	PeerFaults int  `json:",omitempty"`
}

// SideJob is a side of a PlayJob.
type SideJob struct {
	Label      string
	Agent      string // hash of an agent file
	Evaluation string `json:",omitempty"` // hash of the file that it names as its evaluation
	Peer       bool   `json:",omitempty"` // a player of others, which the process that asks knows by its label
}

func (j *PlayJob) key() seriesKey {
	return seriesKey{j.Game, j.Setting.Label(), j.Baseline.Label, j.Agent.Label}
}

// ask has a play made by the field. What goes wrong on the way fails the play.
func (r *runner) ask(ctx context.Context, j job) Play {
	name := asking{j.series.key, j.number}
	r.asking.Store(name, true)
	defer r.asking.Delete(name)
	p, err := r.asked(ctx, j)
	if err != nil {
		p = r.blank(j)
		p.Error = err.Error()
		p.Error = p.Error[:min(len(p.Error), maxErrorText)]
	}
	return p
}

// asking names a play that is asked for now.
type asking struct {
	key    seriesKey
	number int
}

func (r *runner) asked(ctx context.Context, j job) (p Play, err error) {
	s, spec := j.series, r.plan.Spec
	out := PlayJob{
		Run: r.group, Game: s.key.Game, Setting: s.setting, Machines: map[string]reasoner.Variant{},
		Number: j.number, Seed: spec.Seed, Opening: spec.Opening, Turns: spec.Turns,
	}
	kind := KindPlay
	if spec.overHTTP() {
		kind, out.Cores, out.Confined, out.PeerFaults = KindHTTP, spec.Cores, r.confined, *spec.PeerFaults
	}
	if out.Rules, err = r.options.Field.Put(ctx, []byte(s.game.Source.Rules)); err != nil {
		return p, err
	}
	for _, side := range []struct {
		c  Contender
		to *SideJob
	}{{s.agent, &out.Agent}, {s.baseline, &out.Baseline}} {
		if *side.to, err = r.side(ctx, side.c); err != nil {
			return p, err
		}
		want := variantText(side.c.Agent.Variant())
		if have, ok := r.chosen[chosenKey(s.key.Game, want)]; ok {
			out.Machines[want] = have
		}
	}
	place := jobs.Anywhere
	switch {
	case out.Agent.Peer || out.Baseline.Peer:
		place = jobs.Home
	case s.setting.Kind == Timed:
		place = jobs.Alike
	case s.setting.Kind == Fixed:
		budget, _, err := r.budget(s)
		if err != nil {
			return p, err
		}
		out.States = budget.States
	}
	payload, err := json.Marshal(out)
	if err != nil {
		return p, err
	}
	id := jobs.Hash(fmt.Appendf(nil, "%q %d", s.key, j.number))[:24]
	answer, err := r.options.Field.Do(ctx, jobs.Job{Group: r.group, ID: id, Kind: kind, Payload: payload, Place: place})
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(answer.Payload, &p); err != nil {
		return p, fmt.Errorf("the outcome of a play: %w", err)
	}
	want := r.blank(j)
	if p.Game != want.Game || p.Setting != want.Setting || p.Agent != want.Agent || p.Baseline != want.Baseline || p.Number != want.Number || !(p.Score >= 0 && p.Score <= 1) {
		return Play{}, errors.New("the outcome is that of another play")
	}
	p.Seats, p.Seed = want.Seats, want.Seed
	return p, nil
}

func (r *runner) side(ctx context.Context, c Contender) (s SideJob, err error) {
	s.Label = c.Label
	if s.Peer = c.Peer != nil; s.Peer {
		return s, nil
	}
	text, err := json.Marshal(c.Agent)
	if err != nil {
		return s, err
	}
	if s.Agent, err = r.options.Field.Put(ctx, text); err != nil {
		return s, err
	}
	data, err := c.Agent.EvaluationFile()
	if data == nil || err != nil {
		return s, err
	}
	s.Evaluation, err = r.options.Field.Put(ctx, data)
	return s, err
}

// Worker makes plays of experiments. It keeps the machines of the games that it has
// played last. Safe for use by several goroutines.
type Worker struct {
	Serve func(file string) peer.Command // as in Options; nil: it plays no matches over HTTP but those of this process
	Logs  string                         // as in Options

	folder jobs.Folder
	cores  cores

	mu    sync.Mutex
	games []*game            // by rules, the one used last at the end
	runs  map[string]*runner // of this process
}

// mostGames are kept by a worker: circuits of large games take hundreds of megabytes.
const mostGames = 6

// Handlers do the kinds of jobs of experiments.
func (w *Worker) Handlers() map[string]jobs.Handler {
	return map[string]jobs.Handler{KindPlay: w.play, KindHTTP: w.play}
}

// Close removes the files that were kept meanwhile.
func (w *Worker) Close() error { return w.folder.Close() }

// coresOrNew are those of the worker, so that no two matches of a process get the same.
func (w *Worker) coresOrNew() *cores {
	if w == nil {
		return &cores{}
	}
	return &w.cores
}

// serve lets the worker use the machines of a run of this process until end is called.
// A nil worker has none.
func (w *Worker) serve(r *runner) (end func()) {
	if w == nil {
		return func() {}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.runs == nil {
		w.runs = map[string]*runner{}
	}
	w.runs[r.group] = r
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.runs, r.group)
	}
}

// play does a PlayJob. That a play failed is an outcome.
func (w *Worker) play(ctx context.Context, t jobs.Task) ([]byte, error) {
	var out PlayJob
	if err := json.Unmarshal(t.Payload, &out); err != nil {
		return nil, fmt.Errorf("the job cannot be read: %w", err)
	}
	if out.Cores < 0 || out.Cores > agent.MostThreads {
		return nil, fmt.Errorf("%d cores for each side", out.Cores)
	}
	w.mu.Lock()
	r := w.runs[out.Run]
	w.mu.Unlock()
	var s *series
	if r != nil {
		s = r.find(out.key(), out.Number)
	}
	if s == nil {
		var err error
		if r, s, err = w.sit(ctx, t.Files, out); err != nil {
			return nil, err
		}
	}
	if out.Number < 0 || out.Number > maxPlays {
		return nil, fmt.Errorf("play %d", out.Number)
	}
	p := r.play(ctx, job{series: s, number: out.Number})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return json.Marshal(p)
}

// find is the series of a play that is asked for now, for then its machines are there;
// nil: it is one that an earlier process has asked for.
func (r *runner) find(key seriesKey, number int) *series {
	i := slices.IndexFunc(r.series, func(s *series) bool { return s.key == key })
	if _, asked := r.asking.Load(asking{key, number}); i < 0 || !asked {
		return nil
	}
	return r.series[i]
}

// sit makes the run and the series of a job of another process.
func (w *Worker) sit(ctx context.Context, files jobs.Files, out PlayJob) (*runner, *series, error) {
	g, err := w.game(ctx, files, out)
	if err != nil {
		return nil, nil, err
	}
	r := &runner{
		plan:    &Plan{Spec: Spec{Seed: out.Seed, Opening: out.Opening, Turns: out.Turns, Cores: out.Cores, PeerFaults: &out.PeerFaults}},
		options: Options{Limits: reasoner.DefaultLimits, Serve: w.Serve, Logs: w.Logs}, confined: out.Confined, cores: &w.cores, chosen: map[string]reasoner.Variant{}, budgets: map[seriesKey]int{},
		newBrain: func(m reasoner.Machine, a agent.Agent, role int, seed uint64, stop *atomic.Bool) (local.Thinker, error) {
			return local.NewPlayer(m, a, role, seed, stop)
		},
	}
	for want, have := range out.Machines {
		r.chosen[chosenKey(g.Label, want)] = have
	}
	s := &series{key: out.key(), game: g, setting: out.Setting, seatings: g.plays}
	r.budgets[budgetKey(s)] = out.States
	for _, side := range []struct {
		from SideJob
		to   *Contender
	}{{out.Agent, &s.agent}, {out.Baseline, &s.baseline}} {
		if *side.to, err = w.contender(ctx, files, out.Run, side.from); err != nil {
			return nil, nil, err
		}
		if err := r.checkContender(*side.to); out.Cores > 0 && err != nil {
			return nil, nil, fmt.Errorf("player %s: %w", side.from.Label, err)
		}
	}
	return r, s, nil
}

func (w *Worker) contender(ctx context.Context, files jobs.Files, run string, s SideJob) (c Contender, err error) {
	if s.Peer {
		return w.peer(run, s.Label)
	}
	c.Label = s.Label
	text, err := files.Get(ctx, s.Agent)
	if err != nil {
		return c, err
	}
	if c.Agent, err = agent.Read(strings.NewReader(string(text))); err != nil || s.Evaluation == "" {
		return c, err
	}
	data, err := files.Get(ctx, s.Evaluation)
	if err != nil {
		return c, err
	}
	c.Agent.Algorithm.Parameters.Evaluation, err = w.folder.Keep(s.Evaluation, data)
	return c, err
}

// peer is a player of others, of a run of this process.
func (w *Worker) peer(run, label string) (Contender, error) {
	w.mu.Lock()
	r := w.runs[run]
	w.mu.Unlock()
	if r != nil {
		for _, c := range r.plan.contenders() {
			if c.Label == label && c.Peer != nil {
				return c, nil
			}
		}
	}
	return Contender{}, fmt.Errorf("player %s: only the process that asks for its matches can reach it", label)
}

func (w *Worker) game(ctx context.Context, files jobs.Files, out PlayJob) (*game, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.IndexFunc(w.games, func(g *game) bool { return g.Sum == out.Rules && g.Label == out.Game }); i >= 0 {
		g := w.games[i]
		w.games = append(slices.Delete(w.games, i, i+1), g)
		return g, nil
	}
	text, err := files.Get(ctx, out.Rules)
	if err != nil {
		return nil, err
	}
	read, err := readGame(GameEntry{Game: "game", Label: out.Game}, ".", func(string) (games.Game, error) {
		return games.Game{Name: out.Game, Rules: string(text)}, nil
	})
	if err != nil {
		return nil, err
	}
	g := &game{Game: read, machines: machines.NewCache(read.Program, reasoner.DefaultLimits)}
	if w.games = append(w.games, g); len(w.games) > mostGames {
		w.games = w.games[1:]
	}
	return g, nil
}
