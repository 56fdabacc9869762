package player

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/reasoner"
	"semisplit/search"
)

// Brain is the thinking of one agent for one role in one match, without
// clocks, messages and logs: it follows the moves and chooses its own. It
// thinks only in Prepare and Choose, on the goroutine of the caller and as many
// more as the agent has threads. It belongs to one goroutine.
type Brain struct {
	agent   agent.Agent
	role    int
	board   *board.Board
	tree    search.Algorithm
	planted bool // the tree's root is the board's state
	stop    *atomic.Bool
	random  *rand.Rand
}

// ErrNoMove says that the role has no legal move.
var ErrNoMove = errors.New("no legal move")

// NewBrain makes the brain of an agent for a role, by its index, at the
// initial state, on a machine as of Machines.ForAgent, which brains may share.
// The same agent, machine, role and seed choose the same moves, as long as
// budgets count iterations or states, there is one thread, and the machine is
// no prover. An agent that leaves the threads open has one. What the brain does
// ends soon after stop is set.
func NewBrain(m reasoner.Machine, a agent.Agent, role int, seed uint64, stop *atomic.Bool) (*Brain, error) {
	if role < 0 || role >= len(m.Roles()) {
		return nil, fmt.Errorf("%w: number %d of %d", errNoRole, role, len(m.Roles()))
	}
	a.General.Threads = max(1, a.General.Threads)
	b, err := board.New(m, seed, stop)
	if err != nil {
		return nil, err
	}
	return &Brain{
		agent: a, role: role, board: b, tree: newTree(m, a, seed), stop: stop,
		random: rand.New(rand.NewPCG(seed, uint64(role))),
	}, nil
}

// Advance follows a joint move, given in role order. What the search knows of
// the new state is kept.
func (b *Brain) Advance(moves []kif.Term) error {
	joint, err := b.board.Joint(moves)
	if err != nil {
		return err
	}
	if err := b.board.Moved(joint); err != nil {
		return err
	}
	b.planted = b.tree.Advance(joint)
	return nil
}

// Prepare thinks about the current state without moving, as at the start of a
// match.
func (b *Brain) Prepare(budget search.Budget) (search.Report, error) {
	if b.board.Terminal() {
		return search.Report{}, nil
	}
	if !b.planted {
		if err := b.tree.SetRoot(b.board.State()); err != nil {
			return search.Report{}, fmt.Errorf("root of the tree: %w", err)
		}
		b.planted = true
	}
	if own := int(b.agent.Algorithm.Parameters.Iterations); own > 0 && (budget.Iterations == 0 || own < budget.Iterations) {
		budget.Iterations = own
	}
	return b.tree.Search(b.stop, budget)
}

// Choose thinks within the budget, which must have a bound, and returns the
// agent's move. A single legal move is returned at once, with a report of
// nothing done. The error wraps ErrNoMove where there is none.
func (b *Brain) Choose(budget search.Budget) (kif.Term, search.Report, error) {
	m := b.board.Machine()
	switch few := b.board.FirstPaths(b.role, 2); len(few) {
	case 0:
		return kif.Term{}, search.Report{}, fmt.Errorf("%w: %v", ErrNoMove, m.Roles()[b.role])
	case 1:
		return m.Move(b.role, few[0]), search.Report{}, nil
	}
	report, err := b.Prepare(budget)
	if err != nil {
		return kif.Term{}, report, err
	}
	path, ok := b.tree.Best(b.role)
	if !ok { // the budget was too small for a single iteration
		path, _ = b.board.Random(b.role, b.random)
	}
	return m.Move(b.role, path), report, nil
}
