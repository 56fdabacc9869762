package tournament

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"semisplit/player/agent"
	"semisplit/player/arena"
	"semisplit/player/choice"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/learning"
	"semisplit/player/jobs"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// learningTime is how long an evaluation is learned, outside of an automatic choice.
const learningTime = 3 * time.Second

// countedLanes are the lanes of machines in settings that count iterations or states,
// and countedPlan is how moves are split there, where the agent leaves that open:
// results must not depend on what is the quickest at the moment.
const (
	countedLanes = 64
	countedPlan  = "mod"
)

// variant is the machine that an agent is settled to.
func variant(a agent.Agent, s arena.Setting) reasoner.Variant {
	v := a.Variant()
	if s.Kind == arena.Timed {
		return v
	}
	if v.Lanes == 0 {
		v.Lanes = countedLanes
	}
	if v.Plan == reasoner.Auto || v.Plan == "" {
		v.Plan = countedPlan
	}
	if a.Algorithm.Name == agent.NameRandom { // the prover numbers moves as it meets them, and its draws follow the numbers
		v.Engine, v.Plan = "", string(agent.Orthodox)
	}
	return v
}

// settle does a SettleJob. That an agent cannot play a game is an outcome.
func (w *Worker) settle(ctx context.Context, t jobs.Task) ([]byte, error) {
	job, err := decode[SettleJob](t.Payload)
	if err != nil {
		return nil, err
	}
	g, err := w.game(ctx, t.Files, job.Rules)
	if err != nil {
		return nil, err
	}
	a, err := w.agent(ctx, t.Files, job.agentFiles)
	if err != nil {
		return nil, err
	}
	named := a.Algorithm.Parameters.Evaluation
	c, err := w.machines(ctx, t.Files, g, nil, reasoner.Variant{})
	if err != nil {
		return nil, err
	}
	x, err := settled(ctx, g.program, c, a, job, t.Stretch)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return json.Marshal(Settled{Error: err.Error()})
	}
	if job.Evaluation != "" {
		x.agent.Algorithm.Parameters.Evaluation = named
	}
	if x.Agent, err = json.Marshal(x.agent); err != nil {
		return nil, err
	}
	return json.Marshal(x.Settled)
}

type settledAgent struct {
	Settled
	agent agent.Agent
}

// settled decides what the agent leaves open.
func settled(ctx context.Context, program *gdl.Program, cache *machines.Cache, a agent.Agent, job SettleJob, stretch float64) (x settledAgent, err error) {
	learned := map[evaluation.Source]*evaluation.Evaluation{}
	var m reasoner.Machine
	if a.Automatic() {
		clock := job.Setting.Choose
		if clock == 0 {
			clock = arena.DefaultChoose
		}
		c, err := choice.Choose(ctx, program, a, reasoner.DefaultLimits, choice.Options{
			Time: seconds(clock * stretch), Play: seconds(job.Setting.Seconds * stretch), Threads: 1, Ready: true, Seed: job.Seed,
		})
		if err != nil {
			return x, fmt.Errorf("automatic choice: %w", err)
		}
		if x.agent, x.Why = c.Agent, c.Why; c.Machine == nil { // the game cannot be grounded
			x.Variant = reasoner.Variant{Engine: agent.EngineProver}
			return x, nil
		}
		m, x.agent, learned = c.Machine, c.Fixed(), c.Evaluations
	} else {
		x.agent = a
		v := variant(a, job.Setting)
		if m, err = cache.ForAgent(ctx, agent.Default(), v); err != nil {
			return x, err
		}
		if a.Evaluates() && agent.IsSource(a.Algorithm.Parameters.Evaluation) && m.Kind() == agent.EngineLanes {
			source := a.EvaluationSource()
			if learned[source], err = learning.Learn(ctx, m, program, source, 1, learningTime, 1); err != nil {
				return x, fmt.Errorf("learning an evaluation: %w", err)
			}
		}
	}
	x.Variant = machines.VariantOf(m)
	x.Learned = map[string]json.RawMessage{}
	for source, e := range learned {
		if e == nil {
			continue
		}
		if stored := e.Store(m, sameName); stored != nil {
			if x.Learned[string(source)], err = json.Marshal(stored); err != nil {
				return x, err
			}
		}
	}
	return x, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
