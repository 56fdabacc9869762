// Package prover evaluates the rules of a game as they stand, without
// grounding them: the oracle for every faster machine, and the fallback that
// always works.
//
// Evaluation is top-down and tabled. A call is a relation with some
// arguments bound to ground terms; its answers are computed once, kept in a
// table, and found again by the values of the bound arguments. So a rule
// like (plus (s ?x) ?y (s ?z)) that has endless answers from below is
// finite when it is asked with bound arguments. Rules are compiled, for each
// pattern of bound arguments, to a join over rows of numbers; the order of
// the literals is chosen by estimated selectivity.
//
// Recursion suspends: a rule that calls a table of its own recursive group
// is kept as a consumer of that table and resumed once for each of its
// answers, whenever that answer arrives. That is semi-naive iteration: no
// combination is tried twice. Negation looks at lower groups only, whose
// tables are complete.
//
// Tables live in spaces: for ever (static relations), until the state changes,
// until the joint move changes. In a split game there is one more for each
// level of each role, whose tables live until the selection down to that
// level changes.
//
// The parts, each of which uses only those before it: code, which a compiler
// makes of rules; terms, position and spaces; the evaluator, which executes code
// on them; translator, trace and steering; wholeMoves and splitMoves, which find
// and draw moves; Engine, and Machine, which makes engines.
package prover

import (
	"errors"
	"fmt"
	"sync"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/split"
)

// Machine is a compiled game. It is safe for use by several goroutines.
type Machine struct {
	program *gdl.Program
	limits  Limits
	code    *code
	base    *gdl.Store // terms of the rules and of static relations; never grows after New
	layout  *layout    // nil: moves are taken whole
	codec   *codec
	paths   []*split.Paths // by role, of a split game
	roles   []gdl.TermID
	initial []uint64

	mu  sync.Mutex
	own *Engine // answers GoalTerms and GoalValues; guarded by mu
}

// New compiles a program. It fails when the static relations or the initial
// state cannot be computed within the limits.
func New(p *gdl.Program, l Limits) (*Machine, error) { return newMachine(p, nil, l, true) }

// NewUntuned is New without the playing that the plans of the rules are tuned by:
// the machine is ready much sooner, and may be slower.
func NewUntuned(p *gdl.Program, l Limits) (*Machine, error) { return newMachine(p, nil, l, false) }

// NewSplit compiles a game whose moves are split into semimoves. Only what is
// asked is evaluated: the offers of a level under one prefix, never the whole
// moves.
func NewSplit(g *split.Game, l Limits) (*Machine, error) {
	lay, err := newLayout(g)
	if err != nil {
		return nil, err
	}
	m, err := newMachine(g.Program, lay, l, true)
	if err != nil {
		return nil, err
	}
	for r := range g.Roles {
		m.paths = append(m.paths, split.NewLazyPaths(m.codec.store.Symbols(), g.Roles[r].Levels, m.finder(r)))
	}
	return m, nil
}

func newMachine(p *gdl.Program, lay *layout, l Limits, tuned bool) (*Machine, error) {
	l = l.orDefault()
	if len(p.Roles) == 0 {
		return nil, errors.New("prover: the program has no role")
	}
	if err := stratified(p); err != nil {
		return nil, err
	}
	m := &Machine{program: p, layout: lay, limits: l, base: gdl.NewStore(p.Symbols)}
	c := newCompiler(p, m.base, lay, l.Stop)
	for _, r := range p.Roles {
		m.roles = append(m.roles, c.ground(r))
	}
	c.materialise(m.limits, m.roles)
	var err error
	if m.code, err = c.compile(nil); err != nil {
		return nil, fmt.Errorf("compile the rules: %w", err)
	}
	fluents, err := m.firstState()
	if err != nil {
		return nil, fmt.Errorf("compute the initial state: %w", err)
	}
	if tuned {
		if m.code, err = c.compile(m.pilot(fluents)); err != nil {
			return nil, fmt.Errorf("compile the rules: %w", err)
		}
	}
	m.codec = newCodec(m.base)
	m.own = m.NewEngine(1)
	m.initial = m.own.numbers.pack(fluents, nil)
	return m, nil
}

// firstState evaluates init. The terms that it makes are terms of the base.
func (m *Machine) firstState() (fluents []gdl.TermID, err error) {
	e := newEvaluator(m.code, m.base, m.limits, m.roles)
	err = e.try(m.limits.Stop, func() {
		e.enter(nil)
		fluents = e.ask(m.code.init, nil, nil)
		e.terms.checkState(fluents)
	})
	return fluents, err
}

// Program is the program that the machine plays.
func (m *Machine) Program() *gdl.Program { return m.program }

// Kind is "prover".
func (m *Machine) Kind() string { return "prover" }

// Roles in the order of the rules.
func (m *Machine) Roles() []kif.Term {
	out := make([]kif.Term, len(m.roles))
	for i, r := range m.roles {
		out[i] = m.base.KIF(r)
	}
	return out
}

// Levels is the number of semimoves in a move of the role.
func (m *Machine) Levels(role int) int {
	if m.layout == nil {
		return 1
	}
	return len(m.layout.roles[role])
}

// Initial is the initial state.
func (m *Machine) Initial() []uint64 { return append([]uint64(nil), m.initial...) }
