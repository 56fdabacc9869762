package player

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"semisplit/internal/guard"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/choice"
	"semisplit/player/knowledge"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// upgrade is a machine, and the agent that is to play on it.
type upgrade struct {
	machine reasoner.Machine
	agent   agent.Agent
}

// source is where a worker gets its machines from.
type source struct {
	first  upgrade
	better <-chan reasoner.Machine // closed when no more will come; senders do not wait for somebody to listen
	err    func() error            // why there were no (more) better ones
	trials func() []reasoner.Trial // what was tried for them

	// play is what is to play on a better machine. choose is the automatic choice,
	// until which that holds; nil: there is none.
	play   func(reasoner.Machine) upgrade
	choose func(ctx context.Context, o choice.Options) (*choice.Choice, error)
}

// readRules is the way from the text of a START message to machines.
func readRules(ctx context.Context, rules []kif.Term, c *Config) (source, error) {
	a, limits, log := c.Agent, c.Limits, c.Log
	program, diagnostics := reasoner.Analyze(rules)
	if err := diagnostics.Err(); err != nil {
		return source{}, fmt.Errorf("rules: %w", err)
	}
	if len(diagnostics) > 0 {
		log.Info("warnings about the rules", "count", len(diagnostics), "first", diagnostics[0].Message)
	}
	if a.Automatic() {
		return automatic(ctx, program, c)
	}
	compilation, err := reasoner.CompileVariant(ctx, program, a.Variant(), limits)
	if err != nil {
		return source{}, err
	}
	return source{
		first: upgrade{compilation.Best(), a}, better: compilation.Better(), err: compilation.Err, trials: compilation.Trials,
		play: func(m reasoner.Machine) upgrade {
			adapted, err := machines.Adapt(ctx, a, m, program, limits, nil)
			if err != nil {
				log.Warn("the machine lacks what the agent needs beside it", "error", err)
			}
			return upgrade{adapted, a}
		},
	}, nil
}

// automatic is the source of an agent that is chosen at the start.
func automatic(ctx context.Context, program *gdl.Program, c *Config) (source, error) {
	compiling, cancel := context.WithCancel(ctx)
	compilation, err := reasoner.Compile(compiling, program, c.Limits)
	if err != nil {
		cancel()
		return source{}, err
	}
	memory := recall(ctx, program, c)
	play := func(m reasoner.Machine) upgrade { return upgrade{m, choice.Interim(c.Agent, m.Plan())} }
	return source{
		first: play(compilation.Best()), better: compilation.Better(), err: compilation.Err, trials: compilation.Trials, play: play,
		choose: func(ctx context.Context, o choice.Options) (*choice.Choice, error) {
			waited := o.Waited
			o.Waited = func(ready bool) {
				if ready {
					cancel() // what is not ready now would take processors from the trials
				}
				waited(ready)
			}
			var known *knowledge.Memory
			o.Recall = func(m reasoner.Machine) choice.Known {
				select {
				case known = <-memory:
				case <-ctx.Done():
				}
				if known == nil {
					return choice.Known{}
				}
				return known.Known(m)
			}
			made, err := choice.Among(ctx, compilation, program, c.Agent, c.Limits, o)
			if err == nil && known != nil && c.Remember {
				go keep(known, made, c.Log)
			}
			return made, err
		},
	}, nil
}

// recall looks the game up while its machines are made. The channel has what was found,
// or nothing.
func recall(ctx context.Context, program *gdl.Program, c *Config) <-chan *knowledge.Memory {
	memory := make(chan *knowledge.Memory, 1)
	if c.Knowledge == nil {
		close(memory)
		return memory
	}
	go func() {
		defer close(memory)
		if err := guard.Run(func() error {
			found, err := c.Knowledge.Recall(ctx, program, "")
			if found != nil {
				memory <- found
			}
			return err
		}); err != nil {
			c.Log.Warn("what is known of the game could not be read", "error", err)
		}
	}()
	return memory
}

