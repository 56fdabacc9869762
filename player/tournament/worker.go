package tournament

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/arena"
	"semisplit/player/evaluation"
	"semisplit/player/jobs"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// Worker does the jobs of tournaments. It keeps the machines of the games that it has
// played last. Safe for use by several goroutines.
type Worker struct {
	// Peers are the players of others by their labels: of the process that asks for
	// the matches, which alone can reach them.
	Peers map[string]*arena.Peer
	Logs  string // folder for what the commands of players say; "": it is not kept

	folder jobs.Folder // of evaluation files

	mu    sync.Mutex
	games []*game                  // the one used last at the end
	inUse map[string]chan struct{} // players at an address, who play one match at a time
}

// Handlers do the kinds of jobs of tournaments.
func (w *Worker) Handlers() map[string]jobs.Handler {
	return map[string]jobs.Handler{KindMatch: w.match, KindSettle: w.settle}
}

// Close removes the files that were kept meanwhile.
func (w *Worker) Close() error { return w.folder.Close() }

// Circuits of large games take hundreds of megabytes, evaluations on them a few.
const (
	mostGames   = 6 // that a worker keeps
	mostLearned = 8 // of a game: what agents have learned of it
)

// game is a game as a worker keeps it.
type game struct {
	rules    string // hash
	terms    []kif.Term
	program  *gdl.Program
	machines *machines.Cache // for agents that have learned nothing of it
	taught   []taught        // for others, used last at the end
}

// taught are the machines for agents that have learned this of a game.
type taught struct {
	learned  string // hashes by source
	machines *machines.Cache
}

// game finds or reads a game.
func (w *Worker) game(ctx context.Context, files jobs.Files, rules string) (*game, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.IndexFunc(w.games, func(g *game) bool { return g.rules == rules }); i >= 0 {
		g := w.games[i]
		w.games = append(slices.Delete(w.games, i, i+1), g)
		return g, nil
	}
	text, err := files.Get(ctx, rules)
	if err != nil {
		return nil, err
	}
	program, diagnostics := reasoner.Read(string(text))
	terms, err := kif.Parse(string(text))
	if err := errors.Join(diagnostics.Err(), err); err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	g := &game{rules: rules, terms: terms, program: program, machines: machines.NewCache(program, reasoner.DefaultLimits)}
	if w.games = append(w.games, g); len(w.games) > mostGames {
		w.games = w.games[1:]
	}
	return g, nil
}

// machines are those of a game for agents that have learned this of it, which is read
// by a machine of the variant: states of a prover are no bits that could be worth
// anything.
func (w *Worker) machines(ctx context.Context, files jobs.Files, g *game, learned map[string]string, v reasoner.Variant) (*machines.Cache, error) {
	if len(learned) == 0 {
		return g.machines, nil
	}
	key := ""
	for _, source := range slices.Sorted(maps.Keys(learned)) {
		key += source + "=" + learned[source] + " "
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.IndexFunc(g.taught, func(t taught) bool { return t.learned == key }); i >= 0 {
		t := g.taught[i]
		g.taught = append(slices.Delete(g.taught, i, i+1), t)
		return t.machines, nil
	}
	known := map[evaluation.Source]*evaluation.Evaluation{}
	for source, hash := range learned {
		text, err := files.Get(ctx, hash)
		if err != nil {
			return nil, err
		}
		var stored evaluation.Stored
		if err := json.Unmarshal(text, &stored); err != nil {
			return nil, fmt.Errorf("evaluation: %w", err)
		}
		m, err := g.machines.ForAgent(ctx, agent.Default(), v)
		if err != nil {
			return nil, err
		}
		if known[evaluation.Source(source)], err = stored.Evaluation(m, sameName); err != nil {
			return nil, err
		}
	}
	t := taught{key, g.machines.Taught(known)}
	if g.taught = append(g.taught, t); len(g.taught) > mostLearned {
		g.taught = slices.Delete(g.taught, 0, 1)
	}
	return t.machines, nil
}

func prover(ctx context.Context, c *machines.Cache) (reasoner.Machine, error) {
	return c.ForAgent(ctx, agent.Default(), reasoner.Variant{Engine: agent.EngineProver})
}

// sameName leaves names as they are.
func sameName(t kif.Term) (kif.Term, bool) { return t, true }

// agent reads an agent file. An evaluation file that it names is put where it can be
// read.
func (w *Worker) agent(ctx context.Context, files jobs.Files, f agentFiles) (agent.Agent, error) {
	text, err := files.Get(ctx, f.Agent)
	if err != nil {
		return agent.Agent{}, err
	}
	a, err := agent.Read(strings.NewReader(string(text)))
	if err != nil || f.Evaluation == "" {
		return a, err
	}
	data, err := files.Get(ctx, f.Evaluation)
	if err != nil {
		return a, err
	}
	a.Algorithm.Parameters.Evaluation, err = w.folder.Keep(f.Evaluation, data)
	return a, err
}

// reserve waits until players at these addresses are free.
func (w *Worker) reserve(ctx context.Context, addresses []string) (release func(), err error) {
	slices.Sort(addresses) // so that two matches never wait for each other
	var taken []chan struct{}
	release = func() {
		for _, place := range taken {
			<-place
		}
	}
	for _, address := range slices.Compact(addresses) {
		w.mu.Lock()
		if w.inUse == nil {
			w.inUse = map[string]chan struct{}{}
		}
		if w.inUse[address] == nil {
			w.inUse[address] = make(chan struct{}, 1)
		}
		place := w.inUse[address]
		w.mu.Unlock()
		select {
		case place <- struct{}{}:
			taken = append(taken, place)
		case <-ctx.Done():
			release()
			return nil, context.Cause(ctx)
		}
	}
	return release, nil
}

// decode reads a payload of a job.
func decode[T any](payload []byte) (job T, err error) {
	if err = json.Unmarshal(payload, &job); err != nil {
		err = errors.Join(errPayload, err)
	}
	return job, err
}

var errPayload = errors.New("the job cannot be read")
