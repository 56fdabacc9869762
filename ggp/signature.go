package main

import (
	"context"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"text/tabwriter"

	"semisplit/ggp/internal/console"
	"semisplit/ggp/internal/load"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/search"
)

// The signature of the search: the beginnings of matches with a fixed seed,
// one thread, a fixed plan and width and a fixed number of iterations have one
// outcome, which a change of the search keeps, or changes on purpose. Nothing is
// measured, so every processor comes to the same, as long as its compiler
// rounds each product (Go's does for amd64, unless GOAMD64 is v3 or more).

// signatureGames are the games of a signature, each with the number of
// iterations for a move. Among them are one with chance, one with simultaneous
// moves, one with three roles, and some whose prefixes die.
var signatureGames = []struct {
	name       string
	iterations int
}{
	{"tictactoe", 2000}, {"goofspiel", 1000}, {"trio", 1000}, {"kalahrandom1", 500},
	{"connectfour", 1000}, {"breakthrough", 500}, {"knightthrough", 500},
	{"foxandhounds", 200}, {"pentago", 200}, {"skirmish", 100},
}

// signatureAgent is a variant of the search.
type signatureAgent struct {
	preset string
	note   string // what change does to it
	change func(a *agent.Agent)
	lanes  int
}

// signatureAgents are variants that have little code in common.
var signatureAgents = []signatureAgent{
	{preset: "orthodox", lanes: 64},
	{preset: "orthodox-mast-rave", lanes: 64},
	{preset: "semisplit", lanes: 64},
	{preset: "semisplit", note: "512 lanes", lanes: 512, change: func(a *agent.Agent) { a.Algorithm.Parameters.LanesInFlight = 512 }},
	{preset: "semisplit", note: "little memory", lanes: 64, change: func(a *agent.Agent) { a.General.Memory = 400 << 10 }},
	// What is learned depends on how quick the machine is.
	{preset: "house", note: "no evaluation", lanes: 64, change: func(a *agent.Agent) { a.Algorithm.Parameters.ImplicitMinimax = 0 }},
	{preset: "snodal-s-mod", note: "solver", lanes: 64, change: func(a *agent.Agent) { a.Algorithm.Parameters.Solver = true }},
	{preset: "orthodox", note: "proof numbers", lanes: 64, change: func(a *agent.Agent) { a.Algorithm.Parameters.PN = "FSU" }},
	{preset: "snodal-s-mod-mast-mix", lanes: 64},
	{preset: "snodal-s-mod-mast-rave", lanes: 64},
	{preset: "snodal-o-mod", lanes: 64},
	{preset: "o-s-mod-mast-rave", lanes: 64},
	{preset: "sraw-s-mod", note: "nst", lanes: 64, change: func(a *agent.Agent) { a.Heuristics = []agent.Heuristic{{Name: "nst"}} }},
	{preset: "snodal-s-modshift", lanes: 64},
	{preset: "rnodal-s-mod-mast", lanes: 64},
}

// signatureTurns are the turns of a match that count.
const signatureTurns = 3

// name is what the table calls it.
func (v signatureAgent) name() string {
	if v.note == "" {
		return v.preset
	}
	return v.preset + ", " + v.note
}

// signature prints a line for each game and agent, and the sum of all. Named
// games are the only ones.
func (c *benchCmd) signature(s *console.Session) error {
	total := fnv.New64a()
	table := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "game\tagent\tplan\titerations\tstates\tnodes\tmoves\tsignature")
	for _, name := range c.Games {
		if !slices.Contains(signatureNames(), name) {
			return console.Usagef("%s is not among the games of the signature: %s", name, strings.Join(signatureNames(), ", "))
		}
	}
	for _, g := range signatureGames {
		if len(c.Games) > 0 && !slices.Contains(c.Games, g.name) {
			continue
		}
		_, program, _, err := load.Read(s, g.name)
		if err != nil {
			return err
		}
		machines := machines.NewCache(program, reasoner.DefaultLimits)
		for _, v := range signatureAgents {
			m, a, err := v.machine(s, machines)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", g.name, v.name(), err)
			}
			trace := newTrace()
			if err := trace.match(s, m, a, g.iterations); err != nil {
				return fmt.Errorf("%s, %s: %w", g.name, v.name(), err)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%d\t%s\t%016x\n", g.name, v.name(), m.Plan(),
				trace.iterations, trace.states, trace.nodes, strings.Join(trace.moves, " "), trace.sum.Sum64())
			fmt.Fprintf(total, "%016x", trace.sum.Sum64())
		}
	}
	table.Flush()
	fmt.Fprintf(s.Out, "signature %016x\n", total.Sum64())
	return s.Ctx.Err()
}

func signatureNames() (names []string) {
	for _, g := range signatureGames {
		names = append(names, g.name)
	}
	return names
}

// machine is the agent, and what it thinks on: a plan is named, not measured.
func (v signatureAgent) machine(s *console.Session, machines *machines.Cache) (reasoner.Machine, agent.Agent, error) {
	a, err := agent.Find(v.preset)
	if err != nil {
		return nil, a, err
	}
	a.General.Threads = 1
	if v.change != nil {
		v.change(&a)
	}
	variant := a.Variant()
	variant.Engine, variant.Lanes = agent.EngineLanes, v.lanes
	if variant.Plan == reasoner.Auto {
		variant.Plan = "mod"
	}
	m, err := machines.ForAgent(s.Ctx, a, variant)
	return m, a, err
}

// trace sums up the beginning of a match.
type trace struct {
	iterations, states, nodes int
	moves                     []string // of the roles that have a choice, without their parentheses
	sum                       hash.Hash64
}

func newTrace() *trace { return &trace{sum: fnv.New64a()} }

// match lets an agent play all seats for a few turns.
func (t *trace) match(s *console.Session, m reasoner.Machine, a agent.Agent, iterations int) error {
	stop := new(atomic.Bool)
	defer context.AfterFunc(s.Ctx, func() { stop.Store(true) })()
	players := make([]*local.Player, len(m.Roles()))
	for role := range players {
		var err error
		if players[role], err = local.NewPlayer(m, a, role, uint64(role)+1, stop); err != nil {
			return err
		}
	}
	for range signatureTurns {
		joint := make([]kif.Term, len(players))
		for role, b := range players {
			move, report, err := b.Choose(search.Budget{Iterations: iterations})
			if err != nil {
				return err
			}
			joint[role] = move
			t.add(move, report)
		}
		for _, b := range players {
			if err := b.Advance(joint); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds a move and what the search did for it.
func (t *trace) add(move kif.Term, r search.Report) {
	fmt.Fprintf(t.sum, "%v %d %d %d %d %d %d %d %v;", move, r.Iterations, r.Playouts, r.States, r.Created, r.Pruned, r.KeptVisits, r.RootVisits, r.Line)
	for _, v := range r.Value {
		fmt.Fprintf(t.sum, "%016x", math.Float64bits(v))
	}
	t.iterations, t.states, t.nodes = t.iterations+r.Iterations, t.states+r.States, t.nodes+r.Created
	if r.Iterations > 0 {
		t.moves = append(t.moves, strings.ReplaceAll(strings.Trim(move.String(), "()"), " ", "."))
	}
}
