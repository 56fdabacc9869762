package machines

import (
	"math/rand/v2"
	"sync/atomic"

	"semisplit/player/board"
	"semisplit/reasoner"
	"semisplit/search"
)

// randomMoves is the tree of an agent that does not search: any legal move is
// its best one, each with the same probability.
type randomMoves struct {
	machine reasoner.Machine
	seed    uint64
	stop    atomic.Bool // never set: what it evaluates is one state
	board   *board.Board
	random  *rand.Rand
}

func newRandomMoves(m reasoner.Machine, seed uint64) *randomMoves {
	return &randomMoves{machine: m, seed: seed, random: rand.New(rand.NewPCG(seed, 0))}
}

func (r *randomMoves) SetRoot(state []uint64) (err error) {
	if r.board == nil {
		if r.board, err = board.New(r.machine, r.seed, &r.stop); err != nil {
			return err
		}
	}
	return r.board.Set(state)
}

func (r *randomMoves) Advance(joint []uint32) (kept bool) {
	return r.board != nil && r.board.Moved(joint) == nil
}

// Search has nothing to find.
func (r *randomMoves) Search(*atomic.Bool, search.Budget) (search.Report, error) {
	return search.Report{}, nil
}

func (r *randomMoves) Best(role int) (path []uint32, ok bool) {
	return r.board.Random(role, r.random)
}

// RootEdges: nothing is known of any.
func (r *randomMoves) RootEdges(int) []search.EdgeStats { return nil }
