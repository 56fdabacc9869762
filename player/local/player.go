package local

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/search"
)

// Player is one agent in one role of one match: it follows the moves and chooses its
// own. It thinks only in Prepare and Choose, on the goroutine of the caller and as many
// more as the agent has threads. It belongs to one goroutine.
type Player struct {
	agent  agent.Agent
	role   int
	board  *board.Board
	tree   search.Algorithm
	rooted bool // the tree's root is the board's state
	stop   *atomic.Bool
	random *rand.Rand
}

// ErrNoMove says that the role has no legal move.
var ErrNoMove = errors.New("no legal move")

// NewPlayer makes the player of an agent for a role, by its index, at the
// initial state, on a machine as of machines.Cache.ForAgent, which players may share.
// The same agent, machine, role and seed choose the same moves, as long as
// budgets count iterations or states, there is one thread, and the machine is
// no prover. An agent that leaves the threads open has one. What the player does
// ends soon after stop is set.
func NewPlayer(m reasoner.Machine, a agent.Agent, role int, seed uint64, stop *atomic.Bool) (*Player, error) {
	return playerWith(m, a, role, seed, stop, machines.NewTree)
}

// NewMatchPlayer is NewPlayer whose search takes any state, as in a match: see
// machines.NewMatchTree.
func NewMatchPlayer(m reasoner.Machine, a agent.Agent, role int, seed uint64, stop *atomic.Bool) (*Player, error) {
	return playerWith(m, a, role, seed, stop, machines.NewMatchTree)
}

func playerWith(m reasoner.Machine, a agent.Agent, role int, seed uint64, stop *atomic.Bool, newTree func(reasoner.Machine, agent.Agent, uint64) search.Algorithm) (*Player, error) {
	if role < 0 || role >= len(m.Roles()) {
		return nil, fmt.Errorf("the rules have no role number %d: they have %d", role, len(m.Roles()))
	}
	a.General.Threads = max(1, a.General.Threads)
	b, err := board.New(m, seed, stop)
	if err != nil {
		return nil, err
	}
	return &Player{
		agent: a, role: role, board: b, tree: newTree(m, a, seed), stop: stop,
		random: rand.New(rand.NewPCG(seed, uint64(role))),
	}, nil
}

// Advance follows a joint move, given in role order. What the search knows of
// the new state is kept.
func (p *Player) Advance(moves []kif.Term) error {
	joint, err := p.board.Joint(moves)
	if err != nil {
		return err
	}
	if err := p.board.Moved(joint); err != nil {
		return err
	}
	p.rooted = p.tree.Advance(joint)
	return nil
}

// Prepare thinks about the current state without moving, as at the start of a
// match.
func (p *Player) Prepare(budget search.Budget) (search.Report, error) {
	if p.board.Terminal() {
		return search.Report{}, nil
	}
	if !p.rooted {
		if err := p.tree.SetRoot(p.board.State()); err != nil {
			return search.Report{}, fmt.Errorf("root of the tree: %w", err)
		}
		p.rooted = true
	}
	if own := int(p.agent.Algorithm.Parameters.Iterations); own > 0 && (budget.Iterations == 0 || own < budget.Iterations) {
		budget.Iterations = own
	}
	return p.tree.Search(p.stop, budget)
}

// Choose thinks within the budget, which must have a bound, and returns the
// agent's move. A single legal move is returned at once, with a report of
// nothing done. The error wraps ErrNoMove where there is none, and where the player was
// stopped before it found one.
func (p *Player) Choose(budget search.Budget) (kif.Term, search.Report, error) {
	m := p.board.Machine()
	switch few := p.board.FirstPaths(p.role, 2); len(few) {
	case 0:
		return kif.Term{}, search.Report{}, fmt.Errorf("%w: %v", ErrNoMove, m.Roles()[p.role])
	case 1:
		return m.Move(p.role, few[0]), search.Report{}, nil
	}
	report, err := p.Prepare(budget)
	if err != nil {
		return kif.Term{}, report, err
	}
	path, ok := p.tree.Best(p.role)
	if !ok { // the budget was too small for a single iteration
		path, ok = p.board.Random(p.role, p.random)
	}
	if !ok { // it was stopped before that
		return kif.Term{}, report, fmt.Errorf("%w: %v", ErrNoMove, m.Roles()[p.role])
	}
	return m.Move(p.role, path), report, nil
}
