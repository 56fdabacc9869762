package tournament

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/kif"
	"semisplit/player/arena"
	"semisplit/player/board"
	"semisplit/player/jobs"
	"semisplit/player/local"
	"semisplit/player/peer"
	"semisplit/player/referee"
	"semisplit/protocol"
	"semisplit/reasoner"
)

// match does a MatchJob. That a match failed is an outcome.
func (w *Worker) match(ctx context.Context, t jobs.Task) ([]byte, error) {
	job, err := decode[MatchJob](t.Payload)
	if err != nil {
		return nil, err
	}
	p := playing{worker: w, job: job, task: t}
	defer p.close()
	begin := time.Now()
	out, err := p.play(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if _, ours := errors.AsType[*unready](err); ours {
		return nil, err // another worker may do better
	}
	if err != nil {
		text := err.Error()
		out = matchOutcome{Played: Played{Match: job.Match, Error: text[:min(len(text), maxErrorText)]}, Record: out.Record}
	}
	out.Played.Elapsed = time.Since(begin)
	return json.Marshal(out)
}

// maxErrorText bounds what is kept of an error.
const maxErrorText = 4 << 10

// maxThinking bounds a turn in which nobody has a clock.
const maxThinking = time.Hour

// playing is a match that is being played.
type playing struct {
	worker *Worker
	job    MatchJob
	task   jobs.Task
	game   *game
	judge  reasoner.Machine
	turn   sync.Mutex // of the agents
	stop   atomic.Bool
	watch  *watch
	ends   []func()
}

func (p *playing) close() {
	for _, end := range slices.Backward(p.ends) {
		end()
	}
}

func (p *playing) play(ctx context.Context) (out matchOutcome, err error) {
	defer context.AfterFunc(ctx, func() { p.stop.Store(true) })()
	if p.game, err = p.worker.game(ctx, p.task.Files, p.job.Rules); err != nil {
		return out, err
	}
	p.watch = newWatch(p.job)
	seats, err := p.seats(ctx)
	if err != nil {
		return out, err
	}
	if p.judge == nil {
		cache, err := p.worker.machines(ctx, p.task.Files, p.game, nil, reasoner.Variant{})
		if err != nil {
			return out, err
		}
		if p.judge, err = prover(ctx, cache); err != nil {
			return out, err
		}
	}
	opening, err := p.opening()
	if err != nil {
		return out, fmt.Errorf("opening: %w", err)
	}
	watched, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	p.watch.giveUp = giveUp
	result, err := referee.Run(watched, referee.Config{
		Match: protocol.Symbol(p.job.Tournament) + "." + p.job.Match.ID, Game: p.job.Match.Game, Rules: p.game.terms, Machine: p.judge, Seats: seats, Lead: opening,
		StartClock: seconds(p.job.Setting.Start), PlayClock: seconds(p.job.Setting.Seconds), Grace: maxThinking,
		Forgive: true, Seed: p.job.Seed, MaxSteps: p.job.Turns, Observe: p.watch.observe,
	})
	if result.Record != nil {
		result.Record.Tournament = p.job.Tournament
		if out.Record, err = json.Marshal(result.Record); err != nil {
			return out, err
		}
	}
	ended, early := errors.AsType[*ending](context.Cause(watched))
	switch {
	case early && result.Aborted:
		result.Goals = ended.goals
		if ended.goals == nil {
			result.Goals = make([]int, len(p.job.Seats))
		}
	case err != nil:
		return out, err
	case result.Aborted:
		return out, errors.New(result.Reason)
	default:
		ended = &ending{how: ByRules}
	}
	out.Played = Played{
		Match: p.job.Match, Ended: ended.how, Goals: result.Goals, Forfeited: ended.forfeited,
		Steps: result.Steps, Opening: len(opening), Faults: p.watch.faults, Efforts: p.watch.efforts,
	}
	out.Thoughts = p.watch.thoughts
	return out, nil
}

// opening is the line that the match begins with.
func (p *playing) opening() ([][]kif.Term, error) {
	if p.job.Line != "" {
		lines, err := ReadBook([]byte(p.job.Line))
		if err != nil {
			return nil, err
		}
		return lines[0], nil
	}
	if p.job.Plies == 0 {
		return nil, nil
	}
	b, err := board.New(p.judge, 1, &p.stop)
	if err != nil {
		return nil, err
	}
	return local.Opening(b, p.job.Plies, p.job.Opening)
}

// unready is the error of a worker that does not get what a player needs: the player is
// not to blame.
type unready struct{ error }

func (e *unready) Unwrap() error { return e.error }

// seats makes who plays. A player that cannot be started is absent.
func (p *playing) seats(ctx context.Context) ([]referee.Seat, error) {
	var addresses []string
	for _, s := range p.job.Seats {
		if known := p.worker.Peers[s.Label]; s.Peer && known != nil && known.URL != "" {
			addresses = append(addresses, known.URL)
		}
	}
	release, err := p.worker.reserve(ctx, addresses)
	if err != nil {
		return nil, err
	}
	p.ends = append(p.ends, release)
	seats := make([]referee.Seat, len(p.job.Seats))
	for role, s := range p.job.Seats {
		if s.Label == "" {
			continue
		}
		seat := p.thinker
		if s.Peer {
			seat = p.other
		}
		if seats[role], err = seat(ctx, role, s); err != nil {
			if _, ours := errors.AsType[*unready](err); ours || ctx.Err() != nil {
				return nil, err
			}
			seats[role] = broken{s.Label, err}
		}
	}
	return seats, nil
}

// thinker is the seat of an agent.
func (p *playing) thinker(ctx context.Context, role int, s SeatJob) (referee.Seat, error) {
	if s.Agent == "" {
		return nil, errors.New("it cannot play this game")
	}
	cache, err := p.worker.machines(ctx, p.task.Files, p.game, s.Learned, s.Variant)
	if err != nil {
		return nil, &unready{err}
	}
	a, err := p.worker.agent(ctx, p.task.Files, s.agentFiles)
	if err != nil {
		return nil, &unready{fmt.Errorf("%s: %w", s.Label, err)}
	}
	m, err := cache.ForAgent(ctx, a, s.Variant)
	if err != nil {
		return nil, err
	}
	if p.judge == nil {
		p.judge = m
	}
	seat := &thinker{label: s.Label, turn: &p.turn, stop: &p.stop}
	seat.start, seat.move, seat.late = budgets(p.job.Setting, p.task.Stretch)
	seat.thought = func(t *thinking) { p.watch.thought(role, t) }
	if a.General.Memory == 0 {
		a.General.Memory = agentMemory
	}
	seat.player, err = local.NewPlayer(m, a, role, p.job.Seed+uint64(role)+1, &p.stop)
	return seat, err
}

// agentMemory bounds the tree of an agent that leaves that open, in bytes.
const agentMemory = 512 << 20

// other is the seat of a player of others.
func (p *playing) other(ctx context.Context, role int, s SeatJob) (referee.Seat, error) {
	known := p.worker.Peers[s.Label]
	if known == nil {
		return nil, errors.New("only the process that asks for the match can reach it")
	}
	remote, err := p.remote(ctx, role, known)
	if err != nil {
		return nil, err
	}
	return clocked{
		Seat: referee.HTTP(protocol.NewClient(protocol.ClientOptions{}), remote), label: s.Label,
		start: seconds(p.job.Setting.Start) + referee.DefaultGrace, play: seconds(p.job.Setting.Seconds) + referee.DefaultGrace,
	}, nil
}

// remote is where a player of others listens, which is started if that is how it is
// reached.
func (p *playing) remote(ctx context.Context, role int, known *arena.Peer) (protocol.Remote, error) {
	if known.URL != "" {
		return protocol.ParseRemote(known.URL)
	}
	command, err := known.Start()
	if err != nil {
		return protocol.Remote{}, err
	}
	if p.worker.Logs != "" {
		command.Log = filepath.Join(p.worker.Logs, fmt.Sprintf("%s-%d.log", p.job.Match.ID, role))
	}
	process, err := peer.Start(ctx, command)
	if errors.Is(err, peer.ErrOwn) {
		err = &unready{err}
	}
	if err != nil {
		return protocol.Remote{}, err
	}
	p.ends = append(p.ends, process.Stop)
	return process.Remote, nil
}

// ending is why a match ends before its rules end it.
type ending struct {
	how       string
	goals     []int // nil: all 0
	forfeited []int
}

func (e *ending) Error() string { return cmp.Or(e.how, "ended") }