// keep adds what a choice has found to what is known.
func keep(known *knowledge.Memory, made *choice.Choice, log *slog.Logger) {
	if err := guard.Run(func() error { return known.Add(made, made.Elapsed) }); err != nil {
		log.Warn("what was learned could not be kept", "error", err)
	}
}

// await passes on better machines as they come, until there are no more, and
// the automatic choice when it has been made.
func (w *worker) await(src source) {
	chosen := w.choose(src)
	better, circuit := src.better, false
	for better != nil || chosen != nil {
		select {
		case m, ok := <-better:
			if !ok {
				better = nil
				break
			}
			circuit = circuit || m.Kind() != agent.EngineProver
			w.offer(src.play(m))
		case choice, ok := <-chosen:
			chosen = nil
			if !ok {
				break // there is no choice: the best machine plays as before
			}
			onProver := choice.Machine.Kind() == agent.EngineProver
			if onProver && circuit {
				w.log.Info("the way to play was chosen before there was a circuit, which plays on", "match", w.start.Match)
				break
			}
			w.log.Info("the way to play was chosen", "match", w.start.Match, "choice", choice.Chosen.Name, "why", choice.Why,
				"seconds", choice.Elapsed.Seconds(), "no_trials", choice.NoTrials)
			w.show(WatchChoice{
				Match: w.start.Match, Role: w.start.Role, Name: choice.Chosen.Name, Why: choice.Why, NoTrials: choice.NoTrials, Elapsed: choice.Elapsed,
			})
			if w.offer(upgrade{choice.Machine, choice.Agent}); !onProver {
				better = nil // what comes now is not wanted any more
			}
		}
	}
	w.explain(src.trials())
	w.tell(compiled{src.err()})
	for range src.better { // until the compiler has ended, too
	}
}

// offer puts an upgrade in place of one that has not been adopted yet.
func (w *worker) offer(u upgrade) {
	select {
	case <-w.better:
	default:
	}
	w.better <- u
	w.tell(improved{})
}

// The automatic choice ends when this part of the start clock is over: the rest
// is for a search of the initial state with what was chosen. A clock that leaves
// no more than leastChoice is not worth a choice.
// In a game for one it ends sooner: ways to play differ less there than what a
// search finds in twice the time, and there are no trial matches.
const (
	choiceShare = 0.8
	aloneShare  = 0.4
	leastChoice = 300 * time.Millisecond
)

// choose begins the automatic choice. The channel is closed without one if
// there is nothing to choose; nil stands for that, too.
func (w *worker) choose(src source) <-chan *choice.Choice {
	received := w.start.Received
	if received.IsZero() {
		received = time.Now()
	}
	share := choiceShare
	if len(src.first.machine.Roles()) == 1 {
		share = aloneShare
	}
	left := time.Until(received.Add(time.Duration(share * float64(w.start.StartClock))))
	if src.choose == nil || left < leastChoice {
		return nil
	}
	chosen := make(chan *choice.Choice, 1)
	w.spawn(func() {
		defer close(chosen)
		defer w.tell(choosing{false})
		err := guard.Run(func() error {
			c, err := src.choose(w.ctx, choice.Options{
				Time: left, Play: w.start.PlayClock, Threads: w.agent.General.Threads, Seed: w.seed, Ponders: w.agent.General.SimulateDuringOppTurn,
				Waited: func(bool) { w.tell(choosing{true}) },
			})
			if err == nil && w.ctx.Err() == nil {
				chosen <- c
			}
			return err
		})
		if err != nil {
			w.log.Error("no automatic choice", "match", w.start.Match, "error", err)
		}
	})
	return chosen
}

// explain logs what became of each way to split the moves.
func (w *worker) explain(trials []reasoner.Trial) {
	for _, t := range trials {
		attrs := []any{"match", w.start.Match, "plan", t.Plan}
		if t.Err != nil {
			attrs = append(attrs, "error", t.Err)
		} else {
			attrs = append(attrs, "lanes", t.Lanes, "states_per_second", int64(t.Speed))
		}
		w.log.Info("plan tried", attrs...)
	}
}
