// Package machines makes what an agent plays on: the machines of a game, with what
// the agent needs beside them, and the search on them.
package machines

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"semisplit/internal/cores"
	"semisplit/player/agent"
	"semisplit/player/evaluation"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// Cache makes the machines of one game, and keeps them: all who play the
// game by the same plan in this process share one machine. It compiles one
// plan at a time. Safe for use by several goroutines.
type Cache struct {
	plain *plain

	mu      sync.Mutex
	adapted map[adapted]reasoner.Machine
	learned map[evaluation.Source]*evaluation.Evaluation
}

// plain makes and keeps machines with nothing beside them.
type plain struct {
	program *gdl.Program
	limits  reasoner.Limits

	mu       sync.Mutex
	analysis *reasoner.Analysis
	circuits map[string]*reasoner.Circuit // by plan
	made     map[reasoner.Variant]made
}

// adapted names a machine with what an agent needs beside it.
type adapted struct {
	of         reasoner.Machine
	plan       string // by which moves are divided; "": they are not
	evaluates  bool
	evaluation string // its file; "": learned
	vision     agent.Vision
	minimax    bool // which is told what is taken
}

// made is a machine, or why there is none.
type made struct {
	machine reasoner.Machine
	err     error
}

// NewCache keeps the machines of a game.
func NewCache(program *gdl.Program, l reasoner.Limits) *Cache {
	return cacheOf(&plain{program: program, limits: l, circuits: map[string]*reasoner.Circuit{}, made: map[reasoner.Variant]made{}})
}

func cacheOf(p *plain) *Cache {
	return &Cache{plain: p, adapted: map[adapted]reasoner.Machine{}, learned: map[evaluation.Source]*evaluation.Evaluation{}}
}

// Taught is a cache for agents that have learned this of the game, and nothing of what
// the agents of s have. Both have the same machines, but for what agents need beside them.
func (s *Cache) Taught(learned map[evaluation.Source]*evaluation.Evaluation) *Cache {
	c := cacheOf(s.plain)
	c.Teach(learned)
	return c
}

// ForAgent is what an agent thinks on: the machine of a variant (the agent's own, or
// what it was found to stand for), as the agent needs it, made when it is first asked
// for. A variant without an engine stands for lanes, and for the prover where the game
// cannot be grounded. A plan that the game does not have, or that is too large to be
// grounded, gives way to a coarser one.
//
// Which machine is quickest is measured, so the answer for a variant without
// plan or width may differ from run to run: VariantOf tells what was chosen.
func (s *Cache) ForAgent(ctx context.Context, a agent.Agent, v reasoner.Variant) (reasoner.Machine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.plain.get(ctx, v)
	if err != nil || !a.Divides() && !a.Evaluates() && a.Sees() == agent.VisionOff {
		return m, err
	}
	key := adapted{of: m, evaluates: a.Evaluates(), evaluation: a.Algorithm.Parameters.Evaluation, vision: a.Sees(), minimax: a.Minimax()}
	if a.Divides() {
		key.plan = a.DividingPlan()
	}
	if known, ok := s.adapted[key]; ok {
		return known, nil
	}
	if m, err = Adapt(ctx, a, m, s.plain.program, s.plain.limits, s.learned[a.EvaluationSource()]); err == nil {
		s.adapted[key] = m
	}
	return m, err
}

// Teach gives agents that would learn an evaluation of the game those that were
// learned before, from then on.
func (s *Cache) Teach(learned map[evaluation.Source]*evaluation.Evaluation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for source, e := range learned {
		s.learned[source] = e
	}
}

func (s *plain) get(ctx context.Context, v reasoner.Variant) (reasoner.Machine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v.Plan == "" {
		v.Plan = reasoner.Auto
	}
	if known, ok := s.made[v]; ok {
		return known.machine, known.err
	}
	m, err := s.make(ctx, v)
	if err != nil {
		err = fmt.Errorf("machine for plan %s: %w", v.Plan, err)
		if ctx.Err() == nil {
			s.made[v] = made{err: err}
		}
		return nil, err
	}
	if known, ok := s.made[VariantOf(m)]; ok && known.err == nil {
		m = known.machine
	}
	s.made[v], s.made[VariantOf(m)] = made{machine: m}, made{machine: m}
	return m, nil
}

// VariantOf names the variant that always gives this machine.
func VariantOf(m reasoner.Machine) reasoner.Variant {
	v := reasoner.Variant{Engine: m.Kind(), Plan: m.Plan(), Lanes: m.Lanes()}
	if v.Engine == agent.EngineProver {
		v.Lanes = 0 // has one lane whatever is asked for
	}
	return v
}

func (s *plain) make(ctx context.Context, v reasoner.Variant) (m reasoner.Machine, err error) {
	if v.Engine != agent.EngineProver {
		m, err = s.lanes(ctx, v)
		if err == nil || v.Engine == agent.EngineLanes || ctx.Err() != nil {
			return m, err
		}
	}
	if v.Plan == reasoner.Auto || v.Plan == string(agent.Orthodox) {
		return reasoner.Build(ctx, s.program, reasoner.Variant{Engine: agent.EngineProver}, s.limits)
	}
	return firstPlan(v.Plan, func(plan string) (reasoner.Machine, error) {
		return s.rules().Prover(plan, s.limits)
	})
}

func (s *plain) lanes(ctx context.Context, v reasoner.Variant) (reasoner.Machine, error) {
	if v.Plan == reasoner.Auto {
		v.Engine = agent.EngineLanes
		return reasoner.Build(ctx, s.program, v, s.limits)
	}
	leave, err := cores.Wait(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer leave()
	circuit, err := firstPlan(v.Plan, func(plan string) (*reasoner.Circuit, error) { return s.circuit(ctx, plan) })
	if err != nil {
		return nil, err
	}
	if v.Lanes != 0 {
		return circuit.Machine(v.Lanes)
	}
	return circuit.Quickest()
}

// rules are the analysis of the game, derived when it is first needed.
func (s *plain) rules() *reasoner.Analysis {
	if s.analysis == nil {
		s.analysis = reasoner.NewAnalysis(s.program)
	}
	return s.analysis
}

func (s *plain) circuit(ctx context.Context, plan string) (*reasoner.Circuit, error) {
	if c, ok := s.circuits[plan]; ok {
		return c, nil
	}
	c, err := s.rules().Circuit(ctx, plan, s.limits)
	if err == nil {
		s.circuits[plan] = c
	}
	return c, err
}

// firstPlan makes something of a plan, or of the first coarser one for which
// that is possible.
func firstPlan[T any](plan string, try func(plan string) (T, error)) (t T, err error) {
	for ; plan != ""; plan = split.Coarser(plan) {
		t, err = try(plan)
		if !errors.Is(err, reasoner.ErrNoPlan) && !errors.Is(err, reasoner.ErrLimit) {
			return t, err
		}
	}
	return t, err
}
