package machines

import (
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/evaluation/greedy"
	"semisplit/reasoner"
	"semisplit/search"
	"semisplit/search/ahead"
	"semisplit/search/combinatorial"
	"semisplit/search/engine"
	"semisplit/search/minimax"
	"semisplit/search/portfolio"
)

// makers make the algorithms that an agent can name, without a root: on engines of a
// machine, with its levels and options of their own. One that chooses by itself which
// Monte Carlo tree search to play is a tree like any other here.
var makers = map[string]func(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm{
	agent.NameMCTS:      newPortfolio,
	agent.NameAuto:      newPortfolio,
	agent.NameRandom:    func(m reasoner.Machine, _ agent.Agent, seed uint64) search.Algorithm { return newRandomMoves(m, seed) },
	agent.NameAlphaBeta: newAlphaBeta,
	agent.NameBestFirst: newBestFirst,

	agent.NameHierarchical: newCombinatorial(combinatorial.Hierarchical),
	agent.NameDimensional:  newCombinatorial(combinatorial.Dimensional),
	agent.NameNaive:        newCombinatorial(combinatorial.Naive),
	agent.NameLinear:       newCombinatorial(combinatorial.Linear),
}

// NewTree makes the search of an agent on a machine. States that it refuses later than its
// first root are searched by plain Monte Carlo tree search.
func NewTree(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm {
	return newTree(m, a, seed, true)
}

// NewMatchTree is NewTree that searches its first root in any case, as in a match, which
// may have come to any state.
func NewMatchTree(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm {
	return newTree(m, a, seed, false)
}

func newTree(m reasoner.Machine, a agent.Agent, seed uint64, strict bool) search.Algorithm {
	main := makers[a.Algorithm.Name](m, a, seed)
	if !a.Minimax() && !a.Combinatorial() { // which search any state
		return main
	}
	return portfolio.NewRelief(main, func() search.Algorithm {
		plain := agent.Default()
		plain.General = a.General
		plain.General.Memory /= 2 // the rest is that of main
		plain.Algorithm.Parameters.Solver = true
		return newPortfolio(m, plain, seed)
	}, strict)
}

// newPortfolio makes a Monte Carlo tree search, with one engine for each thread.
func newPortfolio(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm {
	engines := make([]engine.Engine, max(1, a.General.Threads))
	for i := range engines {
		engines[i] = newEngine(a, m, seed+uint64(i))
	}
	o := searchOptions(a, m, seed)
	if a.Algorithm.Parameters.LookAhead && o.Knowledge.Evaluate != nil {
		for i := range engines {
			o.Knowledge.Lookahead = append(o.Knowledge.Lookahead, m.NewEngine(seed+uint64(i)))
		}
	}
	return portfolio.New(engines, board.Levels(m), o)
}

func newAlphaBeta(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm {
	threads := max(1, a.General.Threads)
	e, ok := m.(equipped)
	learns := ok && e.evaluation != nil && e.evaluation.Source != "" && a.LearnsOn()
	if learns {
		threads = a.Searching(threads)
	}
	engines := make([]engine.Engine, threads)
	for i := range engines {
		engines[i] = m.NewEngine(seed + uint64(i))
	}
	search := minimax.NewAlphaBeta(engines, board.Levels(m), minimaxOptions(m, a))
	if !learns {
		return search
	}
	learner := func() portfolio.Learner { return greedy.NewOnward(e, e.evaluation, seed) }
	return portfolio.NewLearning(search, learner, a.General.Threads > 1)
}

func newBestFirst(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm {
	return minimax.NewBestFirst([]engine.Engine{m.NewEngine(seed)}, board.Levels(m), minimaxOptions(m, a))
}

// minimaxOptions are the parameters of a search by what states are worth.
func minimaxOptions(m reasoner.Machine, a agent.Agent) minimax.Options {
	o := minimax.Options{Memory: a.General.Memory, Chance: board.Chance(m), Numbered: m.Kind() == agent.EngineProver}
	if m, ok := m.(equipped); ok {
		if o.Counted = m.counted; m.evaluation != nil {
			o.Evaluate = m.evaluation
		}
	}
	return o
}

// newCombinatorial makes searches by the dimensions of moves.
func newCombinatorial(method combinatorial.Method) func(reasoner.Machine, agent.Agent, uint64) search.Algorithm {
	return func(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm {
		c := a.Algorithm.Combinatorial
		o := combinatorial.Options{
			Method: method, RootOnly: c.RootOnly, Exploration: a.Algorithm.Parameters.ExplorationConstant,
			Memory: a.General.Memory, Seed: seed, Chance: board.Chance(m),
			Order:      map[string]combinatorial.Order{"random": combinatorial.OrderRandom, "knowledge": combinatorial.OrderKnowledge}[c.Order],
			Completion: map[string]combinatorial.Completion{"rave": combinatorial.CompleteRAVE, "mast": combinatorial.CompleteMAST}[c.Completion],
		}
		if o.Exploration == 0 {
			o.Exploration = -1 // none: 0 would be the default
		}
		if c.Side == "vertices" {
			o.Side = combinatorial.SideVertices
		}
		return combinatorial.New([]engine.Engine{m.NewEngine(seed)}, board.Levels(m), o)
	}
}

// newEngine makes an engine of a machine whose playouts are the agent's.
func newEngine(a agent.Agent, m reasoner.Machine, seed uint64) engine.Engine {
	p := &a.Algorithm.Parameters
	how := ahead.Options{Decisive: p.DecisiveMoves, Chance: board.Chance(m), Seed: seed}
	if m, ok := m.(equipped); ok && m.evaluation != nil && p.EvaluationGreedy > 0 {
		how.Evaluate, how.Greedy = m.evaluation, p.EvaluationGreedy
	}
	if !how.Decisive && how.Evaluate == nil {
		return m.NewEngine(seed)
	}
	return ahead.New(m.NewSingle(seed), m.NewEngine(seed), board.Levels(m), how)
}
